"""Crawls as processes of their own, which outlive the server: starts, stops and steers them.

A crawl runs for hours, and a server is stopped for less: its crawls go on, and the next server on
the same folder stops them, because stopping needs no process number (`crawling/steering.py`). Each
is a session of its own, so Ctrl-C in the server's terminal does not reach it. A command is a list
of words and never goes through a shell. What a process says goes to `crawl.log` in the folder of
its crawl (`log_lines.py`).

Only a crawl in a folder can be steered, because what is asked of it is a file there. One in
PostgreSQL has workers on any machines, which nobody here can start or stop.
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

from msgspec import Struct, structs

from geoscout.crawl_folder import open_stream, require_plain
from geoscout.crawling.options import options_of, read_crawl_options
from geoscout.crawling.steering import change_wishes, read_wishes, with_wishes
from geoscout.state.base import FOLDERS, backend_name, open_state
from geoscout.state.sqlite import RunMark, folder_of, is_written, read_mark
from geoscout.web.control import log_lines
from geoscout.web.control.log_lines import readable
from geoscout.web.problems import RefusedError
from geoscout.web.site import ServedCrawl
from geoscout_places.errors import GeoscoutError

LOG_FILE = "crawl.log"
_BEGUN = ("crawl.log", "crawl.lock", "crawl.running")  # what a crawl leaves that did not begin
_WRITER = [sys.executable, "-I", "-S", str(log_lines.__file__)]
_LAST_WORDS_SECONDS = 2.0
_LONGEST_TOLD = 4000  # bytes of a log
_LOOK_SECONDS = 0.1
_MINUTE = 60.0
_IN_DATABASE = (
    "this crawl is kept in PostgreSQL, and its workers may be on any machine: stop them with Ctrl-C"
    " or SIGTERM, and go on with `geoscout cluster work` or `geoscout resume`"
)
_STOP_SECONDS = 8.0  # that are waited for a crawl to end


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


class ProcessJson(Struct, frozen=True, kw_only=True):
    """The process of a crawl that runs."""

    pid: int
    machine: str
    since: float  # seconds since the epoch, UTC


class SteeredCrawlJson(Struct, frozen=True, kw_only=True):
    """What is asked of a crawl, and what can be."""

    crawl: str
    running: bool
    trouble: str  # why it cannot be controlled; "" when it can
    process: ProcessJson | None  # None when it does not run, or is an earlier version's
    visits: int
    max_pages: int | None  # responses in all; null for no limit
    left_alone: list[str]  # hosts
    allow_private: bool
    needs_contact: bool  # to go on: the server's settings have none
    log: str  # the end of what its processes said that were started here


@dataclass(frozen=True, slots=True)
class SteeredCrawl:
    """A crawl that can be controlled."""

    crawl: ServedCrawl
    folder: Path

    @property
    def is_running(self) -> bool:
        return is_written(self.folder)

    def stop(self) -> bool:
        """Ask the run to end, and wait for that; False when it has not ended yet.

        Raises:
            RefusedError: none runs, or one that cannot be asked.
        """
        mark = read_mark(self.folder)
        if mark is None:
            raise RefusedError(409, self._why_no_mark())
        self._ask(stop=mark.run)
        until = time.monotonic() + _STOP_SECONDS
        while (is_running := self._runs(mark)) and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)
        return not is_running

    def _runs(self, mark: RunMark) -> bool:
        now = read_mark(self.folder)
        return now is not None and now.run == mark.run

    def _why_no_mark(self) -> str:
        if self.is_running:
            return "another version of geoscout runs it: stop it where it was started"
        return "it is not running"

    def limit(self, *, max_pages: int | None = None, more: int | None = None) -> int:
        """Set another limit of responses, or raise the present one; returns the limit.

        Raises:
            RefusedError: there is no limit that could be raised.
        """
        if more is not None:
            before, visits = self._limit_and_visits()
            if before is None:
                raise RefusedError(409, "this crawl has no limit: it needs no more")
            max_pages = max(before, visits) + more
        self._ask(max_pages=max_pages)
        assert max_pages is not None
        return max_pages

    def leave(self, host: str, *, alone: bool) -> list[str]:
        """Leave a host alone from now on, or no longer; returns all that are."""

        def change(before: tuple[str, ...]) -> tuple[str, ...]:
            others = tuple(name for name in before if name != host)
            return (*others, host) if alone else others

        wishes = change_wishes(
            self.folder,
            lambda found: structs.replace(found, left_alone=change(found.left_alone)),
        )
        return list(wishes.left_alone)

    def _ask(self, **wishes: object) -> None:
        change_wishes(self.folder, lambda found: structs.replace(found, **wishes))

    def _limit_and_visits(self) -> tuple[int | None, int]:
        with self.crawl.open() as opened:
            options = with_wishes(options_of(opened.reader), read_wishes(self.folder))
            return options.max_pages, opened.reader.totals().visits


def has_begun(folder: Path) -> bool:
    """Whether a new crawl is there with what it was asked for, so that it can be looked at."""
    try:
        with open_state(folder) as opened:
            return read_crawl_options(opened.reader) is not None
    except GeoscoutError:
        return False


def standing_of(crawl: ServedCrawl) -> SteeredCrawl:
    """A crawl to be controlled.

    Raises:
        RefusedError: it cannot be.
    """
    if backend_name(crawl.where) != FOLDERS:
        raise RefusedError(409, _IN_DATABASE)
    return SteeredCrawl(crawl, folder_of(crawl.where))


def standing_json(crawl: ServedCrawl, contact: str, *, with_log: bool) -> SteeredCrawlJson:
    """What is asked of a crawl; `contact` is that of the server's settings."""
    is_folder = backend_name(crawl.where) == FOLDERS
    folder = folder_of(crawl.where)
    wishes = read_wishes(folder)
    with crawl.open() as opened:
        options = with_wishes(options_of(opened.reader), wishes)
        visits, is_running = opened.reader.totals().visits, opened.reader.is_running()
    mark = read_mark(folder) if is_folder else None
    is_live = not options.replay and not options.allow_private
    return SteeredCrawlJson(
        crawl=crawl.name,
        running=is_running,
        trouble="" if is_folder else _IN_DATABASE,
        process=ProcessJson(pid=mark.pid, machine=mark.machine, since=mark.since) if mark else None,
        visits=visits,
        max_pages=options.max_pages,
        left_alone=list(wishes.left_alone),
        allow_private=options.allow_private,
        needs_contact=is_live and not contact,
        log=last_lines(folder) if with_log else "",
    )
