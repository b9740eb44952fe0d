"""Delete everything that a crawl has of a host, and leave the host alone from now on.

That is its pages, archive records, waiting requests, documents of the search index, and what its
pages said of entries of the directory; of HOST and of all hosts below it. What other sites say of
it stays. It cannot be undone: look with --dry-run first. The crawl must not be running.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.places import gazetteer_for
from geoscout.cli.show.terminal import print_json
from geoscout.settings import Settings
from geoscout_places.errors import UsageError

EXAMPLE = (
    "  geoscout forget oldenburg museum.example --dry-run\n"
    "  geoscout forget oldenburg museum.example\n"
    "  geoscout forget oldenburg www.museum.example --allow-again"
)


def create() -> Command:
    """The command `forget`."""
    return Command(
        summary=SUMMARIES["forget"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder")
    parser.add_argument("host", metavar="HOST", help="such as museum.example; a URL names its host")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be deleted, and delete nothing"
    )
    parser.add_argument(
        "--allow-again", action="store_true", help="let the crawl fetch the host again"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, with counts")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.cli.show.forgetting import forget_everywhere  # noqa: PLC0415
    from geoscout.crawling.steering import leave_alone  # noqa: PLC0415
    from geoscout.search.target import FilterTexts, read_filters  # noqa: PLC0415
    from geoscout.state.forgetting import trace_host  # noqa: PLC0415

    folder = _folder(arguments.folder)
    host = read_filters(FilterTexts(host=arguments.host)).host
    if not host:
        raise UsageError("name a host, such as museum.example")
    traces = trace_host(folder, host)
    entries = 0
    if not arguments.dry_run:
        if not arguments.allow_again:
            leave_alone(folder, sorted({host, *traces.hosts}))
        entries = forget_everywhere(folder, host, gazetteer_for(settings), settings)
    told = {
        "host": host,
        "hosts": list(traces.hosts),
        "pages": traces.pages,
        "responses": traces.visits,
        "failures": traces.failures,
        "waiting": traces.waiting,
        "archive_bytes": traces.archive_bytes,
    }
    if arguments.json:
        print_json({**told, "deleted": not arguments.dry_run})
        return 0
    verb = "would be forgotten" if arguments.dry_run else "forgotten"
    print(
        f"{verb}: {traces.visits:,} responses ({traces.pages:,} pages, {traces.archive_bytes:,}"
        f" bytes of the archive), {traces.failures:,} failures, {traces.waiting:,} waiting requests"
    )
    if entries:
        print(f"{entries:,} entries of the directory were named by its pages")
    if traces.hosts:
        print(f"hosts: {', '.join(traces.hosts)}")
    if not traces:
        print(f"the crawl has nothing of {host}", file=sys.stderr)
    return 0


def _folder(where: str) -> Path:
    """The folder of a crawl in SQLite.

    Raises:
        UsageError: the crawl is elsewhere.
    """
    from geoscout.crawl_folder import require_plain  # noqa: PLC0415
    from geoscout.state.base import KEEPER, is_url  # noqa: PLC0415
    from geoscout.state.sqlite import folder_of  # noqa: PLC0415

    if not is_url(where) and Path(where).is_dir():
        require_plain(Path(where))
    if (is_url(where) and not where.startswith("sqlite://")) or (Path(where) / KEEPER).exists():
        raise UsageError(
            "only a crawl in a folder with SQLite can forget a host so far, not one in PostgreSQL"
        )
    return folder_of(where)
