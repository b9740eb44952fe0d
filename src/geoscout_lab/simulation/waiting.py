"""The frontier of a simulation: waiting pages, best first, in arrays by page number.

The crawl's own frontier keeps URLs, hosts and politeness, which a simulation does not need; this
one takes a microsecond a link. It keeps the same promises about order: highest priority first, a
page that is found again is replaced if its new priority is higher.
"""

from __future__ import annotations

import heapq
import math
import random
from array import array
from collections.abc import Callable, Sequence
from typing import NamedTuple

_WAITING, _DONE = 1, 2  # 0: not known yet


NO_PARENT = -1  # of a seed


class WaitingPage(NamedTuple):
    """A page that waits, and how it was found."""

    page: int
    priority: float
    features: bytes = b""  # what the strategy noted of the link
    depth: int = 0  # links since a seed
    distance: int = 0  # links since the last relevant page, or the seed
    parent: int = NO_PARENT  # the page whose link, or whose redirect, leads here


class WaitingPages:
    """Pages by priority; equals in the order they came, or by chance where it is given."""

    def __init__(
        self, size: int, chance: random.Random | None = None, *, first_come: bool = False
    ) -> None:
        """`first_come`: a page that is found again keeps its first priority (A-1)."""
        self._chance = chance
        self._first_come = first_come
        self._states = bytearray(size)
        self._priorities = array("d", bytes(8 * size))
        self._entries: dict[int, WaitingPage] = {}
        self._heap: list[tuple[float, float, int]] = []  # minus the priority, order of equals, page
        self._count = 0

    def __len__(self) -> int:
        """How many pages wait."""
        return len(self._entries)

    def wants(self, page: int, priority: float) -> bool:
        """Whether `put` would change anything; asked for every link, so it makes no record."""
        state = self._states[page]
        if not state:
            return True
        return state == _WAITING and not self._first_come and priority > self._priorities[page]

    def put(self, entry: WaitingPage) -> None:
        """Add a page, or replace one that waits with a lower priority."""
        page, priority = entry.page, entry.priority
        if not self.wants(page, priority):
            return
        self._states[page] = _WAITING
        self._priorities[page] = priority
        self._entries[page] = entry
        self._count += 1
        order = self._count if self._chance is None else self._chance.random()
        heapq.heappush(self._heap, (-priority, order, page))

    def take(self) -> WaitingPage | None:
        """The best page, which is then done; None when nothing waits."""
        best = self._pop()
        if best is None:
            return None
        self._states[best[2]] = _DONE
        return self._entries.pop(best[2])

    def best(self) -> float:
        """The priority of the best page; minus infinity when nothing waits."""
        best = self._pop()
        if best is None:
            return -math.inf
        heapq.heappush(self._heap, best)
        return -best[0]

    def rescore(self, most: int, score: Callable[[Sequence[WaitingPage]], Sequence[float]]) -> None:
        """Give the best waiting pages new priorities, `most` of them at most."""
        taken: list[tuple[float, float, int]] = []
        while len(taken) < most and (best := self._pop()) is not None:
            self._states[best[2]] = _DONE  # so that a second mark of it in the heap is passed over
            taken.append(best)
        entries = [self._entries[page] for _, _, page in taken]
        for (_, order, page), entry, priority in zip(taken, entries, score(entries), strict=True):
            self._states[page] = _WAITING
            self._priorities[page] = priority
            self._entries[page] = entry._replace(priority=priority)
            heapq.heappush(self._heap, (-priority, order, page))

    def _pop(self) -> tuple[float, float, int] | None:
        """The best mark that still holds; those of pages raised since then are dropped."""
        while self._heap:
            mark = heapq.heappop(self._heap)
            page = mark[2]
            if self._states[page] == _WAITING and self._priorities[page] == -mark[0]:
                return mark
        return None
