"""Means and comparisons over units."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geoscout_lab.study.results import by_unit, results_of, summarise, write_results
from geoscout_lab.study.study import Study
from geoscout_lab.worlds.truth import SyntheticUnit


def run_of(strategy: str, web: str, harvest: float, seed: int = 0) -> dict[str, object]:
    return {"strategy": strategy, "web": web, "region": "Austin", "budget": 100,
            "random_seed": seed, "harvest": harvest}  # fmt: skip


def study_of(*strategies: str) -> Study:
    return Study((SyntheticUnit("ahlers2009", 10, 1),), strategies, "100")


def test_repeats_are_averaged_before_units_are() -> None:
    runs = [run_of("a", "1", 0.1), run_of("a", "1", 0.3, 1), run_of("a", "2", 0.6)]

    assert summarise(runs)[0]["harvest"] == pytest.approx(0.4)
    assert by_unit(runs, "harvest")[("1", "Austin")] == pytest.approx(0.2)


def test_strategies_are_compared_with_the_baseline_in_pairs() -> None:
    breadth = [run_of("breadth", str(web), 0.1 * web) for web in (1, 2, 3)]
    runs = [*breadth, *(run_of("b", str(web), 0.2 * web) for web in (1, 2, 3))]

    found = results_of(study_of("breadth", "b"), runs, {}).comparisons["harvest"]

    assert [c.strategy for c in found] == ["b"]
    assert found[0].ratio == pytest.approx(2)
    assert found[0].wins == 3


def test_strategy_that_found_nothing_is_compared_too() -> None:
    runs = [run_of("breadth", "1", 0.1), run_of("b", "1", 0.0)]

    found = results_of(study_of("breadth", "b"), runs, {}).comparisons["harvest"]

    assert found[0].ratio == pytest.approx(0.05)  # half a page of a hundred


def test_file_has_what_the_design_promises_and_no_nan(tmp_path: Path) -> None:
    runs = [run_of("breadth", "1", 0.1), run_of("b", "1", 0.2)]
    results = results_of(study_of("breadth", "b"), runs, {})

    document = json.loads(write_results(results, tmp_path).read_text())

    assert set(document) == {"settings", "runs", "summary", "comparisons"}
    assert document["comparisons"]["harvest"][0]["p"] is None
    assert document["settings"]["budget"] == "100"


def test_figures_of_an_experiment_are_averaged_too() -> None:
    runs = [run_of("a", "1", 0.1) | {"overlap": 0.2}, run_of("a", "2", 0.1) | {"overlap": 0.4}]

    assert summarise(runs, ["overlap"])[0]["overlap"] == pytest.approx(0.3)
    assert "overlap" not in summarise(runs)[0]
