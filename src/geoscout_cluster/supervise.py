"""Several workers on one machine: starts their processes, and starts those again that die.

A worker needs none of this: systemd, Kubernetes or a terminal can start `geoscout cluster work` as
well. The address of the crawl goes to the processes in their environment, because everybody on
the machine can read a command line, and an address can contain a password.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from geoscout_places.errors import UsageError

ADDRESS = "GEOSCOUT_ON"  # the variable of the environment with the address of the crawl
METRICS_PORT = "GEOSCOUT_METRICS_PORT"  # the variable of the setting
PARENT = "GEOSCOUT_SUPERVISOR"  # the one with the process that looks after a worker
_USAGE = 2  # the exit status of a process that cannot work, however often it is started
_LOOK_SECONDS = 0.2
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0  # seconds before a process is started again
_LONG_LIFE = 60.0  # seconds; a death after more than that has a new cause

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Place:
    """One of the workers, whichever process it is now."""

    metrics_port: int
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    start_at: float = 0.0  # when to start it again
    pause: float = field(default=_FIRST_PAUSE)
    is_done: bool = False


class Supervisor:
    """Keeps a number of worker processes running."""

    def __init__(
        self, address: str, workers: int, arguments: Sequence[str], metrics_port: int = 0
    ) -> None:
        """`arguments` follow `geoscout cluster`; the address must not be among them.

        The first worker serves its metrics on `metrics_port`, and the others on the ports after it.
        """
        if workers < 1:
            raise UsageError(f"--workers is at least 1, not {workers}")
        self._command = [sys.executable, "-m", "geoscout", "cluster", *arguments]
        self._environment = {**os.environ, ADDRESS: address, PARENT: str(os.getpid())}
        ports = [metrics_port + n if metrics_port else 0 for n in range(workers)]
        self._places = [_Place(port) for port in ports]
        self._is_stopping = False

    def run(self) -> None:
        """Keep them running until all have come to their end, or `stop` is called.

        Raises:
            UsageError: one of them says that it cannot work.
        """
        try:
            while not all(place.is_done for place in self._places):
                for place in self._places:
                    self._look_after(place)
                time.sleep(_LOOK_SECONDS)
        finally:
            self.stop()
            for place in self._places:
                if place.process is not None:
                    place.process.wait()

    def stop(self) -> None:
        """Have all of them finish what is in flight, and end."""
        self._is_stopping = True
        for process in self.processes():
            process.send_signal(signal.SIGTERM)

    def processes(self) -> list[subprocess.Popen[bytes]]:
        """Those that run."""
        found = [place.process for place in self._places]
        return [process for process in found if process is not None and process.poll() is None]

    def _look_after(self, place: _Place) -> None:
        now = time.monotonic()
        if place.process is None:
            if self._is_stopping:
                place.is_done = True
            elif now >= place.start_at:
                place.process = self._start(place)
                place.started_at = now
        elif (status := place.process.poll()) is not None:
            self._bury(place, status, now)

    def _start(self, place: _Place) -> subprocess.Popen[bytes]:
        environment = {**self._environment, METRICS_PORT: str(place.metrics_port)}
        return subprocess.Popen(self._command, env=environment)  # noqa: S603

    def _bury(self, place: _Place, status: int, now: float) -> None:
        """What to do about a process that has ended."""
        if status == 0 or self._is_stopping:
            place.is_done = True
            return
        if status == _USAGE:
            raise UsageError("a worker cannot work; see what it said")
        if now - place.started_at > _LONG_LIFE:
            place.pause = _FIRST_PAUSE
        _log.warning("a worker ended with status %d: another in %.0f s", status, place.pause)
        place.process, place.start_at = None, now + place.pause
        place.pause = min(2 * place.pause, _LONGEST_PAUSE)
