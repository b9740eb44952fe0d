"""The tables of a frontier, for every database that can keep one, and what others see in them.

Alone, the queues of hosts are tables of their own, whose entries are as small as they can be. In
partitions each request has its place in its own row, and the queues lie in a scratch file of their
owner (`journal.py`). The table of requests has no index except its key, on purpose
(docs/why/frontier.md).

A frontier restores itself by reading every request it knows; whoever only looks must not pay for
that. So the figures of `TableView` come from queries, and `HostState` says what they mean. A host
is in one partition, so the hosts of all of them are simply one list. Figures that no table holds
are counted over the rows: the crawl itself never asks, and pays for no index.
"""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from geoscout.frontier.base import Bin, Counts, HostCounts, HostState, Known
from geoscout.sql import Queries, Row, Table, Texts
from geoscout_places.clock import Clocks
from geoscout_places.model import HELD, Request, RequestKind

HOST = Table(
    "frontier_host",
    """
    partition      int2   key @shared
    number         int4   key
    name           text
    node           text   =''
    address        text   =''
    free_at        float8 =0
    pause          float8 =0 @shared   -- that it was given after its last request
    blocked_until  float8 =0
    reason         text   =''
    done           int4   =0
    failed         int4   =0
    """,
    "plain",
    room=70,
)
REQUEST = Table(
    "frontier_request",
    """
    partition      int2   key @shared
    number         int4   key
    host           int4   @shared
    url            text
    depth          int4
    distance       int4
    parent         text
    node           text
    tries          int4
    features       bytea
    kind           text
    level          int4
    priority       float8 null @shared  -- NULL: finished
    later          float8 null @shared  -- it failed and waits until then
    """,
    "plain",
    room=85,
)
LIMITS = Table(  # NULL is without limit
    "frontier_limits", "partition int2 key @shared \n pages_per_host int4 null"
)
QUEUE = Table("frontier_queue", "host int4 key \n rank float8 key \n number int4 key", "@alone")
LATER = Table(
    "frontier_later",
    "host int4 key \n until float8 key \n number int4 key \n rank float8",
    "@alone",
)
# The clock of all times in these tables, at the last commit, and the wall clock at that moment.
CLOCK = Table("frontier_clock", "only int4 key \n steady float8 \n wall float8", "@alone")
TABLES = (HOST, REQUEST, LIMITS, QUEUE, LATER, CLOCK)
OF_REQUEST = "url, depth, distance, parent, node, tries, features, kind, level"

_KINDS = {kind.value: kind for kind in RequestKind}


def request_values(request: Request) -> tuple[Any, ...]:
    """The values of a request in the columns `OF_REQUEST`."""
    return (
        request.url, request.depth, request.distance, request.parent, request.node, request.tries,
        request.features, str(request.kind), request.level,
    )  # fmt: skip


def as_request(row: Sequence[Any], priority: float) -> Request:
    """The request of a row with the columns `OF_REQUEST`."""
    url, depth, distance, parent, node, tries, features, kind, level = row
    return Request(
        url, priority, depth, distance, parent,
        node=node, tries=tries, features=features, kind=_KINDS[kind], level=level,
    )  # fmt: skip


def as_host_state(row: Sequence[Any], ahead: float = 0.0) -> HostState:
    """A host from the row that the view of a frontier asks for.

    `ahead`: seconds by which the clock of whoever looks is ahead of that of the row.
    """
    name, queued, postponed, done, failed, all_held, retry_at, free_at, *rest = row
    blocked_until, blocked_for, is_spent, server_free_at, address_free_at = rest
    return HostState(
        name,
        queued,
        postponed,
        done,
        failed,
        all_held=bool(all_held),
        retry_at=math.inf if retry_at is None else retry_at + ahead,
        free_at=free_at + ahead,
        blocked_until=blocked_until + ahead,
        blocked_for=blocked_for,
        is_spent=bool(is_spent),
        server_free_at=server_free_at + ahead,
        address_free_at=address_free_at + ahead,
    )


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
    """A frontier as it was committed last, for those who look on while the crawl runs.

    What is in flight is not written down, and counts as waiting.
    """

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    def counts(self, top: int = 10) -> Counts:
        """How many requests are where, and the hosts with the most waiting ones."""
        ((waiting, done, failed, hosts),) = self._rows(_TOTALS)
        listed = tuple(HostCounts(*row) for row in self._rows(_TOP, top))
        return Counts(waiting, 0, done, failed, hosts, top=listed)

    def hosts(self, limit: int) -> list[HostState]:
        """The hosts with the most waiting requests, then those with the most done."""
        clocks = self._rows("$clock")
        ahead = Clocks(*clocks[0]).ahead() if clocks else 0.0
        return [as_host_state(row, ahead) for row in self._rows(_HOSTS, HELD, limit)]

    def best(self, limit: int) -> list[Request]:
        """The waiting requests of highest priority, whatever their hosts wait for, best first.

        Without those that are held, and those that failed and wait for their time.
        """
        rows = self._rows(_BEST, HELD, limit)
        return [as_request(row, priority) for *row, priority in rows]

    def bins(self, number: int) -> list[Bin]:
        """The requests that `best` chooses from, in bins of priority from the lowest up.

        One bin when all have one priority; none when nothing waits.
        """
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
        """How many requests wait in the queue of each node; "" where there are no nodes."""
        return dict(self._rows(_BY_NODE))

    def find(self, urls: Collection[str]) -> dict[str, Known]:
        """Those of these URLs that the frontier knows; takes time in proportion to all it knows.

        Of a URL that several nodes know, the request that waits is preferred.
        """
        found: dict[str, Known] = {}
        for *row, priority in self._rows(_FIND, sorted(urls)):
            request = as_request(row, 0.0 if priority is None else priority)
            found[request.url] = Known(request, waits=priority is not None)
        return found

    def _rows(self, query: str, *parameters: object) -> list[Row]:
        filled = _TEXTS.fill(query, shared=self._queries.dialect.shared)
        return self._queries.rows(filled, *parameters)
