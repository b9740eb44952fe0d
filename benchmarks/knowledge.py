"""What the hybrid would find if it knew more of a link than anybody can see.

    python -m benchmarks.knowledge [--web 101] [--pages 100000] [--budget 7000]

On a synthetic web each link is given terms that tell the truth about its page: the city it is
about, the type of its host, its role there. Whatever it gains by them is the most that better
reading of links could gain; the rest cannot be known before the page is fetched.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from geoscout.strategy.base import StrategyAim
from geoscout.strategy.hybrid.signals import Habits, HybridOptions
from geoscout.strategy.hybrid.strategy import Hybrid
from geoscout.strategy.terms import TermReader, Terms, term_number
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.model import Link

KINDS = ("nothing", "role", "type", "type and role", "city", "all three")
FUTURES = (0.15, 0.3)
TOLD = 8  # times, so that it weighs among the other terms of a link


class Teller:
    """Reads the terms of links, and adds the truth."""

    def __init__(self, reader: TermReader, web: SyntheticWeb, kind: str) -> None:
        self._reader = reader
        self._web = web
        self._kind = kind
        self._pages = {web.url(page): page for page in range(web.size)}

    def read(self, url: str, links: Sequence[Link], further: NDArray[np.uint32]) -> Terms:
        """As a `TermReader` does."""
        told = [[term_number(f"{n}{self._truth(link.url)}") for n in range(TOLD)] for link in links]
        more = np.concatenate([further, np.array(told, np.uint32)], axis=1)
        return self._reader.read(url, links, more)

    def _truth(self, url: str) -> str:
        page = self._pages[url]
        city = self._web.city(page)
        known = {
            "role": self._web.role(page).name,
            "type": self._web.host_type(page).name,
            "city": str(city is not None and city.label in self._web.region),
        }
        return " ".join(known[name] for name in known if name in self._kind or "all" in self._kind)


def found(web: SyntheticWeb, aim: StrategyAim, kind: str, future: float, budget: int) -> np.ndarray:
    """How many relevant pages were found after each answer."""
    strategy = Hybrid(HybridOptions(), aim, Habits(future=future))
    if kind != "nothing":
        reader = strategy._reader  # noqa: SLF001 - no strategy is meant to be told
        reader._terms = Teller(reader._terms, web, kind)  # type: ignore[assignment] # noqa: SLF001
        reader._packer = None  # noqa: SLF001 - the kernel would read the terms itself
    return np.cumsum(simulate(web, strategy, SimulationPlan(budget)).relevant)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--profile", default="ahlers2009")
    parser.add_argument("--web", type=int, default=101)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--budget", type=int, default=7000)
    options = parser.parse_args()
    gazetteer = open_gazetteer()
    web = make_web(WebPlan(options.profile, options.web, options.pages), gazetteer)
    region = Region.parse(web.region, gazetteer)
    base = 0.0
    print("told           found   area, of what it has untold")
    for kind in KINDS:
        aims = [StrategyAim(region, gazetteer, chance=random.Random(0)) for _ in FUTURES]
        curves = [
            found(web, aim, kind, future, options.budget)
            for aim, future in zip(aims, FUTURES, strict=True)
        ]
        best = max(curves, key=lambda curve: float(curve.sum()))
        base = base or float(best.sum())
        print(f"{kind:<13} {best[-1]:6d} {best.sum() / base:6.2f}", flush=True)


if __name__ == "__main__":
    main()
