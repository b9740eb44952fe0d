"""Whole runs in figures, on webs whose figures are known."""

import pytest

from geoscout.strategy import StrategyAim, create_strategy
from geoscout.strategy.distance import Distance, DistanceOptions
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_lab.study.figures import ORACLE, measure, measure_oracles, with_ratios
from geoscout_lab.worlds.truth import facts_of
from tests.unit.lab.small_worlds import HandMadeWorld, hub, three_bridges


def run_of(world: HandMadeWorld, strategy: str, budget: int) -> dict[str, object]:
    trace = simulate(world, create_strategy(strategy, StrategyAim()), SimulationPlan(budget))
    return {"strategy": strategy, **measure(facts_of(world), trace, budget)}


def test_run_of_breadth_to_the_hub():
    run = run_of(hub(), "breadth", 27)

    assert run["found"] == 5
    assert run["harvest"] == pytest.approx(5 / 27)
    assert run["recall"] == 0.5
    assert run["entity_recall"] == 0.5
    assert run["host_recall"] == 1
    assert run["tail_waste"] == pytest.approx(21 / 27)  # the hub is on the host it leads to
    assert run["seed_distances"] == [0, 0, 5] + [0] * 8


def test_run_over_three_bridges():
    run = run_of(three_bridges(), "breadth", 7)

    assert run["behind_bridges"] == 1
    assert run["bridges"] == [0, 0, 0, 1] + [0] * 7
    assert run["tails"] == [0, 0, 1] + [0] * 8
    assert run["polite_seconds"] == 7


def test_ratios_are_to_the_oracle_and_the_baseline():
    world = hub()
    oracles = measure_oracles(facts_of(world), 27, 0)
    runs = [run_of(world, "breadth", 27), *oracles]

    breadth, oracle, _ = with_ratios(runs, "breadth")

    assert oracle["strategy"] == ORACLE
    assert oracle["oracle_share"] == 1
    assert oracle["times_baseline"] == 2
    assert oracle["oracle_efficiency"] == 1
    assert breadth["oracle_efficiency"] == 0
    assert 0 < breadth["oracle_share"] < 1


def test_baseline_is_the_mean_over_its_random_seeds():
    runs: list[dict[str, object]] = [
        {"strategy": "breadth", "harvest": harvest} for harvest in (0.1, 0.3)
    ]

    ratios = [run["times_baseline"] for run in with_ratios(runs, "breadth")]

    assert ratios == pytest.approx([0.5, 1.5])


class Trained(Distance):
    """Trains on twenty pages that do not count, and learns nothing from them."""

    def separate_training(self) -> int:
        return 20

    def fit(self) -> None:
        pass


def test_training_is_shown_with_and_without():
    world = hub()
    trained = Trained(DistanceOptions())

    run = measure(facts_of(world), simulate(world, trained, SimulationPlan(32)), 32)

    assert run["training_pages"] == 20
    assert run["found"] == 10
    assert run["harvest_counted"] == pytest.approx(10 / 32)
