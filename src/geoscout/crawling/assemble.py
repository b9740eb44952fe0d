"""Builds the parts of a crawl from what the user asked for.

A `Blueprint` holds what was asked for and what it means: settings, gazetteer and region are read
once. Each `make_…` builds one part from it, and `make_crawl` joins the parts to the loop.
"""

import logging
import math
import random
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from geoscout.collaborate import Collaboration
from geoscout.collaborate.base import DepthRule
from geoscout.crawl import Crawl, Plan, Stages
from geoscout.crawling.ending import ROOM_SECONDS, BarrenWatch, MachineLimits, MachineWatch
from geoscout.crawling.follow import Follower, Reach
from geoscout.crawling.in_flight import Progress
from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.read_result import ReaderOptions, ReadResult
from geoscout.crawling.registrants import open_registrations
from geoscout.crawling.site_memory import SiteMemory
from geoscout.crawling.worker_pool import SafeReader, open_reader
from geoscout.fetch.archive import archive_files
from geoscout.fetch.base import (
    Admission,
    Fetcher,
    FetcherAim,
    RuledFetcher,
    check_fetcher,
    create_fetcher,
)
from geoscout.fetch.http.rules import check_proxy, read_render
from geoscout.fetch.retries import Health, Patience
from geoscout.frontier.base import Limits
from geoscout.machine import read_size, requests_possible
from geoscout.registrations import RegistrantReader
from geoscout.scope_rules import HostSettings, HostTable, UrlRules
from geoscout.settings import Settings, user_agent
from geoscout.state.base import CrawlState, OnDisk, Writing
from geoscout.strategy import Strategy, StrategyAim, abilities_of, create_strategy
from geoscout_places.errors import Mistakes, UsageError, last_line
from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.geo.relevance import has_scope_inside
from geoscout_places.model import RelevanceRule, RequestKind, Response, SiteKnowledge
from geoscout_places.parse.document import check_pdf

# A page that failed once waits so many times the pause between two requests, at least a second.
_RETRY_FACTOR, _LEAST_RETRY_SECONDS = 30, 1.0
# A domain or address without a relevant page may have this part of the hosts of others.
_UNPROVEN_SHARE = 10
_log = logging.getLogger(__name__)

DOMAIN_LEVELS = 5  # how many links deep a collaborative crawl explores a domain

Read = Callable[[Response, RequestKind, SiteKnowledge | None], Awaitable[ReadResult]]


class Blueprint(Struct, frozen=True):
    """What a crawl is built from."""

    options: CrawlOptions
    settings: Settings
    gazetteer: Gazetteer
    region: Region


def draw_blueprint(options: CrawlOptions, settings: Settings, gazetteer: Gazetteer) -> Blueprint:
    """What was asked for, with the region it names."""
    return Blueprint(options, settings, gazetteer, Region.parse(options.region, gazetteer))


def check_options(options: CrawlOptions, settings: Settings) -> None:
    """Complain before anything is written or fetched."""
    mistakes = Mistakes()
    with mistakes.noted():
        _check_numbers(options, settings)
    with mistakes.noted():
        check_fetcher(fetcher_of(options))
    with mistakes.noted():
        _check_geocoder(settings)
    with mistakes.noted():
        if settings.pdf:
            check_pdf()
    with mistakes.noted():
        admission_of(options, settings)
    with mistakes.noted():
        check_proxy(settings.proxy, options.registrations)
    with mistakes.noted():
        read_render(settings.render)
    with mistakes.noted():
        read_size(settings.max_memory)
    with mistakes.noted():
        if options.replay:
            archive_files([Path(path) for path in options.replay])
        elif not options.allow_private:
            _check_contact(settings.contact)
    mistakes.complain()


def _check_geocoder(settings: Settings) -> None:
    if settings.geocoder:
        from geoscout.geocode import read_geocoder  # noqa: PLC0415 - few crawls have one

        read_geocoder(settings)


def _check_contact(contact: str) -> None:
    is_mail = re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", contact)
    is_web = re.fullmatch(r"(https?://)?[^@\s/]+\.[^@\s]+", contact)
    if not is_mail and not is_web:
        problem = f"{contact!r} is neither" if contact else "there is none"
        raise UsageError(
            "a live crawl needs a mail or web address where server owners can reach you;"
            f" {problem}: set `contact` to one, such as you@example.org"
        )


def _check_numbers(options: CrawlOptions, settings: Settings) -> None:
    numbers = {
        "connections": (settings.connections, 1),
        "workers": (settings.workers, 0),
        "delay_seconds": (settings.delay_seconds, 0),
        "tries": (settings.tries, 1),
        "max_pages": (1 if options.max_pages is None else options.max_pages, 1),
        "max_depth": (options.max_depth or 0, 0),
    }
    wrong = [
        f"{name} is at least {least}, not {value}"
        for name, (value, least) in numbers.items()
        if not least <= value < math.inf
    ]
    Mistakes(wrong).complain()


def make_crawl(
    blueprint: Blueprint,
    state: CrawlState,
    fetcher: Fetcher,
    read: Read,
    strategy: Strategy | None = None,
) -> Crawl:
    """A crawl that is ready to run; its strategy, if not handed in, knows what it had learned."""
    options, settings = blueprint.options, blueprint.settings
    strategy = strategy or learned_strategy(blueprint, state.reader.model())
    collaboration = make_collaboration(blueprint)
    stages = Stages(
        state=state,
        fetcher=fetcher,
        health=Health(_patience(settings), random.Random(options.random_seed)),
        read=read,
        strategy=strategy,
        follower=Follower(strategy, _reach(blueprint, collaboration), fetcher, collaboration),
        sites=SiteMemory(state.reader.sites(), settings.sites_remembered),
        set_aside=lambda: read.set_aside if isinstance(read, SafeReader) else 0,
    )
    most = math.inf if options.max_pages is None else options.max_pages
    plan = Plan(most, connections_of(options, settings), options.stop_when_barren)
    return Crawl(stages, plan, _progress(state))


def learned_strategy(blueprint: Blueprint, model: bytes) -> Strategy:
    """The strategy with what it had learned when the model was kept."""
    strategy = make_strategy(blueprint)
    try:
        abilities_of(strategy).load(model)
    except Exception as error:  # of plug-ins, too: damage must not make a crawl unusable
        _log.warning("%s; it learns from the beginning", _unreadable(error))
        return make_strategy(blueprint)  # the first may have loaded a part
    return strategy


def _unreadable(error: Exception) -> str:
    if isinstance(error, UsageError):
        return str(error)
    return f"what the strategy had learned cannot be read: {last_line(error)}"


def make_strategy(blueprint: Blueprint) -> Strategy:
    """The strategy, before it has learned anything."""
    options = blueprint.options
    chance = random.Random(options.random_seed)
    aim = StrategyAim(blueprint.region, blueprint.gazetteer, chance=chance)
    strategy = create_strategy(options.strategy, aim)
    if isinstance(strategy, RegistrantReader) and (
        table := open_registrations(options.registrations)
    ):
        strategy.add_registrations(table)
    return strategy


def make_collaboration(blueprint: Blueprint) -> Collaboration | None:
    """What divides links among nodes; None when there are no nodes."""
    if not blueprint.options.has_nodes:
        return None
    from geoscout.crawling.nodes import collaboration_of  # noqa: PLC0415 - few crawls have nodes

    return collaboration_of(blueprint.options.nodes, blueprint.region, blueprint.gazetteer)


def make_reader(blueprint: Blueprint) -> SafeReader:
    """What parses, geoparses and judges pages, here or in other processes."""
    options, settings = blueprint.options, blueprint.settings
    task = ReaderOptions(
        settings, options.region, user_agent(settings), options.relevance,
        strategy=options.strategy, entities=options.aims_at_entities, needs_texts=options.has_nodes,
    )  # fmt: skip
    return open_reader(task, settings.workers)


def make_fetcher(blueprint: Blueprint, own_addresses: Sequence[str] = ()) -> Fetcher:
    """What brings pages: the fetcher of that name, else from archives or from the live web.

    `own_addresses` are those of the crawl's database, which is not to be asked for pages.
    """
    aim = replace(fetcher_aim(blueprint), own_addresses=tuple(own_addresses))
    return ruled(create_fetcher(fetcher_of(blueprint.options), aim), blueprint)


def fetcher_of(options: CrawlOptions) -> str:
    """The name of the fetcher, with its options."""
    return options.fetcher or ("archive" if options.replay else "live")


def fetcher_aim(blueprint: Blueprint) -> FetcherAim:
    """What fetchers, and the clients of registries, must know of a crawl."""
    options, settings = blueprint.options, blueprint.settings
    agent = user_agent(settings)
    admission = admission_of(options, settings)
    return FetcherAim(settings, agent, options.replay, options.allow_private, admission=admission)


def admission_of(options: CrawlOptions, settings: Settings) -> Admission:
    """What the patterns of a crawl and the settings of hosts admit."""
    return _admission(options.include, options.exclude, settings.hosts)


@lru_cache(2)  # a long list takes a while to read, and every partition of a cluster needs it
def _admission(
    include: tuple[str, ...], exclude: tuple[str, ...], hosts: tuple[HostSettings, ...]
) -> Admission:
    return Admission(UrlRules(include, exclude), HostTable(hosts))


def ruled(fetcher: Fetcher, blueprint: Blueprint) -> Fetcher:
    """A fetcher that asks only for what the crawl admits."""
    admission = admission_of(blueprint.options, blueprint.settings)
    return RuledFetcher(fetcher, admission) if admission else fetcher


def connections_of(options: CrawlOptions, settings: Settings) -> int:
    """Requests in flight. An archive answers at once: more would only ask for worse pages."""
    if not options.replay:
        possible = requests_possible(settings.connections)
        if possible < settings.connections:
            _log.warning("%d requests at a time: more files may not be open", possible)
        return possible
    return max(settings.workers, 1)


def writing_of(settings: Settings) -> Writing:
    """What the state of a crawl must know of it."""
    limits = Limits(
        pages_per_host=settings.pages_per_host or None,
        pages_of=HostTable(settings.hosts).pages_of if settings.hosts else None,
    )
    room = ROOM_SECONDS if settings.disk_megabytes else 0.0
    return Writing(user_agent(settings), limits, home_folder(settings), room_seconds=room)


def _reach(blueprint: Blueprint, collaboration: Collaboration | None) -> Reach:
    settings = blueprint.settings
    return Reach(
        blueprint.options.max_depth,
        hosts_per_domain=settings.hosts_per_domain,
        hosts_unproven=settings.hosts_per_domain // _UNPROVEN_SHARE,
        admission=admission_of(blueprint.options, settings),
        domain=DepthRule(DOMAIN_LEVELS) if collaboration is not None and DOMAIN_LEVELS else None,
    )


def make_barren_watch(blueprint: Blueprint, progress: Progress) -> BarrenWatch:
    """What notices that nothing relevant is found any more."""
    rule, region = blueprint.options.relevance, blueprint.region
    counts_scope = rule in (RelevanceRule.EITHER, RelevanceRule.SCOPE)
    return BarrenWatch(
        progress.visits,
        progress.relevant,
        rule=rule,
        is_near=lambda reading: not counts_scope and has_scope_inside(reading, region),
    )


def disk_of(state: CrawlState) -> Path | None:
    """A folder on the disk of this machine that a crawl fills; None: it fills none."""
    return state.disk if isinstance(state, OnDisk) else None


def make_watch(blueprint: Blueprint, folder: Path | None, read: Read) -> MachineWatch:
    """What looks after disk and memory while a crawl runs; `folder` None: after memory only."""
    settings = blueprint.settings
    limits = MachineLimits(
        settings.disk_megabytes * 1e6, memory_bytes=read_size(settings.max_memory)
    )
    if not isinstance(read, SafeReader):
        return MachineWatch(limits, folder)
    return MachineWatch(limits, folder, read.pids, read.renew)


def _patience(settings: Settings) -> Patience:
    first = max(_RETRY_FACTOR * settings.delay_seconds, _LEAST_RETRY_SECONDS)
    return Patience(tries=settings.tries, first_seconds=first)


def _progress(state: CrawlState) -> Progress:
    """Counts that go on where an earlier run ended."""
    totals = state.reader.totals()
    return Progress(totals.visits, totals.pages, totals.relevant)
