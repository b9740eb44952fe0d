"""Learns `strategy/hybrid/prior.tsv` again: run with `python -m tools.prior`.

The hybrid crawls synthetic webs of two profiles, the tuning webs 101 and up, and what its models
then hold of ordinary words is averaged. Kept are words that were learned in most webs with the
same sign: "contact" is worth something everywhere, the name of a town or of a shop is not. Cues
of the gazetteer stay as they were set by hand, so that a place counts from the first page on.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from geoscout.settings import load_settings
from geoscout.strategy.base import StrategyAim
from geoscout.strategy.hybrid.models import read_prior
from geoscout.strategy.hybrid.signals import HybridOptions
from geoscout.strategy.hybrid.strategy import Hybrid
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer

FILE = Path(__file__).parents[2] / "src" / "geoscout" / "strategy" / "hybrid" / "prior.tsv"
PROFILES, SEEDS = ("ahlers2009", "web2025"), (101, 102, 103, 104)
PAGES, BUDGET = 100_000, 5000
FIELDS = ("anchor", "path")
# What says something in these webs only: how they spell copies and traps, their towns and names.
LEFT_OUT = frozenset("and archive carter in html intern london page print ref sid tennis".split())
FEWEST_WEBS = 3  # of a profile's
LEAST_WEIGHT = 0.15
TRUST = 0.7  # of what was learned, as other webs are not these
MOST_TERMS = 250


def main() -> None:
    """Learn and write."""
    gazetteer = open_gazetteer(load_settings())
    learned = [dict(_learn(p, s, gazetteer)) for p in PROFILES for s in SEEDS]
    rows = sorted(_agreed(learned), key=lambda row: -abs(row[1]) - abs(row[2]))[:MOST_TERMS]
    cues = [row for row in read_prior() if row[0].startswith("cue")]
    lines = [f"{term}\t{likely:.2f}\t{leads:.2f}" for term, likely, leads in (*cues, *sorted(rows))]
    FILE.write_text("\n".join(["term\tlikely\tleads", *lines, ""]), encoding="utf-8")
    print(f"{FILE.name}: {len(lines)} terms, {FILE.stat().st_size} bytes")


def _learn(
    profile: str, seed: int, gazetteer: Gazetteer
) -> Iterator[tuple[str, tuple[float, float]]]:
    """The weights of the ordinary words after a crawl."""
    web = make_web(WebPlan(profile, seed, PAGES), gazetteer)
    aim = StrategyAim(Region.parse(web.region, gazetteer), gazetteer, chance=random.Random(seed))
    strategy = Hybrid(HybridOptions(), aim)
    strategy.start_from(read_prior())
    simulate(web, strategy, SimulationPlan(BUDGET, seed))
    for term, likely, leads in strategy.terms(10**6):
        field, _, word = term.partition(":")
        digits = any(letter.isdigit() for letter in word)
        if field in FIELDS and word not in LEFT_OUT and not digits:
            yield term, (likely, leads)


def _agreed(
    learned: list[dict[str, tuple[float, float]]],
) -> Iterator[tuple[str, float, float]]:
    """Terms that most webs agree on, with the mean of their weights."""
    weights: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for terms in learned:
        for term, pair in terms.items():
            if max(map(abs, pair)) >= LEAST_WEIGHT / 2:
                weights[term].append(pair)
    for term, pairs in weights.items():
        means = [TRUST * sum(values) / len(pairs) for values in zip(*pairs, strict=True)]
        signs = {value > 0 for value, _ in pairs}
        if len(pairs) >= FEWEST_WEBS and len(signs) == 1 and abs(means[0]) >= LEAST_WEIGHT:
            yield term, means[0], means[1]


if __name__ == "__main__":
    main()
