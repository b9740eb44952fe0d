"""What scoring costs: CPU time for the links of a page, by strategy.

    python benchmarks/strategies.py

Scores pages of 100 links of two kinds: mixed as in benchmarks/parse.py (50 links in running text,
20 in cells of a table, 30 in a menu), and with all links in running text, which has the most words
and is the worst case. Anchors, paths and surroundings are words of a vocabulary as skewed as that
of natural text, and no two links are the same. The adaptive strategy is measured while it trains,
and after it was trained on 300 such pages; the hybrid
without a gazetteer, so without its cues. Links are touched before they are scored, as the parser
has just made them. Times are the best of several runs, because other work on the machine only adds.
"""

from __future__ import annotations

import random
import time
from itertools import accumulate

from msgspec.structs import replace

from geoscout.strategy import (
    LinkOutcome,
    Source,
    Strategy,
    StrategyAim,
    abilities_of,
    create_strategy,
)
from geoscout_places.model import Link, Page, Request

LINKS = 100
CELLS = 20
PAGES = 100
TRAINING = 300
RUNS = 10
WORDS = 30_000
CAPITALS = 0.25  # of the words of a text
TEXT_WORDS, CELL_WORDS = 25, 3  # on either side of a link, at the most
TARGET_MILLISECONDS = 1.0


class Web:
    """Pages made of chance; the links from `text_links` on stand in cells, then in a menu."""

    def __init__(self, text_links: int) -> None:
        self._text_links = text_links
        self._chance = random.Random(1)
        self._words = [self._word() for _ in range(WORDS)]
        self._weights = list(accumulate(1 / rank for rank in range(1, WORDS + 1)))

    def _word(self) -> str:
        length = self._chance.randint(3, 10)
        return "".join(self._chance.choices("etaoinshrdlucmfwygpbvk", k=length))

    def _some(self, count: int) -> list[str]:
        return self._chance.choices(self._words, cum_weights=self._weights, k=count)

    def _text(self, count: int) -> str:
        """Words with capitals here and there, as names have them."""
        words = self._some(count)
        return " ".join(w.capitalize() if self._chance.random() < CAPITALS else w for w in words)

    def page(self, number: int) -> Source:
        """One page with its links."""
        host = f"www.{self._some(1)[0]}-{number % 90}.example"
        url = f"http://{host}/{number}.html"
        page = Page(url, "", "en", "", (), links=tuple(self._link(host, n) for n in range(LINKS)))
        return Source(Request(url, depth=3, distance=2), page, relevant=number % 20 == 0)

    def _link(self, host: str, position: int) -> Link:
        chance = self._chance
        words = 0
        if position < self._text_links:
            words = TEXT_WORDS
        elif position < self._text_links + CELLS:
            words = CELL_WORDS
        away = f"www.{self._some(1)[0]}.example" if chance.random() < 0.15 else host
        path = "/".join(self._some(chance.randint(1, 4)))
        anchor = self._text(chance.randint(1, 5))
        before, after = (self._text(chance.randint(0, words)) for _ in range(2))
        url = f"http://{away}/{path}.html"
        return Link(url, anchor, before=before, after=after, tag_path="body/p/a")


def milliseconds(strategy: Strategy, sources: list[Source]) -> float:
    """CPU time to score the links of a page: the mean over pages of the best of several runs."""
    best = [float("inf")] * len(sources)
    for _ in range(RUNS):
        for number, source in enumerate(sources):
            _touch(source)
            start = time.process_time_ns()
            strategy.score(source, source.page.links)
            best[number] = min(best[number], time.process_time_ns() - start)
    return sum(best) / len(best) / 1e6


def _touch(source: Source) -> None:
    for link in source.page.links:
        hash(f"{link.before}{link.after}{link.url}{link.anchor}")


def train(strategy: Strategy, sources: list[Source]) -> None:
    """A training crawl in which every page is fetched, and some more of its links."""
    learn = abilities_of(strategy).learn
    for source in sources:
        learn(LinkOutcome(source.request, 200, source.relevant))
        strategy.score(source, source.page.links)
        for link in source.page.links[:5]:
            request = replace(source.request, url=link.url, parent=source.page.url)
            learn(LinkOutcome(request, 200, len(link.anchor) % 7 == 0))


def show(name: str, value: float) -> None:
    print(f"{name:<28} {value:8.3f} ms")


def measure(text_links: int) -> None:
    """Print the figures of one kind of page."""
    web = Web(text_links)
    training = [web.page(n) for n in range(TRAINING)]
    sources = [web.page(n) for n in range(TRAINING, TRAINING + PAGES)]
    print(f"pages of {LINKS} links, {text_links} of them in running text")
    for spec in ("breadth", "distance", "adaptive", "hybrid"):
        name = f"{spec}, in training" if spec == "adaptive" else spec
        show(name, milliseconds(create_strategy(spec, StrategyAim()), sources))
    for depth in (1, 3):
        spec = f"adaptive:depth={depth}:training_pages={TRAINING * 6}"
        strategy = create_strategy(spec, StrategyAim())
        train(strategy, training)
        show(f"adaptive, depth {depth}, trained", milliseconds(strategy, sources))


def main() -> None:
    """Print all figures."""
    print(f"CPU time to score a page; the target is {TARGET_MILLISECONDS} ms")
    for text_links in (LINKS // 2, LINKS):
        measure(text_links)


if __name__ == "__main__":
    main()
