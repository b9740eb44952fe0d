"""Asks registries who holds the domains of waiting links, beside a crawl that never waits for it.

A registry answers one question in a few seconds, a crawl meets hundreds of links in that time. So
what a strategy would like to know is asked here, and what waits is scored again when an answer is
there. Which question comes first is up to the strategy, how fast up to `fetch.pace`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from geoscout.errors import FetchError
from geoscout.fetch.registry.lookup import Registrations
from geoscout.frontier import Frontier
from geoscout.registrations import RegistrationReader, RegistrationRecord
from geoscout.strategy import Strategy

_AT_A_TIME = 8  # questions; each server gets one at a time whatever this is
_IDLE_SECONDS = 0.2  # before looking again for something to ask
_MOST_RESCORED = 20_000  # requests of a host, some 0.2 s
_EVERY_HOST = 1_000_000_000


@dataclass(slots=True)
class InquiryCounts:
    """What has come of the questions so far."""

    asked: int = 0
    placed: int = 0  # the answer says where the holder is
    failed: int = 0  # no server could be asked; the next run tries again


class Inquiries:
    """The questions of one strategy, answered one by one."""

    def __init__(
        self, registrations: Registrations, strategy: Strategy, frontier: Frontier
    ) -> None:
        if not isinstance(strategy, RegistrationReader):
            raise TypeError("the strategy does not care who holds a domain")
        self._registrations = registrations
        self._reader: RegistrationReader = strategy
        self._strategy = strategy
        self._frontier = frontier
        self._open = 0  # questions under way
        self._has_ended = False
        self.counts = InquiryCounts()
        strategy.ask_for_holders()
        # what an earlier run left waiting; its answers are on disk, or are asked for now
        strategy.want_holders(host.host for host in frontier.counts(_EVERY_HOST).top)

    @property
    def is_open(self) -> bool:
        """Whether an answer is still to come; none is when asking has failed."""
        return not self._has_ended and (self._open > 0 or self._reader.wants_more)

    async def run(self) -> None:
        """Ask until cancelled."""
        askers = [asyncio.create_task(self._ask_on()) for _ in range(_AT_A_TIME)]
        try:
            await asyncio.gather(*askers)
        finally:
            self._has_ended = True
            for asker in askers:
                asker.cancel()

    async def _ask_on(self) -> None:
        while True:
            domain = self._reader.next_domain()
            if domain is None:
                await asyncio.sleep(_IDLE_SECONDS)
                continue
            self._open += 1
            try:
                self._take(await self._answer(domain))
            finally:
                self._open -= 1
            await asyncio.sleep(0)  # answers on disk come at once, and the crawl has its turn too

    async def _answer(self, domain: str) -> RegistrationRecord:
        self.counts.asked += 1
        try:
            record = await self._registrations.look_up(domain)
        except FetchError:
            self.counts.failed += 1
            return RegistrationRecord(domain)
        self.counts.placed += record.has_place
        return record

    def _take(self, record: RegistrationRecord) -> None:
        """Score again what waits at the hosts that the answer concerns."""
        hosts = self._reader.settle(record)
        for host in hosts if record.has_place else ():
            waiting = self._frontier.of_host(host, _MOST_RESCORED)
            scores = self._strategy.rescore(waiting)
            self._frontier.reprioritise(zip(waiting, scores, strict=True))


@asynccontextmanager
async def asking_beside(inquiries: Inquiries) -> AsyncIterator[None]:
    """Ask while the block runs; what is not answered by its end is left.

    Raises:
        DamagedDataError: the answers cannot be kept; after the block, which goes on without.
    """
    task = asyncio.create_task(inquiries.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
