"""What keeps the hybrid from the one-step oracle: one part of it is told the truth at a time.

    python -m benchmarks.gap ARCHIVES [--only webkb,munich] [--repeats 2]

From the seeds of each archive; the figures are the area under the recall curve as a share of the
greedy oracle's at 5, 10 and 20 % of the reachable pages, as in `benchmarks.coldstart`.

- nothing: the hybrid as it is.
- rescoring: after every response, 3,000 waiting requests are rescored.
- histories: the outcomes of all pages of each host and folder are known from the start.
- learned: both models start as they were at the end of a crawl of the same archive.
- leads: it is known how many relevant pages each page links to.
- relevance: it is known which waiting pages are relevant; the rest is the hybrid's own.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.coldstart import CASES, ONE_STEP, Start, seeds_of, units
from geoscout.settings import load_settings
from geoscout.strategy.base import StrategyAim
from geoscout.strategy.hybrid.link_features import Features, _folder_number
from geoscout.strategy.hybrid.models import Floats, read_prior
from geoscout.strategy.hybrid.signals import Habits, HybridOptions
from geoscout.strategy.hybrid.strategy import Hybrid
from geoscout.strategy.naive_bayes import unpack_arrays
from geoscout.strategy.terms import term_number
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_lab.worlds import archive
from geoscout_lab.worlds.archive import ArchiveWorld
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.urls import authority_of

KINDS = ("nothing", "rescoring", "histories", "learned", "leads", "relevance")


class ToldHybrid(Hybrid):
    """Knows one thing that no strategy can know."""

    def __init__(self, kind: str, start: Start, aim: StrategyAim) -> None:
        eager = Habits(rescore_every=1, rescore_most=3000)
        super().__init__(HybridOptions(), aim, eager if kind == "rescoring" else None)
        self._kind = kind
        truth, world = start.facts.truth, start.world
        self._relevant = {world.url(n): float(truth.relevant[n]) for n in range(world.size)}
        self._opens = {
            world.url(n): float(truth.relevant[truth.graph.of(n)].sum()) for n in range(world.size)
        }
        self.start_from(read_prior())
        if kind == "histories":
            for url, relevant in self._relevant.items():
                groups = (term_number(authority_of(url)), _folder_number(url))
                self._histories.add(np.array(groups, np.uint32), relevant)
            self._scorer.learn = self._learn_no_history  # type: ignore[method-assign]
        self._scorer.scores = self.scores  # type: ignore[method-assign]

    def _learn_no_history(self, packed: bytes, numbers: Floats, success: float) -> None:
        self._likely.learn(Features.unpack([packed]).terms.numbers, numbers, success)

    def start_with(self, state: bytes) -> None:
        """Take over the models of an earlier crawl, without its histories."""
        arrays = unpack_arrays(state)
        self._likely.load("likely", arrays)
        self._leads.load("leads", arrays)

    def scores(self, packed: list[bytes], distances: list[int], urls: Sequence[str]) -> Floats:
        """As its scorer gives them, with what it was told."""
        features = Features.unpack(packed)
        numbers = np.array(list(map(self._scorer.numbers, packed, distances, urls)))
        likely = self._likely.predict(features.terms, numbers)
        leads = self._leads.predict(features.terms, numbers)
        if self._kind == "relevance":
            likely = np.array([self._relevant[url] for url in urls]) + 0.01 * likely
        if self._kind == "leads":
            leads = np.array([self._opens[url] for url in urls])
        scores = likely + self._habits.future * np.log1p(leads)
        return np.asarray(scores * self._domains.worth(features.groups[:, 0]))


def shares(kind: str, start: Start, random_seed: int) -> list[float]:
    """One crawl by a hybrid that is told something."""
    budget = start.budgets[-1]
    plan = SimulationPlan(budget, random_seed)
    gazetteer = open_gazetteer(load_settings())

    def crawl(state: bytes = b"") -> tuple[ToldHybrid, list[float]]:
        aim = StrategyAim(start.region, gazetteer, chance=random.Random(random_seed))
        strategy = ToldHybrid(kind, start, aim)
        if state:
            strategy.start_with(state)
        start.features.attach(strategy._reader)  # noqa: SLF001 - saves most of the time
        return strategy, start.figures(simulate(start.world, strategy, plan).pages)["share"]

    strategy, found = crawl()
    return crawl(strategy.save())[1] if kind == "learned" else found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("archives", type=Path)
    parser.add_argument("--only", default="webkb,munich,schoolswiki", help="names of archives")
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    settings = load_settings()
    archive._REMEMBERED = 1_000_000  # noqa: SLF001 - all runs read the same links
    for case in (case for case in CASES if case.name in options.only.split(",")):
        for unit in units(case, options.archives):
            world = unit.prepared(settings, lambda _done, _all: None).open(settings).world
            assert isinstance(world, ArchiveWorld)
            region = Region.parse(unit.region, open_gazetteer(settings))
            start = Start(world, region, seeds_of("own", world, world.seeds))
            runs = {
                kind: [shares(kind, start, n) for n in range(options.repeats)] for kind in KINDS
            }
            runs[ONE_STEP] = [start.run(ONE_STEP, 0)["share"]]
            for kind, found in runs.items():
                means = "  ".join(f"{value:.2f}" for value in np.mean(found, axis=0))
                print(f"{case.name:<11} {unit.region[0][:14]:<14} {means}  {kind}", flush=True)


if __name__ == "__main__":
    main()
