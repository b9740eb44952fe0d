"""What a crawl leaves of its machine: room on the disk, and memory for others.

A disk that fills: the crawl pauses while there is still room for what it has in flight, and goes on
when there is room again. Memory: with a limit, the crawl forgets what it can find again when it
comes near it, and ends in order when that is not enough; it can be resumed.
"""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from geoscout.machine import memory_of
from geoscout_places.caches import forget_all

_LOOK_SECONDS = 2.0
_NEAR = 0.9  # of the limit of memory, from which on caches are emptied
_FORGET_SECONDS = 30.0  # between two times: caches that fill at once would only cost time
_MEGABYTE = 1e6
ROOM_SECONDS = 3600.0  # how long a crawl waits for room on a disk

_log = logging.getLogger(__name__)


class MachineLimits(Struct, frozen=True):
    """What is left to others."""

    disk_bytes: float = 0.0  # that stay free; 0: the disk is not looked at
    disk_wait_seconds: float = ROOM_SECONDS  # how long a crawl waits for them
    memory_bytes: float = 0.0  # for all processes of the crawl; 0: no limit


class MachineWatch:
    """Looks at disk and memory every two seconds, when it is asked."""

    def __init__(
        self,
        limits: MachineLimits,
        folder: Path | None = None,
        pids: Callable[[], Sequence[int]] = lambda: (),
        renew: Callable[[], None] = lambda: None,
    ) -> None:
        """`folder` is on the disk that fills; None: another machine has the crawl.

        `pids` are the other processes of the crawl, and `renew` has them give memory back.
        """
        self._limits, self._folder = limits, folder
        self._pids, self._renew = pids, renew
        self._looked_at = self._forgot_at = float("-inf")
        self._full_since: float | None = None
        self.stop_reason = ""  # why the crawl has to end; "": it has not

    def may_start(self) -> bool:
        """Whether requests may be made now; never again when there is a `stop_reason`."""
        now = time.monotonic()
        if now - self._looked_at >= _LOOK_SECONDS:
            self._looked_at = now
            self._look_at_disk(now)
            self._look_at_memory(now)
        return self._full_since is None and not self.stop_reason

    def _look_at_disk(self, now: float) -> None:
        if self._folder is None or not self._limits.disk_bytes:
            return
        free, least = shutil.disk_usage(self._folder).free, self._limits.disk_bytes
        told = f"{free / _MEGABYTE:,.0f} MB are free on the disk of {self._folder}"
        if free >= least:
            if self._full_since is not None:
                _log.info("%s: the crawl goes on", told)
            self._full_since = None
        elif self._full_since is None:
            self._full_since = now
            _log.warning(
                "%s, less than %.0f MB: the crawl pauses until there is room",
                told,
                least / _MEGABYTE,
            )
        elif now - self._full_since > self._limits.disk_wait_seconds:
            self._stop(f"{told}, and nobody has made room")

    def _look_at_memory(self, now: float) -> None:
        most = self._limits.memory_bytes
        if not most or (used := self.memory()) < _NEAR * most:
            return
        if now - self._forgot_at > _FORGET_SECONDS:
            self._forgot_at = now
            forget_all()
            self._renew()
            _log.info("caches are emptied: %.0f MB are near the limit of memory", used / _MEGABYTE)
            used = self.memory()
        if used > most:
            mega = f"{used / _MEGABYTE:,.0f} MB, more than the {most / _MEGABYTE:,.0f} MB"
            self._stop(f"the crawl takes {mega} of max_memory")

    def memory(self) -> int:
        """Bytes that all processes of the crawl take."""
        return sum(map(memory_of, (os.getpid(), *self._pids())))

    def _stop(self, reason: str) -> None:
        self.stop_reason = reason
        _log.warning("%s: it ends here, and can go on later", reason)
