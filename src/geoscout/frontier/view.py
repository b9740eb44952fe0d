"""What others see of a frontier, as it was committed last, whatever database it is in.

A frontier restores itself by reading every request it knows; whoever only looks must not pay for
that. So the figures come from queries, and `HostState` says what they mean. A host is in one
partition, so the hosts of all of them are simply one list. Figures that no table holds are counted
over the rows: the crawl itself never asks, and pays for no index.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection

from geoscout.frontier.base import Bin, Counts, HostCounts, HostState, Known
from geoscout.frontier.tables import OF_REQUEST, as_host_state, as_request
from geoscout.sql import Queries, Row, Texts
from geoscout_places.clock import Clocks
from geoscout_places.model import HELD, Request

# `$waiting`: the requests that wait. `$by_host`: how many wait at each host.
_TEXTS = Texts(
    alone={
        "key": "number",
        "waiting": """(SELECT number, host, -rank AS priority, NULL AS later FROM frontier_queue
            UNION ALL SELECT number, host, -rank, until FROM frontier_later) AS waiting""",
        "by_host": """(SELECT host, sum(waiting) AS waiting, sum(postponed) AS postponed,
            max(best) AS best, min(retry_at) AS retry_at FROM (
                SELECT host, count(*) AS waiting, 0 AS postponed, -min(rank) AS best,
                    NULL AS retry_at FROM frontier_queue GROUP BY host
                UNION ALL SELECT host, count(*), count(*), NULL, min(until) FROM frontier_later
                GROUP BY host) GROUP BY host) AS w ON w.host = h.number""",
        "order": "h.number",
        "most": "(SELECT max(pages_per_host) FROM frontier_limits)",
        "bin": "CAST((priority - :p) / :p AS int8)",
        "clock": "SELECT steady, wall FROM frontier_clock",
    },
    shared={
        "key": "partition, number",
        "waiting": """(SELECT partition, number, host, priority, later FROM frontier_request
            WHERE priority IS NOT NULL) AS waiting""",
        "by_host": """(SELECT partition, host, count(*) AS waiting, count(later) AS postponed,
            max(priority) FILTER (WHERE later IS NULL) AS best, min(later) AS retry_at
            FROM frontier_request WHERE priority IS NOT NULL GROUP BY partition, host) AS w
            ON w.partition = h.partition AND w.host = h.number""",
        "order": "h.partition, h.number",
        "most": """(SELECT pages_per_host FROM frontier_limits
            WHERE frontier_limits.partition = h.partition)""",
        "bin": "CAST(floor((priority - :p) / :p) AS int8)",
        "clock": "SELECT 0, 0",  # the rows have times of the server
    },
)
_TOTALS = """
SELECT (SELECT count(*) FROM $waiting), CAST(coalesce(sum(done), 0) AS int8),
    CAST(coalesce(sum(failed), 0) AS int8), count(*) FROM frontier_host
"""
_TOP = """
SELECT name, waiting, done, failed FROM frontier_host AS h JOIN $by_host
ORDER BY waiting DESC, $order LIMIT :p
"""
_HOSTS = """
SELECT name, coalesce(waiting - postponed, 0), coalesce(postponed, 0), done, failed,
    coalesce(best <= :p, 1 = 0), retry_at, free_at, blocked_until, reason,
    coalesce(sum(done + failed) OVER server >= $most, 1 = 0), max(free_at) OVER server,
    CASE WHEN address = '' THEN 0 ELSE max(free_at) OVER (PARTITION BY address) END
FROM frontier_host AS h LEFT JOIN $by_host
WINDOW server AS (PARTITION BY name)
ORDER BY coalesce(waiting, 0) DESC, done DESC, $order LIMIT :p
"""
_BEST = f"""
SELECT {OF_REQUEST}, best.priority FROM (
    SELECT $key, priority FROM $waiting WHERE later IS NULL AND priority > :p
    ORDER BY priority DESC, $key LIMIT :p
) AS best JOIN frontier_request USING ($key) ORDER BY best.priority DESC, $key
"""
_RANGE = """
SELECT min(priority), max(priority), count(*) FROM $waiting WHERE later IS NULL AND priority > :p
"""
_BINS = """
SELECT $bin AS bin, count(*) FROM $waiting WHERE later IS NULL AND priority > :p GROUP BY 1
"""
_BY_NODE = """
SELECT node, count(*) FROM $waiting JOIN frontier_request USING ($key) GROUP BY node
"""
# One pass over the requests, which have no index by URL, for all that are asked for together.
_FIND = f"""
SELECT {OF_REQUEST}, waiting.priority FROM frontier_request LEFT JOIN $waiting USING ($key)
WHERE url :any ORDER BY waiting.priority IS NOT NULL, $key
"""


class TableView:
    """The tables of a frontier, seen from outside; implements `FrontierView`."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    def counts(self, top: int = 10) -> Counts:
        ((waiting, done, failed, hosts),) = self._rows(_TOTALS)
        listed = tuple(HostCounts(*row) for row in self._rows(_TOP, top))
        return Counts(waiting, 0, done, failed, hosts, top=listed)

    def hosts(self, limit: int) -> list[HostState]:
        clocks = self._rows("$clock")
        ahead = Clocks(*clocks[0]).ahead() if clocks else 0.0
        return [as_host_state(row, ahead) for row in self._rows(_HOSTS, HELD, limit)]

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
        counts: Counter[int] = Counter()
        for bin, waiting in self._rows(_BINS, low, width, HELD):
            counts[min(bin, number - 1)] += waiting
        return [
            Bin(low + bin * width, low + (bin + 1) * width, counts[bin]) for bin in range(number)
        ]

    def waiting_by_node(self) -> dict[str, int]:
        return dict(self._rows(_BY_NODE))

    def find(self, urls: Collection[str]) -> dict[str, Known]:
        found: dict[str, Known] = {}
        for *row, priority in self._rows(_FIND, sorted(urls)):
            request = as_request(row, 0.0 if priority is None else priority)
            found[request.url] = Known(request, waits=priority is not None)
        return found

    def _rows(self, query: str, *parameters: object) -> list[Row]:
        filled = _TEXTS.fill(query, shared=self._queries.dialect.shared)
        return self._queries.rows(filled, *parameters)
