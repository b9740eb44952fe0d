"""The frontier that survives kill -9: in the database of the crawl, committed with the facts.

It writes through a connection it is handed, inside whatever transaction is open there, and never
commits: a page, its links and the frontier's change become durable at once or not at all. What a
put costs is the insertion at a random place of a B-tree, so there is only one such place: requests
are appended in the order of their numbers and never searched by URL (the fingerprints in memory
know the number), and the entries of the queue are as small as they can be (docs/why/frontier.md).

What is asked and changed most is in memory, and what changes waits for `flush`, which comes before
the commit: a host that is asked often is written once for all of its pages, and an entry of a queue
once for all the places that it was given.

All times in the tables are those of the steady clock of the process that runs the crawl, so that
its comparisons hold whatever the wall clock does. One row, renewed with each commit, says how that
clock stood against the wall clock; by it the next process translates all times once, and those who
only look translate what they show.
"""

from __future__ import annotations

import math
import sqlite3
from array import array
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from geoscout.frontier import tables
from geoscout.frontier.base import Limits
from geoscout.frontier.frontier import Frontier, request_key
from geoscout.frontier.hosts import Head, Host, Move, NumberedRequest
from geoscout.frontier.schedule import Schedule, WaitingByHost
from geoscout.frontier.tables import OF_REQUEST, as_request, request_values
from geoscout.sql import SQLITE
from geoscout_places.clock import Clocks
from geoscout_places.model import Request

TABLES = SQLITE.create(tables.TABLES)
_FIRST_PIECE, _LARGEST_PIECE = 2, 32  # entries read at a time; mostly the first are enough
_LONGEST = 160  # entries of a front; more than are scored again at a time, mostly
_MOST_FRONTS = 600  # with 160 entries each they take 12 MB
_MOST_WAITING = 20_000  # changes, some 6 MB; a sitemap can bring half of that
_MOST_READ = 500  # requests
_KEPT = 5_000  # requests remembered, some 5 MB
_MOST_NEW = 10_000  # requests that wait to be written

# A request that waits again, or came again with more promise, is a row already.
INSERT = f"""INSERT OR REPLACE INTO frontier_request (number, {OF_REQUEST})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class _Front:
    """The first entries of a queue: every entry of the table up to `last` is in `heads`."""

    __slots__ = ("heads", "is_whole", "last")

    def __init__(self, *, is_whole: bool) -> None:
        self.heads: list[Head] = []
        self.is_whole = is_whole  # the table has no others
        self.last: Head = (-math.inf, 0)

    def insert(self, head: Head) -> None:
        if not (self.is_whole or head <= self.last):  # it may have been the last itself
            return
        insort(self.heads, head)
        if len(self.heads) > _LONGEST:
            del self.heads[_LONGEST:]
            self.last, self.is_whole = self.heads[-1], False

    def remove(self, head: Head) -> None:
        at = bisect_left(self.heads, head)
        if at < len(self.heads) and self.heads[at] == head:
            del self.heads[at]


class QueueTable:
    """The entries of all queues in the table `frontier_queue`: host, rank, number.

    The best requests are scored again and again, and each time most of them change their places. Of
    all these changes only the last before a commit has to reach the table, and none of a request
    that is fetched before it. So changes wait here, by host, until `flush`, or until entries of
    their host are read. And the first entries of some hosts, which are looked at whenever one of
    their requests was answered or scored, stay in memory. What must stay true: a table on which all
    waiting changes were made is the truth.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        # By host and number of a request: its rank in the table and its rank now; None: no entry.
        self._waiting: dict[int, dict[int, tuple[float | None, float | None]]] = {}
        self._changes = 0  # entries in all of `_waiting`
        self._fronts: dict[int, _Front] = {}

    def begin(self, host: int) -> None:
        """A host that has no entry yet."""
        self._add_front(host, _Front(is_whole=True))

    def insert(self, host: int, head: Head) -> None:
        self._note(host, head[1], None, head[0])
        if front := self._fronts.get(host):
            front.insert(head)

    def move(self, host: int, old: Head, new: Head) -> None:
        """Another rank for an entry."""
        self._note(host, old[1], old[0], new[0])
        if front := self._fronts.get(host):
            front.remove(old)
            front.insert(new)

    def remove(self, host: int, head: Head) -> None:
        self._note(host, head[1], head[0], None)
        if front := self._fronts.get(host):
            front.remove(head)

    def heads(self, host: int) -> Iterator[Head]:
        """The queue of a host, the best first; the table is asked for what is not in memory."""
        front = self._fronts.get(host) or self._add_front(host, _Front(is_whole=False))
        at = 0
        while True:
            yield from islice(front.heads, at, None)
            at = len(front.heads)
            if front.is_whole:
                return
            if len(front.heads) >= _LONGEST:
                break
            self._lengthen(host, front)
        last = front.last
        # In pieces: thousands of open cursors, one a host, would slow each other down.
        while piece := self._read(host, last, _LARGEST_PIECE):
            yield from piece
            if len(piece) < _LARGEST_PIECE:
                return
            last = piece[-1]

    def flush(self) -> None:
        """Bring the table up to date."""
        self._write(sorted(self._waiting.items()))
        self._waiting, self._changes = {}, 0

    def _add_front(self, host: int, front: _Front) -> _Front:
        if len(self._fronts) >= _MOST_FRONTS:
            del self._fronts[next(iter(self._fronts))]  # the one that is here for the longest time
        self._fronts[host] = front
        return front

    def _lengthen(self, host: int, front: _Front) -> None:
        size = min(max(4 * len(front.heads), _FIRST_PIECE), _LARGEST_PIECE)
        piece = self._read(host, front.last, size)
        front.heads += piece
        if len(piece) < size:
            front.is_whole = True
        else:
            front.last = piece[-1]

    def _read(self, host: int, last: Head, size: int) -> list[Head]:
        """The entries of a host behind one, the best first, at most this many."""
        if changes := self._waiting.pop(host, None):
            self._changes -= len(changes)
            self._write([(host, changes)])
        return self._connection.execute(
            "SELECT rank, number FROM frontier_queue WHERE host = ?"
            " AND (rank, number) > (?, ?) ORDER BY rank, number LIMIT ?",
            (host, *last, size),
        ).fetchall()

    def _note(self, host: int, number: int, old: float | None, new: float | None) -> None:
        changes = self._waiting.get(host)
        if changes is None:
            changes = self._waiting[host] = {}
        known = changes.get(number)
        if known is not None:
            changes[number] = known[0], new  # of the table, which does not change before `flush`
            return
        changes[number] = old, new
        self._changes += 1
        if self._changes > _MOST_WAITING:
            self.flush()

    def _write(
        self, waiting: list[tuple[int, dict[int, tuple[float | None, float | None]]]]
    ) -> None:
        """Write in the order of the B-tree: neighbours go into one page while it is at hand."""
        gone, new = [], []
        for host, changes in waiting:
            for number, (old, rank) in changes.items():
                if old != rank:
                    if old is not None:
                        gone.append((host, old, number))
                    if rank is not None:
                        new.append((host, rank, number))
        self._connection.executemany(
            "DELETE FROM frontier_queue WHERE host = ? AND rank = ? AND number = ?", sorted(gone)
        )
        self._connection.executemany("INSERT INTO frontier_queue VALUES (?, ?, ?)", sorted(new))


class SqliteQueues:
    """The queues in SQLite; implements `Queues`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._table = QueueTable(connection)
        # What was read recently, by number: the best requests are looked at again and again.
        self._kept: dict[int, Request] = {}
        self._new: dict[int, Request] = {}  # whose rows are not written yet
        self._new_hosts: list[Host] = []
        self._changed: dict[int, Host] = {}  # by number: a host that rested is another object

    def flush(self) -> None:
        """Hand all changes to the connection."""
        write = self._connection.executemany
        write(
            "INSERT INTO frontier_host (number, name, node) VALUES (?, ?, ?)",
            [(host.number, host.name, host.node) for host in self._new_hosts],
        )
        write(
            "UPDATE frontier_host SET address = ?, free_at = ?, blocked_until = ?, reason = ?,"
            " done = ?, failed = ? WHERE number = ?",
            [_values(host) for host in self._changed.values()],
        )
        self._new_hosts, self._changed = [], {}
        self._write_new()
        self._table.flush()

    def add(self, hosts: Sequence[Host], rows: Sequence[NumberedRequest]) -> None:
        self._new_hosts += hosts
        for host in hosts:
            self._table.begin(host.number)
        for host, number, request in rows:
            self._new[number] = request
            self._table.insert(host.number, (-request.priority, number))
        if len(self._new) > _MOST_NEW:
            self._write_new()

    def read(self, heads: Sequence[Head]) -> list[Request]:
        if len(self._kept) > _KEPT:
            self._kept.clear()
        kept = self._kept
        self._load([number for _, number in heads if number not in kept])
        found = []
        for rank, number in heads:
            request = kept[number]
            if request.priority != -rank:
                request = kept[number] = replace(request, priority=-rank)
            found.append(request)
        return found

    def _load(self, numbers: list[int]) -> None:
        """Keep requests at hand."""
        kept, new = self._kept, self._new
        kept.update((number, new[number]) for number in numbers if number in new)
        stored = [number for number in numbers if number not in new]
        for start in range(0, len(stored), _MOST_READ):
            piece = stored[start : start + _MOST_READ]
            marks = ",".join("?" * len(piece))
            query = f"SELECT number, {OF_REQUEST} FROM frontier_request WHERE number IN ({marks})"
            found = self._connection.execute(query, piece)
            kept.update((number, as_request(row, 0.0)) for number, *row in found)

    def rewrite(self, number: int, request: Request) -> None:
        if number not in self._kept:
            self._load([number])
        self._kept[number] = replace(request, tries=self._kept[number].tries)
        self._new[number] = self._kept[number]

    def revive(self, host: Host, number: int, request: Request) -> None:
        self._kept.pop(number, None)
        self._new[number] = replace(request, tries=0)
        self._table.insert(host.number, (-request.priority, number))

    def move(self, moves: Sequence[Move]) -> bool:
        all_in_queue = True
        for host, old, new in moves:
            if host.later and self._is_later(host, new):  # it waits for its time, in no queue
                all_in_queue = False
            else:
                self._table.move(host.number, old, new)
        return all_in_queue

    def _is_later(self, host: Host, new: Head) -> bool:
        """Whether a request waits for its time; then it has its new place from there on."""
        cursor = self._connection.execute(
            "UPDATE frontier_later SET rank = ? WHERE host = ? AND number = ?",
            (new[0], host.number, new[1]),
        )
        return cursor.rowcount > 0

    def remove(self, host: Host, head: Head) -> None:
        self._kept.pop(head[1], None)
        self._table.remove(host.number, head)

    def postpone(self, host: Host, head: Head, until: float, tries: int) -> None:
        rank, number = head
        self._kept.pop(number, None)
        self._table.remove(host.number, head)
        self._connection.execute(
            "INSERT INTO frontier_later (host, until, number, rank) VALUES (?, ?, ?, ?)",
            (host.number, until, number, rank),
        )
        if number in self._new:
            self._write_new()
        self._connection.execute(
            "UPDATE frontier_request SET tries = tries + ? WHERE number = ?", (tries, number)
        )

    def wake(self, host: Host, now: float) -> list[int]:
        due = self._connection.execute(
            "SELECT rank, number FROM frontier_later WHERE host = ? AND until <= ?",
            (host.number, now),
        ).fetchall()
        for head in due:
            self._table.insert(host.number, head)
        self._connection.execute(
            "DELETE FROM frontier_later WHERE host = ? AND until <= ?", (host.number, now)
        )
        return [number for _, number in due]

    def next_time(self, host: Host) -> float:
        (time,) = self._connection.execute(
            "SELECT min(until) FROM frontier_later WHERE host = ?", (host.number,)
        ).fetchone()
        return math.inf if time is None else float(time)

    def heads(self, host: Host) -> Iterator[Head]:
        return self._table.heads(host.number)

    def save(self, host: Host) -> None:
        self._changed[host.number] = host

    def _write_new(self) -> None:
        rows = [(number, *request_values(request)) for number, request in self._new.items()]
        self._connection.executemany(INSERT, rows)
        self._new.clear()


def _values(host: Host) -> tuple[Any, ...]:
    """What changes about a host, and its number."""
    return (
        host.address.name if host.address else "",
        host.free_at,
        host.blocked_until,
        host.reason,
        host.done,
        host.failed,
        host.number,
    )


class SqliteFrontier(Frontier):
    """A frontier in the tables `TABLES` of an open database."""

    def __init__(self, connection: sqlite3.Connection, limits: Limits | None = None) -> None:
        """Go on with what an earlier process left; nothing is in flight then."""
        limits, queues = limits or Limits(), SqliteQueues(connection)
        super().__init__(queues, limits)
        self.flush = queues.flush  # hands all changes to the connection, before a commit
        _keep_limits(connection, limits)
        query = "SELECT coalesce(max(number), 0) FROM frontier_request"
        self._expect(*connection.execute(query).fetchone())
        query = "SELECT url, node FROM frontier_request ORDER BY number"
        for url, node in connection.execute(query):
            self._known.add(request_key(url, node))
        restore_waiting(connection, self._schedule, self._priorities)


def restore_waiting(
    connection: sqlite3.Connection, schedule: Schedule, priorities: array[float], pause: str = "0.0"
) -> None:
    """Bring back the hosts of an earlier process, and the priorities of what waits at them.

    `pause`: the column of the pause that each host was given last, where there is one.
    """
    hosts, latest = connection.execute(
        "SELECT count(*), coalesce(max(free_at), 0) FROM frontier_host"
    ).fetchone()
    waiting = WaitingByHost(hosts, latest)
    schedule.hosts.expect(hosts)
    rows = connection.execute("SELECT host, rank, number FROM frontier_queue")
    for host, rank, request in rows:
        priorities[request] = -rank
        waiting.add_queued(host, rank, request)
    rows = connection.execute("SELECT host, rank, number, until FROM frontier_later")
    for host, rank, request, until in rows:
        priorities[request] = -rank
        waiting.add_postponed(host, until)
    rows = connection.execute(
        "SELECT name, node, address, free_at, blocked_until, reason, done, failed,"
        f" {pause} FROM frontier_host ORDER BY number"
    )
    schedule.restore(rows, waiting, _shared(connection))


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


_TIMES = """
UPDATE frontier_host SET free_at = free_at + :shift WHERE free_at > 0;
UPDATE frontier_host SET blocked_until = blocked_until + :shift WHERE blocked_until > 0;
UPDATE frontier_later SET until = until + :shift;
"""


def keep_clocks(connection: sqlite3.Connection, clocks: Clocks) -> None:
    """Write down how the clocks stand; the caller commits it with the times."""
    connection.execute("INSERT OR REPLACE INTO frontier_clock VALUES (1, ?, ?)", clocks)


def translate_times(connection: sqlite3.Connection, clocks: Clocks) -> None:
    """Turn the times of the process before into those of this one, whose clocks stand like this.

    Call it before the frontier is restored; the caller commits.
    """
    kept = kept_clocks(connection)
    if kept is not None and (shift := kept.shift_to(clocks)):
        for statement in filter(str.strip, _TIMES.split(";")):
            connection.execute(statement, {"shift": shift})
    keep_clocks(connection, clocks)


def kept_clocks(connection: sqlite3.Connection) -> Clocks | None:
    """The clocks at the last commit; None before the first."""
    row = connection.execute("SELECT steady, wall FROM frontier_clock").fetchone()
    return Clocks(*row) if row else None
