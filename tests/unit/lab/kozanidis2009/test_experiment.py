from __future__ import annotations

import pytest

from geoscout.strategy import StrategyAim, strategy_names
from geoscout_lab.experiments import ExperimentTask, load_experiment
from geoscout_lab.kozanidis2009.experiment import run as run_task
from geoscout_lab.simulation.simulate import SimulationPlan
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_places.gazetteer import Region, SqliteGazetteer
from geoscout_places.parse import parse_html
from geoscout_places.plugins import split_spec


def test_experiment_is_found_and_its_strategies_exist() -> None:
    experiment = load_experiment("kozanidis2009")

    assert {split_spec(spec)[0] for spec in experiment.strategies} <= set(strategy_names())


def test_crawlers_of_the_experiment_look_for_the_names_of_geowordnet() -> None:
    specs = map(split_spec, load_experiment("kozanidis2009").strategies)
    gazetteers = [options.get("gazetteer") for name, options in specs if name != "breadth"]

    assert gazetteers.count("geowordnet") == len(gazetteers) - 1  # one shows the full gazetteer
    assert gazetteers.count("full") == 1


@pytest.mark.slow
def test_registrations_of_a_synthetic_web_reach_the_strategy(gazetteer: SqliteGazetteer) -> None:
    web = make_web(WebPlan("usa2006", 1, 2000), gazetteer, parse_html)
    aim = StrategyAim(Region.parse("Texas", gazetteer), gazetteer)

    figures = {
        spec: run_task(ExperimentTask(web, spec, SimulationPlan(budget=25), aim))
        for spec in ("rank:admission=either", "rank:admission=either:registrations=world")
    }

    plain, registered = figures.values()
    assert registered["accuracy"] > 0
    assert registered["visits"] >= plain["visits"]
    assert registered["seen_pages"] != plain["seen_pages"]
