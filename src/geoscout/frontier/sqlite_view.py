"""What others see of a frontier in SQLite: its tables as last committed, read by SQL.

A frontier restores itself by reading every request it knows; whoever only looks must not pay for
that. So the figures come from queries, and `HostState` says what they mean.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Collection

import orjson

from geoscout.frontier.base import Bin, Counts, HostCounts, HostState, Known
from geoscout.frontier.sqlite import as_host_state
from geoscout.frontier.sqlite_clock import kept_clocks
from geoscout.frontier.sqlite_queues import as_request
from geoscout.model import HELD, Request

_HOSTS = """
SELECT name, coalesce(queued, 0), coalesce(postponed, 0), done, failed,
    coalesce(best >= ?, 0), retry_at, free_at, blocked_until, reason,
    coalesce(sum(done + failed) OVER server >= ?, 0), max(free_at) OVER server,
    CASE WHEN address = '' THEN 0 ELSE max(free_at) OVER (PARTITION BY address) END
FROM frontier_host
LEFT JOIN (SELECT host, count(*) AS queued, min(rank) AS best FROM frontier_queue GROUP BY host)
    AS queue ON queue.host = number
LEFT JOIN (SELECT host, count(*) AS postponed, min(until) AS retry_at FROM frontier_later
    GROUP BY host) AS later ON later.host = number
WINDOW server AS (PARTITION BY name)
ORDER BY coalesce(queued, 0) + coalesce(postponed, 0) DESC, done DESC, number LIMIT ?
"""
_REQUEST = "number, url, depth, distance, parent, node, tries, features, kind, level, -rank"
_BEST = f"""
SELECT {_REQUEST}
FROM (SELECT rank, number FROM frontier_queue WHERE rank < ? ORDER BY rank, number LIMIT ?)
JOIN frontier_request USING (number) ORDER BY rank, number
"""  # noqa: S608 - our own text
# The requests have no index by URL: one pass over them, for all that are asked for together.
_FIND = f"""
SELECT {_REQUEST}
FROM frontier_request LEFT JOIN
    (SELECT number, rank FROM frontier_queue UNION ALL SELECT number, rank FROM frontier_later)
    USING (number)
WHERE url IN (SELECT value FROM json_each(?)) ORDER BY rank IS NOT NULL, number
"""  # noqa: S608 - our own text


class SqliteFrontierView:
    """The tables of a frontier, seen from outside; implements `FrontierView`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def counts(self, top: int = 10) -> Counts:
        (waiting,) = self._rows(
            "SELECT (SELECT count(*) FROM frontier_queue) + (SELECT count(*) FROM frontier_later)"
        ).fetchone()
        hosts, done, failed = self._rows(
            "SELECT count(*), coalesce(sum(done), 0), coalesce(sum(failed), 0) FROM frontier_host"
        ).fetchone()
        rows = self._rows(
            "SELECT name, count(*) AS waiting, done, failed FROM"
            " (SELECT host FROM frontier_queue UNION ALL SELECT host FROM frontier_later)"
            " JOIN frontier_host ON number = host"
            " GROUP BY host ORDER BY waiting DESC, host LIMIT ?",
            top,
        )
        return Counts(waiting, 0, done, failed, hosts, top=tuple(HostCounts(*row) for row in rows))

    def hosts(self, limit: int) -> list[HostState]:
        clocks = kept_clocks(self._connection)
        ahead = clocks.ahead() if clocks else 0.0
        rows = self._rows(_HOSTS, -HELD, self._pages_per_host(), limit)
        return [as_host_state(row, ahead) for row in rows]

    def best(self, limit: int) -> list[Request]:
        rows = self._rows(_BEST, -HELD, limit)
        return [as_request(row, priority) for *row, priority in rows]

    def bins(self, number: int) -> list[Bin]:
        low, high, requests = self._rows(
            "SELECT min(-rank), max(-rank), count(*) FROM frontier_queue WHERE rank < ?", -HELD
        ).fetchone()
        if not requests:
            return []
        width = (high - low) / number
        if not width or not math.isfinite(width):
            return [Bin(low, high, requests)]
        rows = self._rows(
            "SELECT min(CAST((-rank - ?) / ? AS INTEGER), ?) AS bin, count(*) FROM frontier_queue"
            " WHERE rank < ? GROUP BY bin",
            low, width, number - 1, -HELD,
        )  # fmt: skip
        counts = dict(rows)
        return [
            Bin(low + bin * width, low + (bin + 1) * width, counts.get(bin, 0))
            for bin in range(number)
        ]

    def waiting_by_node(self) -> dict[str, int]:
        rows = self._rows(
            "SELECT node, count(*) FROM frontier_request WHERE number IN"
            " (SELECT number FROM frontier_queue UNION ALL SELECT number FROM frontier_later)"
            " GROUP BY node"
        )
        return dict(rows)

    def find(self, urls: Collection[str]) -> dict[str, Known]:
        found: dict[str, Known] = {}
        for *row, priority in self._rows(_FIND, orjson.dumps(sorted(urls)).decode()):
            request = as_request(row, 0.0 if priority is None else priority)
            found[request.url] = Known(request, waits=priority is not None)
        return found

    def _pages_per_host(self) -> int | None:
        """The limit that the crawl was run with last; crawls of older versions have no table."""
        table = "SELECT 1 FROM sqlite_master WHERE name = 'frontier_limits'"
        if self._rows(table).fetchone() is None:
            return None
        row = self._rows("SELECT pages_per_host FROM frontier_limits").fetchone()
        return row[0] if row else None

    def _rows(self, query: str, *parameters: object) -> sqlite3.Cursor:
        return self._connection.execute(query, parameters)
