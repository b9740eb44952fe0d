"""The focus of a crawl in numbers that can be checked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.measures import harvest as measures


def flags(text: str) -> measures.Flags:
    return np.array([letter == "R" for letter in text])


def test_harvest_is_relevant_over_visits() -> None:
    assert measures.harvest(measures.found_curve(flags("R.R."), 4)) == 0.5


def test_unused_budget_counts_as_visits() -> None:
    assert measures.harvest(measures.found_curve(flags("R"), 4)) == 0.25


def test_crawl_is_cut_at_its_budget() -> None:
    assert measures.found_curve(flags("R.RR"), 2).tolist() == [1, 1]


def test_harvest_is_told_at_shares_of_the_budget() -> None:
    found = measures.found_curve(flags("R" + "." * 19), 20)

    assert measures.harvest_at(found)[0.05] == 1
    assert measures.harvest_at(found)[1.0] == 0.05


def test_area_is_the_mean_recall() -> None:
    assert measures.area(measures.found_curve(flags(".R.R"), 4), 2) == (0 + 0.5 + 0.5 + 1) / 4


def test_marginal_harvest_looks_at_the_last_tenth() -> None:
    assert measures.marginal_harvest(flags("R" * 18 + ".R"), 20) == 0.5


def test_marginal_harvest_of_a_dry_crawl_is_nothing() -> None:
    assert measures.marginal_harvest(flags("RRR"), 100) == 0


def test_efficiency_is_the_way_from_the_baseline_to_the_oracle() -> None:
    assert measures.oracle_efficiency(30, 10, 50) == 0.5
    assert measures.oracle_efficiency(30, 50, 50) is None


def test_host_recall_counts_hosts_once() -> None:
    assert measures.host_recall(np.array([1, 1, 2, 3]), flags("RR.R"), 4) == 0.5


def test_pages_with_the_same_entities_are_one() -> None:
    one, other = frozenset({"a"}), frozenset({"a", "b"})

    assert measures.unique_found([one, one, other, frozenset(), frozenset()]) == 4


def test_waste_is_what_went_to_hosts_that_gave_nothing() -> None:
    assert measures.tail_waste(np.array([1, 1, 2, 2]), flags("R...")) == 0.5


def test_a_host_is_asked_once_a_second() -> None:
    assert measures.polite_seconds([1, 1, 2], [-1, -1, -1]).tolist() == [0, 1, 0]


def test_a_link_is_not_followed_before_it_is_known() -> None:
    assert measures.polite_seconds([1, 2], [-1, 0]).tolist() == [0, 1]


def test_connections_are_limited() -> None:
    assert measures.polite_seconds([1, 2, 3], [-1] * 3, connections=2).tolist() == [0, 0, 1]


@pytest.mark.parametrize("length", [1, 7, 1000])
def test_thinned_curve_keeps_its_ends(length: int) -> None:
    points = measures.thinned(np.arange(1, length + 1), points=20)

    assert points["visits"][0] == points["found"][0] == 1
    assert points["visits"][-1] == points["found"][-1] == length
