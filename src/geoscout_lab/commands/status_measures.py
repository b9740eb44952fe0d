"""The measures of a collaborative crawl, finished or not: `geoscout status DIR --measures`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from geoscout.cli.command import StatusView
from geoscout.settings import Settings
from geoscout_places.errors import UsageError


def create() -> StatusView:
    """The view `measures`."""
    return StatusView(add_arguments=add_arguments, is_asked_for=is_asked_for, run=run)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flag of this view."""
    parser.add_argument(
        "--measures",
        action="store_true",
        help="measures of a collaborative crawl: geo-coverage, geo-focus, overlap and more",
    )


def is_asked_for(arguments: argparse.Namespace) -> bool:
    """Whether its flag was given."""
    return bool(arguments.measures)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Print the measures.

    Raises:
        UsageError: the crawl had no nodes.
    """
    from geoscout.cli.show.terminal import print_json, print_table  # noqa: PLC0415 - slow

    figures = read_measures(arguments.folder, settings)
    if arguments.json:
        print_json(figures)
        return
    rows = [(name, _text(value)) for name, value in figures.items() if not isinstance(value, dict)]
    for name, parts in figures.items():
        if isinstance(parts, dict):
            rows += [(f"{name}: {part}", _text(value)) for part, value in parts.items()]
    print_table("", ("measure", "value>"), rows)


def read_measures(folder: Path | str, settings: Settings) -> dict[str, Any]:
    """The measures of the crawl in a folder.

    Raises:
        UsageError: the crawl had no nodes.
    """
    from geoscout.cli.show.terminal import gazetteer_for  # noqa: PLC0415 - slow, as what follows
    from geoscout.crawling.nodes import partition_of  # noqa: PLC0415
    from geoscout.crawling.options import NONE, options_of  # noqa: PLC0415
    from geoscout.state.base import open_state  # noqa: PLC0415
    from geoscout_lab.gao2006.checks import figures_of_crawl  # noqa: PLC0415
    from geoscout_places.gazetteer import Region  # noqa: PLC0415

    gazetteer = gazetteer_for(settings)
    with open_state(folder).reader as store:
        options = options_of(store)
        if options.nodes.assignment == NONE:
            raise UsageError(f"the crawl in {folder} was not collaborative; it has no measures")
        region = Region.parse(options.region, gazetteer)
        partition = partition_of(options.nodes.nodes, region, gazetteer)
        return figures_of_crawl(store, partition)


def _text(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
