"""The beginnings of queues, in memory: what a database would be asked for after every page.

The queue of a host is a table. Its first entries are looked at whenever one of its requests was
answered and whenever waiting requests are scored again, a hundred at a time. So those that were
read stay here, and change with the table.

What must stay true of each front: every entry of the table up to `last` is in `heads`.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from itertools import islice

from geoscout.frontier.hosts import Head

_FIRST_PIECE, _LARGEST_PIECE = 2, 32  # entries read at a time; mostly the first are enough
_LONGEST = 160  # entries of a front; more than are scored again at a time, mostly
_MOST = 600  # fronts; with 160 entries each they take 12 MB

ReadPiece = Callable[[int, Head, int], list[Head]]  # entries of a host behind one, at most


class _Front:
    __slots__ = ("heads", "is_whole", "last")

    def __init__(self, *, is_whole: bool) -> None:
        self.heads: list[Head] = []
        self.is_whole = is_whole  # the table has no others
        self.last: Head = (-math.inf, 0)

    def insert(self, head: Head) -> None:
        if not (self.is_whole or head < self.last):
            return
        insort(self.heads, head)
        if len(self.heads) > _LONGEST:
            del self.heads[_LONGEST:]
            self.last, self.is_whole = self.heads[-1], False

    def remove(self, head: Head) -> None:
        at = bisect_left(self.heads, head)
        if at < len(self.heads) and self.heads[at] == head:
            del self.heads[at]


class QueueFronts:
    """The first entries of the queues of some hosts."""

    def __init__(self, read: ReadPiece) -> None:
        self._read = read
        self._fronts: dict[int, _Front] = {}

    def heads(self, host: int) -> Iterator[Head]:
        """The queue of a host, the best first; the table is asked for what is not here."""
        front = self._fronts.get(host) or self._add(host, _Front(is_whole=False))
        at = 0
        while True:
            yield from islice(front.heads, at, None)
            at = len(front.heads)
            if front.is_whole:
                return
            if len(front.heads) >= _LONGEST:
                break
            self._lengthen(host, front)
        yield from self._behind(host, front.last)

    def begin(self, host: int) -> None:
        """A host that has no entry yet."""
        self._add(host, _Front(is_whole=True))

    def insert(self, host: int, head: Head) -> None:
        """The table has one entry more."""
        front = self._fronts.get(host)
        if front is not None:
            front.insert(head)

    def remove(self, host: int, head: Head) -> None:
        """The table has one entry less."""
        front = self._fronts.get(host)
        if front is not None:
            front.remove(head)

    def move(self, host: int, old: Head, new: Head) -> None:
        """An entry of the table has another place."""
        front = self._fronts.get(host)
        if front is not None:
            front.remove(old)
            front.insert(new)

    def forget(self, host: int) -> None:
        """Read the queue of a host again when it is asked for."""
        self._fronts.pop(host, None)

    def _add(self, host: int, front: _Front) -> _Front:
        if len(self._fronts) >= _MOST:
            self.forget(next(iter(self._fronts)))  # the one that is here for the longest time
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

    def _behind(self, host: int, last: Head) -> Iterator[Head]:
        # In pieces: thousands of open cursors, one a host, would slow each other down.
        while piece := self._read(host, last, _LARGEST_PIECE):
            yield from piece
            if len(piece) < _LARGEST_PIECE:
                return
            last = piece[-1]
