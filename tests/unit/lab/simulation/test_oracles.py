"""Oracles on webs where the best order can be seen."""

import random

import numpy as np
import pytest

from geoscout_lab.simulation.oracles import greedy_oracle, one_step_oracle, upper_bound
from geoscout_lab.worlds.truth import Truth, graph_of, relevance_of
from tests.unit.lab.small_worlds import HandMadeWorld, hub, three_bridges, trap


def truth_of(world: HandMadeWorld) -> Truth:
    return Truth(graph_of(world), relevance_of(world), world.seeds)


def greedy(world: HandMadeWorld, budget: int = 100) -> list[str]:
    return [world.names[page] for page in greedy_oracle(truth_of(world), budget)]


def test_oracle_goes_straight_to_the_hub():
    order = greedy(hub())

    assert order[:2] == ["s", "hub"]
    assert len(order) == 12


@pytest.mark.parametrize(
    ("world", "order"),
    [
        (trap(), "s a b"),
        (three_bridges(), "s x y z g"),  # and no tail
        (  # near pages before far ones
            HandMadeWorld({"s": ["b", "n"], "b": ["far"], "far": []}, frozenset(["far", "n"])),
            "s n b far",
        ),
        (  # what was fetched makes other paths shorter
            HandMadeWorld(
                {"s": "am", "a": "b", "b": "x", "m": "n", "n": "o", "o": "y", "x": "y"},
                frozenset("xy"),
            ),
            "s a b x y",
        ),
    ],
)
def test_oracle_fetches_the_shortest_paths(world, order):
    assert greedy(world) == order.split()


def test_of_equal_paths_the_one_that_opens_more_comes_first():
    rows = {"s": ["a", "b"], "a": ["one"], "b": ["two", "three", "four"]}
    world = HandMadeWorld(rows, frozenset("one two three four".split()))

    order = greedy(world)

    assert order[:2] == ["s", "b"]
    assert order[-2:] == ["a", "one"]


def test_oracle_finds_all_that_can_be_reached_over_links_it_has_seen():
    world = random_world(7)
    truth = truth_of(world)

    order = greedy_oracle(truth, 10_000)

    known = set(world.seeds)
    for page in order:
        assert page in known
        known.update(world.targets(page))
    assert len(order) == len(set(order))
    assert set(truth.reachable_targets().tolist()) <= set(order)
    assert greedy_oracle(truth, 5) == order[:5]


@pytest.mark.parametrize("seed", range(5))
def test_no_order_beats_the_upper_bound(seed):
    truth = truth_of(random_world(seed))
    bound = upper_bound(truth, 200)
    for order in (greedy_oracle(truth, 200), one_step_oracle(truth, 200, random.Random(1))):
        found = np.cumsum(truth.relevant[order])

        assert (found <= bound[: len(found)]).all()


def test_bound_counts_the_bridge_before_hidden_pages():
    bound = upper_bound(truth_of(hub()), 12)

    assert bound.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10]


def test_bound_of_relevant_seeds_is_the_budget():
    world = HandMadeWorld({"a": ["b"], "b": ["c"], "c": []}, frozenset("abc"))

    assert upper_bound(truth_of(world), 4).tolist() == [1, 2, 3, 3]


def test_one_step_oracle_takes_relevant_pages_first_but_sees_no_hub():
    world = HandMadeWorld({"s": [f"n{k}" for k in range(9)] + ["r"], "n8": ["z"]}, frozenset("rz"))

    order = [world.names[page] for page in one_step_oracle(truth_of(world), 50, random.Random(1))]

    assert order[:2] == ["s", "r"]
    assert order.index("z") == order.index("n8") + 1


def random_world(seed: int) -> HandMadeWorld:
    chance = random.Random(seed)
    rows = {f"p{n}": [f"p{chance.randrange(400)}" for _ in range(4)] for n in range(400)}
    return HandMadeWorld(rows, frozenset(f"p{chance.randrange(400)}" for _ in range(40)))
