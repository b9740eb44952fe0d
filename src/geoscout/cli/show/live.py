"""A crawl in the terminal: it runs to its end or to a signal, and a view follows it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from geoscout.cli.show.metrics import metrics_text, serving_metrics
from geoscout.cli.show.signals import stopped_by_signals
from geoscout.crawl import Crawl
from geoscout.crawling.run import CrawlRun
from geoscout.fetch.http.event_loop import run as run_on_loop


def run_watched(run: CrawlRun, metrics_port: int) -> None:
    """Run a crawl to its end, and show how it goes; Ctrl-C stops it cleanly."""
    run_on_loop(_run_watched(run, metrics_port))


async def _run_watched(run: CrawlRun, metrics_port: int) -> None:
    with stopped_by_signals(run):
        async with run.ready() as crawl:
            with shown(crawl):
                async with serving_metrics(metrics_port, partial(metrics_text, crawl)):
                    await run.run_ready(crawl)


@contextmanager
def shown(crawl: Crawl) -> Iterator[None]:
    """A view that follows the crawl, on a terminal only."""
    if not sys.stderr.isatty():
        yield
        return
    shower = asyncio.get_running_loop().create_task(_follow(crawl))
    try:
        yield
    finally:
        shower.cancel()


async def _follow(crawl: Crawl) -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.live import Live  # noqa: PLC0415

    from geoscout.cli.show.crawl_view import view  # noqa: PLC0415

    with Live(console=Console(stderr=True), refresh_per_second=4) as live:
        while True:
            live.update(view(crawl))
            await asyncio.sleep(0.5)
