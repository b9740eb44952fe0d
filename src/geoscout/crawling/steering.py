"""What others ask of a crawl while it runs or rests: to end, how far to go, whom to leave alone.

It is in a small file of the crawl's folder. Others write it, and the crawl looks at it once a
second and before it begins. A file and not a signal: a signal needs a process number, which may be
another's by now, of another machine, or of a program that does more than this crawl. The wish to
stop names the run that is meant (`RunMark`), so it never ends a later one; the others stay until
they are changed.

The frontier keeps hosts that are left alone as blocked, and a note next to it says which these are:
one commit covers both, so a host is asked again when it was taken off the list while nobody
crawled.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from geoscout.crawl import Plan
from geoscout.crawl_folder import held_folder, open_stream, replace_file
from geoscout.crawling.options import CrawlOptions
from geoscout.frontier import Frontier
from geoscout.state.base import CrawlState, InFolder
from geoscout_places.background import alongside
from geoscout_places.errors import UsageError

STEERING_FILE = "crawl.steering"
LEFT_ALONE = "left alone by you"  # the reason of the blocks, as people see it
MOST_HOSTS = 10_000  # that can be left alone
_NOTE = "left alone"  # the name of the note
_LARGEST_FILE = 4_000_000  # bytes
_LOOK_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Wishes(Struct, frozen=True):
    """What is asked of a crawl."""

    stop: str = ""  # the run that is to end
    max_pages: int | None = 0  # responses in all; None: no limit; 0: as it was asked for at first
    left_alone: tuple[str, ...] = ()  # hosts


class Steerable(Protocol):
    """A loop that can be told how far to go."""

    plan: Plan

    @property
    def frontier(self) -> Frontier: ...

    def stop(self) -> None: ...


def read_wishes(folder: Path) -> Wishes:
    """What is asked of the crawl in a folder; nothing where the file is not there, or damaged."""
    try:
        with open_stream(folder / STEERING_FILE, "rb") as file:
            return msgspec.json.decode(file.read(_LARGEST_FILE), type=Wishes)
    except FileNotFoundError:
        return Wishes()
    except (OSError, msgspec.MsgspecError) as error:
        _log.warning("%s cannot be read, and is ignored: %s", folder / STEERING_FILE, error)
        return Wishes()


def change_wishes(folder: Path, change: Callable[[Wishes], Wishes]) -> Wishes:
    """Ask something else of the crawl in a folder; returns all that is asked of it now.

    Raises:
        UsageError: the folder cannot be written to, or too many hosts are left alone.
    """
    try:
        with held_folder(folder):
            wishes = change(read_wishes(folder))
            if len(wishes.left_alone) > MOST_HOSTS:
                raise UsageError(f"at most {MOST_HOSTS:,} hosts can be left alone")
            replace_file(folder / STEERING_FILE, msgspec.json.encode(wishes))
            return wishes
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}") from error


def with_wishes(options: CrawlOptions, wishes: Wishes) -> CrawlOptions:
    """What a crawl was asked for, with the limit that was asked for since."""
    if wishes.max_pages == 0:
        return options
    return msgspec.structs.replace(options, max_pages=wishes.max_pages)


class Steering:
    """Hands the wishes on to a crawl as they change."""

    def __init__(self, state: CrawlState, folder: Path, run: str) -> None:
        self._state, self._folder, self._run = state, folder, run
        self._seen: tuple[int, ...] = ()  # the file that was read last
        self._wishes = Wishes()

    def heed(self, crawl: Steerable) -> None:
        """Have the crawl do what is asked of it now."""
        if (seen := self._look()) == self._seen:
            return
        before, self._wishes, self._seen = self._wishes, read_wishes(self._folder), seen
        self._leave_alone(crawl.frontier)
        if self._wishes.max_pages not in {0, before.max_pages}:
            most = math.inf if self._wishes.max_pages is None else self._wishes.max_pages
            if most != crawl.plan.max_pages:
                _log.info("the limit is %s responses now", most)
            crawl.plan = replace(crawl.plan, max_pages=most)
        if self._wishes.stop == self._run:
            crawl.stop()

    def _look(self) -> tuple[int, ...]:
        try:
            found = (self._folder / STEERING_FILE).lstat()
        except OSError:
            return (0,)
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _leave_alone(self, frontier: Frontier) -> None:
        wanted = set(self._wishes.left_alone)
        kept = msgspec.json.decode(self._state.reader.note(_NOTE) or "[]", type=set[str])
        if wanted == kept:
            return
        for host in sorted(wanted - kept):
            frontier.block(host, math.inf, LEFT_ALONE)
        for host in sorted(kept - wanted):
            frontier.unblock(host, LEFT_ALONE)
        self._state.writer.set_note(_NOTE, msgspec.json.encode(sorted(wanted)).decode())
        _log.info("hosts left alone: %d", len(wanted))


@asynccontextmanager
async def steered(state: CrawlState, crawl: Steerable) -> AsyncIterator[None]:
    """Let others steer a crawl as long as this lasts; only one in a folder can be."""
    if not isinstance(state, InFolder):
        yield
        return
    steering = Steering(state, state.folder, state.run)
    steering.heed(crawl)
    following = _follow(steering, crawl)
    async with alongside(following, "the crawl can no longer be steered from outside", _log):
        yield


async def _follow(steering: Steering, crawl: Steerable) -> None:
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        steering.heed(crawl)
