"""Starts crawls as processes of their own, which outlive the server.

A crawl runs for hours, and a server is stopped for less: its crawls go on, and the next server on
the same folder stops them, because stopping needs no process number (`crawling/steering.py`). Each
is a session of its own, so Ctrl-C in the server's terminal does not reach it. A command is a list
of words and never goes through a shell. What a process says goes to `crawl.log` in the folder of
its crawl (`log_lines.py`).
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from geoscout.crawl_folder import open_stream, require_plain
from geoscout.web.control import log_lines
from geoscout.web.control.log_lines import readable
from geoscout.web.problems import RefusedError

LOG_FILE = "crawl.log"
_BEGUN = ("crawl.log", "crawl.lock", "crawl.running")  # what a crawl leaves that did not begin
_WRITER = [sys.executable, "-I", "-S", str(log_lines.__file__)]
_LAST_WORDS_SECONDS = 2.0
_LONGEST_TOLD = 4000  # bytes of a log
_LOOK_SECONDS = 0.1
_MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class LaunchLimits:
    """How many crawls can be started."""

    running: int = 4  # at a time, of those that this server has started
    in_a_minute: int = 10
    wait_seconds: float = 120.0  # for a crawl to begin, before the answer is that it is starting


class Launcher:
    """The crawls that this server has started."""

    def __init__(self, flags: Sequence[str] = (), limits: LaunchLimits | None = None) -> None:
        """`flags` are added to each command: those by which it has the server's settings."""
        self._flags = tuple(flags)
        self._limits = limits or LaunchLimits()
        self._running: list[subprocess.Popen[bytes]] = []
        self._started: deque[float] = deque(maxlen=self._limits.in_a_minute)
        self._starting = threading.Lock()

    @property
    def running(self) -> int:
        """How many of them run."""
        return sum(process.poll() is None for process in self._running)

    def start(
        self, arguments: Sequence[str], folder: Path, has_begun: Callable[[], bool]
    ) -> tuple[bool, str]:
        """Run `geoscout` with these arguments; whether it runs or has run, and what it said last.

        It is waited for until it has begun, or has ended, or for some seconds.

        Raises:
            RefusedError: too many run or were started, or this one failed; with what it said.
        """
        with self._starting:
            self._admit()
            try:
                require_plain(folder)
                log = open_stream(folder / LOG_FILE, "ab")
            except OSError as error:
                said = f"{LOG_FILE} cannot be written to: {error.strerror}"
                raise RefusedError(409, said) from error
            with log:
                offset = log.tell()
                process, writer = self._spawn(arguments, log)
        until = time.monotonic() + self._limits.wait_seconds
        while process.poll() is None and not has_begun() and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)
        if process.poll() is not None:
            with suppress(subprocess.TimeoutExpired):  # processes of it may go on
                writer.wait(_LAST_WORDS_SECONDS)
        said = last_lines(folder, offset)
        if process.poll() in (1, 2):  # the statuses of commands that failed
            raise RefusedError(409, said.rpartition("\n")[2] or "the crawl could not be started")
        return process.poll() is not None or has_begun(), said

    def _admit(self) -> None:
        self._running = [process for process in self._running if process.poll() is None]
        if len(self._running) >= self._limits.running:
            raise RefusedError(
                409, f"{len(self._running)} crawls that were started here run: stop one first"
            )
        now = time.monotonic()
        if len(self._started) == self._limits.in_a_minute and now - self._started[0] < _MINUTE:
            raise RefusedError(429, "too many crawls were started in this minute; wait a little")
        self._started.append(now)

    def _spawn(
        self, arguments: Sequence[str], log: IO[bytes]
    ) -> tuple[subprocess.Popen[bytes], subprocess.Popen[bytes]]:
        """Run a command, and what writes its words down."""
        # -P: no module of the working directory takes the place of ours.
        command = [sys.executable, "-P", "-m", "geoscout", *arguments, *self._flags]
        writer = subprocess.Popen(  # noqa: S603 - our own program
            _WRITER, stdin=subprocess.PIPE, stdout=log, start_new_session=True
        )
        with cast("IO[bytes]", writer.stdin) as output:
            process = subprocess.Popen(  # noqa: S603 - words that were checked, and no shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._running.append(process)
        for each in (process, writer):  # so that none stays a zombie
            threading.Thread(target=each.wait, daemon=True).start()
        return process, writer


def last_lines(folder: Path, offset: int = 0) -> str:
    """The end of what the processes of a crawl said, from an offset of their log on."""
    try:
        with open_stream(folder / LOG_FILE, "rb") as log:
            size = log.seek(0, 2)
            log.seek(max(offset, size - _LONGEST_TOLD))
            return readable(log.read(_LONGEST_TOLD).decode("utf-8", "replace")).strip()
    except OSError:
        return ""


def clear_away(folder: Path) -> None:
    """Delete what a crawl left that did not begin; anything else in the folder stays."""
    for name in _BEGUN:
        (folder / name).unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()
