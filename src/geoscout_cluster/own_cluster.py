"""`geoscout cluster start --out DIR` in the terminal: how the crawl goes, and what to do next."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from geoscout.cli.commands.status import show_status
from geoscout.cli.show.terminal import gazetteer_for
from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.run import prepare_crawl
from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout_cluster.postgres.own_state import ensure_server, leave_server, running_server
from geoscout_cluster.shared_crawl import check_own_server, found_in_folder, look_at
from geoscout_cluster.supervise import Supervisor
from geoscout_cluster.workers import supervise
from geoscout_places.errors import GeoscoutError

_LOOK_SECONDS = 1.0
_LINE_SECONDS = 5.0  # between two lines where there is no terminal


def begin_in_folder(
    folder: Path,
    options: CrawlOptions,
    seeds: Sequence[str],
    settings: Settings,
    partitions: int,
) -> None:
    """Make a crawl of this many partitions.

    Raises:
        UsageError: something that was asked for cannot be done.
    """
    check_own_server(partitions)
    prepared = prepare_crawl(options, seeds, settings, gazetteer_for(settings))
    found_in_folder(folder, *prepared, partitions)


def run_in_folder(folder: Path, supervisor: Supervisor, *, as_json: bool) -> None:
    """Run the workers of the crawl in a folder, and its server, until the crawl ends.

    Raises:
        UsageError: a worker cannot work, or the server cannot be started.
    """
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
                line.show(*_figures(folder))
        except GeoscoutError as error:  # it just crashed: the next look starts it again
            line.tell(str(error))
    line.end()


def _figures(folder: Path) -> tuple[int, str]:
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
