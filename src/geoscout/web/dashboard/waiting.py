"""What waits and why: the frontier by priority and by host, as last committed."""

from __future__ import annotations

import time

from typing_extensions import TypedDict

from geoscout.frontier.base import FrontierView, HostState

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
    reason: str  # a `WaitReason`, or why it is left alone
    seconds: float | None  # until it may be asked; null for never


def read_frontier(frontier: FrontierView, best: int) -> FrontierJson:
    """The waiting requests in bins of priority, and the best of them; without those held."""
    return {
        "bins": [
            {"low": bin.low, "high": bin.high, "requests": bin.requests}
            for bin in frontier.bins(_BINS)
        ],
        "best": [
            {
                "url": request.url,
                "priority": request.priority,
                "depth": request.depth,
                "distance": request.distance,
                "parent": request.parent,
                "node": request.node,
                "tries": request.tries,
            }
            for request in frontier.best(best)
        ],
    }


def read_hosts(frontier: FrontierView, limit: int = _MOST_HOSTS) -> list[HostJson]:
    """The hosts with the most waiting requests, then those with the most done."""
    now = time.time()
    return [_host(host, now) for host in frontier.hosts(limit)]


def _host(host: HostState, now: float) -> HostJson:
    reason, until = host.waits_for(now)
    return {
        "host": host.host,
        "waiting": host.waiting,
        "done": host.done,
        "failed": host.failed,
        "reason": str(reason),  # orjson takes no enum as a key
        "seconds": None if until > _FOR_GOOD else round(max(until - now, 0.0), 1),
    }
