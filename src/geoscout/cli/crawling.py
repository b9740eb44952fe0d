"""Puts a crawl together from what the user asked for, runs it, and shows how it goes."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from geoscout import __version__
from geoscout.cli.places import gazetteer_for
from geoscout.crawl import Crawl, Plan, Stages
from geoscout.errors import UsageError
from geoscout.fetch.archive import ArchiveFetcher, archive_files
from geoscout.fetch.base import Fetcher
from geoscout.fetch.event_loop import run
from geoscout.fetch.http import HttpFetcher
from geoscout.fetch.politeness import Manners
from geoscout.fetch.rules import HttpRules
from geoscout.frontier import TABLES, SqliteFrontier
from geoscout.gazetteer import Region
from geoscout.gazetteer.home import home_folder
from geoscout.model import Request
from geoscout.settings import Settings
from geoscout.store.store import Store
from geoscout.strategy import Aim, create_strategy
from geoscout.urls import normalise
from geoscout.work import Task, open_reader

SEED_PRIORITY = 1.0
OPTIONS = "options"  # the note under which a crawl keeps what it was asked for


@dataclass(frozen=True, slots=True)
class Options:
    """What a crawl was asked for; kept with it, so that `resume` needs nothing but the folder."""

    region: tuple[str, ...]
    strategy: str = "breadth"
    max_pages: int | None = None
    max_depth: int | None = None
    replay: tuple[str, ...] = ()
    allow_private: bool = False
    random_seed: int = 0


def start(folder: Path, options: Options, seeds: Sequence[str], settings: Settings) -> Store:
    """A new crawl with its seeds, not yet running."""
    requests = [Request(url, SEED_PRIORITY) for url in read_seeds(seeds)]
    if not requests:
        raise UsageError("no seed is an http(s) URL; give URLs or files with one a line")
    region = Region.parse(options.region, gazetteer_for(settings))
    for note in region.notes:
        print(f"geoscout: region {note}", file=sys.stderr)
    create_strategy(options.strategy, Aim(region))  # complain before anything is written
    store = Store.create(folder, [TABLES], user_agent(settings))
    store.set_note(OPTIONS, json.dumps(asdict(options)))
    SqliteFrontier(store.connection).put(requests)
    store.commit()
    return store


def reopen(folder: Path, settings: Settings) -> tuple[Store, Options]:
    """A crawl that was stopped or crashed, and what it was asked for."""
    store = Store.resume(folder, [TABLES], user_agent(settings))
    options = store.note(OPTIONS)
    if options is None:
        store.close()
        raise UsageError(f"the crawl in {folder} ended before its seeds were kept: start it anew")
    kept: dict[str, Any] = json.loads(options)
    kept |= {name: tuple(kept.get(name, ())) for name in ("region", "replay")}
    return store, Options(**kept)


def execute(store: Store, options: Options, settings: Settings) -> Crawl:
    """Run the crawl to its end, showing how it goes; Ctrl-C stops it cleanly."""
    return run(_execute(store, options, settings))


async def _execute(store: Store, options: Options, settings: Settings) -> Crawl:
    reader = open_reader(Task(settings, options.region, user_agent(settings)), settings.workers)
    fetcher = _fetcher(options, settings)
    strategy = create_strategy(options.strategy, _aim(options, settings))
    plan = Plan(options.max_pages, options.max_depth, settings.connections)
    frontier = SqliteFrontier(store.connection)
    crawl = Crawl(
        Stages(frontier, fetcher, reader, strategy, store),
        plan,
        random.Random(options.random_seed),
    )
    _count_earlier(crawl, store)
    try:
        with _stopped_by_signals(crawl), _shown(crawl, frontier):
            await crawl.run()
    finally:
        await fetcher.close()
        reader.close()
    return crawl


def _aim(options: Options, settings: Settings) -> Aim:
    gazetteer = gazetteer_for(settings)
    region = Region.parse(options.region, gazetteer)
    return Aim(region, gazetteer, chance=random.Random(options.random_seed))


def _count_earlier(crawl: Crawl, store: Store) -> None:
    """Go on counting where an earlier run ended."""
    row = store.connection.execute(
        "SELECT count(*), coalesce(sum(is_page), 0), coalesce(sum(relevant), 0) FROM visit"
    ).fetchone()
    crawl.progress.visits, crawl.progress.pages, crawl.progress.relevant = row


def _fetcher(options: Options, settings: Settings) -> Fetcher:
    if options.replay:
        files = archive_files([Path(path) for path in options.replay])
        return ArchiveFetcher(files, cache=home_folder(settings) / "archives")
    if not settings.contact and not options.allow_private:
        raise UsageError(
            "a live crawl needs a way to reach you: set `contact` (or GEOSCOUT_CONTACT)"
            " to a web or mail address"
        )
    manners = Manners(delay_seconds=settings.delay_seconds)
    rules = HttpRules(user_agent(settings), manners=manners, allow_private=options.allow_private)
    return HttpFetcher(rules)


def user_agent(settings: Settings) -> str:
    """Who we say we are."""
    contact = f" (+{settings.contact})" if settings.contact else ""
    return f"geoscout/{__version__}{contact}"


def read_seeds(texts: Sequence[str]) -> list[str]:
    """URLs in normal form from URLs and files of them, each once, in order."""
    seeds: dict[str, None] = {}
    for text in texts:
        for line in _seed_lines(text):
            url = normalise(line)
            if url is None:
                raise UsageError(f"{line!r} is no http(s) URL")
            seeds[url] = None
    return list(seeds)


def _seed_lines(text: str) -> Iterator[str]:
    if "://" in text:
        yield text
        return
    try:
        lines = Path(text).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{text!r} is neither an http(s) URL nor a file of them") from error
    yield from (line.strip() for line in lines if line.strip() and not line.startswith("#"))


@contextmanager
def _stopped_by_signals(crawl: Crawl) -> Iterator[None]:
    def stop() -> None:
        crawl.stopping = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


@contextmanager
def _shown(crawl: Crawl, frontier: SqliteFrontier) -> Iterator[None]:
    """A line that follows the crawl, on a terminal only."""
    if not sys.stderr.isatty():
        yield
        return
    shower = asyncio.get_running_loop().create_task(_follow(crawl, frontier))
    try:
        yield
    finally:
        shower.cancel()


async def _follow(crawl: Crawl, frontier: SqliteFrontier) -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.live import Live  # noqa: PLC0415

    from geoscout.cli.crawl_view import view  # noqa: PLC0415

    with Live(console=Console(stderr=True), refresh_per_second=4) as live:
        while True:
            live.update(view(crawl, frontier))
            await asyncio.sleep(0.5)
