"""A crawl that is open to be run, and what can be changed of it before it goes on."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Self

import msgspec
from msgspec.structs import replace

from geoscout.crawl import Crawl
from geoscout.crawling.assemble import (
    Blueprint,
    Read,
    check_options,
    fetcher_aim,
    make_barren_watch,
    make_crawl,
    make_fetcher,
    make_reader,
    make_watch,
    ruled,
    writing_of,
)
from geoscout.crawling.barren import BARREN
from geoscout.crawling.ending import ENDING, ending_of, pack_ending
from geoscout.crawling.full_disk import open_when_there_is_room
from geoscout.crawling.options import (
    NOTE,
    CrawlOptions,
    to_note,
)
from geoscout.crawling.progress import Progress
from geoscout.crawling.registrants import (
    crawl_asking,
    registries,
)
from geoscout.crawling.steering import change_wishes, steered
from geoscout.fetch.base import Fetcher
from geoscout.machine import is_full, run_on_loop
from geoscout.registrations import RegistrantReader
from geoscout.scope_rules import read_pattern_lists
from geoscout.state.base import (
    CrawlState,
    InFolder,
    OnServer,
    request_of,
)
from geoscout_places.model import RequestKind

if TYPE_CHECKING:
    from geoscout.crawling.watching import RoundPlan

_log = logging.getLogger(__name__)
_DAY = 24 * 3600.0
_ANYWHERE = ("0,0,1",)  # takes the place of a region that cannot be read, to check the rest


class CrawlRun:
    """A crawl that is open to be run: it holds the folder until it is closed."""

    def __init__(self, blueprint: Blueprint, state: CrawlState) -> None:
        """Made by `start_crawl` and `resume_crawl`."""
        self._blueprint = blueprint
        self._state = state
        self._crawl: Crawl | None = None
        self._is_stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the folder free."""
        self._state.close()

    @property
    def options(self) -> CrawlOptions:
        """What the crawl was asked for."""
        return self._blueprint.options

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
                own = self._state.addresses() if isinstance(self._state, OnServer) else ()
                fetcher = make_fetcher(self._blueprint, own)
                stack.push_async_callback(fetcher.close)
            else:
                fetcher = ruled(fetcher, self._blueprint)
            self._crawl = make_crawl(self._blueprint, self._state, fetcher, read)
            self._crawl.watch = make_watch(self._blueprint, self._state, read)
            self._crawl.ledger.barren = make_barren_watch(self._blueprint, self._crawl.progress)
            if self._is_stopped:
                self._crawl.stop()
            yield self._crawl

    async def run_ready(self, crawl: Crawl) -> None:
        """Run the loop, and note how it ended."""
        self._state.writer.set_note(ENDING, "")
        self._state.writer.set_note(BARREN, "")
        async with steered(self._state, crawl):
            await self._run_asking(crawl)
        is_full = crawl.progress.visits >= crawl.plan.max_pages
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

    def revisit(self, days: float) -> int:
        """Let pages wait again that were last asked for that long ago; returns how many.

        They are asked for in the next run.
        """
        return ask_again(self._state, days)

    def plan_round(self, budget: int) -> RoundPlan:
        """Let those pages wait again that have probably changed, and what feeds say is new.

        They are asked for in the next run; `budget` is how many responses it is to have.
        """
        return run_on_loop(self._plan_round(budget))

    async def _plan_round(self, budget: int) -> RoundPlan:
        from geoscout.crawling.watching import plan_round  # noqa: PLC0415 - most crawls have none

        own = self._state.addresses() if isinstance(self._state, OnServer) else ()
        fetcher = make_fetcher(self._blueprint, own)
        try:
            return await plan_round(self._state, fetcher, budget, time.time())
        finally:
            await fetcher.close()

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._is_stopped

    def limit(self, max_pages: int | None) -> None:
        """Another limit for the runs to come; it counts from the beginning of the crawl.

        A crawl in a folder keeps it.

        Raises:
            UsageError: it is below 1.
        """
        options = msgspec.structs.replace(self._blueprint.options, max_pages=max_pages)
        check_options(options, self._blueprint.settings)
        self._blueprint = replace(self._blueprint, options=options)
        if isinstance(self._state, InFolder):
            change_wishes(
                self._state.folder,
                lambda found: msgspec.structs.replace(found, max_pages=max_pages),
            )

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
        self._state.writer.set_note(NOTE, to_note(options))

    def visits(self) -> int:
        """The responses that the crawl has had so far."""
        return self._state.reader.totals().visits


def ask_again(state: CrawlState, days: float) -> int:
    """Let pages wait again that were last asked for that long ago; returns how many."""
    pages = state.reader.pages_asked_until(time.time() - days * _DAY)
    requests = [request_of(page, RequestKind.REVISIT) for page in pages]
    state.frontier.put(requests)
    return len(requests)
