"""The measures on the paper's examples, and its readings as docs/results/gao2006.md has them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as some

from geoscout_lab.gao2006 import measures as gao
from geoscout_lab.gao2006.measures import Download, GeoEntity

if TYPE_CHECKING:
    from collections.abc import Sequence

STAR = {"a": ["b", "c", "d"], "b": ["e", "f"], "c": ["g", "h"]} | {page: [] for page in "defgh"}
ALL = frozenset("abcdefgh")
OWNER = {"Austin": "south", "Seattle": "north"}
IN_AUSTIN = GeoEntity("1 main st austin tx", "Austin")
IN_SEATTLE = GeoEntity("2 pine st seattle wa", "Seattle")
NOWHERE = [Download("south", "2", "")] * 3


@pytest.mark.parametrize(("reach", "value"), [(2, 1.34), (1, 1.30)])
def test_centrality_of_the_published_example(reach, value):
    measured = gao.page_centrality("a", STAR, ALL, reach=reach, base=10)

    assert measured == pytest.approx(value)


@pytest.mark.parametrize(
    ("links", "geographic", "centrality"),
    [
        ({"a": []}, "a", 1),
        ({"a": ["b"], "b": [], "c": []}, "b", 1.1 / 3),  # averaged over all pages
        # a page reached by two ways counts once, at the shorter
        ({"a": ["b", "c"], "b": ["c"], "c": []}, "c", (0.1 + 0.1 + 1) / 3),
    ],
)
def test_centrality_is_averaged_over_all_pages(links, geographic, centrality):
    assert gao.geo_centrality(links, [*geographic]) == pytest.approx(centrality)


def test_lemma_2_worked_out():
    assert gao.policy_a_cost(3, 1, 10) == 43
    assert gao.policy_b_cost(3, 10, 2) == 66


@given(some.floats(0.01, 100), some.floats(0, 0.999), some.integers(0, 100), some.integers(2, 20))
def test_policy_a_is_cheaper_where_sending_is(download, part, links, nodes):
    assert gao.policy_a_cost(download, part * download, links) <= gao.policy_b_cost(
        download, links, nodes
    )


def test_policy_a_may_cost_more_where_sending_is_dear():
    assert gao.policy_a_cost(1, 1.2, 10) > gao.policy_b_cost(1, 10, 2)


def test_toy_crawl_with_one_page_fetched_twice():
    crawl = [
        Download("north", "http://a.example/", "a.example", sent=2),
        Download("south", "http://a.example/", "a.example", sent=1),
        Download("south", "http://a.example/2", "a.example"),
        Download("south", "http://b.example/", "b.example", sent=1),
    ]

    assert gao.overlap(crawl) == 0.25
    assert gao.diversity(crawl) == 0.5
    assert gao.communication(crawl) == 1


def test_coverage_is_weighted_by_pages_and_focus_by_nodes():
    assert gao.geo_coverage([Download("north", "1", "", (IN_AUSTIN,)), *NOWHERE]) == 0.25
    crawl = [Download("south", "1", "", (IN_AUSTIN,))] * 3
    crawl.append(Download("north", "2", "", (IN_AUSTIN,)))

    def focus(part: Sequence[Download]) -> float:
        return gao.geo_focus(part, OWNER)

    assert gao.mean_over_nodes(crawl, focus, ["north", "south"]) == 0.5


def test_focus_looks_only_at_pages_with_an_entity():
    crawl = [
        Download("south", "1", "", (IN_AUSTIN,)),
        Download("south", "2", "", (IN_SEATTLE,)),
        Download("south", "3", ""),
    ]

    assert gao.geo_focus(crawl, OWNER) == 0.5


def test_pooled_unique_entities_see_what_nodes_share():
    crawl = [Download("south", "1", "", (IN_AUSTIN,)), Download("north", "1", "", (IN_AUSTIN,))]

    assert gao.unique_entities(crawl) == 0.5
    assert all(gao.unique_entities(part) == 1 for part in gao.by_node(crawl).values())


def test_locality_counts_pages_about_nothing_as_different():
    cities = {1: "Austin", 2: "Austin", 3: "", 4: ""}
    links = {1: [2, 3], 3: [4]}

    measured = gao.locality(cities, links, random.Random(1), pairs=1000)

    assert measured.linked == pytest.approx(1 / 3)


def test_unlinked_pages_of_a_hundred_cities_agree_by_chance():
    cities = {page: f"city {page % 100}" for page in range(2000)}

    measured = gao.locality(cities, {}, random.Random(1), pairs=200_000)

    assert measured.unlinked >= 0.0085  # 0.01 less the page itself and chance
    assert measured.lift == 0
