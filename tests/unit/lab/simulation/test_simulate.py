"""The order of simulated crawls on webs small enough to do by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from geoscout.strategy import (
    LinkOutcome,
    Scored,
    Scores,
    Source,
    StrategyAim,
    StrategyTraits,
    create_strategy,
)
from geoscout.strategy.distance import Distance, DistanceOptions
from geoscout_lab.simulation.simulate import SimulationPlan, Trace, TrainingCrawls, simulate
from tests.unit.lab.small_worlds import (
    HandMadeWorld,
    ReadByHand,
    crawl_order_figure,
    hub,
    trap,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geoscout_places.model import Link, Request


def names(world: HandMadeWorld, trace: Trace) -> list[str]:
    return [world.names[page] for page in trace.pages]


def crawl(world: HandMadeWorld, strategy: str, budget: int = 100, seed: int = 0) -> list[str]:
    made = create_strategy(strategy, StrategyAim())
    return names(world, simulate(world, made, SimulationPlan(budget, random_seed=seed)))


class ByAnchor:
    """The anchor is the priority; notes what it hears."""

    def __init__(self) -> None:
        self.heard: list[LinkOutcome] = []

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [Scored(float(link.anchor[1:] or 0), link.anchor.encode()) for link in links]

    def learn(self, outcome: LinkOutcome) -> None:
        self.heard.append(outcome)


class Listener(ByAnchor):
    """All links are equal, in the order they came; notes what it hears."""

    traits = StrategyTraits(reads_links=False, ties_in_order=True)

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [Scored(0.0)] * len(links)


class Reverser(ByAnchor):
    """Turns every priority round after two answers."""

    def due(self, responses: int) -> int:
        return 100 if responses % 2 == 0 else 0

    def rescore(self, waiting: Sequence[Request]) -> Sequence[float]:
        return [-request.priority for request in waiting]


class Dropper(ByAnchor):
    """Follows nothing."""

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [None] * len(links)


class Hopeless(ByAnchor):
    """Follows everything, and expects nothing of it."""

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [Scored(-1e300)] * len(links)


class Trainee(ByAnchor):
    """Wants three pages of training that do not count."""

    is_trained = False

    def separate_training(self) -> int:
        return 3

    def fit(self) -> None:
        self.is_trained = True


class InOrder(Distance):
    """By distance; equals keep their order."""

    traits = StrategyTraits(reads_links=False, ties_in_order=True)


@pytest.mark.parametrize("seed", range(10))
def test_figure_3_what_is_one_link_from_relevance_precedes_what_is_two(seed):
    order = crawl(crawl_order_figure(), "distance", seed=seed)

    assert order[0] == "r"
    assert order[1] in {"a", "b", "c"}
    assert set(order[1:6]) == {"a", "b", "c", "c1", "c2"}  # 0.5 each, chance decides
    assert set(order[6:]) == {"a1", "a2", "a3"}  # 0.25 each


def test_figure_3_children_of_the_seed_come_first_when_equals_keep_their_order():
    world = crawl_order_figure()
    strategy = InOrder(DistanceOptions())

    order = names(world, simulate(world, strategy, SimulationPlan(100)))

    assert order == ["r", "a", "b", "c", "c1", "c2", "a1", "a2", "a3"]


def test_equals_are_in_an_order_that_the_random_seed_decides():
    orders = {tuple(crawl(hub(), "distance", seed=seed)) for seed in range(5)}

    assert len(orders) == 5
    assert crawl(hub(), "distance", seed=3) == crawl(hub(), "distance", seed=3)


@pytest.mark.parametrize(
    ("world", "budget", "order"),
    [
        (HandMadeWorld({"s": "ba", "b": "dc", "a": "e"}), 100, "s b a d c e"),
        (trap(), 6, "s t0 a t1 b t2"),
        (hub(), 100, " ".join(["s", *hub().outlinks["s"], *hub().outlinks["hub"]])),
    ],
)
def test_breadth_is_first_in_first_out(world, budget, order):
    assert crawl(world, "breadth", budget) == order.split()


def test_strategy_that_reads_no_links_never_has_any_made():
    world = hub()

    crawl(world, "breadth")

    assert world.made == []


def test_page_is_made_only_when_it_is_looked_at():
    world = HandMadeWorld({"s": ["a1"]})

    class Looker(ByAnchor):
        def score(self, source: Source, links: Sequence[Link]) -> Sequence[Scored]:
            titles.append(source.page.title)
            return super().score(source, links)

    titles: list[str] = []
    simulate(world, ByAnchor(), SimulationPlan(1))
    made_without_looking = list(world.made)
    simulate(world, Looker(), SimulationPlan(1))

    assert made_without_looking == ["s"]  # its links
    assert titles == ["s"]


def test_dead_page_counts_and_leads_nowhere():
    world = HandMadeWorld({"s": ["a1"], "a1": ["b1"]}, statuses={"a1": 404})

    trace = simulate(world, ByAnchor(), SimulationPlan(10))

    assert names(world, trace) == ["s", "a1"]
    assert trace.statuses.tolist() == [200, 404]


def test_redirect_counts_and_its_target_takes_its_place():
    world = HandMadeWorld({"s": ["a5", "b1"], "a5": ["c0"]}, statuses={"a5": 301})

    trace = simulate(world, ByAnchor(), SimulationPlan(10))

    assert names(world, trace) == ["s", "a5", "c0", "b1"]
    assert trace.depths.tolist() == [0, 1, 1, 1]
    assert trace.parents.tolist() == [-1, 0, 1, 0]


class ByDepth(ByAnchor):
    """Ten times the depth and the anchor."""

    def score(self, source: Source, links: Sequence[Link]) -> Sequence[Scored]:
        return [Scored(10 * source.request.depth + float(link.anchor[1:])) for link in links]


@pytest.mark.parametrize(("first_come", "order"), [(False, "s a5 c1 b3"), (True, "s a5 b3 c1")])
def test_page_found_again_is_raised_unless_the_first_come(first_come, order):
    world = HandMadeWorld({"s": ["a5", "b3", "c1"], "a5": ["c1"]})
    plan = SimulationPlan(10, first_come=first_come)

    assert names(world, simulate(world, ByDepth(), plan)) == order.split()


def test_strategy_hears_of_every_answer_with_what_it_noted():
    strategy = ByAnchor()

    simulate(HandMadeWorld({"s": ["a2", "b1"]}, frozenset(["b1"])), strategy, SimulationPlan(10))

    assert [outcome.request.features for outcome in strategy.heard] == [b"", b"a2", b"b1"]
    assert [outcome.relevant for outcome in strategy.heard] == [False, False, True]
    assert strategy.heard[2].request.parent == "http://s.example/s"


def test_distance_starts_again_at_relevant_pages():
    strategy = ByAnchor()

    simulate(HandMadeWorld({"s": ["a1"], "a1": ["b1"], "b1": ["c1"]}, frozenset(["b1"])), strategy,
             SimulationPlan(10))  # fmt: skip

    assert [outcome.request.distance for outcome in strategy.heard] == [0, 1, 2, 1]


def test_strategy_hears_of_copies():
    world = ReadByHand({"s": ["a-text", "a2-text", "a-other", "b-text"]})
    strategy = Listener()

    simulate(world, strategy, SimulationPlan(10))

    assert [outcome.duplicate for outcome in strategy.heard] == [False, False, True, False, False]


@pytest.mark.parametrize(
    ("page", "visits"),
    [("t{}-same", 5), ("t-{}", 40)],  # the seed and four copies; short texts that differ
)
def test_host_that_repeats_itself_is_left_as_in_a_crawl(page, visits):
    chain = {page.format(n): [page.format(n + 1)] for n in range(50)}
    world = ReadByHand({"s": [page.format(0)], **chain})

    assert len(simulate(world, Listener(), SimulationPlan(40))) == visits


def test_what_waits_is_rescored():
    world = HandMadeWorld({"s": ["a4", "b3", "c2", "d1"]})

    assert names(world, simulate(world, Reverser(), SimulationPlan(10))) == [
        "s",
        "a4",
        "d1",
        "c2",
        "b3",
    ]


@pytest.mark.parametrize(("strategy", "order"), [(Dropper(), ["s"]), (Hopeless(), ["s", "a"])])
def test_dropped_links_do_not_wait_but_those_of_the_lowest_priority(strategy, order):
    world = HandMadeWorld({"s": ["a"]})

    assert names(world, simulate(world, strategy, SimulationPlan(10))) == order


def test_training_is_a_crawl_of_its_own_or_comes_first_and_repeats_nothing():
    world = HandMadeWorld({"s": ["a3", "b2", "c1"]})

    trace = simulate(world, Trainee(), SimulationPlan(2))

    assert names(world, trace) == ["s", "a3"]
    assert trace.training is not None
    assert names(world, trace.training) == ["s", "a3", "b2"]
    longer = simulate(world, Trainee(), SimulationPlan(4))
    assert [world.names[page] for page in longer.with_training(4)] == ["s", "a3", "b2", "c1"]


def test_training_that_found_no_more_pages_is_ended():
    strategy = Trainee()

    simulate(HandMadeWorld({"s": ["a1"]}), strategy, SimulationPlan(2))

    assert strategy.is_trained


def trained_crawl(spec: str, crawls: TrainingCrawls | None = None, seed: int = 1) -> Trace:
    plan = SimulationPlan(20, seed)
    return simulate(hub(), create_strategy(spec, StrategyAim()), plan, crawls)


@pytest.mark.parametrize("options", ["depth=1", "depth=3:smoothing=laplace", "labels=tree"])
def test_shared_training_gives_the_crawl_that_its_own_would_give(options):
    crawls = TrainingCrawls()
    trained_crawl("adaptive:training_pages=25:counted=no", crawls)
    spec = f"adaptive:training_pages=25:counted=no:{options}"

    shared, own = trained_crawl(spec, crawls), trained_crawl(spec)

    assert shared.pages.tolist() == own.pages.tolist()
    assert shared.priorities.tolist() == own.priorities.tolist()
    assert shared.training is not None
    assert own.training is not None
    assert shared.training.pages.tolist() == own.training.pages.tolist()


def test_training_crawl_runs_once_for_strategies_that_train_alike():
    crawls = TrainingCrawls()
    spec = "adaptive:training_pages=25:counted=no"
    first = trained_crawl(spec, crawls)

    assert trained_crawl(f"{spec}:depth=1", crawls).training is first.training
    assert trained_crawl(f"{spec}:window=3", crawls).training is not first.training
    assert trained_crawl(f"{spec}:update_every=5", crawls).training is not first.training
    assert trained_crawl(spec, crawls, seed=2).training is not first.training
