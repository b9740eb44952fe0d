"""How much of a crawl's time may be spent waiting for the disk.

A commit waits for the disk twice, some milliseconds on an idle one. On a disk that is busy with
other programs it can be a hundred times that, and every two seconds it would slow the crawl down.
So groups become larger instead: waiting may take a share of the time, saved up to an allowance, and
a commit that is due is put off while more than that has been spent.
"""

from __future__ import annotations

SHARE = 0.02  # of the time
ALLOWANCE = 1.0  # seconds of waiting that are always possible after a time without
LONGEST_DELAY = 30.0  # seconds; so long a commit is put off at most


class SyncBudget:
    """Says whether there is time for a commit. All times are seconds of one monotonic clock."""

    def __init__(self, now: float) -> None:
        self._left, self._looked_at, self._spent_at = ALLOWANCE, now, now

    def allows(self, now: float) -> bool:
        """Whether a commit that is due may be made."""
        self._left = min(self._left + SHARE * (now - self._looked_at), ALLOWANCE)
        self._looked_at = now
        return self._left >= 0 or now - self._spent_at >= LONGEST_DELAY

    def spend(self, seconds: float, now: float) -> None:
        """A commit has waited so long."""
        self._left -= seconds
        self._spent_at = now
