"""What a copy should teach, and what learned forms of URLs save: simulations over an archive.

    python -m benchmarks.copies --replay WARC… --region R… --seeds URL… [--runs 3]

First, `hybrid` crawls a fifth of what can be reached, and hears of copies in four ways: the area
and the number of relevant pages, distinct texts counted once. Then every page gets a second URL,
each link takes one of the two by chance, and everything is crawled: fetches and distinct texts.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from msgspec import structs

from geoscout.settings import load_settings
from geoscout.strategy import LinkOutcome, Scores, Source, StrategyAim, create_strategy
from geoscout.strategy.hybrid.strategy import Hybrid
from geoscout_lab.measures.harvest import area, found_curve
from geoscout_lab.simulation.simulate import SimulationPlan, Trace, simulate
from geoscout_lab.worlds.archive import ArchiveWorld, Judging, open_archive
from geoscout_lab.worlds.truth import WorldFacts, facts_of
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.model import Link, Page, Reading, Request

SHARES = (0.1, 0.2)  # of what can be reached
Hearing = Callable[[LinkOutcome], LinkOutcome | None]  # None: it does not hear of it
HEARINGS: Mapping[str, Hearing] = {
    "default": lambda outcome: outcome,
    "failure": lambda o: structs.replace(o, relevant=False) if o.duplicate else o,
    "nothing": lambda o: None if o.duplicate else o,
    "its relevance": lambda o: structs.replace(o, duplicate=False),
}
FORMS: Mapping[str, Callable[[str], str]] = {
    "without its extension": lambda url: re.sub(r"\.html?$", "", url),
    "with or without www": lambda url: re.sub("://(?:(www[.])|)", _other_www, url, count=1),
    "with a parameter": lambda url: f"{url}{'&' if '?' in url else '?'}ref={len(url) % 7}",
}


def _other_www(found: re.Match[str]) -> str:
    return "://" if found[1] else "://www."


class Listening:
    """The hybrid, which hears of copies as it is told to."""

    def __init__(self, hybrid: Hybrid, hearing: Hearing) -> None:
        self._hybrid = hybrid
        self._hearing = hearing
        self.traits = hybrid.traits

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return self._hybrid.score(source, links)

    def learn(self, outcome: LinkOutcome) -> None:
        if (heard := self._hearing(outcome)) is not None:
            self._hybrid.learn(heard)

    def due(self, responses: int) -> int:
        return self._hybrid.due(responses)

    def rescore(self, waiting: Sequence[Request]) -> Sequence[float]:
        return self._hybrid.rescore(waiting)


class Doubled:
    """A world in which each page has a second URL; the pages of those come after the others."""

    def __init__(self, world: ArchiveWorld, form: Callable[[str], str]) -> None:
        chance, known = random.Random(1), {world.url(page) for page in range(world.size)}
        self._world = world
        self._others = [form(world.url(page)) for page in range(world.size)]
        self._has_other = [url not in known for url in self._others]
        self._rows = [
            [t + world.size * self._takes_other(t, chance) for t in world.targets(page)]
            for page in (*range(world.size), *range(world.size))
        ]
        self.name, self.size, self.seeds = world.name, 2 * world.size, world.seeds

    def _takes_other(self, page: int, chance: random.Random) -> bool:
        return self._has_other[page] and chance.random() < 0.5

    def original(self, page: int) -> int:
        return page % self._world.size

    def url(self, page: int) -> str:
        size = self._world.size
        return self._world.url(page) if page < size else self._others[page - size]

    def targets(self, page: int) -> Sequence[int]:
        return self._rows[page]

    def links(self, page: int) -> Sequence[Link]:
        return [Link.to(self.url(target)) for target in self._rows[page]]

    def status(self, page: int) -> int:
        return self._world.status(self.original(page))

    def page(self, page: int) -> Page:
        return self._world.page(self.original(page))

    def is_relevant(self, page: int) -> bool:
        return self._world.is_relevant(self.original(page))

    def entities(self, page: int) -> Sequence[str]:
        return self._world.entities(self.original(page))

    def host(self, page: int) -> int:
        return self._world.host(self.original(page))

    def reading(self, page: int) -> Reading:
        return self._world.reading(self.original(page))

    def fingerprint(self, page: int) -> int:
        return self._world.fingerprint(self.original(page))


class WithoutTexts(Doubled):
    """The same without texts, so that no form can be learned."""

    def fingerprint(self, page: int) -> int:  # noqa: ARG002 - the Protocol's
        return 0


def text_of(world: ArchiveWorld, page: int) -> str:
    read = world.page(page)
    return " ".join(read.text.casefold().split()) or read.title


def distinct(world: ArchiveWorld, trace: Trace, total: int, budget: int) -> tuple[float, int]:
    """The area and the number of relevant pages in a budget, each text once."""
    seen: set[str] = set()
    is_new = np.zeros(len(trace), np.bool_)
    for number in np.flatnonzero(trace.relevant).tolist():
        text = text_of(world, int(trace.pages[number]))
        is_new[number] = text not in seen
        seen.add(text)
    found = found_curve(is_new, budget)
    return area(found, total), int(found[-1])


def measure_teaching(facts: WorldFacts, world: ArchiveWorld, aim: StrategyAim, runs: int) -> None:
    total = len({text_of(world, page) for page in facts.targets.tolist()})
    budgets = [int(share * facts.reachable) for share in SHARES]
    for name, hearing in HEARINGS.items():
        rows = []
        for seed in range(1, runs + 1):
            hybrid = create_strategy("hybrid", replace(aim, chance=random.Random(seed)))
            assert isinstance(hybrid, Hybrid)
            plan = SimulationPlan(budgets[-1], random_seed=seed)
            trace = simulate(world, Listening(hybrid, hearing), plan)
            rows.append([x for b in budgets for x in distinct(world, trace, total, b)])
        means = np.mean(rows, axis=0)
        shown = "  ".join(
            f"{share:.0%}: area {means[2 * n]:.4f}, {means[2 * n + 1]:.1f} pages"
            for n, share in enumerate(SHARES)
        )
        print(f"{name:15} {shown}")


def measure_forms(world: ArchiveWorld) -> None:
    for name, form in FORMS.items():
        for learns, kind in (("not learned", WithoutTexts), ("learned", Doubled)):
            doubled = kind(world, form)
            breadth = create_strategy("breadth", StrategyAim())
            pages = simulate(doubled, breadth, SimulationPlan(doubled.size)).pages.tolist()
            found = {doubled.original(p) for p in pages if doubled.status(p) == 200}
            texts = {text_of(world, page) for page in found}
            relevant = {text_of(world, page) for page in found if world.is_relevant(page)}
            print(f"{name:22} {learns:12} {len(pages):6} fetches", end="  ")
            print(f"{len(texts)} distinct texts, {len(relevant)} relevant")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replay", nargs="+", type=Path, required=True)
    parser.add_argument("--region", nargs="+", required=True)
    parser.add_argument("--seeds", nargs="+", required=True)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    settings = load_settings()
    world = open_archive(given.replay, given.seeds, Judging(tuple(given.region)), settings)
    gazetteer = open_gazetteer(settings)
    aim = StrategyAim(Region.parse(given.region, gazetteer), gazetteer)
    measure_teaching(facts_of(world), world, aim, given.runs)
    measure_forms(world)


if __name__ == "__main__":
    main()
