"""What the hybrid costs in a crawl, for a page of 100 links: scoring, learning, scoring again.

    python -m benchmarks.hybrid

Through the crawl's own frontier in SQLite, with the gazetteer, for the region Oldenburg. Pages are
those of benchmarks/strategies.py: made of chance, so hardly a link comes twice, which is worse for
its memory of links than the pages of a site with their menus. Processor time; the best of
three runs.
"""

from __future__ import annotations

import sqlite3
import time
from collections import defaultdict
from collections.abc import Sequence

from benchmarks.strategies import LINKS, Web
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.strategy import LinkOutcome, Source, StrategyAim, abilities_of, create_strategy
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.model import Request

PAGES, WARM = 400, 100
RUNS = 3
RELEVANT = 7  # one page of this many
TARGET_MILLISECONDS = 1.5


def crawl(sources: Sequence[Source], aim: StrategyAim) -> dict[str, float]:
    """Seconds of processor time by part, of the pages after the first few."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(f"{TABLES} BEGIN;")
    frontier = SqliteFrontier(connection)
    strategy = abilities_of(create_strategy("hybrid", aim))
    spent: defaultdict[str, float] = defaultdict(float)
    for number, source in enumerate(sources):
        if number == WARM:
            spent.clear()
        links, now = source.page.links, float(number)
        started = time.process_time()
        scored = strategy.score(source, links)
        spent["scoring"] += time.process_time() - started
        frontier.put(
            [
                Request(link.url, one.score, 1, 2, source.page.url, features=one.features)
                for link, one in zip(links, scored, strict=True)
                if one is not None
            ]
        )
        request = frontier.next(now, strategy.traits.least_share)
        if request is None:
            continue
        started = time.process_time()
        strategy.learn(LinkOutcome(request, 200, number % RELEVANT == 0))
        spent["learning"] += time.process_time() - started
        frontier.done(request, now, 0.0)
        if most := strategy.due(number):
            started = time.process_time()
            frontier.reorder(most, strategy.rescore)
            spent["scoring again"] += time.process_time() - started
    connection.close()
    return spent


def main() -> None:
    """Measure and print."""
    gazetteer = open_gazetteer()
    aim = StrategyAim(Region.parse("Oldenburg, Germany", gazetteer), gazetteer)
    web = Web(LINKS // 2)
    sources = [web.page(number) for number in range(PAGES)]
    runs = [crawl(sources, aim) for _ in range(RUNS)]
    best = min(runs, key=lambda spent: sum(spent.values()))
    for part, seconds in best.items():
        print(f"{part:<14} {1000 * seconds / (PAGES - WARM):6.2f} ms a page of {LINKS} links")
    total = 1000 * sum(best.values()) / (PAGES - WARM)
    print(f"{'in all':<14} {total:6.2f} ms; the aim is {TARGET_MILLISECONDS}")


if __name__ == "__main__":
    main()
