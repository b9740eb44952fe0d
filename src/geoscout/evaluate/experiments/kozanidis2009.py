"""Focusing web crawls on location-specific content: accuracy, coverage, and two comparisons.

Their accuracy is the share of the geographic pages seen that was also fetched, so a crawl that
fetches everything has 1.0; precision stands beside it for that reason. The classification-aware
crawler of their table 3 is `anchors`; what the order is worth shows against a plain queue of the
same links, by how many of the first pages fetched are geographic.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any, cast

from geoscout.evaluate.experiments.base import Cell, Experiment, Run, Table, Task, published
from geoscout.evaluate.geographic import (
    SHARES,
    GeographicTruth,
    RegionalSeeds,
    measure_geographic,
    regional_seeds,
    truth_of,
)
from geoscout.evaluate.simulate import simulate
from geoscout.evaluate.trace import Trace
from geoscout.evaluate.world import World
from geoscout.registrations import write_registrations
from geoscout.strategy import Aim, create_strategy

_PAPER = published("kozanidis2009")
_FOCUSED, _QUEUE, _CLASSIFIER = "rank", "rank:order=fifo", "anchors"


def run(task: Task) -> Mapping[str, Any]:
    """One crawl with their measures."""
    if task.aim.gazetteer is None:
        raise RuntimeError("this experiment needs a gazetteer")
    truth = truth_of(task.world, task.aim.gazetteer)
    task = replace(task, world=_from_regional_sites(task, truth))
    trace = _crawl(task)
    figures = measure_geographic(task.world, trace, truth)
    dry = len(trace) if len(trace) < task.plan.budget else None
    return {**figures, "dry_after": dry, "cpu_seconds": trace.seconds}


def _from_regional_sites(task: Task, truth: GeographicTruth) -> World:
    """As many seeds as they had, of the same sort; archives bring their own."""
    if hasattr(task.world, "reading"):
        return task.world
    chance = random.Random(task.plan.random_seed)
    seeds = regional_seeds(task.world, truth, _PAPER["setup"]["seeds"], chance)
    return cast("World", RegionalSeeds(task.world, seeds))


def _crawl(task: Task) -> Trace:
    """With the registrations of the world, where it has some (K-8)."""
    records = getattr(task.world, "registrations", None)
    if records is None or task.strategy.partition(":")[0] != _FOCUSED:
        return _simulated(task, task.aim)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "registrations.tsv"
        write_registrations(table, records())
        options = {**task.aim.options, "registrations": str(table)}
        return _simulated(task, replace(task.aim, options=options))


def _simulated(task: Task, aim: Aim) -> Trace:
    return simulate(task.world, create_strategy(task.strategy, aim), task.plan)


def tables(runs: Sequence[Run]) -> Sequence[Table]:
    """Their three tables, and the order against a queue."""
    return [_accuracy(runs), _coverage(runs), _comparison(runs), _order(runs), _course(runs)]


def _accuracy(runs: Sequence[Run]) -> Table:
    paper = _PAPER["accuracy"]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (label, _mean(runs, _FOCUSED, key), paper[key])
        for label, key in (
            ("geographic pages seen", "visited_geo_pages"),
            ("geographic pages fetched", "retrieved_geo_pages"),
            ("accuracy", "accuracy"),
        )
    )
    return Table("Table 1: accuracy of the focused crawler", ("", "ours", "published"), rows)


def _coverage(runs: Sequence[Run]) -> Table:
    paper = _PAPER["coverage"]
    rows: tuple[tuple[Cell, ...], ...] = (
        ("location entities", _mean(runs, _FOCUSED, "entities"), paper["entities"]),
        ("distinct", _mean(runs, _FOCUSED, "distinct_entities"), paper["distinct_entities"]),
        ("coverage", _mean(runs, _FOCUSED, "coverage"), paper["coverage"]),
        ("the same, once a page", _mean(runs, _FOCUSED, "coverage_of_types"), None),
    )
    note = (
        "1,265 entities in 2.5 million pages cannot be mentions: their figure is of a sample or "
        "of types, and falls with every page that is added."
    )
    return Table("Table 2: location coverage", ("", "ours", "published"), rows, note)


def _comparison(runs: Sequence[Run]) -> Table:
    rows = []
    for name in dict.fromkeys(run["strategy"] for run in runs):
        keys = ("accuracy", "precision", "fetched_pages", "dry_after")
        row: tuple[Cell, ...] = (
            name,
            _mean(runs, name, "accuracy"),
            _PAPER["comparison"].get(name),
            *(_mean(runs, name, key) for key in keys[1:]),
        )
        rows.append(row)
    columns = ("crawler", "accuracy", "published", "precision", "pages", "ran dry after")
    note = "Breadth first fetches whatever it sees, so its accuracy says nothing; see precision."
    return Table("Table 3: against a classification-aware crawler", columns, tuple(rows), note)


def _order(runs: Sequence[Run]) -> Table:
    pairs = [(r, q) for r in _of(runs, _FOCUSED) for q in _of(runs, _QUEUE) if _same_web(r, q)]
    rows: list[tuple[Cell, ...]] = []
    for share in (f"{share:.0%}" for share in SHARES):
        ours = [(r["geo_found_at"][share], q["geo_found_at"][share]) for r, q in pairs]
        if ours:
            wins = sum(rank > queue for rank, queue in ours)
            means = (fmean(rank for rank, _ in ours), fmean(queue for _, queue in ours))
            rows.append((f"first {share} of the visits", *means, f"{wins} of {len(ours)}"))
    columns = ("geographic pages among the", "Rank", "queue", "webs where Rank is ahead")
    return Table("Rank against first in, first out", columns, tuple(rows))


def _course(runs: Sequence[Run]) -> Table:
    columns = ("geographic pages among the first", *(f"{share:.0%}" for share in SHARES))
    names = dict.fromkeys(run["strategy"] for run in runs)
    rows = tuple((name, *(_mean_at(runs, name, share) for share in columns[1:])) for name in names)
    return Table("The course of each crawl", columns, rows)


def _of(runs: Sequence[Run], strategy: str) -> list[Run]:
    return [run for run in runs if run["strategy"] == strategy]


def _same_web(first: Run, second: Run) -> bool:
    return all(first[key] == second[key] for key in ("web", "region", "random_seed"))


def _mean(runs: Sequence[Run], strategy: str, key: str) -> float | None:
    values = [run[key] for run in _of(runs, strategy) if run.get(key) is not None]
    return fmean(values) if values else None


def _mean_at(runs: Sequence[Run], strategy: str, share: str) -> float | None:
    values = [run["geo_found_at"][share] for run in _of(runs, strategy)]
    return fmean(values) if values else None


EXPERIMENT = Experiment(
    name="kozanidis2009",
    title="Focusing web crawls on location-specific content",
    source="Lefteris Kozanidis, Sofia Stamou and George Spiros, WEBIST 2009",
    profile="gao2006",  # American cities, as their seeds were
    pages=10_000,
    webs=10,
    budget="100%",
    strategies=(_FOCUSED, _QUEUE, _CLASSIFIER, "breadth"),
    tables=tables,
    run=run,
)
