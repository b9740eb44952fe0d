"""A crawl in the terminal: it runs to its end or to a signal, and a view follows it.

Where nobody watches, because standard error is a file or the journal, lines of the log tell how
far it is.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Protocol

from geoscout.cli.show.logs import tells_by_lines
from geoscout.cli.show.metrics import metrics_text, serving_metrics
from geoscout.crawl import Crawl
from geoscout.crawling.crawl_run import CrawlRun, OpenCrawl
from geoscout.crawling.run import resume_crawl
from geoscout.crawling.workers import cluster
from geoscout.frontier.base import Waiting
from geoscout.machine import run_on_loop
from geoscout.settings import Settings
from geoscout.state.base import OWN_POSTGRES, backend_name, is_url
from geoscout.store.base import harvest_of
from geoscout_places.background import tell_failure
from geoscout_places.clock import steady_time
from geoscout_places.gazetteer.base import Gazetteer

_ONE_KEYSTROKE_SECONDS = 0.3  # a terminal and a wrapper such as make may both pass it on
STOP_SECONDS = 2.5  # for a crawl to end in order
_HEARD = (signal.SIGINT, signal.SIGTERM)


class Stoppable(Protocol):
    """A crawl, or a worker of one."""

    def stop(self) -> None:
        """Finish what is in flight, and end."""


@contextmanager
def stopped_by_signals(crawl: Stoppable, seconds: float = STOP_SECONDS) -> Iterator[None]:
    """Ctrl-C and SIGTERM let the crawl finish what takes less than a second, and end.

    A second Ctrl-C ends the process at once, and so does a crawl that takes longer than `seconds`.
    """
    loop = asyncio.get_running_loop()

    def stop() -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(crawl.stop)

    ours, theirs = socket.socketpair()
    theirs.settimeout(0.0)
    handlers = {number: signal.signal(number, lambda *_: None) for number in _HEARD}
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    listener = threading.Thread(target=_listen, args=(ours, stop, seconds), daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        theirs.close()
        listener.join()
        ours.close()


def _listen(line: socket.socket, stop: Callable[[], None], seconds: float) -> None:
    """Hear signals, each as a byte, until the line is closed."""
    first = None
    while True:
        line.settimeout(None if first is None else max(first + seconds - time.monotonic(), 0.001))
        try:
            numbers = line.recv(16)
        except TimeoutError:
            _leave(signal.SIGTERM)
            return
        if not numbers:
            return
        for number in filter(_HEARD.__contains__, numbers):
            now = time.monotonic()
            if first is None:
                first = now
                stop()
            elif number == signal.SIGINT and now - first > _ONE_KEYSTROKE_SECONDS:
                _leave(signal.SIGINT)


def _leave(number: int) -> None:
    print("geoscout: stopped at once; what was committed is safe", file=sys.stderr, flush=True)
    os._exit(128 + number)


if TYPE_CHECKING:
    from rich.table import Table

_log = logging.getLogger(__name__)
PROGRESS_SECONDS = 5.0  # between two lines of progress where standard error is not a terminal


def reopened(where: str, settings: Settings, gazetteer: Gazetteer) -> OpenCrawl:
    """A crawl that was begun before, to be changed and run, by this process or by workers."""
    if not is_url(where) and backend_name(where) != OWN_POSTGRES:
        return resume_crawl(where, settings=settings, gazetteer=gazetteer)
    shared = cluster().open(where, settings, gazetteer)
    return shared or resume_crawl(where, settings=settings, gazetteer=gazetteer)


def run_watched(run: OpenCrawl, settings: Settings) -> bool:
    """Run a crawl to its end, and show how it goes; whether Ctrl-C stopped it, cleanly."""
    if isinstance(run, CrawlRun):
        run_on_loop(_run_watched(run, settings))
        return run.is_stopped
    return cluster().work(run.where, settings)


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
    """Write facts to the log, after each pause of `seconds` and in the end.

    While nothing changes the pauses double, up to a quarter of an hour.
    """
    if not _log.isEnabledFor(logging.INFO):  # to count takes milliseconds
        yield
        return
    with _in_background(_tell(facts, seconds)):
        yield
    _log.info("progress", extra=facts())


async def _tell(facts: Callable[[], Mapping[str, object]], seconds: float) -> None:
    last: Mapping[str, object] = {}
    pause = since = 0.0
    while True:
        await asyncio.sleep(seconds)
        since += seconds
        now = facts()
        if {**now, **_SWAYING} != {**last, **_SWAYING}:
            pause = 0.0
        elif since < pause:
            continue
        _log.info("progress", extra=now)
        pause, since, last = min(max(2 * pause, 2 * seconds), _LONGEST_PAUSE), 0.0, now


@contextmanager
def _in_background(work: Awaitable[None]) -> Iterator[None]:
    """Let a view follow what the block does; one that fails is told, and the block goes on."""
    task = asyncio.ensure_future(work)
    tell_failure(task, "progress is no longer shown", _log)
    try:
        yield
    finally:
        task.cancel()


_LONGEST_PAUSE = 900.0  # seconds without a line
# What always changes, and says nothing by it.
_SWAYING = dict.fromkeys(("pages_per_second", "memory_megabytes", "waits_for"))


def crawl_progress(crawl: Crawl) -> dict[str, object]:
    """How far a crawl is, as fields of the log."""
    done, counts = crawl.progress, crawl.frontier.counts(top=0)
    idle = counts.waiting and not counts.busy
    now = steady_time()
    return {
        "responses": done.visits,
        "pages": done.pages,
        "relevant": done.relevant,
        "harvest": round(done.harvest, 4),
        "waiting": counts.waiting,
        "pages_per_second": round(done.rate, 1),
        "memory_megabytes": round(crawl.watch.memory() / 1e6),
        **({"waits_for": _reasons(crawl.frontier.waiting(now), now)} if idle else {}),
    }


async def _follow(crawl: Crawl) -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.live import Live  # noqa: PLC0415

    with Live(console=Console(stderr=True), refresh_per_second=4) as live:
        while True:
            live.update(view(crawl))
            await asyncio.sleep(0.5)


_MOST_KINDS = 6  # of failures that are named


def view(crawl: Crawl) -> Table:
    """Pages, rates, frontier, what it waits for, and what went wrong."""
    from rich.table import Table  # noqa: PLC0415 - rich is slow to import

    table = Table(box=None, show_header=False, pad_edge=False)
    for name, text in _rows(crawl):
        table.add_row(name, text)
    return table


def _rows(crawl: Crawl) -> Iterator[tuple[str, str]]:
    done, frontier, now = crawl.progress, crawl.frontier, steady_time()
    counts = frontier.counts(top=0)
    yield "pages", f"{done.pages:,} of {done.visits:,} responses, {done.rate:,.1f} a second"
    yield "relevant", f"{done.relevant:,}, harvest {done.harvest:.1%}"
    waiting = f"{counts.waiting:,} waiting on {counts.hosts:,} hosts"
    yield "frontier", f"{waiting}, {counts.busy} in flight"
    yield "waits for", _reasons(frontier.waiting(now), now)
    kinds = [f"{kind} {times:,}" for kind, times in done.failures.most_common(_MOST_KINDS)]
    yield "failures", ", ".join(kinds) or "none"
    for node, figures in sorted(done.nodes.items()):
        share = harvest_of(figures["relevant"], figures["pages"])
        yield f"node {node}", f"{figures['pages']:,} pages, harvest {share:.1%}"


def _reasons(waiting: Waiting, now: float) -> str:
    """Why requests wait, and, when none can go, until when."""
    text = ", ".join(f"{why} {requests:,}" for why, requests in waiting.reasons)
    if waiting.until is not None and waiting.until > now + 1:
        text += f"; the next may go in {waiting.until - now:,.0f} s"
    return text or "nothing"
