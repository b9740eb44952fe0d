"""Why a crawl pauses or ends: its disk or memory, nothing relevant for long, and how it is told.

A disk that fills: the crawl pauses while there is still room for what it has in flight, and goes on
when there is room again. Others fill disks too, and a commit can be larger than the room that was
left. SQLite then takes all of the transaction back, while frontier and strategy in memory already
go by it; so the crawl is opened again, as after a crash. Memory: with a limit, the crawl forgets
what it can find again when it comes near it, and ends in order when that is not enough.

How long without a relevant page is long depends on the crawl. One that found a relevant page among
every two and has found none among a thousand has come to its end; one that finds a page in a
hundred has not. Relevant pages come in groups, a site or a directory at a time, so the longest
stretch so far counts, too: a crawl that has crossed a desert before may cross one again.
"""

import asyncio
import logging
import os
import shutil
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct

from geoscout.machine import is_full, memory_of
from geoscout.settings import DEFAULT_RELEVANCE, Settings
from geoscout.state.base import CrawlState, Writing, resume_state
from geoscout_places.caches import forget_all
from geoscout_places.model import Reading, RelevanceRule

ENDING = "ending"  # the name of the note


class End(StrEnum):
    """Why a run ended."""

    NOTHING_LEFT = "nothing left"
    LIMIT = "limit reached"
    USER = "stopped by you"
    BARREN = "barren"  # no relevant page for long
    MACHINE = "stopped for want of room"  # of disk or memory


class Ending(Struct, frozen=True):
    end: End
    at: float  # seconds since the epoch, UTC
    detail: str = ""  # for people


def ending_of(*, machine: str, barren: str = "", is_stopped: bool, is_full: bool) -> Ending:
    """The ending of a run that ends now.

    `machine` says what the machine lacks, `barren` why it was given up, `is_full` that the crawl
    has all the pages it was asked for.
    """
    for end, reason in ((End.MACHINE, machine), (End.BARREN, barren)):
        if reason:
            return Ending(end, time.time(), reason)
    end = End.LIMIT if is_full else End.USER if is_stopped else End.NOTHING_LEFT
    return Ending(end, time.time())


def pack_ending(ending: Ending) -> str:
    return msgspec.json.encode(ending).decode()


def unpack_ending(note: str | None) -> Ending | None:
    """The ending of a note; None for a run that has not ended, or was interrupted."""
    try:
        return msgspec.json.decode(note, type=Ending) if note else None
    except msgspec.MsgspecError:  # another version's; that it ended is not worth an error
        return None


def state_text(ending: Ending | None, *, is_running: bool, has_visits: bool) -> str:
    """What a crawl is doing, or how it ended, in a few words.

    >>> state_text(Ending(End.LIMIT, 0.0), is_running=False, has_visits=True)
    'limit reached'
    """
    if is_running:
        return "running"
    if ending is None:
        return "interrupted" if has_visits else "not begun"
    return f"{ending.end}: {ending.detail}" if ending.detail else str(ending.end)


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


BARREN = "barren"  # the name of the note
LEAST = 1000  # responses; some sites are large
BEFORE_THE_FIRST = 2000  # responses without one relevant page at all
# On synthetic webs, stretches of 80 mean gaps, and of 8 times the longest, have ended (not both);
# those numbers are of breadth first, by which relevant pages are found least evenly.
_MEAN_GAPS = 50
_LONGEST_GAPS = 4


class Stretch(Struct, frozen=True):
    """A stretch without a relevant page that is worth telling."""

    since: int  # responses of the crawl when it began
    near: int = 0  # pages in it that are about the region, but do not count by the rule
    rule: str = DEFAULT_RELEVANCE


class BarrenWatch:
    """Sees every response of a run."""

    def __init__(
        self,
        visits: int = 0,
        relevant: int = 0,
        *,
        after: int = 0,
        rule: str = DEFAULT_RELEVANCE,
        is_near: Callable[[Reading], bool] = lambda _: False,
    ) -> None:
        """`visits` and `relevant` are those of earlier runs.

        `after` is the length of a stretch that is told; 0: it follows from the harvest so far.
        `is_near` says whether a page that is not relevant is about the region nevertheless.
        """
        self._visits, self._relevant = visits, relevant
        self._began = visits  # when the present stretch began
        self._longest = 0
        self._after, self._rule, self._is_near = after, rule, is_near
        self._near = 0
        self.stretch: Stretch | None = None  # while the crawl is barren

    @property
    def limit(self) -> float:
        """How many responses without a relevant page make the crawl barren."""
        if self._after:
            return self._after
        if not self._relevant:
            return BEFORE_THE_FIRST
        mean = self._began / self._relevant
        return max(LEAST, _MEAN_GAPS * mean, _LONGEST_GAPS * self._longest)

    def see(self, reading: Reading | None, *, relevant: bool) -> bool:
        """Take a response; True when the crawl becomes barren by it, or is so no longer."""
        if not relevant and reading is not None and self._is_near(reading):
            self._near += 1
        return self.count(self._visits + 1, self._relevant + relevant)

    def count(self, visits: int, relevant: int) -> bool:
        """Take the totals of a crawl, after one response or several; the same answer."""
        before, self._visits = self._visits, visits
        if relevant > self._relevant:
            was_barren = self.stretch is not None
            self._relevant = relevant
            self._longest = max(self._longest, before - self._began)
            self._began, self._near, self.stretch = visits, 0, None
            return was_barren
        if self.stretch is not None or self._visits - self._began < self.limit:
            return False
        self.stretch = Stretch(self._began, self._near, self._rule)
        return True

    def tell(self) -> None:
        """Write to the log what `see` has found."""
        if self.stretch is None:
            _log.info("relevant pages are found again")
        else:
            _log.warning("%s", self.text())

    def text(self) -> str:
        """What people are told; "" where the crawl is not barren."""
        return "" if self.stretch is None else barren_text(self.stretch, self._visits)


def pack_stretch(stretch: Stretch | None) -> str:
    return "" if stretch is None else msgspec.json.encode(stretch).decode()


def unpack_stretch(note: str | None) -> Stretch | None:
    """The stretch of a note; None where the crawl is not barren."""
    try:
        return msgspec.json.decode(note, type=Stretch) if note else None
    except msgspec.MsgspecError:  # another version's
        return None


def barren_text(stretch: Stretch, visits: int) -> str:
    """What people are told; `visits` are all responses of the crawl until now.

    >>> barren_text(Stretch(282, near=0), 1282)
    'no relevant page among the last 1,000 responses; try more seeds, or another region'
    """
    found = f"no relevant page among the last {visits - stretch.since:,} responses"
    if stretch.near and stretch.rule != RelevanceRule.EITHER:
        lacks = "" if stretch.rule == RelevanceRule.ABOUT else f" without an {stretch.rule} there"
        return (
            f"{found}, though {stretch.near:,} of them are about the region{lacks}; try a new crawl"
            " with --set relevance=either, more seeds, or another region"
        )
    return f"{found}; try more seeds, or another region"


async def open_when_there_is_room(
    folder: Path, writing: Writing, settings: Settings, is_stopped: Callable[[], bool]
) -> CrawlState | None:
    """The crawl in a folder, opened again; None when it was stopped or has waited too long."""
    _log.warning("the disk of %s is full: the crawl pauses until there is room", folder)
    give_up_at = time.monotonic() + ROOM_SECONDS
    while time.monotonic() < give_up_at and not is_stopped():
        if shutil.disk_usage(folder).free >= settings.disk_megabytes * _MEGABYTE:
            try:
                state = resume_state(folder, writing)
            except Exception as error:
                if not is_full(error):  # opening it needs room, too
                    raise
            else:
                _log.info("there is room again: the crawl goes on from its last commit")
                return state
        await asyncio.sleep(_LOOK_SECONDS)
    return None
