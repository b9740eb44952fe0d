"""Build the search index of a crawl and its directory, or bring them up to date.

`geoscout search` does this on its own. The index of a folder is in DIR/index; you can
delete it without loss. The directory is what `geoscout directory` lists.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.places import gazetteer_for
from geoscout.cli.show.terminal import indexing, print_json
from geoscout.entries import directory
from geoscout.search.updating import IndexUpdate, erase_index, follow_crawl, open_index
from geoscout.settings import Settings
from geoscout_places.gazetteer.base import Gazetteer

_SHOWN_FROM = 1000  # changes; fewer are followed before a bar is drawn
EXAMPLE = "  geoscout index oldenburg\n  geoscout index oldenburg --rebuild"


def create() -> Command:
    """The command `index`."""
    return Command(
        summary=SUMMARIES["index"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument(
        "--rebuild", action="store_true", help="delete the index and build it again"
    )
    parser.add_argument("--no-directory", action="store_true", help="leave the directory as it is")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    gazetteer = gazetteer_for(settings)
    if arguments.rebuild:
        erase_index(arguments.folder, settings)
    followed = update(arguments.folder, gazetteer, settings)
    pages = open_index(arguments.folder, settings).page_count
    entries = None
    if not arguments.no_directory:
        entries = directory().update(arguments.folder, gazetteer, settings)
    if arguments.json:
        facts = {"pages": pages, "added": followed.added, "removed": followed.removed}
        print_json({**facts, "busy": followed.busy, "entries": entries})
    elif followed.busy:
        print(f"another process is updating the index, which has {pages:,} pages so far")
    else:
        print(
            f"{pages:,} pages: {followed.added:,} added or changed, {followed.removed:,} left out"
        )
    if entries is not None and not arguments.json:
        print(f"{entries:,} entries in the directory")
    return 0


def update(where: Path | str, gazetteer: Gazetteer, settings: Settings) -> IndexUpdate:
    """Bring the index of a crawl up to date, and show how far it is where there is much to do."""
    with ExitStack() as shown:
        bars: list[Callable[[int, int], None]] = []

        def progress(done: int, total: int) -> None:
            if total < _SHOWN_FROM:
                return
            if not bars:
                bars.append(shown.enter_context(indexing()))
            bars[0](done, total)

        return follow_crawl(where, gazetteer, settings=settings, progress=progress)
