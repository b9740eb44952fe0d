"""Processes of workers: several on one machine, and one that Ray's actor keeps.

A worker needs none of this: systemd, Kubernetes or a terminal can start `geoscout cluster work` as
well, and so the worker is the same whoever starts it. The address of the crawl goes to the
processes in their environment, because everybody on the machine can read a command line, and an
address can contain a password. One that dies is started again, after pauses that grow.
"""

import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from geoscout.on_ray import USAGE, KeeperState
from geoscout_places.errors import UsageError

ADDRESS = "GEOSCOUT_ON"  # the variable of the environment with the address of the crawl
METRICS_PORT = "GEOSCOUT_METRICS_PORT"  # the variable of the setting
PARENT = "GEOSCOUT_SUPERVISOR"  # the one with the process that looks after a worker
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
        if status == USAGE:
            raise UsageError("a worker cannot work; see what it said")
        if now - place.started_at > _LONG_LIFE:
            place.pause = _FIRST_PAUSE
        _log.warning("a worker ended with status %d: another in %.0f s", status, place.pause)
        place.process, place.start_at = None, now + place.pause
        place.pause = min(2 * place.pause, _LONGEST_PAUSE)


_FINAL = (0, USAGE)
_PATIENCE = 60.0  # seconds to finish what is in flight, as systemd and Kubernetes give it
_LINGER = 10.0  # seconds in which one can still ask how the worker ended
_OF_RAY = "RAY_"  # variables of the environment; Ray's token is not for a worker


class WorkerKeeper:
    """Starts a worker, and starts it again when it dies."""

    def __init__(
        self, address: str, arguments: Sequence[str], leave: Callable[[], None] = lambda: None
    ) -> None:
        """`arguments` follow `geoscout cluster`; `leave` is called when there is nothing to keep.

        Ray calls this again on another machine when it has lost this one, and it does not repeat
        the calls of a launcher that has gone. So the worker is started here and not by a method.
        """
        self._command = [*_tied(), sys.executable, "-m", "geoscout", "cluster", *arguments]
        # No metrics: Ray decides how many workers a machine has, so their ports would meet.
        self._environment = {**_without_ray(os.environ), ADDRESS: address, METRICS_PORT: "0"}
        self._leave = leave
        self._process: subprocess.Popen[str] | None = None
        self._starts = 0
        self._said = ""
        self._lock = threading.Lock()
        self._is_stopping = threading.Event()
        self._is_done = threading.Event()
        threading.Thread(target=self._keep, daemon=True).start()

    def state(self) -> KeeperState:
        is_done, process = self._is_done.is_set(), self._process
        return KeeperState(
            machine=socket.gethostname(),
            process=process.pid if process else 0,
            starts=self._starts,
            status=process.poll() if process else None,
            is_done=is_done,
            said=self._said,
        )

    def stop(self) -> None:
        """Have the worker finish what is in flight and give its partitions back, or kill it."""
        self._is_stopping.set()
        with self._lock:
            process = self._process
        if process is not None:
            process.terminate()
            if not self._is_done.wait(_PATIENCE):
                process.kill()

    def _keep(self) -> None:
        pause = _FIRST_PAUSE
        while not self._is_stopping.is_set():
            began = time.monotonic()
            status = self._run_once()
            if status in _FINAL:
                break
            if time.monotonic() - began > _LONG_LIFE:
                pause = _FIRST_PAUSE
            self._is_stopping.wait(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        self._is_done.set()
        time.sleep(_LINGER)
        self._leave()

    def _run_once(self) -> int:
        """One process from its start to its end; returns its status."""
        with self._lock:
            if self._is_stopping.is_set():
                return 0
            self._process = process = subprocess.Popen(  # noqa: S603 - our own command
                self._command, env=self._environment, stdin=subprocess.DEVNULL,
                stderr=subprocess.PIPE, text=True, errors="replace",
            )  # fmt: skip
            self._starts += 1
        assert process.stderr is not None  # a pipe
        listener = threading.Thread(target=self._listen, args=(process.stderr,), daemon=True)
        listener.start()
        status = process.wait()
        listener.join(1.0)  # not for ever: a process of the worker may still have the pipe
        return status

    def _listen(self, errors: IO[str]) -> None:
        """Pass on what the worker says, to the log that Ray keeps."""
        with errors:
            for line in errors:
                self._said = line.strip() or self._said
                sys.stderr.write(line)


def _tied() -> list[str]:
    """What a command begins with that is to end with the process that started it.

    Without it, outside Linux, a worker whose keeper was killed goes on: one worker more than
    was asked for, and `cluster stop` ends it with the others.
    """
    found = shutil.which("setpriv")
    return [found, "--pdeathsig", "TERM"] if found else []


def _without_ray(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.startswith(_OF_RAY)}
