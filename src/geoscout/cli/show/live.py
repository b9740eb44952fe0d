"""A crawl in the terminal: it runs to its end or to a signal, and a view follows it.

Where nobody watches, because standard error is a file or the journal, lines of the log tell how
far it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from geoscout.cli.show.logs import tells_by_lines
from geoscout.cli.show.metrics import metrics_text, serving_metrics
from geoscout.cli.show.signals import stopped_by_signals
from geoscout.crawl import Crawl
from geoscout.crawling.crawl_run import CrawlRun, OpenCrawl
from geoscout.crawling.run import resume_crawl
from geoscout.machine import run_on_loop
from geoscout.settings import Settings
from geoscout.state.base import OWN_POSTGRES, backend_name, is_url
from geoscout_places.background import tell_failure
from geoscout_places.gazetteer.base import Gazetteer

_log = logging.getLogger(__name__)
PROGRESS_SECONDS = 5.0  # between two lines of progress where standard error is not a terminal


def reopened(where: str, settings: Settings, gazetteer: Gazetteer) -> OpenCrawl:
    """A crawl that was begun before, to be changed and run, by this process or by workers.

    Raises:
        UsageError: there is none, or another process holds it.
    """
    if not is_url(where) and backend_name(where) != OWN_POSTGRES:
        return resume_crawl(where, settings=settings, gazetteer=gazetteer)
    from geoscout_cluster.postgres.own_state import direct_address  # noqa: PLC0415
    from geoscout_cluster.shared_crawl import is_for_workers, open_shared  # noqa: PLC0415

    address = direct_address(where)
    if not is_for_workers(address):
        return resume_crawl(where, settings=settings, gazetteer=gazetteer)
    return open_shared(where, address, settings, gazetteer)


def run_watched(run: OpenCrawl, settings: Settings) -> bool:
    """Run a crawl to its end, and show how it goes; whether Ctrl-C stopped it, cleanly."""
    if isinstance(run, CrawlRun):
        run_on_loop(_run_watched(run, settings))
        return run.is_stopped
    from geoscout_cluster.worker import WorkerTerms  # noqa: PLC0415 - few crawls have workers
    from geoscout_cluster.workers import work  # noqa: PLC0415

    return work(run.where, settings, WorkerTerms(until_done=True)).was_stopped


async def _run_watched(run: CrawlRun, settings: Settings) -> None:
    with stopped_by_signals(run):
        while True:
            try:
                await _run_once(run, settings)
            except Exception as error:
                if not await run.goes_on_after(error):
                    raise
            else:
                return


async def _run_once(run: CrawlRun, settings: Settings) -> None:
    async with run.ready() as crawl:
        with _shown(crawl):
            async with serving_metrics(settings.metrics_port, partial(metrics_text, crawl)):
                await run.run_ready(crawl)


@contextmanager
def _shown(crawl: Crawl) -> Iterator[None]:
    """A view that follows the crawl: a picture on a terminal, else lines of the log."""
    if tells_by_lines():
        with told(partial(crawl_progress, crawl), PROGRESS_SECONDS):
            yield
    else:
        with _in_background(_follow(crawl)):
            yield


@contextmanager
def told(facts: Callable[[], Mapping[str, object]], seconds: float) -> Iterator[None]:
    """Write facts to the log, after each pause of `seconds` and in the end."""
    if not _log.isEnabledFor(logging.INFO):  # to count takes milliseconds
        yield
        return
    with _in_background(_tell(facts, seconds)):
        yield
    _log.info("progress", extra=facts())


async def _tell(facts: Callable[[], Mapping[str, object]], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        _log.info("progress", extra=facts())


@contextmanager
def _in_background(work: Awaitable[None]) -> Iterator[None]:
    """Let a view follow what the block does; one that fails is told, and the block goes on."""
    task = asyncio.ensure_future(work)
    tell_failure(task, "progress is no longer shown", _log)
    try:
        yield
    finally:
        task.cancel()


def crawl_progress(crawl: Crawl) -> dict[str, object]:
    """How far a crawl is, as fields of the log."""
    done = crawl.progress
    return {
        "responses": done.visits,
        "pages": done.pages,
        "relevant": done.relevant,
        "harvest": round(done.harvest, 4),
        "waiting": crawl.frontier.counts(top=0).waiting,
        "pages_per_second": round(done.rate, 1),
        "memory_megabytes": round(crawl.watch.memory() / 1e6),
    }


async def _follow(crawl: Crawl) -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.live import Live  # noqa: PLC0415

    from geoscout.cli.show.crawl_view import view  # noqa: PLC0415

    with Live(console=Console(stderr=True), refresh_per_second=4) as live:
        while True:
            live.update(view(crawl))
            await asyncio.sleep(0.5)
