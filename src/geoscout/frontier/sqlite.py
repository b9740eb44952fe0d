"""The frontier that survives kill -9: in the database of the crawl, committed with the facts.

It writes through a connection it is handed, inside whatever transaction is open there, and never
commits: a page, its links and the frontier's change become durable at once or not at all. What a
put costs is the insertion at a random place of a B-tree, so there is only one such place: requests
are appended in the order of their numbers and never searched by URL (the fingerprints in memory
know the number), and the entries of the queue are as small as they can be (docs/why/frontier.md).
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from geoscout.frontier.base import HostState, Limits
from geoscout.frontier.fronts import QueueFronts
from geoscout.frontier.hosts import Head, Host
from geoscout.frontier.known import KnownUrls
from geoscout.frontier.queue_frontier import QueueFrontier, request_key
from geoscout.frontier.queues import Move, NumberedRequest
from geoscout.frontier.resting import RestingHosts
from geoscout.frontier.restoring import Left, WaitingByHost, restore_hosts
from geoscout.model import Request, RequestKind

_MOST_READ = 500  # requests
_ROWS_KEPT = 5_000  # requests remembered, some 5 MB

_SELECT = (
    "SELECT number, url, depth, distance, parent, node, tries, features, kind, level"
    " FROM frontier_request"
)
# A finished request that waits again may be a row already.
_INSERT = "INSERT OR REPLACE INTO frontier_request VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

TABLES = """
CREATE TABLE IF NOT EXISTS frontier_host (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    node TEXT NOT NULL DEFAULT '',
    address TEXT NOT NULL DEFAULT '',
    free_at REAL NOT NULL DEFAULT 0,
    blocked_until REAL NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS frontier_request (
    number INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    depth INTEGER NOT NULL,
    distance INTEGER NOT NULL,
    parent TEXT NOT NULL,
    node TEXT NOT NULL,
    tries INTEGER NOT NULL,
    features BLOB NOT NULL,
    kind TEXT NOT NULL,
    level INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS frontier_queue (
    host INTEGER NOT NULL,
    rank REAL NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (host, rank, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS frontier_later (
    host INTEGER NOT NULL,
    until REAL NOT NULL,
    number INTEGER NOT NULL,
    rank REAL NOT NULL,
    PRIMARY KEY (host, until, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS frontier_limits (
    pages_per_host INTEGER  -- NULL is without limit
);
CREATE TABLE IF NOT EXISTS frontier_clock (
    only INTEGER PRIMARY KEY,  -- 1
    steady REAL NOT NULL,  -- the clock of all times in these tables, at the last commit
    wall REAL NOT NULL     -- the wall clock at the same moment
);
"""


class SqliteFrontier(QueueFrontier):
    """A frontier in the tables `TABLES` of an open database; implements `Frontier`."""

    def __init__(self, connection: sqlite3.Connection, limits: Limits | None = None) -> None:
        limits = limits or Limits()
        resting = RestingHosts()
        super().__init__(SqliteQueues(connection), limits, resting)
        _keep_limits(connection, limits)
        self._restore(connection, resting)

    def _restore(self, connection: sqlite3.Connection, resting: RestingHosts) -> None:
        """Read what an earlier process left; nothing is in flight then."""
        self._restore_urls(connection)
        hosts, latest = connection.execute(
            "SELECT count(*), coalesce(max(free_at), 0) FROM frontier_host"
        ).fetchone()
        waiting = WaitingByHost(hosts)
        self._hosts.expect(hosts)
        rows = connection.execute("SELECT host, rank, number FROM frontier_queue")
        for host, rank, request in rows:
            self._priorities[request] = -rank
            waiting.add_queued(host, rank, request)
        rows = connection.execute("SELECT host, rank, number, until FROM frontier_later")
        for host, rank, request, until in rows:
            self._priorities[request] = -rank
            waiting.add_postponed(host, until)
        rows = connection.execute(
            "SELECT name, node, address, free_at, blocked_until, reason, done, failed, 0.0"
            " FROM frontier_host ORDER BY number"
        )
        restore_hosts(self._schedule, resting, Left(rows, waiting, _shared(connection), latest))

    def _restore_urls(self, connection: sqlite3.Connection) -> None:
        query = "SELECT coalesce(max(number), 0) FROM frontier_request"
        (count,) = connection.execute(query).fetchone()
        self._known = KnownUrls(count)
        self._priorities.extend([math.nan] * count)
        query = "SELECT url, node FROM frontier_request ORDER BY number"
        for url, node in connection.execute(query):
            self._known.add(request_key(url, node))


class SqliteQueues:
    """The queues in SQLite."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        # What was read recently, by number: the best requests are looked at again and again.
        self._rows: dict[int, tuple[Any, ...]] = {}
        self._fronts = QueueFronts(self._read_piece)

    def add(self, hosts: Sequence[Host], rows: Sequence[NumberedRequest]) -> None:
        execute_many = self._connection.executemany
        execute_many(
            "INSERT INTO frontier_host (number, name, node) VALUES (?, ?, ?)",
            [(host.number, host.name, host.node) for host in hosts],
        )
        execute_many(_INSERT, [_row(number, request) for _, number, request in rows])
        # In the order of the B-tree: neighbours then go into one page while it is at hand.
        entries = sorted((host.number, -request.priority, number) for host, number, request in rows)
        execute_many("INSERT INTO frontier_queue VALUES (?, ?, ?)", entries)
        for host in hosts:
            self._fronts.begin(host.number)
        for place, rank, number in entries:
            self._fronts.insert(place, (rank, number))

    def read(self, heads: Sequence[Head]) -> list[Request]:
        if len(self._rows) > _ROWS_KEPT:
            self._rows.clear()
        rows = self._rows
        missing = [number for _, number in heads if number not in rows]
        for start in range(0, len(missing), _MOST_READ):
            numbers = missing[start : start + _MOST_READ]
            marks = ",".join("?" * len(numbers))
            query = f"{_SELECT} WHERE number IN ({marks})"
            found = self._connection.execute(query, numbers)
            rows.update({row[0]: row for row in found})
        return [as_request(rows[number], -rank) for rank, number in heads]

    def rewrite(self, number: int, request: Request) -> None:
        self._rows.pop(number, None)
        self._connection.execute(
            "UPDATE frontier_request SET depth = ?, distance = ?, parent = ?, node = ?,"
            " features = ?, level = ?, kind = ? WHERE number = ?",
            (
                request.depth,
                request.distance,
                request.parent,
                request.node,
                request.features,
                request.level,
                request.kind,
                number,
            ),
        )

    def revive(self, host: Host, number: int, request: Request) -> None:
        self._rows.pop(number, None)
        self._connection.execute(_INSERT, _row(number, replace(request, tries=0)))
        self._insert(host, (-request.priority, number))

    def move(self, moves: Sequence[Move]) -> bool:
        # In the order of the B-tree, as in `add`.
        entries = sorted((host.number, old, new) for host, old, new in moves)
        cursor = self._connection.executemany(
            "UPDATE frontier_queue SET rank = ? WHERE host = ? AND rank = ? AND number = ?",
            [(new, host, *old) for host, old, (new, _) in entries],
        )
        if cursor.rowcount == len(entries):
            for host, old, new in entries:
                self._fronts.remove(host, old)
                self._fronts.insert(host, new)
            return True
        for host, _, _ in entries:  # some wait for their time, and are in no queue
            self._fronts.forget(host)
        self._connection.executemany(
            "UPDATE frontier_later SET rank = ? WHERE host = ? AND number = ?",
            [(new, host, number) for host, _, (new, number) in entries],
        )
        return False

    def remove(self, host: Host, head: Head) -> None:
        self._rows.pop(head[1], None)
        self._delete(host, head)

    def postpone(self, host: Host, head: Head, until: float, tries: int) -> None:
        rank, number = head
        self._rows.pop(number, None)
        self._delete(host, head)
        self._connection.execute(
            "INSERT INTO frontier_later (host, until, number, rank) VALUES (?, ?, ?, ?)",
            (host.number, until, number, rank),
        )
        self._connection.execute(
            "UPDATE frontier_request SET tries = tries + ? WHERE number = ?", (tries, number)
        )

    def wake(self, host: Host, now: float) -> list[int]:
        due = self._connection.execute(
            "SELECT host, rank, number FROM frontier_later WHERE host = ? AND until <= ?",
            (host.number, now),
        ).fetchall()
        self._connection.executemany("INSERT INTO frontier_queue VALUES (?, ?, ?)", due)
        for number, rank, request in due:
            self._fronts.insert(number, (rank, request))
        self._connection.execute(
            "DELETE FROM frontier_later WHERE host = ? AND until <= ?", (host.number, now)
        )
        return [number for _, _, number in due]

    def next_time(self, host: Host) -> float:
        (time,) = self._connection.execute(
            "SELECT min(until) FROM frontier_later WHERE host = ?", (host.number,)
        ).fetchone()
        return math.inf if time is None else float(time)

    def heads(self, host: Host) -> Iterator[Head]:
        return self._fronts.heads(host.number)

    def _read_piece(self, host: int, last: Head, size: int) -> list[Head]:
        return self._connection.execute(
            "SELECT rank, number FROM frontier_queue WHERE host = ?"
            " AND (rank, number) > (?, ?) ORDER BY rank, number LIMIT ?",
            (host, *last, size),
        ).fetchall()

    def save(self, host: Host) -> None:
        self._connection.execute(
            "UPDATE frontier_host SET address = ?, free_at = ?, blocked_until = ?, reason = ?,"
            " done = ?, failed = ? WHERE number = ?",
            (
                host.address.name if host.address else "",
                host.free_at,
                host.blocked_until,
                host.reason,
                host.done,
                host.failed,
                host.number,
            ),
        )

    def _insert(self, host: Host, head: Head) -> None:
        self._connection.execute(
            "INSERT INTO frontier_queue VALUES (?, ?, ?)", (host.number, *head)
        )
        self._fronts.insert(host.number, head)

    def _delete(self, host: Host, head: Head) -> None:
        self._connection.execute(
            "DELETE FROM frontier_queue WHERE host = ? AND rank = ? AND number = ?",
            (host.number, *head),
        )
        self._fronts.remove(host.number, head)


def _shared(connection: sqlite3.Connection) -> set[str]:
    """The names of hosts that several nodes have."""
    (nodes,) = connection.execute("SELECT count(DISTINCT node) FROM frontier_host").fetchone()
    if nodes < 2:
        return set()
    query = "SELECT name FROM frontier_host GROUP BY name HAVING count(*) > 1"
    return {name for (name,) in connection.execute(query)}


def _keep_limits(connection: sqlite3.Connection, limits: Limits) -> None:
    """Write the limits down for others, who see by them which hosts are spent."""
    rows = connection.execute("SELECT pages_per_host FROM frontier_limits").fetchall()
    if rows != [(limits.pages_per_host,)]:
        connection.execute("DELETE FROM frontier_limits")
        connection.execute("INSERT INTO frontier_limits VALUES (?)", (limits.pages_per_host,))


def _row(number: int, request: Request) -> tuple[Any, ...]:
    return (
        number,
        request.url,
        request.depth,
        request.distance,
        request.parent,
        request.node,
        request.tries,
        request.features,
        request.kind,
        request.level,
    )


def as_request(row: Sequence[Any], priority: float) -> Request:
    """The request of a row of its table."""
    _, url, depth, distance, parent, node, tries, features, kind, level = row
    return Request(
        url, priority, depth, distance, parent,
        node=node, tries=tries, features=features, kind=RequestKind(kind), level=level,
    )  # fmt: skip


def as_host_state(row: Sequence[Any], ahead: float = 0.0) -> HostState:
    """A host from the row that a view of a frontier asks for, whichever database it is in.

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
