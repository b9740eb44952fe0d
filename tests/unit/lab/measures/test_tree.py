"""Bridges, tails and seed distances on hand-made crawl trees."""

from __future__ import annotations

from geoscout_lab.measures.analysis import (
    SEED,
    bridge_distances,
    seed_distances,
    share_behind_bridges,
    tails,
)

PATH = [SEED, 0, 1, 2, 3, 4]
RELEVANT = [True, False, False, True, True, False]


def test_bridges_of_the_published_path() -> None:
    assert bridge_distances(PATH, RELEVANT) == [2, 0]


def test_tail_of_the_published_path() -> None:
    assert tails(PATH, RELEVANT) == [1]


def test_page_without_a_relevant_one_above_has_no_bridge() -> None:
    assert bridge_distances([SEED, 0], [False, True]) == []


def test_branch_without_a_relevant_page_has_no_tail() -> None:
    assert tails([SEED, 0, 1], [False, False, False]) == []


def test_relevant_leaf_is_a_tail_of_nothing() -> None:
    assert tails([SEED, 0], [True, True]) == [0]


def test_branches_are_measured_apart() -> None:
    parents = [SEED, 0, 0, 1, 2, 4]
    relevant = [True, False, False, True, False, True]

    assert bridge_distances(parents, relevant) == [1, 2]


def test_half_of_the_pages_are_behind_bridges() -> None:
    assert share_behind_bridges(PATH, RELEVANT) == 0.5


def test_seed_distance_is_that_of_relevant_pages_only() -> None:
    assert seed_distances([0, 1, 2], [False, True, True]) == [1, 2]
