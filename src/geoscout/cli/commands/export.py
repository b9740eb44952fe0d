"""Export what a crawl found: pages, addresses, links, or visits in the order of fetching."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout.store.export import ROWS, export, format_names

EXAMPLE = (
    "  geoscout export oldenburg --format csv > pages.csv\n"
    "  geoscout export oldenburg --what addresses --format geojson --out addresses.geojson"
)


def create() -> Command:
    """The command `export`."""
    return Command(
        summary=SUMMARIES["export"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument("--format", choices=format_names(), required=True, help="file format")
    parser.add_argument(
        "--what", choices=tuple(ROWS), default="pages", help="what to export (default: pages)"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="file to write (default: standard output)"
    )


def run(arguments: argparse.Namespace, _settings: Settings) -> int:
    with open_state(arguments.folder).reader as store:
        if arguments.out is None:
            export(store, arguments.what, arguments.format, sys.stdout.buffer)
        else:
            with arguments.out.open("wb") as stream:
                export(store, arguments.what, arguments.format, stream)
    return 0
