"""Continue a crawl that was stopped or crashed.

Fetches only requests that were in flight or waiting. --max-pages counts from the beginning of the
crawl and can be raised here. With --revisit-days, pages are fetched again, and servers send only
those that changed.
"""

from __future__ import annotations

import argparse

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.commands.status import show_status, tell_end
from geoscout.cli.crawl_arguments import add_changes, add_patterns, change
from geoscout.cli.show.live import reopened, run_watched
from geoscout.cli.show.places import gazetteer_for
from geoscout.settings import Settings

EXAMPLE = "  geoscout resume oldenburg\n  geoscout resume oldenburg --max-pages 20000"


def create() -> Command:
    """The command `resume`."""
    return Command(
        summary=SUMMARIES["resume"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument(
        "--max-pages", type=int, metavar="N", help="new limit, counted from the start of the crawl"
    )
    add_changes(parser)
    add_patterns(parser)
    parser.add_argument("--workers", type=int, help="processes that parse pages (default: 1)")
    parser.add_argument("--connections", type=int, help="requests at a time (default: 50)")
    parser.add_argument(
        "--delay-seconds", type=float, help="shortest pause for a host (default: 1)"
    )
    parser.add_argument(
        "--render", metavar="never|auto|always", help="show pages to a browser, as for `crawl`"
    )
    parser.add_argument(
        "--pdf",
        action="store_true",
        default=None,
        help="also fetch and read PDF documents (needs the extra pdf)",
    )
    parser.add_argument("--contact", help="web or mail address where server owners can reach you")
    parser.add_argument("--json", action="store_true", help="print the status as JSON at the end")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    with reopened(arguments.folder, settings, gazetteer_for(settings)) as crawl:
        change(crawl, arguments)
        run_watched(crawl, settings)
    show_status(arguments.folder, as_json=arguments.json)
    return tell_end(arguments.folder)
