"""A crawl that is open to be run, and what can be changed of it before it goes on."""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec
from msgspec.structs import replace

from geoscout.crawl import Crawl
from geoscout.crawling.assemble import (
    Blueprint,
    Read,
    check_options,
    disk_of,
    fetcher_aim,
    make_barren_watch,
    make_crawl,
    make_fetcher,
    make_reader,
    make_watch,
    ruled,
    writing_of,
)
from geoscout.crawling.ending import BARREN, ENDING, ending_of, open_when_there_is_room, pack_ending
from geoscout.crawling.in_flight import Progress
from geoscout.crawling.options import NOTE, CrawlOptions, to_note
from geoscout.crawling.registrants import crawl_asking, registries
from geoscout.crawling.steering import ask_for_limit, read_wishes, steered
from geoscout.fetch.base import Fetcher
from geoscout.machine import is_full, run_on_loop
from geoscout.registrations import RegistrantReader
from geoscout.scope_rules import read_pattern_lists
from geoscout.state.base import CrawlState, InFolder, OnServer, request_of
from geoscout.store.reader import CrawlReader
from geoscout_places.errors import UsageError
from geoscout_places.model import Request, RequestKind

if TYPE_CHECKING:
    from geoscout.crawling.watching import RoundPlan

_log = logging.getLogger(__name__)
_DAY = 24 * 3600.0


class OpenCrawl(ABC):
    """A crawl that can be changed before it goes on, by one process or by several."""

    def __init__(self, blueprint: Blueprint, where: Path | str) -> None:
        self._blueprint, self.where = blueprint, str(where)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Give it free."""

    @property
    @abstractmethod
    def reader(self) -> CrawlReader:
        """What it has written."""

    @abstractmethod
    def put(self, requests: Iterable[Request]) -> int:
        """Let requests wait for the next run; returns how many."""

    @abstractmethod
    def set_note(self, name: str, value: str) -> None:
        """Keep a note with the crawl."""

    @abstractmethod
    def addresses(self) -> Sequence[str]:
        """The IP addresses of its database, which is not to be asked for pages."""

    @property
    def options(self) -> CrawlOptions:
        return self._blueprint.options

    def revisit(self, days: float) -> int:
        """Let pages wait again that were last asked for that long ago; returns how many.

        They are asked for in the next run.
        """
        if not days >= 0:
            raise UsageError(f"--revisit-days is at least 0, not {days:g}")
        return self.put(revisits_of(self.reader, days))

    def plan_round(self, budget: int) -> RoundPlan:
        """Let those pages wait again that have probably changed, and what feeds say is new.

        They are asked for in the next run; `budget` is how many responses it is to have.
        """
        return run_on_loop(self._plan_round(budget))

    async def _plan_round(self, budget: int) -> RoundPlan:
        from geoscout.crawling.watching import plan_round  # noqa: PLC0415 - most crawls have none

        fetcher = make_fetcher(self._blueprint, self.addresses())
        try:
            plan, requests = await plan_round(self.reader, fetcher, budget, time.time())
        finally:
            await fetcher.close()
        self.put(requests)
        return plan

    def limit(self, max_pages: int | None) -> None:
        """Another limit for all runs to come; it counts from the beginning of the crawl."""
        options = msgspec.structs.replace(self._blueprint.options, max_pages=max_pages)
        check_options(options, self._blueprint.settings)
        self._blueprint = replace(self._blueprint, options=options)
        ask_for_limit(self.where, max_pages)

    def narrow(self, include: Sequence[str] | None, exclude: Sequence[str] | None) -> None:
        """Other patterns for the runs to come, kept with the crawl; None leaves them as they are.

        Raises:
            UsageError: one of them is not a pattern.
        """
        options = self._blueprint.options
        options = msgspec.structs.replace(
            options,
            include=options.include if include is None else read_pattern_lists(include),
            exclude=options.exclude if exclude is None else read_pattern_lists(exclude),
        )
        check_options(options, self._blueprint.settings)
        self._blueprint = replace(self._blueprint, options=options)
        self.set_note(NOTE, to_note(options))

    def visits(self) -> int:
        """The responses that the crawl has had so far."""
        return self.reader.totals().visits


class CrawlRun(OpenCrawl):
    """A crawl that is open to be run by this process: it holds it until it is closed."""

    def __init__(self, blueprint: Blueprint, state: CrawlState, where: Path | str) -> None:
        """Made by `start_crawl` and `resume_crawl`."""
        super().__init__(blueprint, where)
        self._wishes = read_wishes(where)
        self._state = state
        self._crawl: Crawl | None = None
        self._is_stopped = False

    def close(self) -> None:
        self._state.close()

    @property
    def reader(self) -> CrawlReader:
        return self._state.reader

    def put(self, requests: Iterable[Request]) -> int:
        found = list(requests)
        self._state.frontier.put(found)
        return len(found)

    def set_note(self, name: str, value: str) -> None:
        self._state.writer.set_note(name, value)

    def addresses(self) -> Sequence[str]:
        return self._state.addresses() if isinstance(self._state, OnServer) else ()

    @property
    def is_stopped(self) -> bool:
        return self._is_stopped

    def run(self) -> Progress:
        """Crawl until the limit is reached, nothing is left, or `stop` is called."""
        return run_on_loop(self.run_async())

    async def run_async(self) -> Progress:
        """The same inside an event loop."""
        while True:
            try:
                async with self.ready() as crawl:
                    await self.run_ready(crawl)
                    return crawl.progress
            except Exception as error:
                if not await self.goes_on_after(error):
                    raise

    async def goes_on_after(self, error: Exception) -> bool:
        """Whether a run can be made again after one has failed: the disk was full, and is not now.

        Waits for that; then the crawl is open as it was committed last.
        """
        settings, state = self._blueprint.settings, self._state
        if not is_full(error) or not settings.disk_megabytes or not isinstance(state, InFolder):
            return False
        folder = state.folder
        state.close()
        found = await open_when_there_is_room(
            folder, writing_of(settings), settings, lambda: self._is_stopped
        )
        if found is None:
            return False
        self._state = found
        return True

    def stop(self) -> None:
        """Let a run finish what takes less than a second, and end; another task may call it."""
        self._is_stopped = True
        if self._crawl is not None:
            self._crawl.stop()

    @asynccontextmanager
    async def ready(
        self, *, fetcher: Fetcher | None = None, read: Read | None = None
    ) -> AsyncIterator[Crawl]:
        """The loop with all its parts, for those who want to watch it; then `run_ready` it.

        A `fetcher` and a `read` of your own take the place of ours, and are yours to close.
        """
        async with AsyncExitStack() as stack:
            if read is None:
                read = reader = make_reader(self._blueprint)
                stack.callback(reader.close)
            if fetcher is None:
                fetcher = make_fetcher(self._blueprint, self.addresses())
                stack.push_async_callback(fetcher.close)
            else:
                fetcher = ruled(fetcher, self._blueprint)
            self._crawl = make_crawl(self._blueprint, self._state, fetcher, read)
            self._crawl.watch = make_watch(self._blueprint, disk_of(self._state), read)
            self._crawl.ledger.barren = make_barren_watch(self._blueprint, self._crawl.progress)
            if self._is_stopped:
                self._crawl.stop()
            yield self._crawl

    async def run_ready(self, crawl: Crawl) -> None:
        """Run the loop, and note how it ended."""
        self._state.writer.set_note(ENDING, "")
        self._state.writer.set_note(BARREN, "")
        async with steered(self.where, self._state, self._wishes, crawl):
            await self._run_asking(crawl)
        waits = crawl.frontier.counts(top=0).waiting
        is_full = waits > 0 and crawl.progress.visits >= crawl.plan.max_pages
        ending = ending_of(
            machine=crawl.watch.stop_reason,
            barren=crawl.ledger.stretch() if crawl.plan.stops_when_barren else "",
            is_stopped=crawl.is_stopped,
            is_full=is_full,
        )
        self._state.writer.set_note(ENDING, pack_ending(ending))
        await self._state.commit()

    async def _run_asking(self, crawl: Crawl) -> None:
        """Run the loop, and ask registries meanwhile where that was asked for."""
        blueprint, strategy = self._blueprint, crawl.strategy
        kinds, aim = blueprint.options.registrations, fetcher_aim(blueprint)
        async with registries(kinds, blueprint.settings, aim) as registrations:
            if registrations is None or not isinstance(strategy, RegistrantReader):
                await crawl.run()
                return
            counts = await crawl_asking(crawl, crawl.frontier, strategy, registrations)
            _log.info(
                "%d domains looked up: a place for %d, no reply for %d",
                counts.asked,
                counts.placed,
                counts.failed,
            )


def revisits_of(reader: CrawlReader, days: float) -> Iterator[Request]:
    """Requests for the pages that were last asked for that long ago."""
    for page in reader.pages_asked_until(time.time() - days * _DAY):
        yield request_of(page, RequestKind.REVISIT)
