"""Forgets responses that the segments of a crawl in PostgreSQL have lost, and asks for them again.

Unlike the files of a crawl in a folder, segments are not changed: they may lie where nothing can be
overwritten, and other crawls may share them. So a damaged segment stays as it is, and no row points
to what is damaged in it.

Each partition is repaired under its lease, in one transaction with its frontier, so whoever works
on the crawl has to stop first.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from typing import Any, LiteralString

from psycopg import Cursor

from geoscout.state.base import Writing
from geoscout.state.lost import LOST, LOST_DETAIL, requests_again
from geoscout.store.base import Failure
from geoscout.store.group import VisitGroup, without_visits, write_group
from geoscout_cluster.postgres.database import CrawlAddress, connect, read_address, translated
from geoscout_cluster.postgres.engine import PostgresRows
from geoscout_cluster.postgres.state import PostgresBackend, PostgresState, take_partition
from geoscout_places.model import Request


def forget_lost(where: str, lost: Sequence[int]) -> None:
    """Forget visits by their numbers, and have their requests wait again.

    The index is not told: it has to be made again.

    Raises:
        UsageError: a process works on the crawl.
        DatabaseLostError: the server does not answer.
    """
    address = read_address(where)
    with PostgresBackend().open(where) as crawl:
        visits = {n: visit for n in lost if (visit := crawl.reader.visit(n))}
        again = list(requests_again(list(visits.values()), crawl.reader, crawl.frontier))
    for partition, numbers in _by_partition(address, lost).items():
        keys = {(visits[n].url, visits[n].node) for n in numbers & visits.keys()}
        own = [request for request in again if (request.url, request.node) in keys]
        with closing(
            PostgresState(address, take_partition(address, partition), Writing())
        ) as state:
            _forget(state, sorted(numbers), own)


def _forget(state: PostgresState, numbers: list[int], again: Sequence[Request]) -> None:
    """Do it for one partition."""

    def delete(cursor: Cursor[Any]) -> None:
        write_group(PostgresRows(cursor), VisitGroup(gone=without_visits(numbers)))

    state.add_partner(lambda: delete)
    for request in again:
        state.writer.add_failure(Failure(request, time.time(), LOST, LOST_DETAIL))
    state.frontier.put_back(again)
    asyncio.run(state.commit())


def _by_partition(address: CrawlAddress, visits: Sequence[int]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    query: LiteralString = "SELECT partition, n FROM visit WHERE n = ANY(%s)"
    with translated(address), connect(address) as connection:
        for partition, n in connection.execute(query, (list(visits),)):
            found[partition].add(n)
    return found
