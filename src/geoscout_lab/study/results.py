"""All runs of a study put together: means, comparisons in pairs, and the file that keeps them."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from geoscout_lab.measures.harvest import Comparison, UnitName, compare, raised, with_holm
from geoscout_lab.study.study import Study

RESULTS = "results.json"
_MEANS = (
    "harvest",
    "harvest_counted",
    "degree_harvest",
    "recall",
    "auc",
    "oracle_share",
    "oracle_efficiency",
    "times_baseline",
    "marginal_harvest",
    "host_recall",
    "entity_recall",
    "unique_harvest",
    "tail_waste",
    "behind_bridges",
    "found_per_polite_second",
    "cpu_milliseconds_per_visit",
    "peak_megabytes",
)


@dataclass(frozen=True, slots=True)
class Results:
    """Everything a report is made of."""

    settings: Mapping[str, Any]
    runs: Sequence[Mapping[str, Any]]
    summary: Sequence[Mapping[str, Any]]  # one a strategy: means over units
    comparisons: Mapping[str, Sequence[Comparison]]  # by measure


def results_of(
    study: Study,
    runs: Sequence[Mapping[str, Any]],
    extra: Mapping[str, Any],
    figures: Iterable[str] = (),
) -> Results:
    """Means and statistics of the runs of a study; `figures` are what its own runs have more."""
    settings = {**asdict(study), "baseline": study.baseline, **extra}
    measured = [key for key in ("harvest", "auc") if any(key in run for run in runs)]
    comparisons = {key: compare_all(runs, study, key) for key in measured}
    return Results(settings, runs, summarise(runs, figures), comparisons)


def summarise(
    runs: Sequence[Mapping[str, Any]], figures: Iterable[str] = ()
) -> list[dict[str, Any]]:
    """The mean of every measure of each strategy, repeats of a unit averaged first."""
    keys = dict.fromkeys((*_MEANS, *figures))
    summary = []
    for strategy in dict.fromkeys(run["strategy"] for run in runs):
        own = [run for run in runs if run["strategy"] == strategy]
        row: dict[str, Any] = {"strategy": strategy, "oracle": bool(own[0].get("oracle"))}
        for key in keys:
            means = list(by_unit(own, key).values())
            if means:
                row[key] = fmean(means)
        summary.append({**row, "units": len({unit_of(run) for run in own})})
    return summary


def compare_all(runs: Sequence[Mapping[str, Any]], study: Study, key: str) -> list[Comparison]:
    """Every strategy against the baseline, corrected for how many they are."""
    base = by_unit([run for run in runs if run["strategy"] == study.baseline], key)
    budgets = {unit_of(run): run["budget"] for run in runs}
    made = []
    for strategy in study.strategies:
        own = by_unit([run for run in runs if run["strategy"] == strategy], key)
        if strategy != study.baseline and own and base:
            pairs = {
                unit: (raised(own[unit], budgets[unit]), raised(base[unit], budgets[unit]))
                for unit in own.keys() & base.keys()
            }
            made.append(compare(strategy, study.baseline, pairs))
    return with_holm(made)


def by_unit(runs: Sequence[Mapping[str, Any]], key: str) -> dict[UnitName, float]:
    """A measure of each unit, averaged over repeats; units without it are left out."""
    values: dict[UnitName, list[float]] = defaultdict(list)
    for run in runs:
        if run.get(key) is not None:
            values[unit_of(run)].append(run[key])
    return {unit: fmean(found) for unit, found in values.items()}


def unit_of(run: Mapping[str, Any]) -> UnitName:
    """The web and the region of a run."""
    return run["web"], run["region"]


def write_results(results: Results, folder: Path) -> Path:
    """Write `results.json`; what is not a number is null there."""
    document = {
        "settings": results.settings,
        "runs": results.runs,
        "summary": results.summary,
        "comparisons": {
            key: [asdict(one) for one in found] for key, found in results.comparisons.items()
        },
    }
    file = folder / RESULTS
    file.write_text(json.dumps(_finite(document), indent=1, default=str), encoding="utf-8")
    return file


def _finite(value: Any) -> Any:
    """JSON knows no NaN."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return value
