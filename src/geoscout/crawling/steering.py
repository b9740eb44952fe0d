"""What others ask of a crawl while it runs or rests: to end, how far to go, whom to leave alone.

It is in a small slot beside the crawl, a file of its folder or a note in its database. Others write
it, and every process of the crawl looks at it once a second and before it begins. A wish to stop
ends the runs that are there when it is written, and never a later one: each run knows what was in
the slot when it began. The other wishes stay until they are changed.

The frontier keeps hosts that are left alone as blocked, and a note next to it says which these are:
one commit covers both, so a host is asked again when it was taken off the list while nobody
crawled.
"""

import asyncio
import logging
import math
import uuid
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from geoscout.crawl import Plan
from geoscout.crawling.options import CrawlOptions
from geoscout.frontier.frontier import Frontier
from geoscout.state.base import CrawlState, public_address, slot_of
from geoscout_places.background import alongside
from geoscout_places.errors import DatabaseLostError, UsageError

LEFT_ALONE = "left alone by you"  # the reason of the blocks, as people see it
MOST_HOSTS = 10_000  # that can be left alone
LEFT_ALONE_NOTE = "left alone"  # the name of the note, or its beginning
_LOOK_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Wishes(Struct, frozen=True):
    """What is asked of a crawl."""

    stop: str = ""  # another text each time that the runs which are there are to end
    max_pages: int | None = 0  # responses in all; None: no limit; 0: as it was asked for at first
    left_alone: tuple[str, ...] = ()  # hosts


class Steerable(Protocol):
    """A loop that can be told how far to go."""

    plan: Plan

    @property
    def frontier(self) -> Frontier: ...

    def stop(self) -> None: ...


def read_wishes(where: Path | str) -> Wishes:
    """What is asked of the crawl at an address; nothing where nobody has asked.

    Raises:
        DatabaseLostError: the server does not answer.
    """
    return WishReader(where).read()


class WishReader:
    """Reads what is asked of a crawl, again and again."""

    def __init__(self, where: Path | str) -> None:
        self._slot, self._shown = slot_of(where), public_address(where)
        self._packed, self._wishes = b"", Wishes()

    def read(self) -> Wishes:
        """All that is asked now; what cannot be read is told once, and changes nothing.

        Raises:
            DatabaseLostError: the server does not answer.
        """
        try:
            packed = self._slot.read()
            if packed != self._packed:
                self._packed = packed
                self._wishes = unpack_wishes(packed, self._wishes)
        except OSError as error:
            _log.warning("what is asked of %s cannot be read: %s", self._shown, error)
        return self._wishes


def unpack_wishes(packed: bytes, before: Wishes) -> Wishes:
    """What the bytes of a slot ask; what was asked before where they are damaged."""
    try:
        return msgspec.json.decode(packed, type=Wishes) if packed else Wishes()
    except msgspec.MsgspecError as error:
        _log.warning("what is asked of the crawl cannot be read, and is ignored: %s", error)
        return before


def change_wishes(where: Path | str, change: Callable[[Wishes], Wishes]) -> Wishes:
    """Ask something else of the crawl at an address; returns all that is asked of it now."""
    wishes = Wishes()

    def changed(packed: bytes) -> bytes:
        nonlocal wishes
        wishes = change(unpack_wishes(packed, Wishes()))
        if len(wishes.left_alone) > MOST_HOSTS:
            raise UsageError(f"at most {MOST_HOSTS:,} hosts can be left alone")
        return msgspec.json.encode(wishes)

    slot_of(where).change(changed)
    return wishes


def ask_to_stop(where: Path | str) -> None:
    """Have all processes that work on a crawl now finish what is in flight, and end."""
    change_wishes(where, lambda found: replace(found, stop=uuid.uuid4().hex))


def ask_for_limit(where: Path | str, max_pages: int | None) -> None:
    """Have a crawl go farther, or less far; it counts from the beginning of the crawl."""
    change_wishes(where, lambda found: replace(found, max_pages=max_pages))


def leave_alone(where: Path | str, hosts: Collection[str], *, alone: bool = True) -> Wishes:
    """Have a crawl leave hosts alone from now on, or no longer; returns all that is asked of it."""

    def changed(found: Wishes) -> Wishes:
        others = [name for name in found.left_alone if name not in hosts]
        return replace(found, left_alone=(*others, *hosts) if alone else tuple(others))

    return change_wishes(where, changed)


def with_wishes(options: CrawlOptions, wishes: Wishes) -> CrawlOptions:
    """What a crawl was asked for, with the limit that was asked for since."""
    if wishes.max_pages == 0:
        return options
    return replace(options, max_pages=wishes.max_pages)


def hosts_left_alone(notes: Iterable[str]) -> set[str]:
    """The hosts that are blocked, by the notes that say so."""
    return {host for note in notes for host in msgspec.json.decode(note, type=list[str])}


class LeftAlone:
    """Has the frontier of a run leave hosts alone, and remembers which they are."""

    def __init__(
        self, state: CrawlState, partition: int = 0, is_ours: Callable[[str], bool] = lambda _: True
    ) -> None:
        """`is_ours` tells which hosts the frontier has; each partition has a note of its own."""
        self._state, self._is_ours = state, is_ours
        self._name = f"{LEFT_ALONE_NOTE} {partition}" if partition else LEFT_ALONE_NOTE
        self._kept = hosts_left_alone([state.reader.note(self._name) or "[]"])

    def heed(self, wishes: Wishes) -> bool:
        """Block and free what has changed since the last time or run; whether anything has."""
        wanted = set(filter(self._is_ours, wishes.left_alone))
        if wanted == self._kept:
            return False
        for host in sorted(wanted - self._kept):
            self._state.frontier.block(host, math.inf, LEFT_ALONE)
        for host in sorted(self._kept - wanted):
            self._state.frontier.unblock(host, LEFT_ALONE)
        self._state.writer.set_note(self._name, msgspec.json.encode(sorted(wanted)).decode())
        self._kept = wanted
        _log.info("hosts left alone: %d", len(wanted))
        return True


class Steering:
    """Hands the wishes on to a crawl as they change."""

    def __init__(self, state: CrawlState, wishes: Wishes) -> None:
        """`wishes` are those with which the run began."""
        self._hosts = LeftAlone(state)
        self._wishes, self._stop = wishes, wishes.stop

    def heed(self, wishes: Wishes, crawl: Steerable) -> None:
        """Have the crawl do what is asked of it now."""
        before, self._wishes = self._wishes, wishes
        self._hosts.heed(wishes)
        if wishes.max_pages not in {0, before.max_pages}:
            most = math.inf if wishes.max_pages is None else wishes.max_pages
            if most != crawl.plan.max_pages:
                _log.info("the limit is %s responses now", most)
            crawl.plan = replace(crawl.plan, max_pages=most)
        if wishes.stop != self._stop:
            crawl.stop()


@asynccontextmanager
async def steered(
    where: str, state: CrawlState, wishes: Wishes, crawl: Steerable
) -> AsyncIterator[None]:
    """Let others steer a crawl as long as this lasts; `wishes` are those with which it began."""
    reader, steering = WishReader(where), Steering(state, wishes)
    steering.heed(wishes, crawl)

    async def follow() -> None:
        while True:
            with suppress(DatabaseLostError):  # it may answer again
                steering.heed(await asyncio.to_thread(reader.read), crawl)
            await asyncio.sleep(_LOOK_SECONDS)

    async with alongside(follow(), "the crawl can no longer be steered from outside", _log):
        yield
