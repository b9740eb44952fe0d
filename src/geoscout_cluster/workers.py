"""How a process becomes a worker of a crawl, and workers in the terminal.

A worker checks that it fits, and builds its parts. Signals end it, figures and a line show it.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import (
    AbstractContextManager,
    AsyncExitStack,
    asynccontextmanager,
    closing,
    contextmanager,
    nullcontext,
)
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from psycopg import Cursor

from geoscout import __version__
from geoscout.cli.commands.status import show_status
from geoscout.cli.show.live import PROGRESS_SECONDS, Stoppable, stopped_by_signals, told
from geoscout.cli.show.logs import tells_by_lines
from geoscout.cli.show.metrics import Figure, crawl_figures, figures_text, serving_metrics
from geoscout.cli.show.terminal import gazetteer_for
from geoscout.crawling.assemble import (
    Blueprint,
    check_options,
    draw_blueprint,
    learned_strategy,
    make_fetcher,
    make_reader,
    make_watch,
)
from geoscout.crawling.ending import ENDING
from geoscout.crawling.options import CrawlOptions, Notes
from geoscout.crawling.run import prepare_crawl
from geoscout.crawling.steering import (
    LEFT_ALONE_NOTE,
    Wishes,
    hosts_left_alone,
    read_wishes,
    with_wishes,
)
from geoscout.fetch.base import Fetcher
from geoscout.machine import memory_of, run_on_loop
from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout.store.base import harvest_of, short_name
from geoscout.store.reader import CrawlReader
from geoscout_cluster.engine.base import WorkerSession
from geoscout_cluster.engine.leases import this_process
from geoscout_cluster.engine.roster import Identity, wake_all
from geoscout_cluster.lane import Lane, Workshop
from geoscout_cluster.postgres.database import (
    CrawlAddress,
    read_address,
    server_addresses,
    set_note,
)
from geoscout_cluster.postgres.engine import PostgresEngine
from geoscout_cluster.postgres.own_state import ensure_server, leave_server, running_server
from geoscout_cluster.postgres.state import count_partitions, local_archive
from geoscout_cluster.shared_crawl import (
    GAZETTEER_NOTE,
    VERSION_NOTE,
    asked_for,
    check_for_workers,
    check_own_server,
    common_notes,
    found_in_folder,
    limit_pages,
    look_at,
)
from geoscout_cluster.supervise import PARENT, Supervisor
from geoscout_cluster.worker import Worker, WorkerTerms
from geoscout_places.errors import GeoscoutError, UsageError
from geoscout_places.gazetteer.base import Gazetteer

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


_LOOK_SECONDS = 1.0
_LINE_SECONDS = 5.0  # between two lines where there is no terminal


def begin_in_folder(
    folder: Path, options: CrawlOptions, seeds: Sequence[str], settings: Settings, partitions: int
) -> None:
    """Make a crawl of this many partitions."""
    check_own_server(partitions)
    prepared = prepare_crawl(options, seeds, settings, gazetteer_for(settings))
    found_in_folder(folder, *prepared, partitions)


def run_in_folder(folder: Path, supervisor: Supervisor, *, as_json: bool) -> None:
    """Run the workers of the crawl in a folder, and its server, until the crawl ends."""
    address = running_server(folder)
    try:
        with _followed(folder):
            supervise(supervisor)
        show_status(folder, as_json=as_json)
        _say_what_next(folder, has_ended=look_at(address).has_ended)
    finally:
        leave_server(folder)


@contextmanager
def _followed(folder: Path) -> Iterator[None]:
    """Show how the crawl goes, and start its server again if that crashes."""
    done = threading.Event()
    thread = threading.Thread(target=_follow, args=(folder, done), name="progress")
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _follow(folder: Path, done: threading.Event) -> None:
    line = _Line()
    while not done.wait(_LOOK_SECONDS):
        try:
            if ensure_server(folder):
                line.tell("PostgreSQL had ended, and was started again")
            if line.is_due():
                line.show(*_standing(folder))
        except GeoscoutError as error:  # it just crashed: the next look starts it again
            line.tell(str(error))
    line.end()


def _standing(folder: Path) -> tuple[int, str]:
    """The responses so far, and how the crawl stands."""
    workers = look_at(running_server(folder)).workers
    alive = sum(worker.seconds_left > 0 for worker in workers)
    with open_state(folder) as crawl:
        totals, frontier = crawl.reader.totals(), crawl.frontier.counts()
    return totals.visits, (
        f"{totals.pages:,} pages, {totals.relevant:,} relevant ({totals.harvest:.1%});"
        f" {frontier.waiting:,} waiting on {frontier.hosts:,} hosts; {alive} workers"
    )


class _Line:
    """The line that follows a crawl: the same one on a terminal, else another every few seconds."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._shown_at = time.monotonic()
        self._visits: int | None = None

    def is_due(self) -> bool:
        return self._is_terminal or time.monotonic() - self._shown_at >= _LINE_SECONDS

    def show(self, visits: int, text: str) -> None:
        now = time.monotonic()
        if self._visits is not None:
            rate = (visits - self._visits) / (now - self._shown_at)
            text = f"{text}; {rate:,.1f} responses a second"
        self._visits, self._shown_at = visits, now
        self._print(text, "" if self._is_terminal else "\n")

    def tell(self, text: str) -> None:
        """Something that stays to be read."""
        self._print(text, "\n")

    def end(self) -> None:
        if self._is_terminal and self._visits is not None:
            print(file=sys.stderr)

    def _print(self, text: str, end: str) -> None:
        start = "\r\x1b[K" if self._is_terminal else ""  # over what is on the line
        print(f"{start}geoscout: {text}", end=end, file=sys.stderr, flush=True)


def _say_what_next(folder: Path, *, has_ended: bool) -> None:
    stands = "the crawl has ended" if has_ended else "stopped before the end of the crawl"
    advice = [
        *([] if has_ended else [(f"geoscout cluster start --out {folder}", "to continue")]),
        (f"geoscout serve {folder}", "for search, map and dashboard in the browser"),
        (f"geoscout search {folder} 'WORDS'", "to search here"),
        (f"geoscout export {folder}", "for all pages as a file"),
    ]
    width = max(len(command) for command, _ in advice)
    lines = [f"  {command:<{width}}  {purpose}" for command, purpose in advice]
    print(f"\ngeoscout: {stands}. Next:", *lines, sep="\n", file=sys.stderr)


def worker_metrics_text(worker: Worker) -> str:
    """The figures of a worker in the text form of Prometheus."""
    return figures_text(_figures(worker))


def _figures(worker: Worker) -> Iterator[Figure]:
    label = {"worker": short_name(worker.name)}
    yield Figure("partitions_held", "gauge", len(worker.lanes), label)
    yield Figure("fenced_total", "counter", worker.times_fenced, label)
    yield Figure("database_lost", "gauge", int(worker.is_lost), label)
    for number, lane in sorted(worker.lanes.items()):
        labels = {**label, "partition": number}
        yield from crawl_figures(lane.crawl, labels)
        yield from _lane_figures(lane, labels)


def _lane_figures(lane: Lane, labels: dict[str, object]) -> Iterator[Figure]:
    state = lane.state
    for name, kind, value in (
        ("lease_seconds_left", "gauge", round(max(lane.lease_seconds_left, 0.0), 3)),
        ("groups_total", "counter", state.written),
        ("group_seconds_total", "counter", round(state.write_seconds, 3)),
        ("groups_under_way", "gauge", state.under_way()),
        ("exchange_rows_waiting", "gauge", lane.rows_waiting),
        ("address_refused_total", "counter", lane.rents.times_refused),
        ("restore_seconds", "gauge", round(lane.restore_seconds, 3)),
    ):
        yield Figure(name, kind, value, labels)


_PARTITIONS_OF_WORKER = 4  # as docs/cluster.md plans them: the memory of sites is divided by it
_REMEDIES = {
    VERSION_NOTE: "install the same version of geoscout on all machines",
    GAZETTEER_NOTE: "install the same data packages and imports on all machines",
}


@asynccontextmanager
async def joined(
    where: str,
    settings: Settings,
    gazetteer: Gazetteer,
    terms: WorkerTerms,
    fetcher: Fetcher | None = None,
) -> AsyncIterator[Worker]:
    """A worker of the crawl at an address, ready to run.

    A `fetcher` of your own takes the place of ours, and is yours to close.
    """
    address = read_address(where)
    partitions = count_partitions(address)
    wishes = read_wishes(where)
    blueprint, model = _blueprint(address, settings, gazetteer, wishes)
    async with AsyncExitStack() as stack:
        reader = make_reader(blueprint)
        stack.callback(reader.close)
        session = WorkerSession(address)
        stack.callback(session.close)
        fetcher = fetcher or await _own_fetcher(blueprint, session, stack)
        await session.ask(partial(_begin, options=blueprint.options, wishes=wishes))
        identity = Identity(this_process(), socket.gethostname(), __version__)
        strategy = learned_strategy(blueprint, model)
        shop = Workshop(
            worker=identity.name,
            where=where,
            address=address,
            blueprint=blueprint,
            partitions=partitions,
            fetcher=fetcher,
            read=reader,
            strategy=strategy,
            has_learned=bool(model),
            session=session,
            watch=make_watch(blueprint, local_archive(address), reader),
        )
        yield Worker(shop, identity, terms, wishes)


def _begin(cursor: Cursor[Any], options: CrawlOptions, wishes: Wishes) -> None:
    """What the first worker of a run does, and every other one again."""
    limit_pages(cursor, options.max_pages)
    set_note(cursor, ENDING, "")
    notes = cursor.execute("SELECT value FROM note WHERE starts_with(name, %s)", (LEFT_ALONE_NOTE,))
    if hosts_left_alone(value for (value,) in notes) - set(wishes.left_alone):
        wake_all(cursor)  # some hosts may be asked again, also in a crawl that ended


async def _own_fetcher(
    blueprint: Blueprint, session: WorkerSession, stack: AsyncExitStack
) -> Fetcher:
    own = await session.ask(lambda cursor: server_addresses(cursor.connection))
    fetcher = make_fetcher(blueprint, own)
    stack.push_async_callback(fetcher.close)
    return fetcher


def _blueprint(
    address: CrawlAddress, settings: Settings, gazetteer: Gazetteer, wishes: Wishes
) -> tuple[Blueprint, bytes]:
    """What the crawl is built from, and what its strategy has learned so far."""
    with closing(CrawlReader(PostgresEngine(address))) as reader:
        check_common_notes(reader, gazetteer)
        options, model = with_wishes(asked_for(reader, address), wishes), reader.model()
    check_options(options, settings)
    check_for_workers(options)
    settings = replace(
        settings, sites_remembered=settings.sites_remembered // _PARTITIONS_OF_WORKER
    )
    return draw_blueprint(options, settings, gazetteer), model


def check_common_notes(notes: Notes, gazetteer: Gazetteer) -> None:
    """Complain about what this process has and the crawl was not begun with."""
    for name, ours in common_notes(gazetteer).items():
        theirs = notes.note(name)
        if theirs is not None and theirs != ours:
            raise UsageError(
                f"this worker has the {name} {ours}, and the crawl was begun with {theirs}:"
                f" {_REMEDIES[name]}"
            )
