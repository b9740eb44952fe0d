"""What others see of the frontiers of a crawl in PostgreSQL: all partitions, as last committed.

A host is in one partition, so the hosts of all of them are simply one list. Figures that no table
holds are counted over the rows: the crawl itself never asks, and pays for no index.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any, LiteralString

from geoscout.frontier.base import Bin, Counts, HostCounts, HostState, Known
from geoscout.frontier.sqlite import as_host_state
from geoscout.frontier.sqlite_queues import as_request
from geoscout.model import HELD, Request

_REQUEST: LiteralString = (
    "number, url, depth, distance, parent, node, tries, features, kind, level, priority"
)
_QUEUED: LiteralString = "priority IS NOT NULL AND later IS NULL"
_WAITING: LiteralString = """
SELECT partition, host AS number, count(*) AS waiting, count(later) AS postponed,
    max(priority) FILTER (WHERE later IS NULL) AS best, min(later) AS retry_at
FROM frontier_request WHERE priority IS NOT NULL GROUP BY partition, host
"""
_TOTALS: LiteralString = """
SELECT (SELECT count(*) FROM frontier_request WHERE priority IS NOT NULL),
    coalesce(sum(done), 0)::bigint, coalesce(sum(failed), 0)::bigint, count(*) FROM frontier_host
"""
_TOP: LiteralString = f"""
SELECT name, waiting, done, failed FROM ({_WAITING}) AS w JOIN frontier_host
    USING (partition, number)
ORDER BY waiting DESC, partition, number LIMIT %s
"""  # noqa: S608 - our own text
_HOSTS: LiteralString = f"""
SELECT name, coalesce(waiting - postponed, 0), coalesce(postponed, 0), done, failed,
    coalesce(best <= %s, false), retry_at, free_at, blocked_until, reason,
    coalesce(sum(done + failed) OVER server >= pages_per_host, false), max(free_at) OVER server,
    CASE WHEN address = '' THEN 0 ELSE max(free_at) OVER (PARTITION BY address) END
FROM frontier_host LEFT JOIN ({_WAITING}) AS w USING (partition, number)
    LEFT JOIN frontier_limits USING (partition)
WINDOW server AS (PARTITION BY name)
ORDER BY coalesce(waiting, 0) DESC, done DESC, partition, number LIMIT %s
"""  # noqa: S608 - our own text
_BEST: LiteralString = f"""
SELECT {_REQUEST} FROM frontier_request WHERE {_QUEUED} AND priority > %s
ORDER BY priority DESC, partition, number LIMIT %s
"""  # noqa: S608 - our own text
_RANGE: LiteralString = f"""
SELECT min(priority), max(priority), count(*) FROM frontier_request
WHERE {_QUEUED} AND priority > %s
"""  # noqa: S608 - our own text
_BINS: LiteralString = f"""
SELECT least(floor((priority - %s) / %s), %s)::int AS bin, count(*) FROM frontier_request
WHERE {_QUEUED} AND priority > %s GROUP BY bin
"""  # noqa: S608 - our own text
_BY_NODE: LiteralString = (
    "SELECT node, count(*) FROM frontier_request WHERE priority IS NOT NULL GROUP BY node"
)
# One pass over the requests, for all that are asked for together.
_FIND: LiteralString = f"""
SELECT {_REQUEST} FROM frontier_request WHERE url = ANY(%s)
ORDER BY priority IS NOT NULL, partition, number
"""  # noqa: S608 - our own text


class PostgresFrontierView:
    """The tables of a frontier, seen from outside; implements `FrontierView`."""

    def __init__(self, rows: Callable[..., list[tuple[Any, ...]]]) -> None:
        """Look at a crawl; `rows` answers a query with its parameters."""
        self._rows = rows

    def counts(self, top: int = 10) -> Counts:
        ((waiting, done, failed, hosts),) = self._rows(_TOTALS)
        listed = tuple(HostCounts(*row) for row in self._rows(_TOP, top))
        return Counts(waiting, 0, done, failed, hosts, top=listed)

    def hosts(self, limit: int) -> list[HostState]:
        return [as_host_state(row) for row in self._rows(_HOSTS, HELD, limit)]

    def best(self, limit: int) -> list[Request]:
        rows = self._rows(_BEST, HELD, limit)
        return [as_request(row, priority) for *row, priority in rows]

    def bins(self, number: int) -> list[Bin]:
        ((low, high, requests),) = self._rows(_RANGE, HELD)
        if not requests:
            return []
        width = (high - low) / number
        if not width or not math.isfinite(width):
            return [Bin(low, high, requests)]
        counts = dict(self._rows(_BINS, low, width, number - 1, HELD))
        return [
            Bin(low + bin * width, low + (bin + 1) * width, counts.get(bin, 0))
            for bin in range(number)
        ]

    def waiting_by_node(self) -> dict[str, int]:
        return dict(self._rows(_BY_NODE))

    def find(self, urls: Collection[str]) -> dict[str, Known]:
        found: dict[str, Known] = {}
        for *row, priority in self._rows(_FIND, list(urls)):
            request = as_request(row, 0.0 if priority is None else priority)
            found[request.url] = Known(request, waits=priority is not None)
        return found
