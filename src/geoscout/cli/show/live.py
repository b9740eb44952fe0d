"""A crawl in the terminal: signals that stop it, and the lines that follow it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from geoscout.cli.show.metrics import metrics_text, serving_metrics
from geoscout.crawl import Crawl
from geoscout.crawling.run import CrawlRun
from geoscout.fetch.http.event_loop import run as run_on_loop

_ONE_KEYSTROKE_SECONDS = 0.3  # a terminal and a wrapper such as make may both pass it on


def run_watched(run: CrawlRun, metrics_port: int) -> None:
    """Run a crawl to its end, and show how it goes; Ctrl-C stops it cleanly."""
    run_on_loop(_run_watched(run, metrics_port))


async def _run_watched(run: CrawlRun, metrics_port: int) -> None:
    async with run.ready() as crawl:
        with stopped_by_signals(crawl), shown(crawl):
            async with serving_metrics(metrics_port, partial(metrics_text, crawl)):
                await run.run_ready(crawl)


def _leave() -> None:
    print("geoscout: stopped at once", file=sys.stderr, flush=True)
    os._exit(128 + signal.SIGINT)


class Stoppable(Protocol):
    """A crawl, or a worker of one."""

    def stop(self) -> None:
        """Finish what is in flight, and end."""


@contextmanager
def stopped_by_signals(crawl: Stoppable) -> Iterator[None]:
    """Ctrl-C and SIGTERM let the crawl finish what is in flight, and end.

    A second Ctrl-C ends the process at once. That loses no more than the death of the process,
    which is what has not been committed, and it works however long a response takes.
    """
    loop = asyncio.get_running_loop()
    asked_at: list[float] = []

    def stop(number: int) -> None:
        asked_at.append(loop.time())
        if number == signal.SIGINT and asked_at[-1] - asked_at[0] > _ONE_KEYSTROKE_SECONDS:
            _leave()
        crawl.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


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
