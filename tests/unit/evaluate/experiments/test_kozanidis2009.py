from __future__ import annotations

from typing import Any

from geoscout.evaluate.experiments.base import load_experiment
from geoscout.evaluate.experiments.kozanidis2009 import tables
from geoscout.strategy.registry import split_spec, strategy_names


def run(strategy: str, accuracy: float, **more: Any) -> dict[str, Any]:
    shares = dict.fromkeys(("5%", "10%", "25%", "50%", "100%"), accuracy)
    figures = {
        "web": "w",
        "region": "r",
        "random_seed": 0,
        "accuracy": accuracy,
        "precision": accuracy,
        "geo_found_at": shares,
    }
    return {"strategy": strategy, **figures, **more}


RUNS = [run("rank", 0.9), run("rank:order=fifo", 0.8), run("anchors", 0.5)]


def test_experiment_is_found_and_its_strategies_exist() -> None:
    experiment = load_experiment("kozanidis2009")

    assert {split_spec(spec)[0] for spec in experiment.strategies} <= set(strategy_names())


def test_published_accuracies_stand_beside_ours() -> None:
    comparison = tables(RUNS)[2]

    assert comparison.rows[0][:3] == ("rank", 0.9, 0.8928)
    assert comparison.rows[2][:3] == ("anchors", 0.5, 0.7125)


def test_order_is_compared_web_by_web() -> None:
    other = run("rank", 0.1, web="x")

    order = tables([*RUNS, other])[3]

    assert order.rows[0] == ("first 5% of the visits", 0.9, 0.8, "1 of 1")


def test_missing_strategies_leave_gaps() -> None:
    accuracy, _, _, order, _ = tables([run("breadth", 1.0)])

    assert [row[1] for row in accuracy.rows] == [None, None, None]
    assert order.rows == ()
