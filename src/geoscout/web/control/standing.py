"""A crawl that is there, as far as it can be controlled: what is asked of it, and how to ask.

Only a crawl in a folder can be, because what is asked of it is a file there. One in PostgreSQL has
workers on any machines, which nobody here can start or stop.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import msgspec
from typing_extensions import TypedDict

from geoscout.crawling.options import options_of, read_crawl_options
from geoscout.crawling.steering import change_wishes, read_wishes, with_wishes
from geoscout.state.base import FOLDERS, backend_name, open_state
from geoscout.state.sqlite import RunMark, folder_of, is_written, read_mark
from geoscout.web.control.launching import last_lines
from geoscout.web.problems import RefusedError
from geoscout.web.site import ServedCrawl
from geoscout_places.errors import GeoscoutError

_IN_DATABASE = (
    "this crawl is kept in PostgreSQL, and its workers may be on any machine: stop them with Ctrl-C"
    " or SIGTERM, and go on with `geoscout cluster work` or `geoscout resume`"
)
_STOP_SECONDS = 8.0  # that are waited for a crawl to end
_LOOK_SECONDS = 0.1


class ProcessJson(TypedDict):
    """The process of a crawl that runs."""

    pid: int
    machine: str
    since: float  # seconds since the epoch, UTC


class SteeredCrawlJson(TypedDict):
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
            lambda found: msgspec.structs.replace(found, left_alone=change(found.left_alone)),
        )
        return list(wishes.left_alone)

    def _ask(self, **wishes: object) -> None:
        change_wishes(self.folder, lambda found: msgspec.structs.replace(found, **wishes))

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
    return {
        "crawl": crawl.name,
        "running": is_running,
        "trouble": "" if is_folder else _IN_DATABASE,
        "process": {"pid": mark.pid, "machine": mark.machine, "since": mark.since}
        if mark
        else None,
        "visits": visits,
        "max_pages": options.max_pages,
        "left_alone": list(wishes.left_alone),
        "allow_private": options.allow_private,
        "needs_contact": is_live and not contact,
        "log": last_lines(folder) if with_log else "",
    }
