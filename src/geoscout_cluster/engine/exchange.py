"""What goes to other partitions, as rows: written with what it follows from, read once.

The sender writes a row for each other partition in the transaction of a group. It is the only
writer of its partition, so its rows become visible in the order of their numbers, and the receiver
need not remember more of a sender than a mark, the last number it has taken. What it does with
them, the mark and the deletion of the rows are in one transaction of the receiver's: whoever dies
when, each thing is taken once.

What comes from outside, from a process that holds no partition, has a number of its own as its
sender, and one transaction at a time writes it.

A row holds bytes: the users of the exchange say how things are packed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

from psycopg import Cursor

from geoscout_cluster.engine.base import Write

Thing = TypeVar("Thing")
_OUTSIDE = -1  # the sender that is no partition
_MOST_IN_ROW = 1000  # things
_MOST_ROWS = 500  # taken at a time

_LAST_NUMBER = """
SELECT greatest(0, (SELECT max(number) FROM exchange WHERE source = %(partition)s),
    (SELECT max(number) FROM mark WHERE source = %(partition)s))
"""
_SEND = """
INSERT INTO exchange (target, source, number, packed)
SELECT target, %s, number, packed
FROM unnest(%s::smallint[], %s::bigint[], %s::bytea[]) AS x(target, number, packed)
"""
_ONE_FROM_OUTSIDE = "SELECT pg_advisory_xact_lock('exchange'::regclass::oid::bigint)"
_WAITING = """
SELECT target, source, number, packed FROM exchange
LEFT JOIN unnest(%s::smallint[], %s::smallint[], %s::bigint[]) AS taken(target, source, last)
    USING (target, source)
WHERE target = ANY(%s) AND number > coalesce(taken.last, 0)
ORDER BY target, source, number LIMIT %s
"""
_MARK = """
INSERT INTO mark (target, source, number) SELECT %s, * FROM unnest(%s::smallint[], %s::bigint[])
ON CONFLICT (target, source) DO UPDATE SET number = excluded.number
"""
_CLEAR = """
DELETE FROM exchange USING unnest(%s::smallint[], %s::bigint[]) AS x(source, number)
WHERE target = %s AND exchange.source = x.source AND exchange.number <= x.number
"""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One row."""

    target: int
    source: int
    number: int
    packed: bytes = field(repr=False)


class Outbox(Generic[Thing]):
    """What a partition sends with its next group."""

    def __init__(
        self, partition: int, pack: Callable[[Sequence[Thing]], bytes], last_number: int = 0
    ) -> None:
        self._partition, self._pack = partition, pack
        self._last_number = last_number
        self._waiting: dict[int, list[Thing]] = {}  # by target

    @classmethod
    def open(
        cls, cursor: Cursor[Any], partition: int, pack: Callable[[Sequence[Thing]], bytes]
    ) -> Outbox[Thing]:
        """Go on after the last number that an earlier owner has used."""
        query = _LAST_NUMBER.encode()
        (number,) = cursor.execute(query, {"partition": partition}).fetchone() or (0,)
        return cls(partition, pack, number)

    def put(self, target: int, thing: Thing) -> None:
        """Send something."""
        self._waiting.setdefault(target, []).append(thing)

    def cut(self) -> Write:
        """What writes all that waits, in the transaction of a cursor; a value."""
        targets, numbers, packed = [], [], []
        for target, things in self._waiting.items():
            for piece in _pieces(things):
                self._last_number += 1
                targets.append(target)
                numbers.append(self._last_number)
                packed.append(self._pack(piece))
        self._waiting = {}
        return partial(_send, partition=self._partition, columns=(targets, numbers, packed))


class Inbox:
    """What others sent to a partition: which rows have been taken, and not yet been cleared."""

    def __init__(self, partition: int, marks: Mapping[int, int] | None = None) -> None:
        self.partition = partition
        self._marks = dict(marks or {})  # by source, the last number taken
        self._taken: dict[int, int] = {}  # the same, where it is new since the last cut

    @classmethod
    def open(cls, cursor: Cursor[Any], partition: int) -> Inbox:
        """Go on after what an earlier owner has taken."""
        query = "SELECT source, number FROM mark WHERE target = %s"
        return cls(partition, dict(cursor.execute(query, (partition,)).fetchall()))

    def take(self, parcels: Sequence[Parcel]) -> list[bytes]:
        """The contents of rows that were not taken before.

        What follows from them must be in the next cut: one commit covers both.
        """
        contents: list[bytes] = []
        for parcel in parcels:
            if parcel.number > self._marks.get(parcel.source, 0):
                self._marks[parcel.source] = self._taken[parcel.source] = parcel.number
                contents.append(parcel.packed)
        return contents

    def cut(self) -> Write:
        """What notes and clears all that was taken, in the transaction of a cursor; a value."""
        taken, self._taken = self._taken, {}
        return partial(_clear, partition=self.partition, taken=taken)

    def marks(self) -> list[tuple[int, int, int]]:
        """How far each sender's rows have been taken: this partition, sender, number."""
        return [(self.partition, source, number) for source, number in list(self._marks.items())]


def waiting_parcels(cursor: Cursor[Any], inboxes: Sequence[Inbox]) -> list[Parcel]:
    """The first rows that some partitions have not taken, in the order in which to take them."""
    taken = [mark for inbox in inboxes for mark in inbox.marks()]
    targets = [inbox.partition for inbox in inboxes]
    columns = [[mark[n] for mark in taken] for n in range(3)]
    return [Parcel(*row) for row in cursor.execute(_WAITING, (*columns, targets, _MOST_ROWS))]


def send_from_outside(
    cursor: Cursor[Any],
    things: Iterable[tuple[int, Thing]],
    pack: Callable[[Sequence[Thing]], bytes],
) -> int:
    """Send things to partitions without holding one; returns how many. The caller commits."""
    cursor.execute(_ONE_FROM_OUTSIDE)
    outbox = Outbox.open(cursor, _OUTSIDE, pack)
    sent = 0
    waiting = iter(things)
    while piece := list(islice(waiting, _MOST_IN_ROW)):
        for target, thing in piece:
            outbox.put(target, thing)
        outbox.cut()(cursor)
        sent += len(piece)
    return sent


def _pieces(things: list[Thing]) -> Iterator[list[Thing]]:
    waiting = iter(things)
    return iter(lambda: list(islice(waiting, _MOST_IN_ROW)), [])


def _send(cursor: Cursor[Any], partition: int, columns: tuple[list[Any], ...]) -> None:
    if columns[0]:
        cursor.execute(_SEND, (partition, *columns))


def _clear(cursor: Cursor[Any], partition: int, taken: dict[int, int]) -> None:
    if taken:
        columns = list(taken), list(taken.values())
        cursor.execute(_MARK, (partition, *columns))
        cursor.execute(_CLEAR, (*columns, partition))
