from typing import Any

import pytest

from geoscout.strategy import StrategyAim, strategy_names
from geoscout_lab.experiments import ExperimentTask, load_experiment
from geoscout_lab.kozanidis2009.experiment import run as run_task
from geoscout_lab.kozanidis2009.experiment import tables
from geoscout_lab.simulation.simulate import SimulationPlan
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_places.gazetteer import Region
from geoscout_places.parse import parse_html
from geoscout_places.plugins import split_spec


def test_experiment_is_found_and_its_strategies_exist():
    experiment = load_experiment("kozanidis2009")

    assert {split_spec(spec)[0] for spec in experiment.strategies} <= set(strategy_names())


def test_crawlers_of_the_experiment_look_for_the_names_of_geowordnet():
    specs = map(split_spec, load_experiment("kozanidis2009").strategies)
    gazetteers = [options.get("gazetteer") for name, options in specs if name != "breadth"]

    assert set(gazetteers) == {"geowordnet"}


@pytest.mark.slow
def test_registrations_of_a_synthetic_web_reach_the_strategy(gazetteer):
    web = make_web(WebPlan("usa2006", 1, 2000), gazetteer, parse_html)
    aim = StrategyAim(Region.parse("Texas", gazetteer), gazetteer)

    figures = {
        spec: run_task(ExperimentTask(web, spec, SimulationPlan(budget=25), aim))
        for spec in ("rank:admission=either", "rank:admission=either:registrations=world")
    }

    plain, registered = figures.values()
    assert registered["accuracy"] == 1  # every domain has a registrant, who lives somewhere
    assert plain["accuracy"] < 1


def run(strategy: str, accuracy: float, **more: Any) -> dict[str, Any]:
    names = ("accuracy", "accuracy_of_seen", "precision", "geo_auc")
    shares = dict.fromkeys(("5%", "10%", "25%", "50%", "100%"), accuracy)
    unit = {"strategy": strategy, "web": "w", "region": "r", "random_seed": 0}
    figures = {**dict.fromkeys(names, accuracy), "false_accepted": 0.25, "geo_found_at": shares}
    return {**unit, **figures, **more}


AS_PRINTED = "rank:gazetteer=geowordnet:registrations=world"
TODAY = "rank:gazetteer=geowordnet"
BAYES = "anchors:gazetteer=geowordnet"
RUNS = [
    run(AS_PRINTED, 0.9),
    run(f"{AS_PRINTED}:order=fifo", 0.8),
    run(BAYES, 0.5),
    run(TODAY, 0.7),
    run(f"{TODAY}:epsilon=yes", 0.6),
    run(f"{BAYES}:epsilon=yes", 0.4),
]


def test_published_accuracies_stand_beside_ours():
    comparison = tables(RUNS)[2]

    assert comparison.rows[0][:3] == (AS_PRINTED, "0.900", 0.8928)
    assert comparison.rows[2][:3] == (BAYES, "0.500", 0.7125)


def test_accuracy_with_and_without_registrants_stands_beside_the_published_one():
    table = tables(RUNS)[0]

    assert table.rows[2] == ("accuracy", "0.900", "0.700", "0.600", 0.8928)
    assert table.rows[3] == ("other pages accepted", "0.250", "0.250", "0.250", None)


def test_accuracy_says_how_many_pages_it_rests_on():
    webs = [run(TODAY, 0.5 + n / 10, web=str(n), visited_geo_pages=20) for n in range(4)]

    accuracy = tables(webs)[0].rows[2][2]

    assert accuracy == "0.650 (0.550–0.750), n = 80"


def test_two_tests_are_compared_where_both_visit_everything():
    table = tables([*RUNS, run(f"{TODAY}:epsilon=yes", 0.1, web="x")])[3]

    label, by_figure_1, by_classifier, difference, ahead = table.rows[0]
    assert label == "accuracy, taught by the first pages"
    assert (by_figure_1, by_classifier, ahead) == ("0.350 (0.100–0.600)", "0.400", "1 of 1")
    assert difference == "0.200"


def test_coverage_is_of_names_and_places():
    counts = {"entities": 4, "distinct_entities": 3, "coverage": 0.75}

    table = tables([{**run(TODAY, 0.7), **counts}])[1]

    assert [row[2] for row in table.rows[:3]] == [4, 3, 0.75]
    assert [row[4] for row in table.rows[:3]] == [1265, 1029, 0.8134]


def test_order_is_compared_web_by_web():
    other = run(AS_PRINTED, 0.1, web="x")

    order = tables([*RUNS, other])[4]

    assert order.rows[0] == (
        f"{AS_PRINTED}: geographic pages, first 5%",
        *(0.9, 0.8, "1 of 1"),
    )
    assert order.rows[-1] == (f"{AS_PRINTED}: area", 0.9, 0.8, "1 of 1")


def test_missing_strategies_leave_gaps():
    accuracy, _, _, same_pages, order, *_ = tables([run("breadth", 1.0)])

    assert {row[1] for row in accuracy.rows} == {None}
    assert same_pages.rows == order.rows == ()


def test_links_that_are_not_followed_are_told_apart():
    counts = {"links_admitted": 1, "links_no place": 3, "links_far apart": 0}

    table = tables([{**run(AS_PRINTED, 0.9), **counts}])[-1]

    assert table.rows == ((AS_PRINTED, 0.25, 0.75, 0.0, 0.0, 0.0),)
