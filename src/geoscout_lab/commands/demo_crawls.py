"""The two crawls of the demo: the real engine over real HTTP, side by side on one event loop."""

import asyncio
import sys
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.table import Table

from geoscout.crawl import Crawl
from geoscout.crawling.options import CrawlOptions, relevance_rule
from geoscout.crawling.read_result import ReaderOptions
from geoscout.crawling.run import create_crawl
from geoscout.crawling.worker_pool import open_reader
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.http.rules import HttpRules
from geoscout.fetch.politeness import Manners
from geoscout.machine import run_on_loop
from geoscout.settings import Settings, user_agent
from geoscout_lab.commands.demo import Result
from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.serving import ServedWeb, serve_web

STRATEGIES = ("breadth", "hybrid")
_BAR = 40  # letters
_CONNECTIONS = 4  # enough for two workers; with more, hosts would be asked for worse pages
_LOOK_SECONDS = 0.5


def crawl_twice(
    web: SyntheticWeb, folder: Path, budget: int, settings: Settings
) -> tuple[Result, Result]:
    """Crawl breadth first and focused, each with this budget of responses."""
    return run_on_loop(_crawl_twice(web, folder, budget, settings))


async def _crawl_twice(
    web: SyntheticWeb, folder: Path, budget: int, settings: Settings
) -> tuple[Result, Result]:
    settings = replace(settings, delay_seconds=0.0, connections=_CONNECTIONS)
    rule = relevance_rule(settings.relevance)
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(serve_web(web))
        read = open_reader(
            ReaderOptions(settings, (web.region,), user_agent(settings), rule), settings.workers
        )
        stack.callback(read.close)
        crawls, running = [], []
        for strategy in STRATEGIES:
            options = CrawlOptions(
                region=(web.region,), strategy=strategy, relevance=rule, max_pages=budget,
                allow_private=True,
            )  # fmt: skip
            run = create_crawl(folder / strategy, options, served.seeds, settings)
            stack.enter_context(run)
            fetcher = _fetcher(served, settings)
            stack.push_async_callback(fetcher.close)
            crawl = await stack.enter_async_context(run.ready(fetcher=fetcher, read=read))
            crawls.append(crawl)
            running.append(run.run_ready(crawl))
        await _run(crawls, running)
        breadth, focused = (
            Result(strategy, folder / strategy, crawl.progress.pages, crawl.progress.relevant)
            for strategy, crawl in zip(STRATEGIES, crawls, strict=True)
        )
    return breadth, focused


def _fetcher(served: ServedWeb, settings: Settings) -> HttpFetcher:
    manners = Manners(settings.delay_seconds, delay_factor=0.0)
    rules = HttpRules(user_agent(settings), manners=manners, allow_private=True)
    return HttpFetcher(rules, resolver=served.resolver)


async def _run(crawls: Sequence[Crawl], waiting: Sequence[Coroutine[None, None, None]]) -> None:
    """Run both to their end, with a picture that follows them on a terminal."""
    running = asyncio.gather(*waiting)
    if sys.stderr.isatty():
        with Live(console=Console(stderr=True), refresh_per_second=4, transient=True) as live:
            while not running.done():
                live.update(_picture(crawls))
                await asyncio.wait([running], timeout=_LOOK_SECONDS)
    await running


def _picture(crawls: Sequence[Crawl]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("strategy")
    for name in ("responses", "relevant", "harvest"):
        table.add_column(name, justify="right")
    table.add_column("")
    best = max(1, *(crawl.progress.relevant for crawl in crawls))
    for strategy, crawl in zip(STRATEGIES, crawls, strict=True):
        done = crawl.progress
        bar = "█" * (_BAR * done.relevant // best)
        figures = (f"{done.visits:,}", f"{done.relevant:,}", f"{done.harvest:.1%}")
        table.add_row(strategy, *figures, f"[green]{bar}[/green]")
    return table
