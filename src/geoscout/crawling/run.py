"""A crawl from Python: start a new one, go on with one, or open one to read it.

    with start_crawl("lisbon", region="Lisbon, Portugal", seeds=["https://lisboa.pt/"]) as crawl:
        crawl.run()

The commands `crawl` and `resume` do the same, and add what a terminal shows. docs/python.md has
more examples.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import msgspec

from geoscout.crawl import Crawl
from geoscout.crawling.assemble import (
    Blueprint,
    Read,
    admission_of,
    check_options,
    draw_blueprint,
    fetcher_aim,
    make_barren_watch,
    make_collaboration,
    make_crawl,
    make_fetcher,
    make_reader,
    make_strategy,
    make_watch,
    ruled,
    writing_of,
)
from geoscout.crawling.barren import BARREN
from geoscout.crawling.ending import ENDING, ending_of, pack_ending
from geoscout.crawling.full_disk import open_when_there_is_room
from geoscout.crawling.nodes import assigned
from geoscout.crawling.options import (
    NOTE,
    CrawlOptions,
    options_of,
    read_crawl_options,
    relevance_rule,
    to_note,
)
from geoscout.crawling.progress import Progress
from geoscout.crawling.provenance import provenance_note
from geoscout.crawling.registrants import (
    check_registrations,
    crawl_asking,
    open_registrations,
    registries,
)
from geoscout.crawling.requests import SEED_PRIORITY
from geoscout.crawling.seeds import admitted_seeds, read_seeds, seeds_with_places
from geoscout.crawling.steering import change_wishes, read_wishes, steered, with_wishes
from geoscout.crawling.watching import RoundPlan, plan_round
from geoscout.errors import Mistakes, UsageError
from geoscout.fetch.base import Fetcher
from geoscout.fetch.http.event_loop import run as run_on_loop
from geoscout.fetch.http.fetcher import http_rules
from geoscout.gazetteer import Region, open_gazetteer
from geoscout.gazetteer.base import Gazetteer
from geoscout.geo.address.coverage import note_on_addresses
from geoscout.machine import is_full
from geoscout.model import RelevanceRule, Request, RequestKind
from geoscout.registrations import RegistrantReader
from geoscout.settings import Settings, load_settings
from geoscout.state.base import (
    Beginning,
    CrawlState,
    InFolder,
    OnServer,
    create_state,
    open_state,
    public_address,
    request_of,
    resume_state,
)
from geoscout.state.trust import mark_made_here, require_made_here
from geoscout.store.base import PROVENANCE, CrawlReader
from geoscout.strategy import Strategy, StrategyAim, abilities_of
from geoscout.strategy.rank.formulas import Ranking
from geoscout.strategy.rank.options import RankOptions
from geoscout.url_patterns import read_pattern_lists

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
        """Run the loop, and read the first pages of sites again in the end."""
        self._state.writer.set_note(ENDING, "")
        self._state.writer.set_note(BARREN, "")
        async with steered(self._state, crawl):
            await self._run_asking(crawl)
            if not crawl.corrector.is_stopping:
                await crawl.corrector.correct_all()
        if number := crawl.corrector.corrected:
            _log.info("%d of the first pages of sites were read again", number)
        is_full = crawl.progress.visits >= crawl.plan.max_pages
        ending = ending_of(
            machine=crawl.watch.stop_reason,
            barren=crawl.ledger.stretch() if crawl.plan.stops_when_barren else "",
            is_stopped=crawl.corrector.is_stopping,
            is_full=is_full,
        )
        self._state.writer.set_note(ENDING, pack_ending(ending))
        await self._state.commit()

    async def _run_asking(self, crawl: Crawl) -> None:
        """Run the loop, and ask registries meanwhile where that was asked for."""
        blueprint, strategy = self._blueprint, crawl.strategy
        kinds, http = blueprint.options.registrations, http_rules(fetcher_aim(blueprint))
        async with registries(kinds, blueprint.settings, http) as registrations:
            if registrations is None or not isinstance(strategy, RegistrantReader):
                await crawl.run()
                return
            counts = await crawl_asking(
                crawl, crawl.frontier, strategy, registrations, blueprint.registrants
            )
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


def start_crawl(
    folder: Path | str,
    *,
    seeds: Sequence[str],
    region: str | Sequence[str],
    settings: Settings | None = None,
    **options: Any,
) -> CrawlRun:
    """A new crawl in a new folder or at an address, with its seeds, not yet running.

    `seeds` are URLs, or files with one URL a line. `region` is one or several of: a place name,
    "lat,lon,radius_km", a box, a GeoJSON file. `options` are the other fields of `CrawlOptions`,
    such as `max_pages=500`. Without `settings` they are read as the command line reads them; the
    relevance and the registrations that they name are the defaults of those options.

    Raises:
        UsageError: something that was asked for cannot be done; then nothing was written.
    """
    settings = settings or load_settings()
    of_settings = {
        "relevance": settings.relevance,
        "registrations": settings.registrations,
        "include": settings.include,
        "exclude": settings.exclude,
    }
    regions = (region,) if isinstance(region, str) else tuple(region)
    asked = make_options(**{**of_settings, **options, "region": regions})
    return create_crawl(folder, asked, list(seeds), settings)


def make_options(**fields: Any) -> CrawlOptions:
    """Options by name, checked.

    Raises:
        UsageError: there is no such option, or its value is of another type.
    """
    known = CrawlOptions.__struct_fields__
    for name in fields:
        if name not in known:
            raise UsageError(f"a crawl has no option {name!r}; it has: {', '.join(known)}")
    for name in ("include", "exclude"):
        fields[name] = read_pattern_lists(fields.get(name, ()))
    fields["relevance"] = relevance_rule(fields.get("relevance", RelevanceRule.ABOUT))
    try:
        return msgspec.convert(
            msgspec.to_builtins(CrawlOptions(**fields)), CrawlOptions, strict=True
        )
    except (msgspec.ValidationError, TypeError) as error:
        raise UsageError(f"an option of the crawl is wrong: {error}") from error


def create_crawl(
    folder: Path | str,
    options: CrawlOptions,
    seeds: Sequence[str],
    settings: Settings,
    gazetteer: Gazetteer | None = None,
) -> CrawlRun:
    """The same from records, as the commands have them."""
    blueprint, beginning = prepare_crawl(options, seeds, settings, gazetteer)
    state = create_state(folder, beginning, writing_of(settings))
    if isinstance(state, InFolder):
        mark_made_here(state.folder)
    return CrawlRun(blueprint, state)


def check_new_crawl(
    options: CrawlOptions,
    seeds: Sequence[str],
    settings: Settings,
    gazetteer: Gazetteer | None = None,
) -> None:
    """Find all that is wrong with a new crawl before it begins.

    Without a gazetteer, region and strategy are not looked at.

    Raises:
        UsageError: with a line for each mistake.
    """
    mistakes = Mistakes()
    with mistakes.noted():
        read_seeds(seeds)
    with mistakes.noted():
        check_options(options, settings)
    if gazetteer is not None:
        _check_blueprint(options, settings, gazetteer, mistakes)
    mistakes.complain()


def _check_blueprint(
    options: CrawlOptions, settings: Settings, gazetteer: Gazetteer, mistakes: Mistakes
) -> None:
    known: list[str] = []
    for text in options.region:
        with mistakes.noted():
            Region.parse((text,), gazetteer)
            known.append(text)
    asked = msgspec.structs.replace(options, region=tuple(known) or _ANYWHERE)
    with mistakes.noted():
        blueprint = draw_blueprint(asked, settings, gazetteer)
        with mistakes.noted():
            make_collaboration(blueprint)
        _check_registrations(options, make_strategy(blueprint))


def _check_registrations(options: CrawlOptions, strategy: Strategy) -> None:
    check_registrations(
        options.registrations,
        strategy,
        offline=bool(options.replay),
        for_seeds=options.filter_seeds,
    )


def prepare_crawl(
    options: CrawlOptions,
    seeds: Sequence[str],
    settings: Settings,
    gazetteer: Gazetteer | None = None,
) -> tuple[Blueprint, Beginning]:
    """What a new crawl is built from and begins with; nothing is written yet.

    Raises:
        UsageError: something that was asked for cannot be done; with a line for each mistake.
    """
    gazetteer = gazetteer or open_gazetteer(settings)
    try:
        return _prepare(options, seeds, settings, gazetteer)
    except UsageError:
        check_new_crawl(options, seeds, settings, gazetteer)  # what else is wrong
        raise


def _prepare(
    options: CrawlOptions, seeds: Sequence[str], settings: Settings, gazetteer: Gazetteer
) -> tuple[Blueprint, Beginning]:
    urls = read_seeds(seeds)
    check_options(options, settings)
    urls = admitted_seeds(urls, admission_of(options, settings))
    blueprint = draw_blueprint(options, settings, gazetteer)
    for note in blueprint.region.notes:
        _log.warning("region %s", note)
    if note := note_on_addresses(blueprint.region, options.relevance):
        _log.warning("%s", note)
    strategy = make_strategy(blueprint)
    _check_registrations(options, strategy)
    if options.filter_seeds:
        urls = run_on_loop(_filtered(urls, blueprint))
    learned = _learned_by(options.model, options.strategy) if options.model else b""
    abilities_of(strategy).load(learned)
    requests = [Request(url, SEED_PRIORITY) for url in urls]
    requests = assigned(requests, make_collaboration(blueprint))
    public = msgspec.structs.replace(options, model=public_address(options.model))
    notes = {NOTE: to_note(public), PROVENANCE: provenance_note(options, urls, settings)}
    return blueprint, Beginning(requests, notes, learned, options.archive)


async def _filtered(urls: Sequence[str], blueprint: Blueprint) -> list[str]:
    ranking = Ranking(StrategyAim(blueprint.region, blueprint.gazetteer), RankOptions())
    kinds = blueprint.options.registrations
    ranking.add_registrations(open_registrations(kinds))
    async with registries(
        kinds, blueprint.settings, http_rules(fetcher_aim(blueprint))
    ) as registrations:
        return await seeds_with_places(urls, make_fetcher(blueprint), ranking, registrations)


def resume_crawl(
    folder: Path | str,
    *,
    settings: Settings | None = None,
    gazetteer: Gazetteer | None = None,
) -> CrawlRun:
    """A crawl that was stopped or crashed, from its last commit on.

    Raises:
        UsageError: there is no crawl, it is running, it ended before its seeds were kept, or its
            folder comes from elsewhere and allows private addresses (see `state/trust.py`).
    """
    settings = settings or load_settings()
    state = resume_state(folder, writing_of(settings))
    with ExitStack() as on_error:
        on_error.callback(state.close)
        options = read_crawl_options(state.reader)
        if options is None:
            raise UsageError(
                f"the crawl in {public_address(folder)} ended before its seeds were kept:"
                " start it again"
            )
        if isinstance(state, InFolder):
            if options.allow_private:
                require_made_here(state.folder, "its crawl may ask private addresses")
            options = with_wishes(options, read_wishes(state.folder))
        check_options(options, settings)
        blueprint = draw_blueprint(options, settings, gazetteer or open_gazetteer(settings))
        on_error.pop_all()
    return CrawlRun(blueprint, state)


def open_crawl(folder: Path | str) -> CrawlReader:
    """A crawl to read, running or not: its pages, visits, addresses, links and places.

    Raises:
        UsageError: there is no crawl in this folder.
    """
    return open_state(folder).reader


def _learned_by(folder: str, strategy: str) -> bytes:
    """What the strategy of an earlier crawl has learned.

    Raises:
        UsageError: there is no crawl, or it used another strategy, or has learned nothing.
    """
    shown = public_address(folder)
    with open_crawl(folder) as store:
        used = options_of(store).strategy.partition(":")[0]
        if used != strategy.partition(":")[0]:
            raise UsageError(f"the crawl in {shown} used {used!r}, which {strategy!r} cannot read")
        model = store.model()
    if not model:
        raise UsageError(f"the crawl in {shown} has no model: {used!r} learned nothing there")
    return model
