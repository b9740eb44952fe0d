"""The figures of a crawl in PostgreSQL; implements `CrawlFigures`.

Totals and the curve come from `harvest`, one row for each group of visits.
"""

from __future__ import annotations

from typing import Any, LiteralString

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
from geoscout.store.postgres.cursors import read_positions, write_positions
from geoscout.store.postgres.session import Session

_TOTALS: LiteralString = """
SELECT coalesce(sum(visits), 0)::bigint, coalesce(sum(pages), 0)::bigint,
    coalesce(sum(relevant), 0)::bigint, coalesce(min(first_at), 0), coalesce(max(last_at), 0),
    coalesce(sum(degrees), 0) FROM harvest
"""
# The next rows of each partition after where it was read up to. A partition that is far ahead
# does not keep the others waiting: all of them give their first row, then their second.
AFTER: LiteralString = """
WITH position AS (
    SELECT number AS partition, coalesce(at, 0) AS at FROM partition
    LEFT JOIN unnest(%s::int[], %s::bigint[]) AS seen (partition, at)
        ON seen.partition = partition.number)
"""
_GROWTH: LiteralString = (
    AFTER
    + """
SELECT partition, groups, visits, pages, relevant, last_at FROM position CROSS JOIN LATERAL (
    SELECT groups, visits, pages, relevant, last_at FROM harvest
    WHERE harvest.partition = position.partition AND groups > at ORDER BY groups LIMIT %s
) AS next ORDER BY groups - at, partition LIMIT %s
"""
)
# An address first, then coordinates in the markup, then the town the page is mainly about, and at
# last the address of the site.
_SIGHTINGS: LiteralString = (
    AFTER
    + """
SELECT partition, n, url, title, relevant, coalesce(
    (SELECT ARRAY[coalesce(address.latitude, place.latitude),
            coalesce(address.longitude, place.longitude)]
        FROM address LEFT JOIN place ON place.id = address.place AND place.id <> 0
        WHERE visit = n AND NOT of_site
        AND coalesce(address.latitude, place.latitude) IS NOT NULL
        ORDER BY position LIMIT 1),
    (SELECT ARRAY[latitude, longitude] FROM point WHERE visit = n ORDER BY position LIMIT 1),
    (SELECT ARRAY[latitude, longitude] FROM visit_place JOIN place ON place.id = visit_place.place
        WHERE visit = n AND score > 0 AND kind IN ('city', 'neighbourhood', 'landmark')
        ORDER BY score DESC LIMIT 1),
    (SELECT ARRAY[coalesce(address.latitude, place.latitude),
            coalesce(address.longitude, place.longitude)]
        FROM address LEFT JOIN place ON place.id = address.place AND place.id <> 0
        WHERE visit = n
        AND coalesce(address.latitude, place.latitude) IS NOT NULL ORDER BY position LIMIT 1))
FROM position CROSS JOIN LATERAL (
    SELECT n, url, title, relevant FROM visit
    WHERE visit.partition = position.partition AND n > at AND is_page ORDER BY n LIMIT %s
) AS next ORDER BY n, partition LIMIT %s
"""
)
_NODES: LiteralString = """
SELECT node, count(*), count(*) FILTER (WHERE is_page), count(*) FILTER (WHERE relevant)
FROM visit GROUP BY node ORDER BY node
"""
_RECENT: LiteralString = """
SELECT fetched_at, seconds FROM partition CROSS JOIN LATERAL (
    SELECT fetched_at, seconds, n FROM visit WHERE visit.partition = partition.number
    ORDER BY n DESC LIMIT %s
) AS last ORDER BY n DESC LIMIT %s
"""


class PostgresFigures:
    """What the tables of a crawl add up to."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def totals(self) -> Totals:
        ((visits, pages, relevant, first_at, last_at, degrees),) = self._rows(_TOTALS)
        return Totals(visits, pages, relevant, first_at, last_at, degrees=degrees)

    def growth(self, after: Cursor = "", limit: int = 10_000) -> Growth:
        positions = read_positions(after)
        steps = []
        for partition, group, *step in self._after(_GROWTH, positions, limit):
            steps.append(Step(*step))
            positions[partition] = group
        return Growth(steps, write_positions(positions))

    def nodes(self) -> list[NodeTotals]:
        return [NodeTotals(*row) for row in self._rows(_NODES)]

    def sightings(self, after: Cursor = "", limit: int = 1000) -> MappedPages:
        positions = read_positions(after)
        rows = self._after(_SIGHTINGS, positions, limit)
        found = []
        for partition, n, url, title, relevant, point in rows:
            positions[partition] = n
            if point is not None:
                found.append(MappedPage(n, url, title, relevant, Point(*point)))
        return MappedPages(found, write_positions(positions), len(rows) == limit)

    def recent(self, limit: int) -> list[Recent]:
        # By number: close enough to the order of time, and the last are found without a search.
        return [Recent(*row) for row in self._rows(_RECENT, limit, limit)]

    def failures_since(self, at: float) -> int:
        ((number,),) = self._rows("SELECT count(*) FROM failure WHERE at >= %s", at)
        return int(number)

    def _after(
        self, query: LiteralString, positions: dict[int, int], limit: int
    ) -> list[tuple[Any, ...]]:
        seen = (list(positions), list(positions.values()))
        return self._rows(query, *seen, limit, limit)

    def _rows(self, query: LiteralString, *parameters: object) -> list[tuple[Any, ...]]:
        return self._session.rows(query, *parameters)
