"""When to look at a host or a gate again.

One heap of times. An alarm that is no longer wanted is not searched for: a sleeper knows the time
of its earliest alarm, and one with another time is outdated.

What must stay true: `sleeper.alarm` is infinite, or an alarm of that time is in the heap.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from geoscout.frontier.base import Limits
from geoscout.frontier.hosts import Gate, Host

_Alarm = tuple[float, int, Host | Gate]  # when, a number against ties, whom to wake


class Alarms:
    """The times at which hosts and gates are looked at again."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._heap: list[_Alarm] = []
        self._set = 0  # tells alarms of the same time apart

    def set(self, sleeper: Host | Gate, time: float) -> None:
        """Wake a sleeper at this time, or at the earlier one that is set already."""
        if time < sleeper.alarm:
            sleeper.alarm = time
            self._set += 1
            heappush(self._heap, (time, self._set, sleeper))

    def due(self, now: float) -> Iterator[Host | Gate]:
        """Those whose time has come; their alarm is then over."""
        while self._heap and self._heap[0][0] <= now:
            time, _, sleeper = heappop(self._heap)
            if time == sleeper.alarm:
                sleeper.alarm = math.inf
                yield sleeper

    def first(self) -> float | None:
        """When the first one rings that somebody waits for; None where there is none."""
        while self._heap and self._is_needless(self._heap[0]):
            heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def drop_outdated(self) -> None:
        """Forget the alarms of those that have another one, or left."""
        self._heap = [alarm for alarm in self._heap if alarm[0] == alarm[2].alarm]
        heapify(self._heap)

    def _is_needless(self, alarm: _Alarm) -> bool:
        """Whether nobody would get up; the sleeper then sets another when it has a reason."""
        time, _, sleeper = alarm
        if time != sleeper.alarm:
            return True
        if isinstance(sleeper, Gate):
            needless = sleeper.holder is not None or not sleeper.queue
        else:
            spent = sleeper.is_spent(self._limits)
            needless = bool(sleeper.busy) or spent or not sleeper.has_requests()
        if needless:
            sleeper.alarm = math.inf
        return needless
