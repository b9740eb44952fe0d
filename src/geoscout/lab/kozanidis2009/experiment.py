"""Focusing web crawls on location-specific content: accuracy, coverage, and two comparisons.

Their accuracy is the share of the geographic pages seen that was also fetched, so a crawl that
fetches everything has 1.0; precision stands beside it for that reason. The classification-aware
crawler of their table 3 is `anchors`; what the order is worth shows against a plain queue of the
same links, by how many of the first pages fetched are geographic.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any, cast

from geoscout.lab.experiments import Cell, Experiment, ExperimentTask, Run, Table, published
from geoscout.lab.kozanidis2009.truth import (
    SAMPLE,
    SHARES,
    GeographicTruth,
    RegionalSeeds,
    measure_geographic,
    regional_seeds,
    truth_of,
)
from geoscout.lab.simulation.registrations import OF_WORLD, create_for
from geoscout.lab.simulation.simulate import simulate
from geoscout.lab.worlds.base import World
from geoscout.strategy.rank.strategy import ADMISSIONS

_PAPER = published("kozanidis2009")
_FOCUSED = f"rank:registrations={OF_WORLD}"  # they took a URL's place from whois, admin-c
_TODAY = "rank"  # with registrations redacted
_ENDLESS = "rank:epsilon=yes"  # the same without running dry (K-10)
_CLASSIFIER = "anchors"
_QUEUE = ":order=fifo"
_PUBLISHED = {_FOCUSED: _PAPER["comparison"]["rank"], _CLASSIFIER: _PAPER["comparison"]["anchors"]}


def run(task: ExperimentTask) -> Mapping[str, Any]:
    """One crawl with their measures."""
    if task.aim.gazetteer is None:
        raise RuntimeError("this experiment needs a gazetteer")
    truth = truth_of(task.world, task.aim.gazetteer)
    task = replace(task, world=_from_regional_sites(task, truth))
    strategy = create_for(task.strategy, task.world, task.aim)
    trace = simulate(task.world, strategy, task.plan)
    figures = measure_geographic(task.world, trace, truth)
    figures |= {f"links_{why}": count for why, count in getattr(strategy, "links", {}).items()}
    dry = len(trace) if len(trace) < task.plan.budget else None
    return {**figures, "dry_after": dry, "cpu_seconds": trace.seconds}


def _from_regional_sites(task: ExperimentTask, truth: GeographicTruth) -> World:
    """As many seeds as they had, of the same sort; archives bring their own."""
    if hasattr(task.world, "reading"):
        return task.world
    chance = random.Random(task.plan.random_seed)
    seeds = regional_seeds(task.world, truth, _PAPER["setup"]["seeds"], chance)
    return cast("World", RegionalSeeds(task.world, seeds))


def tables(runs: Sequence[Run]) -> Sequence[Table]:
    """Their three tables, and the order against a queue."""
    named = (_accuracy(runs), _coverage(runs), _comparison(runs))
    return [*named, _order(runs), _course(runs), _admission(runs)]


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
        (f"of {SAMPLE} entities drawn", _mean(runs, _FOCUSED, "coverage_of_sample"), None),
        ("places that the pages seen name", _mean(runs, _FOCUSED, "entities_seen"), None),
        ("share of these on a page fetched", _mean(runs, _FOCUSED, "coverage_of_seen"), None),
    )
    note = (
        "1,265 entities in 2.5 million pages cannot be mentions: their figure is of a sample or "
        "of types, and as printed it falls with every page that is added."
    )
    return Table("Table 2: location coverage", ("", "ours", "published"), rows, note)


def _admission(runs: Sequence[Run]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys(run["strategy"] for run in runs):
        counts = [_mean(runs, name, f"links_{why}") or 0.0 for why in ADMISSIONS]
        if total := sum(counts):
            rows.append((name, *(count / total for count in counts)))
    columns = ("share of the links met", *ADMISSIONS)
    note = "Far apart: there are places, but both thresholds fail. Links count on every page."
    return Table("Why links are not followed", columns, tuple(rows), note)


def _comparison(runs: Sequence[Run]) -> Table:
    rows = []
    for name in dict.fromkeys(run["strategy"] for run in runs):
        keys = ("accuracy", "precision", "fetched_pages", "dry_after")
        row: tuple[Cell, ...] = (
            name,
            _mean(runs, name, "accuracy"),
            _PUBLISHED.get(name),
            *(_mean(runs, name, key) for key in keys[1:]),
        )
        rows.append(row)
    columns = ("crawler", "accuracy", "published", "precision", "pages", "ran dry after")
    note = (
        "Breadth first fetches whatever it sees, so its accuracy says nothing; see precision. "
        "The synthetic web has a holder for every domain, so with registrations nearly every link "
        "is admitted, and the same holds."
    )
    return Table("Table 3: against a classification-aware crawler", columns, tuple(rows), note)


def _order(runs: Sequence[Run]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys(run["strategy"] for run in runs):
        queues = _of(runs, name + _QUEUE)
        pairs = [(r, q) for r in _of(runs, name) for q in queues if _same_web(r, q)]
        for share in (f"{share:.0%}" for share in SHARES[:-1]):
            label = f"{name}: geographic pages, first {share}"
            rows += [_versus(label, [_at(share, *pair) for pair in pairs])] if pairs else []
        areas = [(rank["geo_auc"], queue["geo_auc"]) for rank, queue in pairs]
        rows += [_versus(f"{name}: area", areas)] if areas else []
    columns = ("", "Rank", "queue", "webs where Rank is ahead")
    note = "Area: the mean, over all visits, of the share of its finds a crawl had by then."
    return Table("Rank against first in, first out", columns, tuple(rows), note)


def _at(share: str, rank: Run, queue: Run) -> tuple[float, float]:
    return rank["geo_found_at"][share], queue["geo_found_at"][share]


def _versus(label: str, values: Sequence[tuple[float, float]]) -> tuple[Cell, ...]:
    wins = sum(rank > queue for rank, queue in values)
    means = (fmean(rank for rank, _ in values), fmean(queue for _, queue in values))
    return label, *means, f"{wins} of {len(values)}"


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


def create() -> Experiment:
    """The experiment as the command runs it."""
    return Experiment(
        name="kozanidis2009",
        title="Focusing web crawls on location-specific content",
        source="Lefteris Kozanidis, Sofia Stamou and George Spiros, WEBIST 2009",
        profile="gao2006",  # American cities, as their seeds were
        pages=10_000,
        webs=10,
        budget="100%",
        strategies=(
            _FOCUSED,
            _FOCUSED + _QUEUE,
            _TODAY,
            _TODAY + _QUEUE,
            _ENDLESS,
            _ENDLESS + _QUEUE,
            _CLASSIFIER,
            "breadth",
        ),
        tables=tables,
        run=run,
        figures={
            "accuracy": "accuracy",
            "precision": "precision",
            "fetched_pages": "pages",
            "dry_after": "ran dry after",
        },
    )
