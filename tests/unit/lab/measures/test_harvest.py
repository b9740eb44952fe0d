"""The focus of a crawl in numbers that can be checked by hand, and paired comparisons."""

import math
import random

import numpy as np
import pytest

from geoscout_lab.measures import harvest as measures
from geoscout_lab.measures.harvest import Comparison, compare, interval, with_holm


def flags(text: str) -> measures.Flags:
    return np.array([letter == "R" for letter in text])


@pytest.mark.parametrize(
    ("visits", "budget", "harvest"),
    [("R.R.", 4, 0.5), ("R", 4, 0.25), ("R.RR", 2, 0.5)],
)
def test_harvest_is_relevant_pages_over_the_budget(visits, budget, harvest):
    assert measures.harvest(measures.found_curve(flags(visits), budget)) == harvest


def test_harvest_is_told_at_shares_of_the_budget():
    found = measures.found_curve(flags("R" + "." * 19), 20)

    assert measures.harvest_at(found)[0.05] == 1
    assert measures.harvest_at(found)[1.0] == 0.05


def test_area_is_the_mean_recall():
    assert measures.area(measures.found_curve(flags(".R.R"), 4), 2) == (0 + 0.5 + 0.5 + 1) / 4


@pytest.mark.parametrize(
    ("visits", "budget", "harvest"), [("R" * 18 + ".R", 20, 0.5), ("RRR", 100, 0)]
)
def test_marginal_harvest_looks_at_the_last_tenth(visits, budget, harvest):
    assert measures.marginal_harvest(flags(visits), budget) == harvest


def test_efficiency_is_the_way_from_the_baseline_to_the_oracle():
    assert measures.oracle_efficiency(30, 10, 50) == 0.5
    assert measures.oracle_efficiency(30, 50, 50) is None


def test_hosts_and_entities_count_once_and_waste_is_what_went_to_barren_hosts():
    one, other = frozenset({"a"}), frozenset({"a", "b"})

    assert measures.host_recall(np.array([1, 1, 2, 3]), flags("RR.R"), 4) == 0.5
    assert measures.tail_waste(np.array([1, 1, 2, 2]), flags("R...")) == 0.5
    assert measures.unique_found([one, one, other, frozenset(), frozenset()]) == 4


@pytest.mark.parametrize(
    ("hosts", "parents", "connections", "seconds"),
    [
        ([1, 1, 2], [-1, -1, -1], 50, [0, 1, 0]),  # a host is asked once a second
        ([1, 2], [-1, 0], 50, [0, 1]),  # a link is known only after its page
        ([1, 2, 3], [-1, -1, -1], 2, [0, 0, 1]),
    ],
)
def test_time_is_that_of_a_polite_crawl(hosts, parents, connections, seconds):
    found = measures.polite_seconds(hosts, parents, connections=connections)

    assert found.tolist() == seconds


@pytest.mark.parametrize("length", [1, 7, 1000])
def test_thinned_curve_keeps_its_ends(length):
    points = measures.thinned(np.arange(1, length + 1), points=20)

    assert points["visits"][0] == points["found"][0] == 1
    assert points["visits"][-1] == points["found"][-1] == length


def noisy_pairs(
    ratio: float, units: int, seed: int = 1
) -> dict[tuple[str, str], tuple[float, float]]:
    chance = random.Random(seed)
    webs = [(f"web {n}", "region") for n in range(units)]
    base = {web: chance.uniform(0.01, 0.1) for web in webs}
    return {
        web: (ratio * value * math.exp(chance.gauss(0, 0.1)), value) for web, value in base.items()
    }


def test_ratio_is_the_geometric_mean():
    found = compare("a", "b", {("1", ""): (4.0, 1.0), ("2", ""): (1.0, 1.0)})

    assert found.ratio == pytest.approx(2)
    assert found.wins == 1


def test_interval_holds_the_true_ratio_and_not_one():
    found = compare("a", "b", noisy_pairs(1.5, 20))

    assert 1 < found.low < 1.5 < found.high
    assert found.p < 0.001
    assert found.weight == "claim"


def test_equal_strategies_differ_by_chance_only():
    found = compare("a", "b", noisy_pairs(1.0, 12))

    assert found.low < 1 < found.high
    assert found.p > 0.05
    assert found.weight == "indication"


def test_interval_agrees_with_that_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(3).exponential(size=15)

    low, high = interval(values, [str(n) for n in range(15)])

    reference = stats.bootstrap((values,), np.mean, n_resamples=10_000, method="BCa", rng=1)
    assert math.log(low) == pytest.approx(reference.confidence_interval.low, rel=0.05)
    assert math.log(high) == pytest.approx(reference.confidence_interval.high, rel=0.05)


def test_regions_of_one_web_are_no_independent_evidence():
    values = np.array([0.1, 0.1, 0.1, 0.9, 0.9, 0.9])

    apart = interval(values, list("abcdef"))
    together = interval(values, list("aaabbb"))

    assert together[1] - together[0] > apart[1] - apart[0]


def test_one_web_gives_no_interval_and_few_units_no_p_value():
    assert all(math.isnan(end) for end in interval(np.array([0.1, 0.2]), ["a", "a"]))
    assert math.isnan(compare("a", "b", noisy_pairs(2, 5)).p)


def test_holm_never_falls_below_an_earlier_step():
    made = [
        Comparison("a", "b", 1, 1, 1, p=p, p_holm=p, wins=0, units=9) for p in (0.04, 0.01, 0.03)
    ]

    assert [c.p_holm for c in with_holm(made)] == pytest.approx([0.06, 0.03, 0.06])
