"""The frontier of a partition whose truth is in PostgreSQL, and whose work is done at hand.

The owner of a partition is its only writer, so PostgreSQL need not be asked between two commits:
the queues lie in a scratch SQLite file without a journal, which is gone with the process. What
changes there is noted (`journal.py`) and sent in groups: new rows by COPY, the rest by one UPDATE
of each kind. After the death of the owner the next one reads the rows into a scratch file of its
own.

An update of a request changes no index, and PostgreSQL puts the new version of a row next to the
old one (docs/why/frontier.md).
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, LiteralString

from msgspec.structs import replace
from psycopg import Connection, Cursor

from geoscout.frontier import tables
from geoscout.frontier.base import Limits
from geoscout.frontier.frontier import Frontier, request_key
from geoscout.frontier.journal import Changes, Journal, Postponed
from geoscout.frontier.known import KnownUrls
from geoscout.frontier.resting import RestingHosts
from geoscout.frontier.restoring import Left, WaitingByHost, restore_hosts
from geoscout.frontier.sqlite import TABLES as SCRATCH_TABLES
from geoscout.frontier.sqlite_queues import INSERT, SqliteQueues
from geoscout.frontier.tables import OF_REQUEST, request_values
from geoscout.sql import POSTGRESQL, Table
from geoscout_cluster.postgres.leases import LeaseClock
from geoscout_places.clock import Clocks, steady_time

TABLES = POSTGRESQL.create(tables.TABLES)

_SCRATCH = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -32768;
"""
_ROWS_RESTORED = 50_000  # at a time

_REQUEST = ("partition", "number", "host", *OF_REQUEST.split(", "), "priority", "later")
_NODE = OF_REQUEST.split(", ").index("node") - 1  # behind the URL
_NEW_HOST = ("partition", "number", "name", "node")
_REWRITE: LiteralString = """
UPDATE frontier_request AS r SET depth = x.depth, distance = x.distance, parent = x.parent,
    features = x.features, kind = x.kind, level = x.level,
    tries = CASE WHEN x.resets THEN 0 ELSE r.tries END
FROM unnest(%s::int[], %s::int[], %s::int[], %s::text[], %s::bytea[], %s::text[], %s::int[],
    %s::bool[]) AS x(number, depth, distance, parent, features, kind, level, resets)
WHERE r.partition = %s AND r.number = x.number
"""
_PRIORITIES: LiteralString = """
UPDATE frontier_request AS r SET priority = x.priority
FROM unnest(%s::int[], %s::float8[]) AS x(number, priority)
WHERE r.partition = %s AND r.number = x.number
"""
_POSTPONE: LiteralString = """
UPDATE frontier_request AS r SET later = x.until, tries = r.tries + x.tries
FROM unnest(%s::int[], %s::float8[], %s::int[]) AS x(number, until, tries)
WHERE r.partition = %s AND r.number = x.number
"""
_HOSTS: LiteralString = """
UPDATE frontier_host AS h SET address = x.address, free_at = x.free_at, pause = x.pause,
    blocked_until = x.blocked_until, reason = x.reason, done = x.done, failed = x.failed
FROM unnest(%s::int[], %s::text[], %s::float8[], %s::float8[], %s::float8[], %s::text[], %s::int[],
    %s::int[]) AS x(number, address, free_at, pause, blocked_until, reason, done, failed)
WHERE h.partition = %s AND h.number = x.number
"""
_LIMITS: LiteralString = """
INSERT INTO frontier_limits VALUES (%s, %s)
ON CONFLICT (partition) DO UPDATE SET pages_per_host = excluded.pages_per_host
"""

Send = Callable[[Cursor[Any]], None]


class PostgresFrontier(Frontier):
    """The frontier of one partition, restored from its rows; implements `Frontier`."""

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
        self._scratch = _open_scratch()
        self._journal = Journal(SqliteQueues(self._scratch))
        self._partition = partition
        self._limits: Limits | None = limits or Limits()  # None: they were written
        self._ahead = 0.0  # seconds that our clock is ahead of that of the server
        self._now = now
        self._at_rest = RestingHosts()
        super().__init__(self._journal, limits, self._at_rest, lease)
        with connection.transaction(), connection.cursor() as cursor:
            self._restore(cursor)

    def cut(self) -> Send:
        """What writes all changes since the last cut, in the transaction of a cursor.

        It holds a value: calling it again, after a transaction that failed, writes the same.
        """
        changes, limits, self._limits = self._journal.take(self._ahead), self._limits, None
        return partial(_send, partition=self._partition, changes=changes, limits=limits)

    def rest_all(self, now: float, least: float) -> None:
        """Treat every host as asked just now; its pause is its last one, or at least this.

        For an owner who takes over from one that died: what that one asked last is not known.
        """
        self._schedule.rest_all(now, least)

    def close(self) -> None:
        """Drop the scratch files."""
        self._scratch.close()
        self._at_rest.close()

    def _restore(self, cursor: Cursor[Any]) -> None:
        """Read what an earlier process left; nothing is in flight then."""
        self._ahead = ahead = _ahead_of_server(cursor, self._now())
        hosts = cursor.execute(
            "SELECT name, node, address, free_at, blocked_until, reason, done, failed, pause,"
            " number FROM frontier_host WHERE partition = %s ORDER BY number",
            (self._partition,),
        ).fetchall()
        self._scratch.executemany(
            "INSERT INTO frontier_host (number, name, node) VALUES (?, ?, ?)",
            [(number, name, node) for name, node, *_, number in hosts],
        )
        self._make_room(cursor)
        waiting = WaitingByHost(len(hosts))
        self._hosts.expect(len(hosts))
        for rows in _in_pieces(_read_requests(cursor, self._partition), _ROWS_RESTORED):
            self._restore_requests(rows, waiting)
        names = Counter(name for name, *_ in hosts)
        shared = {name for name, times in names.items() if times > 1}
        latest = max((row[3] + ahead for row in hosts), default=0.0)
        found = (_translated(row, ahead) for row in hosts)
        restore_hosts(self._schedule, self._at_rest, Left(found, waiting, shared, latest))

    def _make_room(self, cursor: Cursor[Any]) -> None:
        query = "SELECT coalesce(max(number), 0) FROM frontier_request WHERE partition = %s"
        (count,) = cursor.execute(query, (self._partition,)).fetchone() or (0,)
        self._known = KnownUrls(count)
        self._priorities.extend([math.nan] * count)

    def _restore_requests(self, rows: Sequence[tuple[Any, ...]], by_host: WaitingByHost) -> None:
        """Know all of them, and keep at hand those that wait."""
        priorities = self._priorities
        waiting, queue, later = [], [], []
        for number, host, url, *row, priority, until in rows:
            self._known.add(request_key(url, row[_NODE]))
            if priority is None:
                continue
            waiting.append((number, url, *row))
            priorities[number] = priority
            if until is None:
                queue.append((host, -priority, number))
                by_host.add_queued(host, -priority, number)
            else:
                later.append((host, until + self._ahead, number, -priority))
                by_host.add_postponed(host, until + self._ahead)
        execute_many = self._scratch.executemany
        execute_many(INSERT, waiting)
        execute_many("INSERT INTO frontier_queue VALUES (?, ?, ?)", sorted(queue))
        execute_many("INSERT INTO frontier_later VALUES (?, ?, ?, ?)", later)


def _translated(row: tuple[Any, ...], ahead: float) -> tuple[Any, ...]:
    """The row of a host without its number, its times by our clock."""
    name, node, address, free_at, blocked_until, *rest, _ = row
    return name, node, address, free_at + ahead, blocked_until + ahead, *rest


def _open_scratch() -> sqlite3.Connection:
    """A temporary database, which SQLite deletes when it is closed or the process dies.

    A partition may be restored in another thread than the one that works on it afterwards.
    """
    scratch = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    scratch.executescript(_SCRATCH + SCRATCH_TABLES)
    scratch.execute("BEGIN")  # for good: nothing here is ever committed
    return scratch


def _ahead_of_server(cursor: Cursor[Any], now: float) -> float:
    """Seconds by which our clock is ahead of that of the server, which times in rows are of.

    Partitions go from one machine to another, and the clocks of machines differ.
    """
    query: LiteralString = "SELECT extract(epoch FROM clock_timestamp())::float8"
    (wall,) = cursor.execute(query).fetchone() or (0.0,)
    return -Clocks(now, wall).ahead()


def _read_requests(cursor: Cursor[Any], partition: int) -> Iterator[tuple[Any, ...]]:
    """All requests of a partition in the order of their numbers, without holding them all."""
    query = f"""COPY (SELECT {", ".join(_REQUEST[1:])} FROM frontier_request
        WHERE partition = %s ORDER BY number) TO STDOUT (FORMAT binary)"""
    with cursor.copy(query.encode(), (partition,)) as copy:
        copy.set_types(_types(tables.REQUEST, _REQUEST[1:]))
        yield from copy.rows()


def _in_pieces(rows: Iterable[tuple[Any, ...]], size: int) -> Iterator[list[tuple[Any, ...]]]:
    piece: list[tuple[Any, ...]] = []
    for row in rows:
        piece.append(row)
        if len(piece) == size:
            yield piece
            piece = []
    yield piece


def _send(cursor: Cursor[Any], partition: int, changes: Changes, limits: Limits | None) -> None:
    """Write changes; the caller commits, with the facts that belong to them."""
    if limits is not None:
        cursor.execute(_LIMITS, (partition, limits.pages_per_host))
    if changes.new_hosts:
        rows = ((partition, host.number, host.name, host.node) for host in changes.new_hosts)
        _copy(cursor, tables.HOST, _NEW_HOST, rows)
    if changes.new_requests:
        _copy(cursor, tables.REQUEST, _REQUEST, _new_rows(partition, changes))
    _update_requests(cursor, partition, changes)
    if changes.hosts:
        columns = [
            [getattr(host, name) for host in changes.hosts]
            for name in changes.hosts[0].__slots__  # as in the statement
        ]
        cursor.execute(_HOSTS, (*columns, partition))


def _copy(
    cursor: Cursor[Any], table: Table, names: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    statement = f"COPY {table.name} ({', '.join(names)}) FROM STDIN (FORMAT binary)"
    with cursor.copy(statement.encode()) as copy:
        copy.set_types(_types(table, names))
        for row in rows:
            copy.write_row(row)


def _types(table: Table, names: Sequence[str]) -> list[str]:
    types = {column.name: column.type for column in table.columns(shared=True)}
    return [types[name] for name in names]


def _new_rows(partition: int, changes: Changes) -> Iterator[tuple[Any, ...]]:
    """New requests as they are now, whatever has happened to them since they came in."""
    none = Postponed(None)
    for host, number, first in changes.new_requests:
        rewritten = changes.rewritten.get(number)
        request = rewritten.request if rewritten else first
        postponed = changes.postponed.get(number, none)
        request = replace(request, tries=first.tries + postponed.tries)
        priority = changes.priorities.get(number, request.priority)
        where = partition, number, host.number
        yield (*where, *request_values(request), priority, postponed.until)


def _update_requests(cursor: Cursor[Any], partition: int, changes: Changes) -> None:
    """What happened to requests that had a row already."""
    new = changes.new_requests[0][1] if changes.new_requests else math.inf  # the first number
    rewritten = [(n, r.request, r.resets_tries) for n, r in changes.rewritten.items() if n < new]
    if rewritten:
        rows = [
            (n, r.depth, r.distance, r.parent, r.features, r.kind.value, r.level, resets)
            for n, r, resets in rewritten
        ]
        cursor.execute(_REWRITE, (*_columns(rows), partition))
    priorities = [pair for pair in changes.priorities.items() if pair[0] < new]
    if priorities:
        cursor.execute(_PRIORITIES, (*_columns(priorities), partition))
    postponed = [(n, p.until, p.tries) for n, p in changes.postponed.items() if n < new]
    if postponed:
        cursor.execute(_POSTPONE, (*_columns(postponed), partition))


def _columns(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
