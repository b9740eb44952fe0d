"""Puts a study together from what the user asked for, runs it, and writes and shows the results."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from geoscout.cli.show.terminal import counting, gazetteer_for, print_table
from geoscout.crawling.options import relevance_rule
from geoscout.crawling.seeds import read_seeds
from geoscout.fetch.archive import archive_files
from geoscout.settings import Settings
from geoscout.strategy import strategy_names
from geoscout_lab.experiments import Experiment, load_experiment, number
from geoscout_lab.report.html import REPORT, write_report
from geoscout_lab.study.study import Results, Study, read_budget, run_study
from geoscout_lab.worlds.truth import ArchiveUnit, SyntheticUnit, Unit
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region
from geoscout_places.model import RelevanceRule
from geoscout_places.plugins import split_spec

_DEFAULT_STRATEGIES = ("breadth", "distance")
_DEFAULT_PROFILE, _DEFAULT_PAGES, _DEFAULT_WEBS, _DEFAULT_BUDGET = "ahlers2009", 30_000, 3, "10%"
_SHOWN = {
    "harvest": "harvest>",
    "harvest_counted": "training counted>",
    "times_baseline": "× baseline>",
    "recall": "recall>",
    "auc": "AUC>",
    "oracle_share": "of oracle>",
}


def plan_study(arguments: argparse.Namespace, settings: Settings) -> Study:
    """What the arguments ask for."""
    experiment = load_experiment(arguments.experiment) if arguments.experiment else None
    budget = arguments.budget or (experiment.budget if experiment else _DEFAULT_BUDGET)
    read_budget(budget, 1)  # complains before anything is made
    repeats = arguments.repeats
    if repeats is None:
        repeats = experiment.repeats if experiment else 1
    if repeats < 1:
        raise UsageError("repeats is at least 1")
    return Study(
        plan_units(arguments, settings, experiment),
        _strategies(arguments.strategies, experiment),
        budget,
        repeats,
        arguments.experiment or "",
        first_come=arguments.first_come,
        in_flight=arguments.in_flight,
    )


def plan_units(
    arguments: argparse.Namespace, settings: Settings, experiment: Experiment | None = None
) -> tuple[Unit, ...]:
    """The webs or archives that the arguments ask for."""
    if bool(arguments.replay) != bool(arguments.seeds):
        raise UsageError("archives need both --replay and --seeds")
    rule = relevance_rule(settings.relevance)
    return _archives(arguments, rule) if arguments.replay else _webs(arguments, experiment)


def _strategies(given: str | None, experiment: Experiment | None) -> tuple[str, ...]:
    if given:
        names = tuple(dict.fromkeys(name.strip() for name in given.split(",") if name.strip()))
    else:
        names = experiment.strategies if experiment else _DEFAULT_STRATEGIES
    if not names:
        raise UsageError(f"--strategies names none; there are: {', '.join(strategy_names())}")
    if experiment is None or experiment.run is None:
        for name in names:
            if split_spec(name)[0] not in strategy_names():
                known = ", ".join(strategy_names())
                raise UsageError(f"no strategy is called {name!r}; there are: {known}")
    return names


def _webs(arguments: argparse.Namespace, experiment: Experiment | None) -> tuple[Unit, ...]:
    profile = arguments.profile or (experiment.profile if experiment else _DEFAULT_PROFILE)
    pages = arguments.pages or (experiment.pages if experiment else _DEFAULT_PAGES)
    webs = arguments.webs or (experiment.webs if experiment else _DEFAULT_WEBS)
    first = arguments.first_web
    return tuple(SyntheticUnit(profile, pages, seed) for seed in range(first, first + webs))


def _archives(arguments: argparse.Namespace, rule: RelevanceRule) -> tuple[Unit, ...]:
    files = tuple(str(file) for file in archive_files([Path(text) for text in arguments.replay]))
    seeds = tuple(read_seeds(arguments.seeds))
    regions: list[tuple[str, ...]] = [(region,) for region in arguments.region] or [()]
    if arguments.truth and len(regions) > 1:
        raise UsageError("truth says which pages are relevant, so there can be one --region only")
    return tuple(
        ArchiveUnit(files, seeds, region, rule.value, arguments.truth) for region in regions
    )


def prepared(units: Sequence[Unit], settings: Settings) -> tuple[Unit, ...]:
    """The units with their archives read."""
    gazetteer = gazetteer_for(settings)  # built here, once, and not by every process
    for unit in units:
        if isinstance(unit, ArchiveUnit) and unit.region:
            Region.parse(unit.region, gazetteer)  # complains about a name before hours of work
    with counting("reading archives", at_once=True) as progress:
        return tuple(unit.prepared(settings, progress) for unit in units)


def conduct(study: Study, folder: Path, settings: Settings, command: Sequence[str]) -> Results:
    """Run the study and write its files."""
    folder.mkdir(parents=True, exist_ok=True)
    study = replace(study, units=prepared(study.units, settings))
    with counting("runs", at_once=True) as progress:
        runs = run_study(study, folder, settings, progress)
    return write_report(study, runs, folder, command)


def show(results: Results, folder: Path) -> None:
    """The means as a table: of harvest, or of what an experiment with its own runs measures."""
    name = results.settings["experiment"]
    figures = load_experiment(name).figures if name else {}
    shown = {key: f"{title}>" for key, title in figures.items()} or _SHOWN
    kept = [key for key in shown if any(key in row for row in results.summary)]
    rows = [(row["strategy"], *(number(row.get(k)) for k in kept)) for row in results.summary]
    print_table("", ("strategy", *(shown[key] for key in kept)), rows)
    print(f"\n{folder / REPORT}")
