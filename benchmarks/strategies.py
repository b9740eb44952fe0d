"""What scoring costs: CPU time for the links of a page, by strategy.

    python benchmarks/strategies.py

Scores pages of 100 links whose anchors, paths and surroundings are words of a vocabulary as
skewed as that of natural text, all links and pages different, so that nothing is scored twice. The
adaptive strategy is measured while it trains, and after it was trained on 300 such pages. Times are
the best of several runs, because other work on the machine only adds.
"""

from __future__ import annotations

import random
import time
from dataclasses import replace
from itertools import accumulate

from geoscout.model import Link, Page, Part, Request
from geoscout.strategy import Aim, Outcome, Source, Strategy, create_strategy

LINKS = 100
PAGES = 100
TRAINING = 300
RUNS = 5
WORDS = 30_000
TARGET_MILLISECONDS = 1.0


class Web:
    """Pages made of chance."""

    def __init__(self) -> None:
        self._chance = random.Random(1)
        self._words = [self._word() for _ in range(WORDS)]
        self._weights = list(accumulate(1 / rank for rank in range(1, WORDS + 1)))

    def _word(self) -> str:
        length = self._chance.randint(3, 10)
        return "".join(self._chance.choices("etaoinshrdlucmfwygpbvk", k=length))

    def _some(self, count: int) -> list[str]:
        return self._chance.choices(self._words, cum_weights=self._weights, k=count)

    def page(self, number: int) -> Source:
        """One page with its links."""
        host = f"www.{self._some(1)[0]}-{number % 90}.example"
        url = f"http://{host}/{number}.html"
        page = Page(url, "", "en", "", (), tuple(self._link(host) for _ in range(LINKS)))
        return Source(Request(url, depth=3, distance=2), page, relevant=number % 20 == 0)

    def _link(self, host: str) -> Link:
        chance = self._chance
        away = f"www.{self._some(1)[0]}.example" if chance.random() < 0.15 else host
        path = "/".join(self._some(chance.randint(1, 4)))
        anchor = " ".join(self._some(chance.randint(1, 5)))
        before, after = (" ".join(self._some(chance.randint(0, 25))) for _ in range(2))
        url = f"http://{away}/{path}.html"
        return Link(url, anchor, "", (), "", before, after, "body/p/a", Part.MAIN)


def milliseconds(strategy: Strategy, sources: list[Source]) -> float:
    """CPU time to score the links of a page."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        for source in sources:
            strategy.score(source, source.page.links)
        best = min(best, time.process_time() - start)
    return best / len(sources) * 1000


def train(strategy: Strategy, sources: list[Source]) -> None:
    """A training crawl in which every page is fetched, and some more of its links."""
    for source in sources:
        strategy.learn(Outcome(source.request, 200, source.relevant))
        strategy.score(source, source.page.links)
        for link in source.page.links[:5]:
            request = replace(source.request, url=link.url, parent=source.page.url)
            strategy.learn(Outcome(request, 200, len(link.anchor) % 7 == 0))


def main() -> None:
    """Print the figures."""
    web = Web()
    training = [web.page(n) for n in range(TRAINING)]
    sources = [web.page(n) for n in range(TRAINING, TRAINING + PAGES)]
    print(f"CPU time to score a page of {LINKS} links; the target is {TARGET_MILLISECONDS} ms")
    specs = ["breadth", "distance", *(f"adaptive:depth={depth}" for depth in (1, 2, 3))]
    for spec in specs:
        strategy = create_strategy(spec, Aim())
        print(f"{spec:<32} {milliseconds(strategy, sources):8.3f} ms")
    for depth in (1, 3):
        spec = f"adaptive:depth={depth}:training_pages={TRAINING * 6}"
        strategy = create_strategy(spec, Aim())
        train(strategy, training)
        print(f"adaptive, depth {depth}, trained        {milliseconds(strategy, sources):8.3f} ms")


if __name__ == "__main__":
    main()
