"""Revisits by probable change against uniform revisits, on a web that changes.

    python -m benchmarks.watch [--pages 4000] [--days 60] [--share 0.1]

Pages change at random, each at a rate of its own: most hardly ever, some every day. A site has a
rate, spread over its pages, and both have a broad spread, as studies of the web report (Cho and
Garcia-Molina 2000, Fetterly and others 2003); the median is set to some months. A second web has
one rate for all pages, so that nothing can be gained by choosing. Each day a share of all pages is
asked again. A change is seen if the page is asked after it; several between two visits count once.
Uniform revisits ask the page that was not asked for longest. The oracle knows the true rates. The
first days, when nothing is known yet, count as well.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from geoscout.crawling.watching import probably_changed
from geoscout.store.base import PageHistory

DAY = 86_400.0
PAGES_OF_A_SITE = 20
MEDIAN_DAYS = 100.0
SPREAD_OF_SITES, SPREAD_OF_PAGES = 1.4, 1.6  # standard deviations of the logarithm


@dataclass
class ChangingPage:
    """One page, and what is known of it."""

    url: str
    rate: float  # changes a day
    visits: int = 1
    changes: int = 0
    last_at: float = 0.0
    has_changed: bool = False  # since it was last seen
    versions: int = field(default=0)

    def history(self) -> PageHistory:
        """What a crawl knows."""
        return PageHistory(
            self.url, self.visits, self.changes, first_at=0.0, last_at=self.last_at, relevant=True
        )


Policy = Callable[[Sequence[ChangingPage], float, int], Sequence[ChangingPage]]


def by_freshness(pages: Sequence[ChangingPage], now: float, most: int) -> Sequence[ChangingPage]:
    """Ours."""
    by_url = {page.url: page for page in pages}
    chosen = probably_changed(lambda: (page.history() for page in pages), now, most)
    return [by_url[history.url] for history in chosen]


def uniform(pages: Sequence[ChangingPage], now: float, most: int) -> Sequence[ChangingPage]:  # noqa: ARG001
    """The pages that were not asked for longest."""
    return sorted(pages, key=lambda page: (page.last_at, page.url))[:most]


def oracle(pages: Sequence[ChangingPage], now: float, most: int) -> Sequence[ChangingPage]:
    """Those that have most likely changed, by their true rates."""

    def likely(page: ChangingPage) -> float:
        return math.expm1(-page.rate * (now - page.last_at) / DAY)

    return sorted(pages, key=likely)[:most]


def seen_changes(policy: Policy, rates: Sequence[float], days: int, share: float) -> int:
    """How many changes a policy sees."""
    pages = [
        ChangingPage(f"http://{n // PAGES_OF_A_SITE}.example/{n}", rate)
        for n, rate in enumerate(rates)
    ]
    chance, seen = random.Random(5), 0
    for day in range(1, days + 1):
        for page in pages:
            if chance.random() < -math.expm1(-page.rate):
                page.has_changed = True
        for page in policy(pages, day * DAY, int(share * len(pages))):
            seen += page.has_changed
            page.visits += 1
            page.changes += page.has_changed
            page.has_changed, page.last_at = False, day * DAY
    return seen


def rates_of(pages: int, chance: random.Random) -> list[float]:
    """Rates as on the web."""
    rates = []
    for _ in range(-(-pages // PAGES_OF_A_SITE)):
        site = chance.gauss(-math.log(MEDIAN_DAYS), SPREAD_OF_SITES)
        rates += [math.exp(chance.gauss(site, SPREAD_OF_PAGES)) for _ in range(PAGES_OF_A_SITE)]
    return rates[:pages]


def main() -> None:
    """Print the changes seen, and their relation to uniform revisits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=4000)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--share", type=float, default=0.1, help="of pages asked a day")
    words = parser.parse_args()
    broad = rates_of(words.pages, random.Random(3))
    daily = sum(rate >= 1 for rate in broad) / len(broad)
    median = sorted(broad)[len(broad) // 2]
    print(f"median {1 / median:.0f} days between changes, {daily:.1%} change daily or more")
    for name, rates in {"broad": broad, "equal": [0.05] * words.pages}.items():
        known = {
            policy.__name__: seen_changes(policy, rates, words.days, words.share)
            for policy in (uniform, by_freshness, oracle)
        }
        print(
            f"{name}: "
            + ", ".join(f"{k} {v} ({v / known['uniform']:.2f})" for k, v in known.items())
        )


if __name__ == "__main__":
    main()
