"""The registrants of a crawl's domains: from a table, or asked of registries while the crawl runs.

A registry answers one question in a few seconds, a crawl meets hundreds of links in that time. So
the crawl never waits: what a strategy would like to know is asked next to it, and what waits is
scored again when a reply is there. Which question comes first is up to the strategy, how fast
they are asked up to the clients in `fetch/registry`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from geoscout.crawl import Crawl
from geoscout.crawling.options import OFF
from geoscout.fetch.base import FetcherAim
from geoscout.frontier.base import WaitReason
from geoscout.frontier.frontier import Frontier
from geoscout.registrations import RegistrantReader, RegistrationRecord, read_registrations
from geoscout.settings import Settings
from geoscout.strategy import Strategy, abilities_of
from geoscout_places.background import alongside
from geoscout_places.clock import steady_time
from geoscout_places.errors import FetchError, UsageError
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.model import Request

if TYPE_CHECKING:
    from geoscout.fetch.registries import Registrations

_log = logging.getLogger(__name__)

KINDS = {"whois": ("whois",), "rdap": ("rdap",), "both": ("rdap", "whois")}
AT_A_TIME = 8  # questions; each server gets one at a time whatever this is
_IDLE_SECONDS = 0.2  # before looking again for something to ask
_LOOK_SECONDS = 0.2  # before looking again whether a reply has released held requests
_MOST_RESCORED = 20_000  # requests of a host, some 0.2 s
_EVERY_HOST = 1_000_000_000


def check_registrations(value: str, strategy: Strategy, *, offline: bool, for_seeds: bool) -> None:
    """Refuse registrations that cannot be had, or that nothing would read."""
    if value == OFF:
        return
    if not isinstance(strategy, RegistrantReader) and not for_seeds:
        raise UsageError("the strategy does not read registrations, nor are seeds filtered by them")
    if value not in KINDS:
        open_registrations(value)
    elif offline:
        raise UsageError("an archive is replayed offline: registrations must be a table")


def open_registrations(value: str) -> dict[str, RegistrationRecord]:
    """The records of a table; none where registries are asked."""
    if value == OFF or value in KINDS:
        return {}
    if not Path(value).is_file():
        words = ", ".join((OFF, *KINDS))
        raise UsageError(f"registrations is {words} or a table, and {value!r} is not a file")
    return read_registrations(Path(value))


@asynccontextmanager
async def registries(
    value: str, settings: Settings, aim: FetcherAim
) -> AsyncIterator[Registrations | None]:
    """The registries to ask while the block runs; None where none is asked.

    They are asked by the rules of the live web.
    """
    if value not in KINDS:
        yield None
        return
    # Few crawls ask them, and an archive that is replayed needs no client for the live web.
    from geoscout.fetch.http.fetcher import http_rules  # noqa: PLC0415
    from geoscout.fetch.registries import FILE, RegistryRules, live_registrations  # noqa: PLC0415

    rules = RegistryRules(http_rules(aim), kinds=KINDS[value])
    async with live_registrations(rules, home_folder(settings) / FILE) as registrations:
        yield registrations


class QuestionCounts(Struct):
    """What has come of the questions so far."""

    asked: int = 0
    placed: int = 0  # the reply says where the registrant is
    failed: int = 0  # no server could be asked; the next run tries again


class RegistrantInquiry:
    """Asks registries the questions of one strategy, and has it score again what they concern."""

    def __init__(
        self, registrations: Registrations, strategy: Strategy, frontier: Frontier
    ) -> None:
        """What an earlier run left waiting is asked about first; known replies are on disk."""
        if not isinstance(strategy, RegistrantReader):
            raise TypeError("the strategy does not read registrations")
        self._registrations = registrations
        self._reader: RegistrantReader = strategy
        self._rescore = abilities_of(strategy).rescore
        self._frontier = frontier
        self._under_way = 0  # questions
        self._has_ended = False
        self.counts = QuestionCounts()
        strategy.open_questions()
        strategy.ask_about([host.host for host in frontier.counts(_EVERY_HOST).top])

    @property
    def is_open(self) -> bool:
        """Whether a reply is still to come; none is when asking has failed."""
        return not self._has_ended and (self._under_way > 0 or self._reader.has_questions)

    async def run(self) -> None:
        """Ask until cancelled."""
        askers = [asyncio.create_task(self._ask_on()) for _ in range(AT_A_TIME)]
        try:
            await asyncio.gather(*askers)
        finally:
            self._has_ended = True
            for asker in askers:
                asker.cancel()

    async def _ask_on(self) -> None:
        while True:
            domain = self._reader.next_question()
            if domain is None:
                await asyncio.sleep(_IDLE_SECONDS)
                continue
            self._under_way += 1
            try:
                self._take(await self._reply(domain))
            finally:
                self._under_way -= 1
            await asyncio.sleep(0)  # replies on disk come at once, and the crawl has its turn too

    async def _reply(self, domain: str) -> RegistrationRecord:
        self.counts.asked += 1
        try:
            record = await self._registrations.look_up(domain)
        except FetchError:
            self.counts.failed += 1
            return RegistrationRecord(domain)
        self.counts.placed += record.has_place
        return record

    def _take(self, record: RegistrationRecord) -> None:
        """Score again what waits at the hosts that the reply concerns."""
        hosts = self._reader.add_reply(record)
        for host in hosts if record.has_place else ():
            rescore_host(self._frontier, host, self._rescore)


@asynccontextmanager
async def asking(inquiry: RegistrantInquiry) -> AsyncIterator[None]:
    """Ask while the block runs; what is not answered by its end is left.

    Raises:
        DamagedDataError: the replies cannot be kept; after the block, which goes on without.
    """
    async with alongside(inquiry.run(), "registries are no longer asked", _log):
        yield


async def crawl_asking(
    crawl: Crawl, frontier: Frontier, strategy: Strategy, registrations: Registrations
) -> QuestionCounts:
    """Run a crawl and ask meanwhile; the crawl waits only when it has nothing else to fetch."""
    inquiry = RegistrantInquiry(registrations, strategy, frontier)
    async with asking(inquiry):
        await crawl.run()
        # a reply may release what is held
        while crawl.may_go_on() and inquiry.is_open and has_held(frontier):
            await asyncio.sleep(_LOOK_SECONDS)
            await crawl.run()
    return inquiry.counts


def rescore_host(
    frontier: Frontier, host: str, rescore: Callable[[Sequence[Request]], Sequence[float]]
) -> None:
    """Score again what waits at a host."""
    waiting = frontier.of_host(host, _MOST_RESCORED)
    frontier.reprioritise(zip(waiting, rescore(waiting), strict=True))


def has_held(frontier: Frontier) -> bool:
    """Whether requests wait for the reply of a registry."""
    return WaitReason.HELD in dict(frontier.waiting(steady_time()).reasons)
