"""A frontier whose truth is in rows elsewhere, and whose work is done at hand.

The owner of a partition is its only writer, so a server need not be asked between two commits: the
queues lie in a scratch SQLite file without a journal of its own, which is gone with the process.
`Journal` stands before them: it passes every call on and notes what the call changed. `cut` gives
all of it as rows, which nothing alters afterwards: they can be written by another thread while the
crawl goes on, and written again after a failure. After the death of the owner the next one reads
the rows into a scratch file of its own.

Only the last state counts. A request that came in, was raised, postponed and finished between two
cuts is one new row.
"""

import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from geoscout.frontier.base import Limits, Tenure
from geoscout.frontier.frontier import Frontier, request_key
from geoscout.frontier.hosts import Head, Host, Move, NumberedRequest, Queues
from geoscout.frontier.sqlite import INSERT, SqliteQueues, restore_waiting
from geoscout.frontier.sqlite import TABLES as SCRATCH_TABLES
from geoscout.frontier.tables import HOST, LIMITS, OF_REQUEST, REQUEST, request_values
from geoscout.sql import Row, Table, Update
from geoscout_places.model import Request

_SCRATCH = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -32768;
"""
_ROWS_RESTORED = 50_000  # at a time
_NODE = OF_REQUEST.split(", ").index("node") - 1  # behind the URL
_ASLEEP = ("", 0.0, 0.0, 0.0, "", 0, 0)  # what else the row of a new host has

# What an owner reads of its partition, in the order of the numbers.
HOST_NAMES = (
    "number", "name", "node", "address", "free_at", "pause", "blocked_until", "reason", "done",
    "failed",
)  # fmt: skip
REQUEST_NAMES = ("number", "host", *OF_REQUEST.split(", "), "priority", "later")
_CHANGED_HOST = (
    "number", "address", "free_at", "pause", "blocked_until", "reason", "done", "failed",
)  # fmt: skip
_REWRITTEN = ("number", "depth", "distance", "parent", "features", "kind", "level")
_TRIES_ADD_UP = "later = new.later, tries = old.tries + new.tries"


class Changes(NamedTuple):
    """What changed in a frontier between two cuts, as rows."""

    new: dict[Table, Sequence[Row]]
    changed: dict[Table, Sequence[Row]]  # they replace others
    updates: list[Update]


class Journal:
    """The queues of another, and what changed in them; implements `Queues`."""

    def __init__(self, queues: Queues) -> None:
        self._queues = queues
        self._forget()

    def _forget(self) -> None:
        self._new_hosts: list[Host] = []
        self._new: list[NumberedRequest] = []  # as they came in; the rest applies to them too
        self._rewritten: dict[int, Request] = {}
        self._reset: set[int] = set()  # of those, whose failed tries are forgotten
        self._priorities: dict[int, float | None] = {}  # None: finished
        # Until when, and how many tries have failed since the last cut; None: its time has come.
        self._postponed: dict[int, tuple[float | None, int]] = {}
        self._hosts: dict[int, Host] = {}  # by number: a host that rested is another object

    def take(self, partition: int = 0, ahead: float = 0.0) -> Changes:
        """What changed since the last take.

        `ahead`: seconds by which our clock is ahead of the one that times are to be of.
        """
        until = {
            number: None if at is None else at - ahead
            for number, (at, _) in self._postponed.items()
        }
        new: dict[Table, Sequence[Row]] = {}
        if self._new_hosts:
            new[HOST] = [(partition, h.number, h.name, h.node, *_ASLEEP) for h in self._new_hosts]
        if self._new:
            new[REQUEST] = list(self._new_rows(partition, until))
        updates = [*self._request_updates(until), Update(HOST, _CHANGED_HOST, self._rows(ahead))]
        self._forget()
        return Changes(new, {}, [update for update in updates if update.rows])

    def _new_rows(self, partition: int, until: dict[int, float | None]) -> Iterator[Row]:
        """New requests as they are now, whatever has happened to them since they came in."""
        for host, number, first in self._new:
            request = self._rewritten.get(number, first)
            tries = first.tries + self._postponed.get(number, (None, 0))[1]
            if request.tries != tries:
                request = replace(request, tries=tries)
            priority = self._priorities.get(number, request.priority)
            where = partition, number, host.number
            yield (*where, *request_values(request), priority, until.get(number))

    def _request_updates(self, until: dict[int, float | None]) -> Iterator[Update]:
        """What happened to requests that had a row already."""
        new = self._new[0][1] if self._new else math.inf  # the first number
        rows: list[Row] = [
            (n, r.depth, r.distance, r.parent, r.features, r.kind.value, r.level)
            for n, r in self._rewritten.items()
            if n < new
        ]
        yield Update(REQUEST, _REWRITTEN, rows)
        yield Update(REQUEST, ("number", "tries"), [(n, 0) for n in self._reset if n < new])
        rows = [pair for pair in self._priorities.items() if pair[0] < new]
        yield Update(REQUEST, ("number", "priority"), rows)
        rows = [(n, until[n], tries) for n, (_, tries) in self._postponed.items() if n < new]
        yield Update(REQUEST, ("number", "later", "tries"), rows, _TRIES_ADD_UP)

    def _rows(self, ahead: float) -> list[Row]:
        """What changed about hosts."""
        return [
            (
                host.number, host.address.name if host.address else "", host.free_at - ahead,
                host.pause, host.blocked_until - ahead, host.reason, host.done, host.failed,
            )
            for host in self._hosts.values()
        ]  # fmt: skip

    def add(self, hosts: Sequence[Host], rows: Sequence[NumberedRequest]) -> None:
        self._new_hosts += hosts
        self._new += rows
        self._queues.add(hosts, rows)

    def read(self, heads: Sequence[Head]) -> list[Request]:
        return self._queues.read(heads)

    def rewrite(self, number: int, request: Request) -> None:
        self._rewritten[number] = request
        self._queues.rewrite(number, request)

    def revive(self, host: Host, number: int, request: Request) -> None:
        self._rewritten[number] = request
        self._reset.add(number)
        self._priorities[number] = request.priority
        self._postponed[number] = None, 0  # its last row may say otherwise
        self._queues.revive(host, number, request)

    def move(self, moves: Sequence[Move]) -> bool:
        self._priorities.update((number, -rank) for _, _, (rank, number) in moves)
        return self._queues.move(moves)

    def remove(self, host: Host, head: Head) -> None:
        self._priorities[head[1]] = None
        self._queues.remove(host, head)

    def postpone(self, host: Host, head: Head, until: float, tries: int) -> None:
        self._postpone(head[1], until, tries)
        self._queues.postpone(host, head, until, tries)

    def wake(self, host: Host, now: float) -> Sequence[int]:
        woken = self._queues.wake(host, now)
        for number in woken:
            self._postpone(number, None, 0)
        return woken

    def next_time(self, host: Host) -> float:
        return self._queues.next_time(host)

    def heads(self, host: Host) -> Iterator[Head]:
        return self._queues.heads(host)

    def save(self, host: Host) -> None:
        self._hosts[host.number] = host
        self._queues.save(host)

    def _postpone(self, number: int, until: float | None, tries: int) -> None:
        self._postponed[number] = until, tries + self._postponed.get(number, (None, 0))[1]


class JournaledFrontier(Frontier):
    """The frontier of one partition, restored from its rows."""

    def __init__(
        self, partition: int, limits: Limits | None, ahead: float, tenure: Tenure | None = None
    ) -> None:
        """`ahead`: seconds by which our clock is ahead of the one that times in rows are of."""
        self._scratch = _open_scratch()
        self._journal = Journal(SqliteQueues(self._scratch))
        self.partition, self._ahead = partition, ahead
        self._limits: Limits | None = limits or Limits()  # None: they were written
        super().__init__(self._journal, limits, tenure)

    def cut(self) -> Changes:
        changes = self._journal.take(self.partition, self._ahead)
        if self._limits is not None:
            changes.changed[LIMITS] = [(self.partition, self._limits.pages_per_host)]
            self._limits = None
        return changes

    def rest_all(self, now: float, least: Callable[[str], float]) -> None:
        """Treat every host as asked just now; its pause is its last one, or at least its own.

        For an owner who takes over from one that died: what that one asked last is not known.
        """
        self._schedule.rest_all(now, least)

    def close(self) -> None:
        """Drop the scratch files."""
        self._scratch.close()
        self._hosts.resting.close()

    def restore(self, hosts: Iterable[Row], last: int, requests: Iterable[Row]) -> None:
        """Take what an earlier process left; nothing is in flight then.

        Rows have the columns `HOST_NAMES` and `REQUEST_NAMES`; `last` is the number of the last
        request.
        """
        ahead, execute_many = self._ahead, self._scratch.executemany
        self._expect(last)
        execute_many(
            f"INSERT INTO frontier_host ({', '.join(HOST_NAMES)})"
            f" VALUES ({', '.join('?' * len(HOST_NAMES))})",
            ((*row[:4], row[4] + ahead, row[5], row[6] + ahead, *row[7:]) for row in hosts),
        )
        left = iter(requests)
        while rows := list(islice(left, _ROWS_RESTORED)):
            self._keep(rows)
        restore_waiting(self._scratch, self._schedule, self._priorities, "pause")

    def _keep(self, rows: Iterable[Row]) -> None:
        """Know all of these requests, and have those at hand that wait."""
        waiting, queue, later = [], [], []
        for number, host, url, *row, priority, until in rows:
            self._known.add(request_key(url, row[_NODE]))
            if priority is None:
                continue
            waiting.append((number, url, *row))
            if until is None:
                queue.append((host, -priority, number))
            else:
                later.append((host, until + self._ahead, number, -priority))
        execute_many = self._scratch.executemany
        execute_many(INSERT, waiting)
        execute_many("INSERT INTO frontier_queue VALUES (?, ?, ?)", sorted(queue))
        execute_many("INSERT INTO frontier_later VALUES (?, ?, ?, ?)", later)


def _open_scratch() -> sqlite3.Connection:
    """A temporary database, which SQLite deletes when it is closed or the process dies.

    A partition may be restored in another thread than the one that works on it afterwards.
    """
    scratch = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    scratch.executescript(_SCRATCH + SCRATCH_TABLES)
    scratch.execute("ALTER TABLE frontier_host ADD COLUMN pause REAL NOT NULL DEFAULT 0")
    scratch.execute("BEGIN")  # for good: nothing here is ever committed
    return scratch
