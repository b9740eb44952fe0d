"""The frontier of a partition whose truth is in PostgreSQL; how it works is in `journal.py`.

An update of a request changes no index, and PostgreSQL puts the new version of a row next to the
old one (docs/why/frontier.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, LiteralString

from psycopg import Connection, Cursor

from geoscout.frontier import tables
from geoscout.frontier.base import Limits
from geoscout.frontier.journal import HOST_NAMES, REQUEST_NAMES, JournaledFrontier
from geoscout.sql import POSTGRESQL, Row, Table
from geoscout_cluster.engine.leases import LeaseClock
from geoscout_places.clock import Clocks, steady_time

TABLES = POSTGRESQL.create(tables.TABLES)
Send = Callable[[Cursor[Any]], None]  # what writes something in the transaction of a cursor


class PostgresFrontier(JournaledFrontier):
    """The frontier of one partition, restored from its rows."""

    def __init__(
        self,
        connection: Connection[Any],
        partition: int = 0,
        limits: Limits | None = None,
        now: Callable[[], float] = steady_time,
        *,
        lease: LeaseClock | None = None,
    ) -> None:
        """Read the partition through a connection, which is not needed afterwards.

        `now`: the clock that times are handed in by. Nothing is given out when its `lease` is about
        to end: a process that was stopped must not ask a host that another may be asking by now.
        """
        with connection.transaction(), connection.cursor() as cursor:
            super().__init__(partition, limits, _ahead_of_server(cursor, now()), lease)
            query = "SELECT coalesce(max(number), 0) FROM frontier_request WHERE partition = %s"
            (last,) = cursor.execute(query, (partition,)).fetchone() or (0,)
            hosts = list(_read(cursor, tables.HOST, HOST_NAMES, partition))
            self.restore(hosts, last, _read(cursor, tables.REQUEST, REQUEST_NAMES, partition))


def _ahead_of_server(cursor: Cursor[Any], now: float) -> float:
    """Seconds by which our clock is ahead of that of the server, which times in rows are of.

    Partitions go from one machine to another, and the clocks of machines differ.
    """
    query: LiteralString = "SELECT extract(epoch FROM clock_timestamp())::float8"
    (wall,) = cursor.execute(query).fetchone() or (0.0,)
    return -Clocks(now, wall).ahead()


def _read(cursor: Cursor[Any], table: Table, names: Sequence[str], partition: int) -> Iterator[Row]:
    """The rows of a partition in the order of their numbers, without holding them all."""
    types = {column.name: column.type for column in table.columns(shared=True)}
    query = f"""COPY (SELECT {", ".join(names)} FROM {table.name}
        WHERE partition = %s ORDER BY number) TO STDOUT (FORMAT binary)"""
    with cursor.copy(query.encode(), (partition,)) as copy:
        copy.set_types([types[name] for name in names])
        yield from copy.rows()
