"""Runs the crawl on uvloop where there is one, else on the loop of the standard library.

How late the event loop is: a response that it had no time to hear did not come too late.

When the loop stands still, because the machine is busy or sleeps, all timers run out at once. A
host is not to blame for that.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import TypeVar

from geoscout.fetch.retries import failure
from geoscout_places.errors import FetchError

try:
    import uvloop
except ImportError:  # there is none for Windows and PyPy
    uvloop = None  # type: ignore[assignment]  # a module that may be missing

_Result = TypeVar("_Result")


def run(main: Coroutine[None, None, _Result]) -> _Result:
    """Run a coroutine to its end, like asyncio.run."""
    factory = uvloop.new_event_loop if uvloop is not None else asyncio.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main)


_TICK_SECONDS = 0.25
_LATE_SECONDS = 1.0  # from which on a time limit is not held against a host
_TIMED = frozenset({"timeout", "stalled", "connect-timeout", "slow", "dns"})


class LoopWatch:
    """Looks at the clock four times a second, from its first use on."""

    def __init__(self) -> None:
        self._late = 0.0  # seconds in all
        self._due_at: float | None = None

    def mark(self) -> float:
        """By how many seconds the loop has been late so far, in all."""
        now = time.monotonic()
        if self._due_at is None:
            self._next(now)
            return 0.0
        return self._late + max(now - self._due_at, 0.0)

    def judge(self, error: FetchError, mark: float) -> FetchError:
        """The error, or one of ours where the loop was late since a mark and time ran out."""
        late = self.mark() - mark
        if error.kind not in _TIMED or late < _LATE_SECONDS:
            return error
        return failure("late", f"{late:.1f} s; {error}")

    def _tick(self) -> None:
        now = time.monotonic()
        if self._due_at is not None:
            self._late += max(now - self._due_at, 0.0)
        self._next(now)

    def _next(self, now: float) -> None:
        self._due_at = now + _TICK_SECONDS
        asyncio.get_running_loop().call_later(_TICK_SECONDS, self._tick)
