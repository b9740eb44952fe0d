"""The queues of a frontier in SQLite, with what is asked and changed most in memory.

The first entries of queues (`fronts.py`) and the requests that were read lately stay at hand. What
changes waits for `flush` before the next commit, so that a host that is asked often is written once
for all of its pages, and a place in a queue once for all times that it was given another.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from geoscout.frontier.fronts import QueueFronts
from geoscout.frontier.hosts import Head, Host
from geoscout.frontier.queues import Move, NumberedRequest
from geoscout.frontier.sqlite_queue_table import QueueTable
from geoscout.frontier.tables import OF_REQUEST, as_request, request_values
from geoscout_places.model import Request

_MOST_READ = 500  # requests
_KEPT = 5_000  # requests remembered, some 5 MB
_MOST_NEW = 10_000  # requests that wait to be written

# A request that waits again, or came again with more promise, is a row already.
INSERT = f"""INSERT OR REPLACE INTO frontier_request (number, {OF_REQUEST})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class SqliteQueues:
    """The queues in SQLite; implements `Queues`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._table = QueueTable(connection)
        self._fronts = QueueFronts(self._table.read)
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
            self._fronts.begin(host.number)
        for host, number, request in rows:
            self._new[number] = request
            self._insert(host, (-request.priority, number))
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
        self._insert(host, (-request.priority, number))

    def move(self, moves: Sequence[Move]) -> bool:
        table, fronts, all_in_queue = self._table, self._fronts, True
        for host, old, new in moves:
            if host.later and self._is_later(host, new):  # it waits for its time, in no queue
                all_in_queue = False
            else:
                table.move(host.number, old, new)
                fronts.move(host.number, old, new)
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
        self._delete(host, head)

    def postpone(self, host: Host, head: Head, until: float, tries: int) -> None:
        rank, number = head
        self._kept.pop(number, None)
        self._delete(host, head)
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
            self._insert(host, head)
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
        return self._fronts.heads(host.number)

    def save(self, host: Host) -> None:
        self._changed[host.number] = host

    def _insert(self, host: Host, head: Head) -> None:
        self._table.insert(host.number, head)
        self._fronts.insert(host.number, head)

    def _delete(self, host: Host, head: Head) -> None:
        self._table.remove(host.number, head)
        self._fronts.remove(host.number, head)

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
