"""Around a running crawl: signals that stop it, and the lines in the terminal that follow it."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from geoscout.crawl import Crawl
from geoscout.frontier import Frontier


@contextmanager
def stopped_by_signals(crawl: Crawl) -> Iterator[None]:
    """Ctrl-C and SIGTERM let the crawl finish what is in flight, and end."""

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
def shown(crawl: Crawl, frontier: Frontier) -> Iterator[None]:
    """A view that follows the crawl, on a terminal only."""
    if not sys.stderr.isatty():
        yield
        return
    shower = asyncio.get_running_loop().create_task(_follow(crawl, frontier))
    try:
        yield
    finally:
        shower.cancel()


async def _follow(crawl: Crawl, frontier: Frontier) -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.live import Live  # noqa: PLC0415

    from geoscout.cli.show.crawl_view import view  # noqa: PLC0415

    with Live(console=Console(stderr=True), refresh_per_second=4) as live:
        while True:
            live.update(view(crawl, frontier))
            await asyncio.sleep(0.5)
