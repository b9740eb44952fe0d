"""Adaptive geospatially focused crawling: the harvest of three crawlers for Oldenburg.

Absolute rates belong to the web of 2009, so what is compared is the ratio to breadth first. The
adaptive crawler is run as printed, with a training crawl that does not count, and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from geoscout.lab.experiments import Cell, Experiment, Run, Table, published

_PAPER = published("ahlers2009")
_DEPTHS = (1, 2, 3)


def tables(runs: Sequence[Run]) -> Sequence[Table]:
    """The harvest at the end, and the claims, theirs next to ours."""
    return [_harvest_table(runs), _claims_table(runs)]


def _harvest_table(runs: Sequence[Run]) -> Table:
    rows = []
    baseline = _mean(runs, "breadth", "harvest")
    for strategy in dict.fromkeys(run["strategy"] for run in runs):
        ours = _mean(runs, strategy, "harvest")
        theirs = _PAPER["harvest"].get(strategy.partition(":")[0])
        printed = theirs / _PAPER["harvest"]["breadth"] if theirs else None
        ratio = ours / baseline if ours is not None and baseline else None
        counted = _mean(runs, strategy, "harvest_counted")
        row: tuple[Cell, ...] = (strategy, ours, counted, theirs, ratio, printed)
        rows.append(row)
    columns = ("strategy", "harvest", "training counted", "published", "× breadth", "published ×")
    note = "The published adaptive crawler was trained by a crawl that does not count."
    return Table("Harvest at the end of the crawl", columns, tuple(rows), note)


def _claims_table(runs: Sequence[Run]) -> Table:
    claims = _PAPER["claims"]
    bridges = _mean(runs, None, "behind_bridges")
    rows: list[tuple[Cell, ...]] = [
        ("relevant pages behind bridges", bridges, f"over {claims['behind_bridges_at_least']}"),
    ]
    for depth in _DEPTHS:
        name = _with_depth(runs, depth)
        if name:
            ours = _mean(runs, name, "harvest")
            rows.append((f"harvest at prediction depth {depth}", ours, claims["depths"]))
    return Table("What they claim", ("", "ours", "published"), tuple(rows))


def _with_depth(runs: Sequence[Run], depth: int) -> str | None:
    names = [run["strategy"] for run in runs if run["strategy"].startswith("adaptive")]
    return next((name for name in names if f"depth={depth}" in name.split(":")), None)


def _mean(runs: Sequence[Run], strategy: str | None, key: str) -> float | None:
    """Over the runs of a strategy; None for all but the oracles."""
    values = [
        run[key]
        for run in runs
        if run.get(key) is not None
        and (run["strategy"] == strategy or (strategy is None and not run.get("oracle")))
    ]
    return fmean(values) if values else None


def create() -> Experiment:
    """The experiment as the command runs it."""
    return Experiment(
        name="ahlers2009",
        title="Adaptive geospatially focused crawling",
        source="Dirk Ahlers and Susanne Boll, CIKM 2009",
        profile="ahlers2009",
        pages=100_000,
        webs=10,
        budget="10000",
        strategies=(
            "breadth",
            "distance",
            *(f"adaptive:depth={depth}:training-pages=30000:counted=no" for depth in _DEPTHS),
            "adaptive:depth=3:training-pages=4000",
        ),
        tables=tables,
        published_ends=_PAPER["harvest"],
    )
