"""Crawls by several workers: who visits what, what they tell each other, and what focus is left."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from benchmarks.partitioned import (
    ClusterPlan,
    ClusterTrace,
    Sharing,
    simulate_cluster,
)

from geoscout.strategy import (
    LinkOutcome,
    Scored,
    Scores,
    Source,
    Strategy,
    StrategyAim,
    create_strategy,
)
from geoscout_lab.measures.harvest import area, found_curve
from geoscout_lab.simulation.simulate import (
    SimulationPlan,
    Trace,
    simulate,
)
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_places.gazetteer import Region
from geoscout_places.parse import parse_html
from tests.unit.lab.small_worlds import HandMadeWorld

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geoscout_places.model import Link

LETTERS = "abcdefgh"


class Notes:
    """Scores a link by the number in its name, and notes what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [Scored(float(link.anchor[1:] or 0)) for link in links]

    def learn(self, outcome: LinkOutcome) -> None:
        self.heard.append(outcome.request.url.rpartition("/")[2])


def ring() -> HandMadeWorld:
    """Eight sites; the first page of each links to its own second page and to the next site."""
    rows = {f"{a}1": [f"{a}2", f"{b}1"] for a, b in zip(LETTERS, LETTERS[1:] + "a", strict=True)}
    return HandMadeWorld(rows, starts=["a1"])


def crawl(plan: ClusterPlan, budget: int = 100) -> tuple[ClusterTrace, list[Notes]]:
    made: list[Notes] = []

    def make() -> Notes:
        made.append(Notes())
        return made[-1]

    return simulate_cluster(ring(), make, SimulationPlan(budget), plan), made


def test_each_page_is_visited_once_by_the_owner_of_its_site():
    done, made = crawl(ClusterPlan(3, Sharing.ALONE, delay=2))
    assert sorted(done.trace.pages) == list(range(16))
    assert sum(done.visits) == 16
    assert [len(notes.heard) for notes in made] == list(done.visits)
    sites = [{name[0] for name in notes.heard} for notes in made]
    assert set.union(*sites) == set(LETTERS)
    assert sum(map(len, sites)) == len(LETTERS)  # no site has two owners


def test_workers_hear_what_became_of_the_links_of_others():
    done, made = crawl(ClusterPlan(3, Sharing.OUTCOMES, delay=1))
    last = world_names(done)[-1]
    for notes in made:
        assert set(notes.heard) >= set(world_names(done)) - {last, world_names(done)[-2]}


def world_names(done: ClusterTrace) -> list[str]:
    world = ring()
    return [world.names[page] for page in done.trace.pages]


def test_one_model_is_taught_by_all():
    done, made = crawl(ClusterPlan(3, Sharing.ONE_MODEL))
    assert len(made) == 1
    assert made[0].heard == world_names(done)


def test_a_worker_with_poor_pages_waits_for_those_of_others():
    poor = [f"b{number}" for number in range(1, 9)]  # of worker 1
    good = [f"a{number}" for number in range(91, 99)]  # of worker 0
    world = HandMadeWorld({"a9": good, "b9": poor}, starts=["a9", "b9"])

    def order(least_share: float) -> tuple[str, int]:
        plan = ClusterPlan(2, Sharing.ALONE, delay=0, least_share=least_share)
        done = simulate_cluster(world, Notes, SimulationPlan(100), plan)
        return "".join(world.names[page][0] for page in done.trace.pages), done.skipped

    assert order(0.0) == ("ab" * 9, 0)
    assert order(0.5) == ("ab" + "a" * 8 + "b" * 8, 8)


@pytest.mark.slow
def test_four_workers_keep_the_focus_of_one(gazetteer):
    """The floor is far below what `benchmarks.cluster_focus` measures: it guards against bugs."""
    web = make_web(WebPlan("web2025", 7, 4_000), gazetteer, parse_html)
    region = Region.parse(tuple(filter(None, web.region.split("; "))), gazetteer)
    plan = SimulationPlan(800, random_seed=1)

    def make() -> Strategy:
        return create_strategy("hybrid", StrategyAim(region, gazetteer, chance=random.Random(1)))

    def focus(trace: Trace) -> float:
        return area(found_curve(trace.relevant, plan.budget), 1)

    four = simulate_cluster(web, make, plan, ClusterPlan(4, delay=16, least_share=0.2))
    assert focus(four.trace) >= 0.9 * focus(simulate(web, make(), plan))
