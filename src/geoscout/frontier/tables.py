"""The tables of a frontier, for every database that can keep one, and their rows as records.

Alone, the queues of hosts are tables of their own, whose entries are as small as they can be. In
partitions each request has its place in its own row, and the queues lie in a scratch file of their
owner (`postgres.py`). The table of requests has no index except its key, on purpose
(docs/why/frontier.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from geoscout.frontier.base import HostState
from geoscout.sql import Table
from geoscout_places.model import Request, RequestKind

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
