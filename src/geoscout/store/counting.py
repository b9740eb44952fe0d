"""The figures of a crawl, over any engine.

Totals and the curve come from steps: one row for each group of visits, where there are groups.
"""

from __future__ import annotations

from collections.abc import Sequence

from geoscout.sql import Row
from geoscout.store.engine import TEXTS, Engine, Log, read_cursor, write_cursor
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
from geoscout_places.model import Point

_TOTALS = """
SELECT CAST(coalesce(sum(visits), 0) AS int8), CAST(coalesce(sum(pages), 0) AS int8),
    CAST(coalesce(sum(relevant), 0) AS int8), coalesce(min(first_at), 0),
    coalesce(max(last_at), 0), coalesce(sum(degrees), 0) FROM $steps AS step
"""
_NODES = """
SELECT node, count(*), count(*) FILTER (WHERE is_page), count(*) FILTER (WHERE relevant)
FROM visit GROUP BY node ORDER BY node
"""
# An address first, then coordinates in the markup, then the town the page is mainly about, and at
# last the address of the site.
_POINTS = """
SELECT visit, latitude, longitude FROM (
    SELECT visit, CASE WHEN of_site THEN 4 ELSE 1 END AS source, position AS turn,
        coalesce(address.latitude, place.latitude) AS latitude,
        coalesce(address.longitude, place.longitude) AS longitude
    FROM address LEFT JOIN place ON place.id = address.place WHERE visit :any
    UNION ALL SELECT visit, 2, position, latitude, longitude FROM point WHERE visit :any
    UNION ALL SELECT visit, 3, -score, latitude, longitude
    FROM visit_place JOIN place ON place.id = visit_place.place
    WHERE visit :any AND score > 0 AND kind IN ('city', 'neighbourhood', 'landmark')
) AS found WHERE latitude IS NOT NULL ORDER BY visit, source DESC, turn DESC
"""


class CrawlFigures:
    """What a crawl has come to, as it was committed last."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._shared = engine.dialect.shared

    def totals(self) -> Totals:
        """All visits counted; takes time in proportion to them."""
        ((visits, pages, relevant, first_at, last_at, degrees),) = self._rows(_TOTALS)
        return Totals(visits, pages, relevant, first_at, last_at, degrees=degrees)

    def growth(self, after: Cursor = "", limit: int = 10_000) -> Growth:
        """The next steps after a cursor, at most `limit`; none at the end.

        Raises:
            UsageError: the cursor is not one of this store.
        """
        positions = self._positions(after)
        steps = []
        log = Log(self._fill("$steps"), "groups", "visits, pages, relevant, last_at")
        for partition, group, *step in self._engine.after(log, positions, limit):
            steps.append(Step(*step))
            positions[partition] = group
        return Growth(steps, self._cursor(positions))

    def nodes(self) -> list[NodeTotals]:
        """What each node has come to, by name."""
        return [NodeTotals(*row) for row in self._rows(_NODES)]

    def sightings(self, after: Cursor = "", limit: int = 1000) -> MappedPages:
        """The pages with a point among the next `limit` pages.

        Raises:
            UsageError: the cursor is not one of this store.
        """
        positions = self._positions(after)
        log = Log("visit", "n", "url, title, relevant", "is_page")
        rows = self._engine.after(log, positions, limit)
        numbers = [n for _, n, *_ in rows]
        points = {n: Point(*degrees) for n, *degrees in self._rows(_POINTS, *[numbers] * 3)}
        positions.update((partition, n) for partition, n, *_ in rows)
        found = [
            MappedPage(n, url, title, bool(relevant), points[n])
            for _, n, url, title, relevant in rows
            if n in points
        ]
        return MappedPages(found, self._cursor(positions), len(rows) == limit)

    def recent(self, limit: int) -> Sequence[Recent]:
        """The last responses, the latest first."""
        # By number: close enough to the order of time, and the last are found without a search.
        query = "SELECT fetched_at, seconds FROM visit ORDER BY n DESC LIMIT :p"
        return [Recent(*row) for row in self._rows(query, limit)]

    def failures_since(self, at: float) -> int:
        """How many requests failed at this time or later."""
        ((number,),) = self._rows("SELECT count(*) FROM failure WHERE at >= :p", at)
        return int(number)

    def _positions(self, cursor: Cursor) -> dict[int, int]:
        return read_cursor(cursor, shared=self._shared)

    def _cursor(self, positions: dict[int, int]) -> Cursor:
        return write_cursor(positions, shared=self._shared)

    def _fill(self, query: str) -> str:
        return TEXTS.fill(query, shared=self._shared)

    def _rows(self, query: str, *parameters: object) -> list[Row]:
        return self._engine.rows(self._fill(query), *parameters)
