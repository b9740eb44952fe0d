"""Workers of a cluster in the terminal: signals end them in good order."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from types import FrameType

from geoscout.cli.show.live import PROGRESS_SECONDS, Stoppable, stopped_by_signals, told
from geoscout.cli.show.logs import tells_by_lines
from geoscout.cli.show.metrics import serving_metrics
from geoscout.cli.show.terminal import gazetteer_for
from geoscout.machine import memory_of, run_on_loop
from geoscout.settings import Settings
from geoscout.store.base import harvest_of
from geoscout_cluster.joining import joined
from geoscout_cluster.supervise import PARENT, Supervisor
from geoscout_cluster.worker import Worker, WorkerTerms
from geoscout_cluster.worker_metrics import worker_metrics_text

_STOP_SECONDS = 30.0  # to give its partitions back, or others take them when the leases end
_PARENT_SECONDS = 1.0  # how often a worker looks whether its supervisor lives


def work(where: str, settings: Settings, terms: WorkerTerms) -> Worker:
    """Be one worker; Ctrl-C and SIGTERM let it finish what is in flight, and give all back.

    Returns what it was: it has a `stop_reason` where another should be started in its place.
    """
    if PARENT in os.environ:  # `cluster start` shows how the crawl goes, and several would talk
        logging.getLogger("geoscout_cluster.worker").setLevel(logging.WARNING)
    return run_on_loop(_work(where, settings, terms))


async def _work(where: str, settings: Settings, terms: WorkerTerms) -> Worker:
    async with joined(where, settings, gazetteer_for(settings), terms) as worker:
        text = partial(worker_metrics_text, worker)
        with stopped_by_signals(worker, _STOP_SECONDS), _stopped_without_parent(worker):
            async with serving_metrics(settings.metrics_port, text):
                with _told(worker):
                    await worker.run()
        return worker


def _told(worker: Worker) -> AbstractContextManager[None]:
    """Lines of the log that tell how far the worker is, unless `cluster start` does that."""
    if PARENT in os.environ or not tells_by_lines():
        return nullcontext()
    return told(partial(worker_progress, worker), PROGRESS_SECONDS)


def worker_progress(worker: Worker) -> dict[str, object]:
    """How far the partitions of a worker are, as fields of the log."""
    crawls = [lane.crawl for lane in worker.lanes.values()]
    pages = sum(crawl.progress.pages for crawl in crawls)
    relevant = sum(crawl.progress.relevant for crawl in crawls)
    return {
        "partitions": len(crawls),
        "responses": sum(crawl.progress.visits for crawl in crawls),
        "pages": pages,
        "relevant": relevant,
        "harvest": round(harvest_of(relevant, pages), 4),
        "waiting": sum(crawl.frontier.counts(top=0).waiting for crawl in crawls),
        "pages_per_second": round(sum(crawl.progress.rate for crawl in crawls), 1),
        "memory_megabytes": round(memory_of(os.getpid()) / 1e6),
    }


@contextmanager
def _stopped_without_parent(worker: Stoppable) -> Iterator[None]:
    """Stop a worker whose supervisor was killed: nobody would know that it still crawls."""
    watch = asyncio.create_task(_watch_parent(worker, os.environ.get(PARENT, "")))
    try:
        yield
    finally:
        watch.cancel()


async def _watch_parent(worker: Stoppable, parent: str) -> None:
    while not parent or os.getppid() == int(parent):
        await asyncio.sleep(_PARENT_SECONDS)
    worker.stop()


def supervise(supervisor: Supervisor) -> None:
    """Keep several workers running; Ctrl-C and SIGTERM stop all of them."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        supervisor.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        supervisor.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
