"""What is compared with what, how it is run, and what comes out: `results.json`.

One task is one unit with all its strategies, so that a web is made once. Processes get only the
description of their work; a run is finished when its file exists. The file's name has a digest of
everything the run depends on, also the code of strategies and simulation. So an interrupted study
continues, strategies can be added to a study, and nothing out of date is taken for a result.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import blake2b
from itertools import groupby
from multiprocessing import get_context
from operator import attrgetter
from pathlib import Path
from statistics import fmean
from typing import Any

from geoscout.settings import Settings
from geoscout.strategy import StrategyAim
from geoscout.strategy.filters import filters_for
from geoscout_lab.experiments import ExperimentTask, code_digest, load_experiment
from geoscout_lab.measures.harvest import Comparison, UnitName, compare, raised, with_holm
from geoscout_lab.simulation.collaborative import create_for
from geoscout_lab.simulation.simulate import SimulationPlan, TrainingCrawls, simulate
from geoscout_lab.study.figures import (
    ONE_STEP,
    ORACLE,
    measure,
    measure_graph,
    measure_oracles,
    with_ratios,
)
from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.truth import OpenUnit, Unit, WorldFacts, facts_of, label
from geoscout_places.background import end_with_parent
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.model import OnProgress

RUNS = "runs"  # the folder of finished runs
# What results depend on; the gazetteer is not among it, and should not change within a study.
_CODE = (
    "geoscout/collaborate",
    "geoscout/crawling/requests.py",
    "geoscout/frontier",
    "geoscout/strategy",
    "geoscout_lab",
    "geoscout_places/language",
    "geoscout_places/toponyms",
)
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Study:
    """Strategies, the webs they run on, and how far."""

    units: tuple[Unit, ...]
    strategies: tuple[str, ...]
    budget: str  # visits, or a share of the pages that can be reached: "10%"
    repeats: int = 1  # with other random seeds
    experiment: str = ""
    first_come: bool = False
    in_flight: int = 0  # requests at a time; 0: just one, and no frontier of real crawls
    # Of the code when the study began: a worker that starts later may find the code changed.
    code: str = field(default_factory=lambda: code_digest(*_CODE))

    @property
    def baseline(self) -> str:
        """The strategy that the others are compared with: breadth first, or else the first one."""
        return "breadth" if "breadth" in self.strategies else self.strategies[0]

    def jobs(self) -> Iterator[Job]:
        """Every run, unit by unit; those of a random seed together, as they share training."""
        for unit in self.units:
            for repeat in range(self.repeats):
                for strategy in self.strategies:
                    yield Job(unit, strategy, repeat)
            if not self.experiment_runs_itself:
                yield Job(unit, ORACLE, 0)
                yield Job(unit, ONE_STEP, 0)

    @property
    def experiment_runs_itself(self) -> bool:
        """Whether its runs are not plain crawls, so that the oracles would mean nothing."""
        return bool(self.experiment) and load_experiment(self.experiment).run is not None

    def file(self, job: Job, folder: Path) -> Path:
        told = {
            "unit": asdict(job.unit),
            "strategy": job.strategy,
            "repeat": job.repeat,
            "budget": self.budget,
            "experiment": self.experiment if self.experiment_runs_itself else "",
            "first_come": self.first_come,
            "in_flight": self.in_flight,
            "code": self.code,
        }
        key = blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=8).hexdigest()
        name = re.sub(r"[^\w.=]+", "-", f"{job.unit.web}-{job.strategy}")[:_LONGEST_NAME]
        return folder / RUNS / f"{name}-{job.repeat}-{key}.json"


@dataclass(frozen=True, slots=True)
class Job:
    unit: Unit
    strategy: str
    repeat: int


def read_budget(text: str, reachable: int) -> int:
    """The visits a budget allows.

    >>> read_budget("10%", 5000), read_budget("300", 5000)
    (500, 300)
    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(%?)", text.strip().replace("_", ""))
    if not found or not float(found[1]) or (not found[2] and "." in found[1]):
        raise UsageError(f"a budget is a number of visits or a share such as 10%, not {text!r}")
    if not found[2]:
        return int(found[1])
    return max(1, round(float(found[1]) / 100 * reachable))


_POLL_SECONDS = 0.5


def run_study(
    study: Study, folder: Path, settings: Settings, progress: OnProgress = lambda _done, _all: None
) -> list[dict[str, Any]]:
    """Do what is not done yet; returns all runs, those of a unit together."""
    (folder / RUNS).mkdir(parents=True, exist_ok=True)
    jobs = list(study.jobs())
    expected = [study.file(job, folder) for job in jobs]
    waiting = {
        job.unit: None for job, file in zip(jobs, expected, strict=True) if not file.exists()
    }
    run = partial(run_unit, study, folder, settings)

    def tick() -> None:
        progress(sum(file.exists() for file in expected), len(jobs))

    tick()
    if settings.workers > 1 and len(waiting) > 1:
        _run_in_processes(run, list(waiting), min(settings.workers, len(waiting)), tick)
    else:
        for unit in waiting:
            run(unit, tick)
    tick()
    return _collect(study, jobs, folder)


def run_unit(
    study: Study,
    folder: Path,
    settings: Settings,
    unit: Unit,
    done: Callable[[], None] = lambda: None,
) -> None:
    """Every run of one unit that has no file yet."""
    jobs = [job for job in study.jobs() if job.unit == unit]
    missing = [job for job in jobs if not study.file(job, folder).exists()]
    if not missing:
        return
    bench = _Bench(study, unit, settings)
    for job in missing:
        _write(study.file(job, folder), bench.run(job))
        done()


class _Bench:
    """One opened unit, with what its runs share."""

    def __init__(self, study: Study, unit: Unit, settings: Settings) -> None:
        self._study = study
        self._unit = unit
        self._settings = settings
        self._opened: OpenUnit = _filtered(unit.open(settings), study.experiment)
        self._gazetteer = open_gazetteer(settings)
        texts = self._opened.region
        self._region = Region.parse(texts, self._gazetteer) if texts else None
        own = study.experiment_runs_itself
        self._facts: WorldFacts | None = None if own else facts_of(self._opened.world)
        reachable = self._facts.reachable if self._facts else self._opened.world.size
        self._budget = read_budget(study.budget, reachable)
        self._oracles: list[dict[str, Any]] = []
        self._trainings = TrainingCrawls()

    def run(self, job: Job) -> dict[str, Any]:
        figures: dict[str, Any] = {
            "strategy": job.strategy,
            "collaboration": "none",
            "web": self._unit.web,
            "region": label(self._opened.region),
            "random_seed": job.repeat,
            "budget": self._budget,
        }
        if self._facts is None:
            experiment = load_experiment(self._study.experiment)
            if experiment.run is None:
                raise RuntimeError("an experiment without runs of its own needs the facts")
            return figures | dict(experiment.run(self._task(job)))
        figures["reachable"] = self._facts.reachable
        figures["reachable_relevant"] = len(self._facts.targets)
        return figures | self._measured(job, self._facts)

    def _measured(self, job: Job, facts: WorldFacts) -> dict[str, Any]:
        if job.strategy not in self._study.strategies:
            self._oracles = self._oracles or measure_oracles(facts, self._budget, 0)
            return self._oracles[job.strategy != ORACLE]
        task = self._task(job)
        strategy = create_for(job.strategy, task.world, task.aim)
        trace = simulate(task.world, strategy, task.plan, self._trainings)
        figures = measure(facts, trace, self._budget)
        if job.strategy == "breadth":  # which goes by links alone, so its pages are the web's
            figures["graph"] = measure_graph(facts, trace)
        return figures

    def _task(self, job: Job) -> ExperimentTask:
        plan = SimulationPlan(
            self._budget, job.repeat, self._study.first_come, self._study.in_flight
        )
        aim = StrategyAim(self._region, self._gazetteer, chance=random.Random(job.repeat))
        return ExperimentTask(self._opened.world, job.strategy, plan, aim, self._settings)


def _filtered(opened: OpenUnit, experiment: str) -> OpenUnit:
    """With the filters of a crawl where the experiment had them; archives are as they are."""
    country = load_experiment(experiment).country if experiment else ""
    if not country or not isinstance(opened.world, SyntheticWeb):
        return opened
    filters = filters_for([country], tlds=True, language=True)
    return replace(opened, world=opened.world.filtered(filters))


def _run_in_processes(
    run: Callable[[Unit], None], units: Sequence[Unit], workers: int, tick: Callable[[], None]
) -> None:
    # spawn: a fork would copy whatever threads and files the caller has open
    context = get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, end_with_parent, max_tasks_per_child=1)
    try:
        futures: set[Future[None]] = {pool.submit(run, unit) for unit in units}
        while futures:
            finished, futures = wait(futures, timeout=_POLL_SECONDS)
            for future in finished:
                future.result()
            tick()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _collect(study: Study, jobs: Sequence[Job], folder: Path) -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = []
    for _, group in groupby(jobs, key=attrgetter("unit")):
        unit_runs = [json.loads(study.file(job, folder).read_text()) for job in group]
        runs.extend(with_ratios(unit_runs, study.baseline))
    return runs


def _write(file: Path, run: dict[str, Any]) -> None:
    """All or nothing, so that a file that is there is whole."""
    run["finished_at"] = round(time.time())
    draft = file.with_suffix(f".{os.getpid()}.part")
    draft.write_text(json.dumps(run), encoding="utf-8")
    draft.replace(file)


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
    measured = {run["strategy"] for run in runs if run.get(key) is not None}
    if study.baseline not in measured:
        return []
    others = [one for one in study.strategies if one in measured and one != study.baseline]
    return with_holm([paired(runs, one, study.baseline, key) for one in others])


def paired(
    runs: Sequence[Mapping[str, Any]], strategy: str, baseline: str, key: str = "harvest"
) -> Comparison:
    """One strategy against another, over the units that both ran on."""
    budgets = {unit_of(run): run["budget"] for run in runs}
    own, other = (
        by_unit([run for run in runs if run["strategy"] == name], key)
        for name in (strategy, baseline)
    )
    pairs = {
        unit: (raised(own[unit], budgets[unit]), raised(other[unit], budgets[unit]))
        for unit in own.keys() & other.keys()
    }
    return compare(strategy, baseline, pairs)


def by_unit(runs: Sequence[Mapping[str, Any]], key: str) -> dict[UnitName, float]:
    """A measure of each unit, averaged over repeats; units without it are left out."""
    values: dict[UnitName, list[float]] = defaultdict(list)
    for run in runs:
        if run.get(key) is not None:
            values[unit_of(run)].append(run[key])
    return {unit: fmean(found) for unit, found in values.items()}


def unit_of(run: Mapping[str, Any]) -> UnitName:
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
