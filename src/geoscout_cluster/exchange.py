"""Requests for other partitions, as rows: written with the visit that found them, read once.

The sender writes a row for each other partition in the transaction of a group. It is the only
writer of its partition, so its rows become visible in the order of their numbers, and the receiver
need not remember more of a sender than a mark, the last number it has taken. The requests, the
mark and the deletion of the rows are in one transaction of the receiver's: whoever dies when, each
request is taken once.

The requests of a row are MessagePack of one declared type: a row can contain nothing else.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from msgspec.structs import astuple
from psycopg import Cursor

from geoscout.frontier.frontier import request_key
from geoscout.frontier.known_hosts import KnownUrls
from geoscout_cluster.postgres.frontier import Send
from geoscout_places.codec import Codec
from geoscout_places.model import Request, RequestKind

SENT_REMEMBERED = 500_000  # URLs of a generation; there are two, 25 bytes a URL
_MOST_IN_ROW = 1000  # requests
_MOST_ROWS = 500  # taken at a time

_Row = tuple[str, float, int, int, str, str, int, bytes, RequestKind, int]  # as in `Request`
_codec: Codec[list[_Row]] = Codec(list[_Row])

_LAST_NUMBER = """
SELECT greatest(0, (SELECT max(number) FROM exchange WHERE source = %(partition)s),
    (SELECT max(number) FROM mark WHERE source = %(partition)s))
"""
_SEND = """
INSERT INTO exchange (target, source, number, requests)
SELECT target, %s, number, requests
FROM unnest(%s::smallint[], %s::bigint[], %s::bytea[]) AS x(target, number, requests)
"""
_WAITING = """
SELECT target, source, number, requests FROM exchange
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
    """The requests of one row."""

    target: int
    source: int
    number: int
    packed: bytes = field(repr=False)


def pack_requests(requests: Sequence[Request]) -> bytes:
    """Requests as the bytes of a row."""
    return _codec.encode([astuple(request) for request in requests])


def unpack_requests(packed: bytes) -> list[Request]:
    """The requests of a row.

    Raises:
        DamagedDataError: it is not what `pack_requests` makes.
    """
    return [_request(row) for row in _codec.decode(packed)]


def _request(row: _Row) -> Request:
    url, priority, depth, distance, parent, node, tries, features, kind, level = row
    return Request(
        url, priority, depth, distance, parent,
        node=node, tries=tries, features=features, kind=kind, level=level,
    )  # fmt: skip


class SentUrls:
    """What was sent lately, and with which priority: most links lead to what is known already."""

    def __init__(self, remembered: int = SENT_REMEMBERED) -> None:
        self._remembered = remembered
        self._new, self._old = _Generation(), _Generation()

    def is_new(self, request: Request) -> bool:
        """Whether this was not sent, or with a lower priority; it is then remembered as sent."""
        key = request_key(request.url, request.node)
        if request.priority <= max(self._new.priority(key), self._old.priority(key)):
            return request.kind == RequestKind.REVISIT
        self._new.note(key, request.priority)
        if len(self._new.priorities) > self._remembered:
            self._new, self._old = _Generation(), self._new
        return True


class _Generation:
    def __init__(self) -> None:
        self._known = KnownUrls()
        self.priorities = array("d", [float("-inf")])  # by number; numbers start at 1

    def priority(self, key: str) -> float:
        return self.priorities[self._known.find(key)]

    def note(self, key: str, priority: float) -> None:
        if number := self._known.find(key):
            self.priorities[number] = priority
        else:
            self._known.add(key)
            self.priorities.append(priority)


class Outbox:
    """What a partition sends with its next group."""

    def __init__(self, partition: int, last_number: int = 0) -> None:
        self._partition = partition
        self._last_number = last_number
        self._sent = SentUrls()
        self._waiting: dict[int, list[Request]] = {}  # by target

    @classmethod
    def open(cls, cursor: Cursor[Any], partition: int) -> Outbox:
        """Go on after the last number that an earlier owner has used."""
        query = _LAST_NUMBER.encode()
        (number,) = cursor.execute(query, {"partition": partition}).fetchone() or (0,)
        return cls(partition, number)

    def put(self, target: int, request: Request) -> None:
        """Send a request, unless that was done before."""
        if self._sent.is_new(request):
            self._waiting.setdefault(target, []).append(request)

    def cut(self) -> Send:
        """What writes all that waits, in the transaction of a cursor; a value."""
        targets, numbers, packed = [], [], []
        for target, requests in self._waiting.items():
            for piece in _pieces(requests):
                self._last_number += 1
                targets.append(target)
                numbers.append(self._last_number)
                packed.append(pack_requests(piece))
        self._waiting = {}
        return partial(_send, partition=self._partition, columns=(targets, numbers, packed))


class Inbox:
    """What others sent to a partition: which rows have been taken, and not yet been cleared."""

    def __init__(self, partition: int, marks: dict[int, int] | None = None) -> None:
        self.partition = partition
        self._marks = dict(marks or {})  # by source, the last number taken
        self._taken: dict[int, int] = {}  # the same, where it is new since the last cut

    @classmethod
    def open(cls, cursor: Cursor[Any], partition: int) -> Inbox:
        """Go on after what an earlier owner has taken."""
        query = "SELECT source, number FROM mark WHERE target = %s"
        return cls(partition, dict(cursor.execute(query, (partition,)).fetchall()))

    def take(self, parcels: Sequence[Parcel]) -> list[Request]:
        """The requests of rows that were not taken before.

        They must go to the frontier before the next cut: one commit covers both.
        """
        requests: list[Request] = []
        for parcel in parcels:
            if parcel.number > self._marks.get(parcel.source, 0):
                self._marks[parcel.source] = self._taken[parcel.source] = parcel.number
                requests += unpack_requests(parcel.packed)
        return requests

    def cut(self) -> Send:
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


def _pieces(requests: list[Request]) -> list[list[Request]]:
    waiting = iter(requests)
    return list(iter(lambda: list(islice(waiting, _MOST_IN_ROW)), []))


def _send(cursor: Cursor[Any], partition: int, columns: tuple[list[Any], ...]) -> None:
    if columns[0]:
        cursor.execute(_SEND, (partition, *columns))


def _clear(cursor: Cursor[Any], partition: int, taken: dict[int, int]) -> None:
    if taken:
        columns = list(taken), list(taken.values())
        cursor.execute(_MARK, (partition, *columns))
        cursor.execute(_CLEAR, (*columns, partition))
