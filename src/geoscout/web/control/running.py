"""Crawls as processes of their own, which outlive the server: starts, stops and steers them.

A crawl runs for hours, and a server is stopped for less: its crawls go on, and the next server on
the same folder stops them, because stopping needs no process number (`crawling/steering.py`). Each
is a session of its own, so Ctrl-C in the server's terminal does not reach it. A command is a list
of words and never goes through a shell. What a process says goes to `crawl.log` in the folder of
its crawl (`log_lines.py`).

What is asked of a crawl lies beside it, so it reaches its processes on whatever machine they are.
"""

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

from msgspec import Struct

from geoscout.crawl_folder import open_stream, require_plain
from geoscout.crawling.options import options_of, read_crawl_options
from geoscout.crawling.steering import (
    ask_for_limit,
    ask_to_stop,
    leave_alone,
    read_wishes,
    with_wishes,
)
from geoscout.state.base import FOLDERS, backend_name, folder_below, is_url, open_state
from geoscout.state.sqlite import folder_of, read_mark
from geoscout.web.control import log_lines
from geoscout.web.control.log_lines import readable
from geoscout.web.problems import RefusedError
from geoscout.web.site import ServedCrawl
from geoscout_places.codec import record_of
from geoscout_places.errors import GeoscoutError
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.urls import has_password

LOG_FILE = "crawl.log"
_BEGUN = ("crawl.log", "crawl.lock", "crawl.running")  # what a crawl leaves that did not begin
_WRITER = [sys.executable, "-I", "-S", str(log_lines.__file__)]
_LAST_WORDS_SECONDS = 2.0
_LONGEST_TOLD = 4000  # bytes of a log
_LOOK_SECONDS = 0.1
_MINUTE = 60.0
_LOGS = "logs"  # a folder in the home
_STOP_SECONDS = 8.0  # that are waited for a crawl to end


class Launcher:
    """The crawls that this server has started."""

    def __init__(
        self,
        flags: Sequence[str] = (),
        *,
        most_running: int = 4,
        in_a_minute: int = 10,
        wait_seconds: float = 120.0,
    ) -> None:
        """`flags` are added to each command: those by which it has the server's settings.

        After `wait_seconds` the answer is that a crawl is still starting.
        """
        self._flags = tuple(flags)
        self._most_running, self._wait_seconds = most_running, wait_seconds
        self._running: list[subprocess.Popen[bytes]] = []
        self._started: deque[float] = deque(maxlen=in_a_minute)
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
        until = time.monotonic() + self._wait_seconds
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
        if len(self._running) >= self._most_running:
            raise RefusedError(
                409, f"{len(self._running)} crawls that were started here run: stop one first"
            )
        now = time.monotonic()
        if len(self._started) == self._started.maxlen and now - self._started[0] < _MINUTE:
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
    trouble: str  # why it cannot be controlled; "" when it can, as all can today
    process: ProcessJson | None  # None when it does not run, or is an earlier version's
    visits: int
    max_pages: int | None  # responses in all; null for no limit
    left_alone: list[str]  # hosts
    allow_private: bool
    needs_contact: bool  # to go on: the server's settings have none
    log: str  # the end of what its processes said that were started here


@dataclass(frozen=True, slots=True)
class SteeredCrawl:
    """A crawl that can be controlled: in a folder, or in PostgreSQL wherever its workers are."""

    crawl: ServedCrawl

    @property
    def is_running(self) -> bool:
        with self.crawl.open() as opened:
            return opened.reader.is_running()

    @property
    def log_folder(self) -> Path:
        """The folder on this machine for what its processes say that are started here."""
        where = self.crawl.where
        if not is_url(where):
            return Path(where)
        if backend_name(where) == FOLDERS:
            return folder_of(where)
        return folder_below(home_folder(self.crawl.settings), where, _LOGS)

    def stop(self) -> bool:
        """Ask all its processes to end, and wait for that; False when they have not ended yet.

        Raises:
            RefusedError: none runs.
        """
        if not self.is_running:
            raise RefusedError(409, "it is not running")
        ask_to_stop(self.crawl.where)
        until = time.monotonic() + _STOP_SECONDS
        while (is_running := self.is_running) and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)
        return not is_running

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
        assert max_pages is not None
        ask_for_limit(self.crawl.where, max_pages)
        return max_pages

    def leave(self, host: str, *, alone: bool) -> list[str]:
        """Leave a host alone from now on, or no longer; returns all that are."""
        return list(leave_alone(self.crawl.where, [host], alone=alone).left_alone)

    def command_to_resume(self) -> list[str]:
        """What continues it.

        Raises:
            RefusedError: everybody on this machine could read its password then.
        """
        if has_password(self.crawl.where):
            raise RefusedError(
                409, "the address of this crawl has a password, and command lines can be read by"
                " everybody here: keep it in the file that PGPASSFILE names",
            )  # fmt: skip
        return ["resume", str(self.crawl.where)]

    def _limit_and_visits(self) -> tuple[int | None, int]:
        with self.crawl.open() as opened:
            options = with_wishes(options_of(opened.reader), read_wishes(self.crawl.where))
            return options.max_pages, opened.reader.totals().visits


def has_begun(folder: Path) -> bool:
    """Whether a new crawl is there with what it was asked for, so that it can be looked at."""
    try:
        with open_state(folder) as opened:
            return read_crawl_options(opened.reader) is not None
    except GeoscoutError:
        return False


def standing_json(crawl: ServedCrawl, contact: str, *, with_log: bool) -> SteeredCrawlJson:
    """What is asked of a crawl; `contact` is that of the server's settings."""
    is_folder = backend_name(crawl.where) == FOLDERS
    wishes = read_wishes(crawl.where)
    with crawl.look() as opened:
        options = with_wishes(options_of(opened.reader), wishes)
        visits, is_running = opened.reader.totals().visits, opened.reader.is_running()
    mark = read_mark(folder_of(crawl.where)) if is_folder else None
    is_live = not options.replay and not options.allow_private
    return SteeredCrawlJson(
        crawl=crawl.name,
        running=is_running,
        trouble="",
        process=record_of(ProcessJson, mark) if mark else None,
        visits=visits,
        max_pages=options.max_pages,
        left_alone=list(wishes.left_alone),
        allow_private=options.allow_private,
        needs_contact=is_live and not contact,
        log=last_lines(SteeredCrawl(crawl).log_folder) if with_log else "",
    )
