"""What waits and why: the frontier by priority and by host, and why a crawl is slow.

Read from the frontier's tables as last committed. What is in flight at this moment counts as
waiting, as it does after a crash.
"""

from __future__ import annotations

import math
import sqlite3
import time

from typing_extensions import TypedDict

from geoscout.model import HELD

_BINS = 30
_MOST_HOSTS = 100
_FOR_GOOD = 1e12  # times beyond it are infinity


class BinJson(TypedDict):
    """Waiting requests with a priority from `low` to `high`."""

    low: float
    high: float
    requests: int


class RequestJson(TypedDict):
    """A request that waits."""

    url: str
    priority: float
    depth: int
    distance: int
    parent: str
    node: str
    tries: int


class FrontierJson(TypedDict):
    """What waits, by priority."""

    bins: list[BinJson]
    best: list[RequestJson]


class HostJson(TypedDict):
    """A host with what it waits for."""

    host: str
    waiting: int
    done: int
    failed: int
    reason: str  # "ready", "politeness", "retry", "held", "nothing", or why it is left alone
    seconds: float | None  # until it may be asked; null for never


def read_frontier(connection: sqlite3.Connection, best: int) -> FrontierJson:
    """The waiting requests in bins of priority, and the best of them; without those held."""
    rows = connection.execute(
        "SELECT url, -rank, depth, distance, parent, node, tries"
        " FROM (SELECT rank, number FROM frontier_queue WHERE rank < ?"
        "  ORDER BY rank, number LIMIT ?)"
        " JOIN frontier_request USING (number) ORDER BY rank, number",
        (-HELD, best),
    )
    names = ("url", "priority", "depth", "distance", "parent", "node", "tries")
    waiting: list[RequestJson] = [dict(zip(names, row, strict=True)) for row in rows]  # type: ignore[misc]  # the names are those of the record
    return {"bins": _bins(connection), "best": waiting}


def _bins(connection: sqlite3.Connection) -> list[BinJson]:
    low, high, count = connection.execute(
        "SELECT min(-rank), max(-rank), count(*) FROM frontier_queue WHERE rank < ?", (-HELD,)
    ).fetchone()
    if not count:
        return []
    width = (high - low) / _BINS
    if not width or not math.isfinite(width):
        return [{"low": low, "high": high, "requests": count}]
    rows = connection.execute(
        "SELECT min(CAST((-rank - ?) / ? AS INTEGER), ?) AS bin, count(*) FROM frontier_queue"
        " WHERE rank < ? GROUP BY bin",
        (low, width, _BINS - 1, -HELD),
    )
    counts = dict(rows)
    return [
        {"low": low + bin * width, "high": low + (bin + 1) * width, "requests": counts.get(bin, 0)}
        for bin in range(_BINS)
    ]


def read_hosts(connection: sqlite3.Connection, limit: int = _MOST_HOSTS) -> list[HostJson]:
    """The hosts with the most waiting requests, then those with the most done."""
    rows = connection.execute(
        "SELECT name, coalesce(queued, 0), coalesce(postponed, 0), done, failed,"
        " free_at, blocked_until, CASE WHEN best >= ? THEN 'held' ELSE reason END, retry_at"
        " FROM frontier_host"
        " LEFT JOIN (SELECT host, count(*) AS queued, min(rank) AS best FROM frontier_queue"
        "  GROUP BY host) AS queue ON queue.host = number"
        " LEFT JOIN (SELECT host, count(*) AS postponed, min(until) AS retry_at"
        "  FROM frontier_later GROUP BY host) AS later ON later.host = number"
        " ORDER BY coalesce(queued, 0) + coalesce(postponed, 0) DESC, done DESC, number LIMIT ?",
        (-HELD, limit),
    )
    now = time.time()
    return [_host(row, now) for row in rows]


def _host(
    row: tuple[str, int, int, int, int, float, float, str, float | None], now: float
) -> HostJson:
    name, queued, postponed, done, failed, free_at, blocked_until, why, retry_at = row
    reason, until = "ready", now
    if not queued and not postponed:
        reason = "nothing"
    elif blocked_until > now:
        reason, until = why or "blocked", blocked_until
    elif not queued or (why == "held" and postponed):
        reason, until = "retry", retry_at or now
    elif why == "held":
        reason, until = why, math.inf
    elif free_at > now:
        reason, until = "politeness", free_at
    seconds = None if until > _FOR_GOOD else round(max(until - now, 0.0), 1)
    return {
        "host": name,
        "waiting": queued + postponed,
        "done": done,
        "failed": failed,
        "reason": reason,
        "seconds": seconds,
    }
