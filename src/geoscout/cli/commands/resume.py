"""Continue a crawl that was stopped or crashed.

Fetches only requests that were in flight or waiting. --max-pages counts from the beginning of the
crawl and can be raised here. With --revisit-days, pages are fetched again, and servers send only
those that changed.
"""

import argparse
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from signal import SIGINT, SIGTERM, signal

from geoscout.cli.command import Command, add_option
from geoscout.cli.commands.search import update
from geoscout.cli.commands.status import show_status, tell_end
from geoscout.cli.crawl_arguments import add_changes, change
from geoscout.cli.show.live import reopened, run_watched
from geoscout.cli.show.logs import tell
from geoscout.cli.show.terminal import gazetteer_for
from geoscout.crawling.watching import round_outcome
from geoscout.entries import directory
from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer

EXAMPLE = "  geoscout resume oldenburg\n  geoscout resume oldenburg --max-pages 20000"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument(
        "--max-pages", type=int, metavar="N", help="new limit, counted from the start of the crawl"
    )
    add_changes(parser)
    parser.add_argument("--contact", help="web or mail address where server owners can reach you")
    parser.add_argument("--json", action="store_true", help="print the status as JSON at the end")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    with reopened(arguments.folder, settings, gazetteer_for(settings)) as crawl:
        change(crawl, arguments)
        run_watched(crawl, settings)
    show_status(arguments.folder, as_json=arguments.json)
    return tell_end(arguments.folder)


WATCH_EXAMPLE = (
    "  geoscout watch lisbon --budget 2000 --contact you@example.org\n"
    "  geoscout watch lisbon --budget 500 --every 6 --set rounds=4"
)
_HOURS_A_DAY = 24.0


WATCH = """\
Keep a crawl fresh: ask for pages again when they have probably changed, and for new ones.

Each round reads the feeds and sitemaps of the sites, asks for the pages that they list as new or
changed, then for those that have most likely changed by how often they did before, and brings the
index and the directory up to date: pages that are gone leave them. Ctrl-C ends it; the same command
goes on.
"""


def add_watch_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument(
        "--budget", type=int, default=1000, metavar="N", help="responses a day (default: 1000)"
    )
    parser.add_argument(
        "--every", type=float, default=24.0, metavar="HOURS", help="between rounds (default: 24)"
    )
    add_option(parser, "rounds", int, "end after this many (default: never)")
    parser.add_argument("--contact", help="web or mail address where server owners can reach you")


def run_watch(arguments: argparse.Namespace, settings: Settings) -> int:
    budget = int(arguments.budget * min(arguments.every / _HOURS_A_DAY, 1.0))
    if (
        budget < 1
        or arguments.every <= 0
        or (arguments.rounds is not None and arguments.rounds < 1)
    ):
        raise UsageError("--budget, --every and rounds must be more than 0, at least 1 a round")
    gazetteer = gazetteer_for(settings)
    for number in count(1):
        began = time.time()
        is_stopped = _round(arguments.folder, budget, gazetteer, settings)
        if is_stopped or number == arguments.rounds:
            break
        pause = began + arguments.every * 3600 - time.time()
        tell(f"next round in {max(pause, 0) / 3600:.1f} hours")
        if _sleep(pause):
            break
    return 0


def _round(folder: str, budget: int, gazetteer: Gazetteer, settings: Settings) -> bool:
    """One round; whether the user has stopped it."""
    began = time.time()
    with reopened(folder, settings, gazetteer) as crawl:
        plan = crawl.plan_round(budget)
        tell(
            f"{plan.lists:,} feeds and sitemaps: {plan.new:,} new pages, {plan.told:,} changed;"
            f" {plan.chosen:,} more that have probably changed"
        )
        crawl.limit(crawl.visits() + budget)
        is_stopped = run_watched(crawl, settings)
    with open_state(folder) as state:
        found = round_outcome(state.reader, began)
    tell(
        f"{found['asked']:,} asked: {found['new']:,} new, {found['changed']:,} changed,"
        f" {found['gone']:,} gone"
    )
    update(folder, gazetteer, settings)
    directory().update(folder, gazetteer, settings)
    return is_stopped


def _sleep(seconds: float) -> bool:
    """Wait; True where a signal came."""
    with _signals() as came:
        return came.wait(max(seconds, 0.0))


@contextmanager
def _signals() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set, instead of ending the process."""
    came = threading.Event()
    before = {number: signal(number, lambda *_: came.set()) for number in (SIGINT, SIGTERM)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal(number, handler)


COMMANDS = {
    "resume": Command(__doc__ or "", EXAMPLE, add_arguments, run),
    "watch": Command(WATCH, WATCH_EXAMPLE, add_watch_arguments, run_watch),
}
