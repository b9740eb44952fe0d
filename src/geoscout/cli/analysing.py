"""Shows the analysis of one crawl: `geoscout status DIR --analysis` and `--plot`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from geoscout.cli.terminal import print_table
from geoscout.errors import UsageError
from geoscout.evaluate.analysis import Analysis, analyse, draw, histogram_rows, sparkline
from geoscout.store.reading import ReadOnlyStore


def read_analysis(folder: Path) -> Analysis:
    """The analysis of the crawl in a folder."""
    with ReadOnlyStore.open(folder) as store:
        return analyse(store.visits())


def as_document(analysis: Analysis) -> dict[str, Any]:
    """What `--json` prints of it."""
    return asdict(analysis)


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
        raise UsageError("plots need matplotlib: pip install geoscout[evaluate]") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {file}: {error}") from error
