"""Puts a crawl together from what the user asked for, and runs it."""

from __future__ import annotations

import json
import math
import random
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from geoscout import __version__
from geoscout.cli.show.live import shown, stopped_by_signals
from geoscout.cli.show.metrics import serving_metrics
from geoscout.cli.show.places import gazetteer_for
from geoscout.collaborate import Collaboration
from geoscout.collaborate.depth import DepthRule
from geoscout.crawl import Crawl, Plan, Stages
from geoscout.crawling.follow import Follower, Reach
from geoscout.crawling.nodes import Teamwork, assigned, collaboration_of
from geoscout.crawling.progress import Progress
from geoscout.crawling.read import Task, Work, open_reader
from geoscout.crawling.registrants import (
    OFF,
    check_registrations,
    crawl_asking,
    read_table,
    registries,
    report,
)
from geoscout.crawling.seeds import filter_seeds, read_seeds
from geoscout.errors import UsageError
from geoscout.fetch.archive.fetcher import ArchiveFetcher, archive_files
from geoscout.fetch.base import Fetcher
from geoscout.fetch.health import Health
from geoscout.fetch.http.event_loop import run
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.http.rules import MEBIBYTE, HttpRules, Limits
from geoscout.fetch.politeness import Manners
from geoscout.fetch.retries import Patience
from geoscout.frontier import TABLES, SqliteFrontier
from geoscout.frontier.base import Limits as FrontierLimits
from geoscout.gazetteer import Region
from geoscout.gazetteer.home import home_folder
from geoscout.geo.judge import Evidence
from geoscout.model import Request, Response
from geoscout.registrations import RegistrationReader
from geoscout.settings import Settings
from geoscout.store.sqlite.reader import ReadOnlyStore
from geoscout.store.sqlite.store import Store
from geoscout.strategy import Aim, Strategy, create_strategy
from geoscout.strategy.rank.formulas import Ranking, RankOptions

SEED_PRIORITY = 1.0
OPTIONS = "options"  # the note under which a crawl keeps what it was asked for
_DAY = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Options:
    """What a crawl was asked for; kept with it, so that `resume` needs nothing but the folder."""

    region: tuple[str, ...]
    strategy: str = "hybrid"
    max_pages: int | None = None
    max_depth: int | None = None
    replay: tuple[str, ...] = ()
    allow_private: bool = False
    random_seed: int = 0
    relevance: str = "address"
    teamwork: Teamwork = field(default_factory=Teamwork)
    filter_seeds: bool = False
    registrations: str = OFF


def start(
    folder: Path, options: Options, seeds: Sequence[str], settings: Settings, model: bytes = b""
) -> Store:
    """A new crawl with its seeds, not yet running; `model` is what its strategy knows already.

    Raises:
        UsageError: something that was asked for cannot be had; then nothing was written.
    """
    urls = read_seeds(seeds)
    _check(options, settings)
    if options.relevance not in list(Evidence):
        raise UsageError(f"relevance is one of {', '.join(Evidence)}, not {options.relevance!r}")
    gazetteer = gazetteer_for(settings)
    region = Region.parse(options.region, gazetteer)
    for note in region.notes:
        print(f"geoscout: region {note}", file=sys.stderr)
    strategy = create_strategy(options.strategy, Aim(region, gazetteer))
    check_registrations(
        options.registrations,
        strategy,
        offline=bool(options.replay),
        for_seeds=options.filter_seeds,
    )
    if options.filter_seeds:
        urls = run(_filtered(urls, options, settings))
    requests = [Request(url, SEED_PRIORITY) for url in urls]
    requests = assigned(requests, collaboration_of(options.teamwork, region, gazetteer))
    strategy.load(model)
    store = Store.create(folder, [TABLES], user_agent(settings))
    store.set_note(OPTIONS, json.dumps(asdict(options)))
    store.keep_state(model)
    SqliteFrontier(store.connection).put(requests)
    store.commit()
    return store


def _check(options: Options, settings: Settings) -> None:
    """Complain before anything is written."""
    numbers = {
        "connections": (settings.connections, 1),
        "workers": (settings.workers, 0),
        "delay_seconds": (settings.delay_seconds, 0),
        "tries": (settings.tries, 1),
        "max_pages": (1 if options.max_pages is None else options.max_pages, 1),
        "max_depth": (options.max_depth or 0, 0),
    }
    for name, (value, least) in numbers.items():
        if not least <= value < math.inf:
            raise UsageError(f"{name} is at least {least}, not {value}")
    if options.replay:
        archive_files([Path(path) for path in options.replay])
    elif not settings.contact and not options.allow_private:
        raise UsageError(
            "a live crawl needs a way to reach you: set `contact` (or GEOSCOUT_CONTACT)"
            " to a web or mail address"
        )


async def _filtered(urls: Sequence[str], options: Options, settings: Settings) -> list[str]:
    gazetteer = gazetteer_for(settings)
    region = Region.parse(options.region, gazetteer)
    ranking = Ranking(Aim(region, gazetteer), RankOptions())
    ranking.know(read_table(options.registrations))
    http = _http_rules(options, settings)
    async with registries(options.registrations, settings, http) as registrations:
        return await filter_seeds(urls, _fetcher(options, settings), ranking, registrations)


def reopen(folder: Path, settings: Settings) -> tuple[Store, Options]:
    """A crawl that was stopped or crashed, and what it was asked for."""
    store = Store.resume(folder, [TABLES], user_agent(settings))
    options = store.note(OPTIONS)
    if options is None:
        store.close()
        raise UsageError(f"the crawl in {folder} ended before its seeds were kept: start it anew")
    return store, read_options(options)


def read_options(note: str) -> Options:
    """What a crawl was asked for, from the note it kept."""
    kept: dict[str, Any] = json.loads(note)
    kept |= {name: tuple(kept.get(name, ())) for name in ("region", "replay")}
    return Options(**kept | {"teamwork": Teamwork(**kept.get("teamwork", {}))})


def read_model(folder: Path, strategy: str) -> bytes:
    """What the strategy of an earlier crawl had learned.

    Raises:
        UsageError: there is no crawl, or it used another strategy, or has learned nothing.
    """
    with ReadOnlyStore.open(folder) as store:
        used = read_options(store.note(OPTIONS) or "{}").strategy.partition(":")[0]
        if used != strategy.partition(":")[0]:
            raise UsageError(f"the crawl in {folder} used {used!r}, which {strategy!r} cannot read")
        state = store.state()
    if not state:
        raise UsageError(f"the crawl in {folder} has no model: {used!r} learned nothing there")
    return state


def revisit(store: Store, days: float) -> int:
    """Let the pages wait again that were last asked for so long ago; returns how many."""
    query = """SELECT url, priority, depth, distance, parent, node FROM page
        WHERE (SELECT max(fetched_at) FROM visit WHERE visit.url = page.url) <= ?"""
    rows = store.connection.execute(query, (time.time() - days * _DAY,)).fetchall()
    requests = [replace(Request(*row), kind="revisit") for row in rows]
    SqliteFrontier(store.connection).put(requests)
    store.commit()
    return len(requests)


def visits_of(store: Store) -> int:
    """The answers that a crawl has had so far."""
    return int(store.connection.execute("SELECT count(*) FROM visit").fetchone()[0])


def execute(store: Store, options: Options, settings: Settings) -> Crawl:
    """Run the crawl to its end, showing how it goes; Ctrl-C stops it cleanly."""
    return run(_execute(store, options, settings))


async def _execute(store: Store, options: Options, settings: Settings) -> Crawl:
    task = Task(settings, options.region, user_agent(settings), options.relevance)
    reader = open_reader(task, settings.workers)
    fetcher = _fetcher(options, settings)
    crawl, frontier = prepare(store, options, settings, fetcher, reader)
    try:
        with stopped_by_signals(crawl), shown(crawl, frontier):
            async with serving_metrics(settings.metrics_port, crawl, frontier):
                await _run(crawl, frontier, options, settings)
    finally:
        await fetcher.close()
        reader.close()
    return crawl


async def _run(
    crawl: Crawl, frontier: SqliteFrontier, options: Options, settings: Settings
) -> None:
    strategy, http = crawl.strategy, _http_rules(options, settings)
    async with registries(options.registrations, settings, http) as registrations:
        if registrations is None or not isinstance(strategy, RegistrationReader):
            await crawl.run()
        else:
            report(await crawl_asking(crawl, frontier, strategy, registrations))


def prepare(
    store: Store,
    options: Options,
    settings: Settings,
    fetcher: Fetcher,
    read: Callable[[Response, str], Awaitable[Work]],
) -> tuple[Crawl, SqliteFrontier]:
    """A crawl that is ready to run, and its frontier."""
    strategy = strategy_of(options, settings, store.state())
    collaboration = _collaboration(options, settings)
    limits = FrontierLimits(pages_per_host=settings.pages_per_host or None)
    frontier = SqliteFrontier(store.connection, limits)
    reach = Reach(
        options.max_depth,
        settings.duplicates_followed,
        settings.sitemap_links,
        DepthRule(settings.domain_levels) if collaboration and settings.domain_levels else None,
    )
    follower = Follower(strategy, reach, fetcher, collaboration)
    health = Health(_patience(settings), random.Random(options.random_seed))
    stages = Stages(frontier, fetcher, health, read, strategy, follower, store)
    plan = Plan(options.max_pages, connections_of(options, settings))
    return Crawl(stages, plan, _progress(store)), frontier


def connections_of(options: Options, settings: Settings) -> int:
    """Requests in flight. An archive answers at once: more would only ask for worse pages."""
    if not options.replay:
        return settings.connections
    return max(settings.workers, 1)


def strategy_of(options: Options, settings: Settings, state: bytes) -> Strategy:
    """The strategy of a crawl, with what it had learned."""
    gazetteer = gazetteer_for(settings)
    region = Region.parse(options.region, gazetteer)
    chance = random.Random(options.random_seed)
    strategy = create_strategy(options.strategy, Aim(region, gazetteer, chance=chance))
    if isinstance(strategy, RegistrationReader) and (table := read_table(options.registrations)):
        strategy.know(table)
    try:
        strategy.load(state)
    except UsageError as error:
        print(f"geoscout: {error}; it learns anew", file=sys.stderr)
    return strategy


def _collaboration(options: Options, settings: Settings) -> Collaboration | None:
    gazetteer = gazetteer_for(settings)
    region = Region.parse(options.region, gazetteer)
    return collaboration_of(options.teamwork, region, gazetteer)


def _progress(store: Store) -> Progress:
    """Counts that go on where an earlier run ended."""
    row = store.connection.execute(
        "SELECT count(*), coalesce(sum(is_page), 0), coalesce(sum(relevant), 0) FROM visit"
    ).fetchone()
    return Progress(*row)


def _fetcher(options: Options, settings: Settings) -> Fetcher:
    if options.replay:
        files = archive_files([Path(path) for path in options.replay])
        return ArchiveFetcher(files, cache=home_folder(settings) / "archives")
    _check(options, settings)
    return HttpFetcher(_http_rules(options, settings))


def _http_rules(options: Options, settings: Settings) -> HttpRules:
    body_bytes = int(settings.body_megabytes * MEBIBYTE)
    return HttpRules(
        user_agent(settings),
        manners=Manners(settings.delay_seconds, settings.delay_factor),
        limits=Limits(
            connect_seconds=settings.connect_seconds,
            total_seconds=settings.total_seconds,
            body_bytes=body_bytes,
            decoded_bytes=2 * body_bytes,
        ),
        allow_private=options.allow_private,
    )


def _patience(settings: Settings) -> Patience:
    return Patience(
        tries=settings.tries,
        first_seconds=settings.retry_seconds,
        parked_seconds=settings.park_seconds,
    )


def user_agent(settings: Settings) -> str:
    """Who we say we are."""
    contact = f" (+{settings.contact})" if settings.contact else ""
    return f"geoscout/{__version__}{contact}"
