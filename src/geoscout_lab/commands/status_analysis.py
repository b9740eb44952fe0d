"""The analysis of one crawl: `geoscout status DIR --analysis` and `--plot`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from geoscout.cli.command import StatusView
from geoscout.settings import Settings
from geoscout_places.errors import UsageError
from geoscout_places.extras import require

if TYPE_CHECKING:
    from geoscout_lab.measures.analysis import Analysis


def create() -> StatusView:
    """The view `analysis`."""
    return StatusView(add_arguments=add_arguments, is_asked_for=is_asked_for, run=run)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of this view."""
    parser.add_argument(
        "--analysis",
        action="store_true",
        help="add harvest curve, bridges, tails and seed distances",
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the analysis as a PNG")


def is_asked_for(arguments: argparse.Namespace) -> bool:
    """Whether one of its flags was given."""
    return bool(arguments.analysis or arguments.plot)


def run(arguments: argparse.Namespace, _settings: Settings) -> None:
    """Print the analysis, and draw it where that was asked for."""
    from geoscout.cli.commands.status import print_status, status_figures  # noqa: PLC0415 - slow
    from geoscout.cli.show.terminal import print_json  # noqa: PLC0415

    if arguments.plot:
        require("--plot", "lab", "matplotlib")
    analysis = read_analysis(arguments.folder)
    facts = status_figures(arguments.folder)
    if arguments.json:
        print_json({**facts, "analysis": asdict(analysis)})
    else:
        print_status(facts)
        print_analysis(analysis)
    if arguments.plot:
        plot(analysis, arguments.plot)


def read_analysis(folder: Path | str) -> Analysis:
    """The analysis of the crawl in a folder."""
    from geoscout.state.base import open_state  # noqa: PLC0415
    from geoscout_lab.measures.analysis import analyse  # noqa: PLC0415 - numpy is slow to import

    with open_state(folder).reader as store:
        return analyse(store.visits())


def print_analysis(analysis: Analysis) -> None:
    """For people."""
    from geoscout.cli.show.terminal import print_table  # noqa: PLC0415
    from geoscout_lab.measures.analysis import histogram_rows, sparkline  # noqa: PLC0415

    top = max((value for _, value in analysis.curve), default=0.0)
    print(f"\nharvest over {analysis.visits:,} visits, at most {top:.3f}")
    print(sparkline(analysis.curve))
    share = f"{analysis.behind_bridges:.0%} of relevant pages are behind a bridge"
    histograms = (
        (f"bridges: {share}", "pages between", analysis.bridges),
        ("tails: what followed the last relevant page", "pages", analysis.tails),
        ("relevant pages by distance from a seed", "links", analysis.seed_distances),
    )
    for title, column, counts in histograms:
        print_table(title, (f"{column}>", "count>", ""), histogram_rows(counts))


def plot(analysis: Analysis, file: Path) -> None:
    """A picture of it.

    Raises:
        UsageError: it cannot be written there.
    """
    from geoscout_lab.measures.analysis import draw  # noqa: PLC0415

    try:
        draw(analysis, file)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {file}: {error}") from error
