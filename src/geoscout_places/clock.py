"""The clock by which a process waits: it goes on evenly, whatever is done to the wall clock.

Somebody may set the wall clock while a crawl runs. A crawl that waited by it would stand still
when it is set back, and forget all pauses when it is set forward. So times inside a process are
`steady_time`: the wall clock when the process began, and from then on the monotonic clock. They
look like times of the wall clock, and equal them until somebody sets that.

Wall time is for what lasts: when a page was fetched, when a lease ends. Times that are written
down and waited for by a later process are translated when they are read (`Clocks.shift_to`).
While a machine sleeps the monotonic clock of Linux stands still, so waits last as much longer.
"""

from __future__ import annotations

import time
from typing import NamedTuple

_BEGAN = time.time() - time.monotonic()
_IN_STEP = 1.0  # seconds; clocks that differ by less need no translation


def steady_time() -> float:
    """Seconds since the epoch by a clock that nobody sets."""
    return _BEGAN + time.monotonic()


class Clocks(NamedTuple):
    """How the clock of a process and the wall clock stood at one moment."""

    steady: float
    wall: float

    def ahead(self) -> float:
        """Seconds by which the wall clock is ahead of the steady one; 0 where they are in step."""
        return _unless_in_step(self.wall - self.steady)

    def shift_to(self, later: Clocks) -> float:
        """What to add to times by this steady clock, to have them by that of a later process.

        A wall clock that stands before the one written down was set back in between. How long
        that was is then unknown, and taken for nothing: pauses are kept rather than cut short.
        """
        between = min(later.wall - self.wall, 0.0)
        return _unless_in_step(self.wall - self.steady + later.steady - later.wall + between)


def read_clocks() -> Clocks:
    """Both clocks as they stand now."""
    return Clocks(steady_time(), time.time())


def _unless_in_step(seconds: float) -> float:
    return seconds if abs(seconds) >= _IN_STEP else 0.0
