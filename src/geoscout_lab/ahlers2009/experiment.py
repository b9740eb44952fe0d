"""Adaptive geospatially focused crawling: the harvest of three crawlers for one city.

Absolute rates belong to the web of 2009, so what is compared is the ratio to breadth first. The
adaptive crawler runs as printed and with the default of geoscout, both with a training crawl that
does not count, as published; and once counted, as a user has it.
"""

from __future__ import annotations

from collections.abc import Sequence

from geoscout_lab.ahlers2009.checks import mean_of, published_table, ratio_of
from geoscout_lab.experiments import Cell, Experiment, Run, Table, published

_PAPER = published("ahlers2009")
_DEPTHS = (1, 2, 3)
_PRINTED = ":smoothing=laplace"
_TRAINED = ":training_pages=30000:counted=no"
_OTHER_TRAININGS = (3_000, 10_000)


def tables(runs: Sequence[Run]) -> Sequence[Table]:
    """Everything published with our verdict, and the harvest of every strategy."""
    return [published_table(runs, _PAPER), _harvest_table(runs)]


def _harvest_table(runs: Sequence[Run]) -> Table:
    rows = []
    for strategy in dict.fromkeys(run["strategy"] for run in runs):
        theirs = _PAPER["harvest"].get(strategy.partition(":")[0])
        printed = theirs / _PAPER["harvest"]["breadth"] if theirs else None
        ours, counted = (mean_of(runs, strategy, key) for key in ("harvest", "harvest_counted"))
        ratio = ratio_of(runs, strategy, "breadth", "harvest")
        row: tuple[Cell, ...] = (strategy, ours, counted, theirs, ratio, printed)
        rows.append(row)
    columns = ("strategy", "harvest", "training counted", "published", "× breadth", "published ×")
    note = "The published adaptive crawler was trained by a crawl that does not count."
    return Table("Harvest at the end of the crawl", columns, tuple(rows), note)


def create() -> Experiment:
    """The experiment as the command runs it."""
    return Experiment(
        name="ahlers2009",
        title="Adaptive geospatially focused crawling",
        source="Dirk Ahlers and Susanne Boll, CIKM 2009",
        profile="ahlers2009",
        pages=100_000,
        webs=10,
        budget="5000",
        repeats=5,
        strategies=(
            "breadth",
            "distance",
            "distance:cutoff=2",
            *(f"adaptive:depth={depth}{_TRAINED}{_PRINTED}" for depth in _DEPTHS),
            *(f"adaptive:depth={depth}{_TRAINED}" for depth in _DEPTHS),
            *(
                f"adaptive:depth=3:training_pages={pages}:counted=no{reading}"
                for pages in _OTHER_TRAININGS
                for reading in (_PRINTED, "")
            ),
            "adaptive:depth=3:training_pages=2000",
        ),
        tables=tables,
        published_ends=_PAPER["harvest"],
    )
