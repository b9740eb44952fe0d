"""Which pages to ask again: those that have probably changed since they were last seen.

Changes of a page are taken to come at random, at a rate of its own. Seeing a page twice tells only
whether it changed between, not how often, so the number of changes seen is too small; Cho and
Garcia-Molina ("Estimating frequency of change", 2003) put that right:

    rate = -ln((n - x + 0.5) / (n + 0.5)) / interval        x changes in n intervals

Few visits say little, so the rate is drawn to that of the page's site, and that to the mean of all.
The worth of asking is the probability that the page has changed, 1 - exp(-rate · days since), less
for pages that are not relevant. `benchmarks/watch.py` compares it with asking all pages equally.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from geoscout.store.base import PageHistory
from geoscout_places.urls import host_of

_DAY = 86_400.0
_FIRST_GUESS = 1 / 30  # changes a day of a page of which nothing is known
_PRIOR_INTERVALS = 1.0  # how many intervals of its own outweigh what a page's site is like
_SITE_PRIOR_DAYS = 30.0
_OTHER_PAGES = 0.25  # the worth of a page that is not relevant
_SHORTEST_INTERVAL = 1 / 1440  # days


@dataclass(frozen=True, slots=True)
class ChangeRates:
    """Changes a day: of all pages, and of sites."""

    of_all: float
    of_sites: dict[str, float]

    def of(self, history: PageHistory) -> float:
        """The rate of a page, by its own history and that of its site."""
        known = self.of_sites.get(host_of(history.url), self.of_all)
        intervals = history.visits - 1
        if intervals < 1:
            return known
        days = _days(history)
        own = _changes(history) / days
        weight = intervals / (intervals + _PRIOR_INTERVALS)
        return weight * own + (1 - weight) * known


def change_rates(histories: Iterable[PageHistory]) -> ChangeRates:
    """The rates of sites and of all pages, as far as pages were seen more than once."""
    changes: defaultdict[str, float] = defaultdict(float)
    days: defaultdict[str, float] = defaultdict(float)
    for history in histories:
        if history.visits > 1:
            host = host_of(history.url)
            changes[host] += _changes(history)
            days[host] += _days(history)
    in_all = sum(days.values())
    of_all = (sum(changes.values()) + _FIRST_GUESS * _SITE_PRIOR_DAYS) / (in_all + _SITE_PRIOR_DAYS)
    of_sites = {
        host: (changes[host] + of_all * _SITE_PRIOR_DAYS) / (days[host] + _SITE_PRIOR_DAYS)
        for host in days
    }
    return ChangeRates(of_all, of_sites)


def probably_changed(
    histories: Callable[[], Iterable[PageHistory]], now: float, most: int
) -> list[PageHistory]:
    """The pages that it is most worth to ask again, the best first.

    `histories` is called twice, so that memory does not grow with the crawl.
    """
    rates = change_rates(histories())
    worth = ((_worth(history, rates, now), history.url, history) for history in histories())
    best = heapq.nlargest(most, worth, key=lambda found: found[:2])
    return [history for value, _, history in best if value > 0]


def _worth(history: PageHistory, rates: ChangeRates, now: float) -> float:
    since = max((now - history.last_at) / _DAY, 0.0)
    probability = -math.expm1(-rates.of(history) * since)
    return probability * (1.0 if history.relevant else _OTHER_PAGES)


def _changes(history: PageHistory) -> float:
    """How often a page has changed, counting those that were not seen."""
    intervals = history.visits - 1
    unchanged = intervals - min(history.changes, intervals)
    return -math.log((unchanged + 0.5) / (intervals + 0.5)) * intervals


def _days(history: PageHistory) -> float:
    intervals = history.visits - 1
    return max((history.last_at - history.first_at) / _DAY, _SHORTEST_INTERVAL * intervals)
