"""Speed of simulated crawls and of the oracles: visits a second, and seconds for the limit.

    python benchmarks/simulate.py [--pages 300000] [--budget 20000]

The world is a table of random links with a heavy tail and one relevant page in twenty-five, so that
only the simulation is measured, not the making of pages.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from geoscout.strategy import StrategyAim, create_strategy
from geoscout_lab.simulation.oracles import greedy_oracle, one_step_oracle, upper_bound
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_lab.worlds.truth import Truth, graph_of, relevance_of
from geoscout_places.model import Link, Page

Result = TypeVar("Result")
LINKS = 11  # a page, as the synthetic web has
SEEDS = 20
RELEVANT = 0.04


class RandomWorld:
    """Pages that link to early ones more than to late ones."""

    name = "random"

    def __init__(self, size: int) -> None:
        chance = np.random.default_rng(1)
        self.size = size
        self._targets = (size * chance.random((size, LINKS)) ** 2).astype(np.int64)
        self._relevant = chance.random(size) < RELEVANT

    @property
    def seeds(self) -> Sequence[int]:
        return range(self.size - SEEDS, self.size)

    def url(self, page: int) -> str:
        return f"http://h{self.host(page)}.example/{page}"

    def status(self, page: int) -> int:  # noqa: ARG002 - the Protocol's
        return 200

    def targets(self, page: int) -> Sequence[int]:
        targets: list[int] = self._targets[page].tolist()
        return targets

    def links(self, page: int) -> Sequence[Link]:
        raise NotImplementedError("only strategies that read no links are measured here")

    def page(self, page: int) -> Page:
        raise NotImplementedError("only strategies that read no links are measured here")

    def is_relevant(self, page: int) -> bool:
        return bool(self._relevant[page])

    def entities(self, page: int) -> Sequence[str]:  # noqa: ARG002 - the Protocol's
        return ()

    def host(self, page: int) -> int:
        return page // 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300_000)
    parser.add_argument("--budget", type=int, default=20_000)
    options = parser.parse_args()
    world = RandomWorld(options.pages)
    for name in ("breadth", "distance"):
        trace = simulate(
            world, create_strategy(name, StrategyAim()), SimulationPlan(options.budget)
        )
        print(f"{name:<28}{len(trace) / trace.seconds:>12,.0f} visits a second of CPU")
    graph = timed("links of the world", lambda: graph_of(world))
    truth = Truth(graph, relevance_of(world), world.seeds)
    timed("upper bound", lambda: upper_bound(truth, options.budget))
    timed("one-step oracle", lambda: one_step_oracle(truth, options.budget, random.Random(1)))
    timed("greedy oracle", lambda: greedy_oracle(truth, options.budget))
    timed("greedy oracle, all targets", lambda: greedy_oracle(truth, options.pages))


def timed(what: str, work: Callable[[], Result]) -> Result:
    started = time.process_time()
    result = work()
    print(f"{what:<28}{time.process_time() - started:>12.2f} s of CPU")
    return result


if __name__ == "__main__":
    main()
