"""A crawl from Python: start a new one, go on with one, or open one to read it.

    with start_crawl("lisbon", region="Lisbon, Portugal", seeds=["https://lisboa.pt/"]) as crawl:
        crawl.run()

The commands `crawl` and `resume` do the same, and add what a terminal shows. docs/python.md has
more examples.
"""

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

from geoscout.crawl_folder import mark_made_here, require_made_here
from geoscout.crawling.assemble import (
    Blueprint,
    admission_of,
    check_options,
    draw_blueprint,
    fetcher_aim,
    make_collaboration,
    make_fetcher,
    make_strategy,
    writing_of,
)
from geoscout.crawling.crawl_run import CrawlRun
from geoscout.crawling.options import (
    NOTE,
    CrawlOptions,
    options_of,
    provenance,
    read_crawl_options,
    relevance_rule,
    to_note,
)
from geoscout.crawling.registrants import check_registrations, open_registrations, registries
from geoscout.crawling.requests import SEED_PRIORITY
from geoscout.crawling.seeds import admitted_seeds, read_seeds
from geoscout.crawling.steering import read_wishes, with_wishes
from geoscout.machine import run_on_loop
from geoscout.scope_rules import read_pattern_lists
from geoscout.settings import DEFAULT_RELEVANCE, Settings, load_settings
from geoscout.state.base import (
    Beginning,
    InFolder,
    create_state,
    open_state,
    public_address,
    resume_state,
)
from geoscout.store.base import PROVENANCE
from geoscout.store.reader import CrawlReader
from geoscout.strategy import Strategy, StrategyAim, abilities_of
from geoscout_places.errors import Mistakes, UsageError
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address.formats import note_on_addresses
from geoscout_places.model import Request

_log = logging.getLogger(__name__)
_ANYWHERE = ("0,0,1",)  # takes the place of a region that cannot be read, to check the rest


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
    fields["relevance"] = relevance_rule(fields.get("relevance", DEFAULT_RELEVANCE))
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
        try:
            mark_made_here(state.folder)
        except OSError as error:  # it can do without, unless it asks private addresses
            _log.warning("the crawl is not marked as made here: %s", error)
    return CrawlRun(blueprint, state, folder)


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
    if options.has_nodes:
        from geoscout.crawling.nodes import assigned  # noqa: PLC0415 - few crawls have nodes

        requests = assigned(requests, make_collaboration(blueprint))
    public = msgspec.structs.replace(options, model=public_address(options.model))
    about = msgspec.json.encode(provenance(options, urls, settings)).decode()
    notes = {NOTE: to_note(public), PROVENANCE: about}
    return blueprint, Beginning(requests, notes, learned, options.archive)


async def _filtered(urls: Sequence[str], blueprint: Blueprint) -> list[str]:
    # Most crawls keep all their seeds, and need none of this.
    from geoscout.crawling.seed_choice import seeds_with_places  # noqa: PLC0415
    from geoscout.strategy.rank.formulas import Ranking, RankOptions  # noqa: PLC0415

    ranking = Ranking(StrategyAim(blueprint.region, blueprint.gazetteer), RankOptions())
    kinds = blueprint.options.registrations
    ranking.add_registrations(open_registrations(kinds))
    async with registries(kinds, blueprint.settings, fetcher_aim(blueprint)) as registrations:
        return await seeds_with_places(urls, make_fetcher(blueprint), ranking, registrations)


def resume_crawl(
    folder: Path | str, *, settings: Settings | None = None, gazetteer: Gazetteer | None = None
) -> CrawlRun:
    """A crawl that was stopped or crashed, from its last commit on.

    Raises:
        UsageError: there is no crawl, it is running, it ended before its seeds were kept, or its
            folder comes from elsewhere and allows private addresses (see `crawl_folder.py`).
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
        if isinstance(state, InFolder) and options.allow_private:
            require_made_here(state.folder, "its crawl may ask private addresses")
        options = with_wishes(options, read_wishes(folder))
        check_options(options, settings)
        blueprint = draw_blueprint(options, settings, gazetteer or open_gazetteer(settings))
        on_error.pop_all()
    return CrawlRun(blueprint, state, folder)


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
