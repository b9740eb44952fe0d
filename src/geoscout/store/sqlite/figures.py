"""The figures of a crawl in SQLite; implements `CrawlFigures`."""

from __future__ import annotations

import sqlite3

from geoscout.errors import UsageError
from geoscout.model import Point
from geoscout.store.figures import (
    Cursor,
    Growth,
    MappedPage,
    MappedPages,
    NodeTotals,
    Recent,
    Step,
    Totals,
)
from geoscout.store.sqlite.database import check_version
from geoscout.store.sqlite.rows import columns_of

# An address first, then coordinates in the markup, then the town the page is mainly about, and at
# last the address of the site.
_SIGHTINGS = """
SELECT n, url, title, relevant,
    (SELECT coalesce(address.latitude, place.latitude) || ','
        || coalesce(address.longitude, place.longitude)
        FROM address LEFT JOIN place ON place.id = address.place AND place.id <> 0
        WHERE visit = n AND NOT {of_site}
        AND coalesce(address.latitude, place.latitude) IS NOT NULL
        ORDER BY position LIMIT 1),
    (SELECT latitude || ',' || longitude FROM point WHERE visit = n ORDER BY position LIMIT 1),
    (SELECT latitude || ',' || longitude FROM visit_place JOIN place ON place.id = visit_place.place
        WHERE visit = n AND score > 0 AND kind IN ('city', 'neighbourhood', 'landmark')
        ORDER BY score DESC LIMIT 1),
    (SELECT coalesce(address.latitude, place.latitude) || ','
        || coalesce(address.longitude, place.longitude)
        FROM address LEFT JOIN place ON place.id = address.place AND place.id <> 0
        WHERE visit = n
        AND coalesce(address.latitude, place.latitude) IS NOT NULL ORDER BY position LIMIT 1)
FROM visit WHERE n > ? AND is_page ORDER BY n LIMIT ?
"""


class SqliteFigures:
    """Counts over the table of visits.

    One process writes to it, so numbers become visible in their order, and the number of the last
    visit that was seen is cursor enough.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._columns = columns_of(check_version(connection))

    def totals(self) -> Totals:
        query = f"""SELECT count(*), coalesce(sum(is_page), 0), coalesce(sum(relevant), 0),
            coalesce(min(fetched_at), 0), coalesce(max(fetched_at), 0),
            coalesce(sum({self._columns["degree"]}), 0) FROM visit"""  # noqa: S608 - a column of ours
        visits, pages, relevant, first_at, last_at, degrees = self._rows(query).fetchone()
        return Totals(visits, pages, relevant, first_at, last_at, degrees=degrees)

    def growth(self, after: Cursor = "", limit: int = 10_000) -> Growth:
        query = """SELECT n, 1, is_page, relevant, fetched_at FROM visit
            WHERE n > ? ORDER BY n LIMIT ?"""
        rows = self._rows(query, read_cursor(after), limit).fetchall()
        return Growth([Step(*rest) for _, *rest in rows], str(rows[-1][0]) if rows else after)

    def nodes(self) -> list[NodeTotals]:
        rows = self._rows(
            "SELECT node, count(*), sum(is_page), sum(relevant) FROM visit"
            " GROUP BY node ORDER BY node"
        )
        return [NodeTotals(*row) for row in rows]

    def sightings(self, after: Cursor = "", limit: int = 1000) -> MappedPages:
        rows = self._rows(_SIGHTINGS.format(**self._columns), read_cursor(after), limit).fetchall()
        found = []
        for n, url, title, relevant, *points in rows:
            point = next((text for text in points if text), None)
            if point is not None:
                latitude, longitude = map(float, point.split(","))
                found.append(MappedPage(n, url, title, bool(relevant), Point(latitude, longitude)))
        return MappedPages(found, str(rows[-1][0]) if rows else after, len(rows) == limit)

    def recent(self, limit: int) -> list[Recent]:
        # By number: close enough to the order of time, and the last are found without a search.
        query = "SELECT fetched_at, seconds FROM visit ORDER BY n DESC LIMIT ?"
        return [Recent(*row) for row in self._rows(query, limit)]

    def failures_since(self, at: float) -> int:
        return int(self._rows("SELECT count(*) FROM failure WHERE at >= ?", at).fetchone()[0])

    def _ready(self) -> None:
        """Make visible what has been added; a reader adds nothing."""

    def _rows(self, query: str, *parameters: object) -> sqlite3.Cursor:
        self._ready()
        return self._connection.execute(query, parameters)


def read_cursor(cursor: Cursor) -> int:
    """The number that a cursor stands for.

    Raises:
        UsageError: it was not given out by this store.
    """
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 19):
        raise UsageError(f"{cursor!r} is not a position in this crawl")
    return int(cursor)
