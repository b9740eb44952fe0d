"""Keeps one worker running on the machine where it is: an actor of Ray, which knows nothing of Ray.

The worker is the plain command `geoscout cluster work`, in a process of its own, so a worker is the
same whoever starts it, and one that dies does not take its keeper with it.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from geoscout_cluster.supervise import ADDRESS, METRICS_PORT

USAGE = 2  # the exit status of a process that cannot work, however often it is started
_FINAL = (0, USAGE)
_FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 60.0  # seconds before a process is started again
_LONG_LIFE = 60.0  # seconds; a death after more than that has a new cause
_PATIENCE = 60.0  # seconds to finish what is in flight, as systemd and Kubernetes give it
_LINGER = 10.0  # seconds in which one can still ask how the worker ended
_OF_RAY = "RAY_"  # variables of the environment; Ray's token is not for a worker


@dataclass(frozen=True, slots=True)
class KeeperState:
    """How a worker is doing."""

    machine: str
    process: int = 0  # its number; 0 before the first start
    starts: int = 0
    status: int | None = None  # with which the last process ended; None while it runs
    is_done: bool = False  # it is not started again
    said: str = ""  # its last line of errors


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
        """How the worker is doing now."""
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
