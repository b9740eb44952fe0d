"""Paired comparisons with known answers."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from geoscout_lab.measures.harvest import Comparison, compare, interval, raised, with_holm


def noisy_pairs(
    ratio: float, units: int, seed: int = 1
) -> dict[tuple[str, str], tuple[float, float]]:
    chance = random.Random(seed)
    webs = [(f"web {n}", "region") for n in range(units)]
    base = {web: chance.uniform(0.01, 0.1) for web in webs}
    return {
        web: (ratio * value * math.exp(chance.gauss(0, 0.1)), value) for web, value in base.items()
    }


def test_ratio_is_the_geometric_mean() -> None:
    found = compare("a", "b", {("1", ""): (4.0, 1.0), ("2", ""): (1.0, 1.0)})

    assert found.ratio == pytest.approx(2)
    assert found.wins == 1


def test_interval_holds_the_true_ratio_and_not_one() -> None:
    found = compare("a", "b", noisy_pairs(1.5, 20))

    assert 1 < found.low < 1.5 < found.high
    assert found.p < 0.001
    assert found.weight == "claim"


def test_equal_strategies_differ_by_chance_only() -> None:
    found = compare("a", "b", noisy_pairs(1.0, 12))

    assert found.low < 1 < found.high
    assert found.p > 0.05
    assert found.weight == "indication"


def test_interval_agrees_with_that_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(3).exponential(size=15)

    low, high = interval(values, [str(n) for n in range(15)])

    reference = stats.bootstrap((values,), np.mean, n_resamples=10_000, method="BCa", rng=1)
    assert math.log(low) == pytest.approx(reference.confidence_interval.low, rel=0.05)
    assert math.log(high) == pytest.approx(reference.confidence_interval.high, rel=0.05)


def test_regions_of_one_web_are_no_independent_evidence() -> None:
    values = np.array([0.1, 0.1, 0.1, 0.9, 0.9, 0.9])

    apart = interval(values, list("abcdef"))
    together = interval(values, list("aaabbb"))

    assert together[1] - together[0] > apart[1] - apart[0]


def test_one_web_gives_no_interval() -> None:
    assert all(math.isnan(end) for end in interval(np.array([0.1, 0.2]), ["a", "a"]))


def test_few_units_give_no_p_value() -> None:
    assert math.isnan(compare("a", "b", noisy_pairs(2, 5)).p)


def test_holm_never_falls_below_an_earlier_step() -> None:
    made = [
        Comparison("a", "b", 1, 1, 1, p=p, p_holm=p, wins=0, units=9) for p in (0.04, 0.01, 0.03)
    ]

    assert [c.p_holm for c in with_holm(made)] == pytest.approx([0.06, 0.03, 0.06])


def test_nothing_counts_as_half_a_page() -> None:
    assert raised(0.0, 100) == 0.005
    assert raised(0.2, 100) == 0.2
