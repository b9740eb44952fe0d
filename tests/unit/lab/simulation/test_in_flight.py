"""The order of simulated crawls that have several requests in flight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geoscout.strategy import Scored, Scores, Source, Strategy, StrategyTraits
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from tests.unit.lab.small_worlds import HandMadeWorld

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geoscout_places.model import Link, Request


class ByName:
    """The number in the name of a page is its priority."""

    def __init__(self, patience: float = 0.0) -> None:
        self.traits = StrategyTraits(least_share=patience)

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [Scored(float(link.anchor[1:])) for link in links]


class Turncoat(ByName):
    """Takes the worst first from the first answer on."""

    def due(self, responses: int) -> int:
        return 100 if responses == 1 else 0

    def rescore(self, waiting: Sequence[Request]) -> Sequence[float]:
        return [100.0 - request.priority for request in waiting]


def orders(world: HandMadeWorld, strategy: Strategy, in_flight: int) -> set[str]:
    plans = [SimulationPlan(50, seed, in_flight=in_flight) for seed in range(12)]
    traces = [simulate(world, strategy, plan) for plan in plans]
    return {" ".join(world.names[page] for page in trace.pages) for trace in traces}


def test_answers_come_when_others_have_been_sent():
    world = HandMadeWorld({"s": ["a3", "b2", "c1"], "a3": ["d9"]})

    found = orders(world, ByName(), in_flight=3)

    assert orders(world, ByName(), in_flight=1) == {"s a3 d9 b2 c1"}
    assert len(found) > 4
    assert any(order.index("c1") < order.index("d9") for order in found)
    assert all(order.index("a3") < order.index("d9") for order in found)


def test_host_is_asked_for_one_page_at_a_time():
    world = HandMadeWorld({"s": ["a5", "a3", "a4"]})

    assert orders(world, ByName(), in_flight=50) == {"s a5 a4 a3"}


def test_page_waits_for_the_next_of_a_better_host_as_patience_says():
    world = HandMadeWorld({"s": ["a9", "a8", "b1"]})

    assert orders(world, ByName(0.5), in_flight=50) == {"s a9 a8 b1", "s a9 b1 a8"}
    assert "s b1 a9 a8" in orders(world, ByName(), in_flight=50)


def test_what_waits_is_scored_again():
    world = HandMadeWorld({"s": ["a1", "b2", "c3"]})

    assert orders(world, Turncoat(), in_flight=1) == {"s a1 b2 c3"}


def test_page_is_raised_only_while_it_waits():
    world = HandMadeWorld({"s": ["a4", "a1", "b3"], "b3": ["a1"], "a4": ["b3", "b2"]})

    for order in orders(world, ByName(), in_flight=5):
        assert sorted(order.split()) == ["a1", "a4", "b2", "b3", "s"]
