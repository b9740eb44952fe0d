"""Shows the analysis of one crawl: `geoscout status DIR --analysis` and `--plot`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from geoscout.cli.commands.status import print_status, read_status
from geoscout.cli.show.terminal import print_json, print_table
from geoscout.errors import UsageError
from geoscout.lab.measures.analysis import Analysis, analyse, draw, histogram_rows, sparkline
from geoscout.settings import Settings
from geoscout.store.sqlite.reader import ReadOnlyStore


def run(arguments: argparse.Namespace, _settings: Settings) -> None:
    """What `geoscout status --analysis` and `--plot` do."""
    analysis = read_analysis(arguments.folder)
    facts = read_status(arguments.folder)
    if arguments.json:
        print_json({**facts, "analysis": asdict(analysis)})
    else:
        print_status(facts)
        print_analysis(analysis)
    if arguments.plot:
        plot(analysis, arguments.plot)


def read_analysis(folder: Path) -> Analysis:
    """The analysis of the crawl in a folder."""
    with ReadOnlyStore.open(folder) as store:
        return analyse(store.visits())


def print_analysis(analysis: Analysis) -> None:
    """For people."""
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
        UsageError: it cannot be drawn, or not written there.
    """
    try:
        draw(analysis, file)
    except ImportError as error:
        raise UsageError("plots need matplotlib: pip install geoscout[lab]") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {file}: {error}") from error
