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
from geoscout.cli.crawl_arguments import add_patterns
from geoscout.cli.show.live import run_watched
from geoscout.cli.show.logs import tell
from geoscout.cli.show.places import gazetteer_for
from geoscout.crawling.run import resume_crawl
from geoscout.settings import Settings
from geoscout.state.base import OWN_POSTGRES, backend_name, is_url
from geoscout_places.errors import UsageError

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
    parser.add_argument(
        "--revisit-days",
        type=float,
        metavar="N",
        help="fetch pages again that were last fetched N days ago or longer",
    )
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
    is_database = is_url(arguments.folder) or backend_name(arguments.folder) == OWN_POSTGRES
    if is_database and (status := _run_as_worker(arguments, settings)) is not None:
        return status
    gazetteer = gazetteer_for(settings)
    with resume_crawl(arguments.folder, settings=settings, gazetteer=gazetteer) as crawl:
        if arguments.max_pages is not None:
            crawl.limit(arguments.max_pages)
        if arguments.include is not None or arguments.exclude is not None:
            crawl.narrow(arguments.include, arguments.exclude)
        if arguments.revisit_days is not None:
            pages = crawl.revisit(arguments.revisit_days)
            tell(f"{pages:,} pages to revisit")
            if arguments.max_pages is None and crawl.options.max_pages is not None:
                crawl.limit(crawl.visits() + pages)
        run_watched(crawl, settings)
    show_status(arguments.folder, as_json=arguments.json)
    return tell_end(arguments.folder)


def _run_as_worker(arguments: argparse.Namespace, settings: Settings) -> int | None:
    """Be the one worker of a crawl with several partitions; None for any other crawl."""
    from geoscout_cluster.overview import is_for_workers  # noqa: PLC0415
    from geoscout_cluster.postgres.own_state import direct_address  # noqa: PLC0415
    from geoscout_cluster.workers import go_on_with, work_until_done  # noqa: PLC0415 - few crawls are such

    where = direct_address(arguments.folder)
    if not is_for_workers(where):
        return None
    if arguments.include is not None or arguments.exclude is not None:
        raise UsageError("the patterns of a crawl with partitions cannot be changed")
    go_on_with(where, arguments.max_pages, arguments.revisit_days)
    work_until_done(where, settings)
    show_status(arguments.folder, as_json=arguments.json)
    return tell_end(arguments.folder)
