"""One round of keeping a crawl fresh: what is asked again, and what came of it.

First the sites are asked what is new: their feeds and sitemaps are read, and pages that they list
as new or changed come first. The rest of the round goes to the pages that have most likely changed,
and what is left over to links that waited before.

Changes of a page are taken to come at random, at a rate of its own. Seeing a page twice tells only
whether it changed between, not how often, so the number of changes seen is too small; Cho and
Garcia-Molina ("Estimating frequency of change", 2003) put that right:

    rate = -ln((n - x + 0.5) / (n + 0.5)) / interval        x changes in n intervals

Few visits say little, so the rate is drawn to that of the page's site, and that to the mean of all.
The worth of asking is the probability that the page has changed, 1 - exp(-rate · days since), less
for pages that are not relevant. `benchmarks/watch.py` compares it with asking all pages equally.
"""

import asyncio
import heapq
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from itertools import islice

from msgspec.structs import replace

from geoscout.fetch.base import Fetcher
from geoscout.fetch.sitemaps import SitemapEntry, parse_sitemap
from geoscout.state.base import request_of
from geoscout.store.base import PageHistory, StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout_places.errors import FetchError
from geoscout_places.model import Request, RequestKind
from geoscout_places.urls import host_of, normalise

_DAY = 86_400.0
_FIRST_GUESS = 1 / 30  # changes a day of a page of which nothing is known
_PRIOR_INTERVALS = 1.0  # how many intervals of its own outweigh what a page's site is like
_SITE_PRIOR_DAYS = 30.0
_OTHER_PAGES = 0.25  # the worth of a page that is not relevant
_SHORTEST_INTERVAL = 1 / 1440  # days


@dataclass(frozen=True, slots=True)
class ChangeRates:
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


# Above every priority that a strategy gives, so that a round is spent on what it is for.
_LISTED, _CHOSEN = 2000.0, 1000.0
_STEP = 1e-4  # between two of them, to keep their order
_SHARE_OF_REVISITS = 0.9  # of a round; the rest is for links that wait
_MOST_LISTS = 500  # of a round
_MOST_ENTRIES = 20_000  # of a list
_HOSTS_AT_A_TIME = 16
_LOOKED_UP = 500  # URLs at a time
_LONGEST_PAUSE = 10.0  # seconds between two lists of a host


@dataclass(frozen=True, slots=True)
class RoundPlan:
    lists: int  # feeds and sitemaps that were read
    new: int  # pages that only they knew
    told: int  # known pages that they say have changed
    chosen: int  # pages that have probably changed


async def plan_round(
    reader: CrawlReader, fetcher: Fetcher, budget: int, now: float
) -> tuple[RoundPlan, list[Request]]:
    """What a round asks for; `budget` is how many responses it may have."""
    most = int(budget * _SHARE_OF_REVISITS)
    lists = list(islice(reader.lists(), _MOST_LISTS))
    listed = await _read_lists(fetcher, lists)
    new, told = _sort_entries(reader, listed, most)
    urls = {request.url for request in (*new, *told)}
    histories = probably_changed(reader.histories, now, most)
    chosen = [one.url for one in histories if one.url not in urls][: most - len(urls)]
    pages = reader.pages_of(chosen)
    again = [
        _again(pages[url], _CHOSEN - n * _STEP) for n, url in enumerate(chosen) if url in pages
    ]
    return RoundPlan(len(listed), len(new), len(told), len(again)), [*told, *new, *again]


def round_outcome(reader: CrawlReader, since: float) -> Counter[str]:
    """How many pages were asked since a time, and were new, changed or gone."""
    counts: Counter[str] = Counter()
    for visit in reader.visits(since):
        if visit.fetched_at >= since:
            counts["asked"] += 1
            counts[_became(visit, reader)] += 1
    return counts


def _became(visit: StoredVisit, reader: CrawlReader) -> str:
    before = [
        one
        for one in reader.visits_of(visit.url)
        if one.fetched_at < visit.fetched_at and one.status != HTTPStatus.NOT_MODIFIED
    ]
    if not before:
        return "new" if visit.is_page else "other"
    if visit.status == HTTPStatus.NOT_MODIFIED:
        return "same"
    if before[-1].is_page and not visit.is_page:
        return "gone"
    return "changed" if before[-1].simhash != visit.simhash else "same"


def _again(page: StoredVisit, priority: float) -> Request:
    return replace(request_of(page, RequestKind.REVISIT), priority=priority)


async def _read_lists(fetcher: Fetcher, urls: Sequence[str]) -> list[list[SitemapEntry]]:
    """The entries of feeds and sitemaps, those of a host one after the other."""
    by_host: defaultdict[str, list[str]] = defaultdict(list)
    for url in urls:
        by_host[host_of(url)].append(url)
    room = asyncio.Semaphore(_HOSTS_AT_A_TIME)

    async def read_host(own: Iterable[str]) -> list[list[SitemapEntry]]:
        async with room:
            return [found for url in own if (found := await _read_list(fetcher, url))]

    groups = await asyncio.gather(*map(read_host, by_host.values()))
    return [found for group in groups for found in group]


async def _read_list(fetcher: Fetcher, url: str) -> list[SitemapEntry]:
    try:
        await fetcher.resolve(host_of(url))
        response = await fetcher.fetch(Request(url, kind=RequestKind.SITEMAP))
    except FetchError:
        return []
    await asyncio.sleep(min(fetcher.delay_after(response), _LONGEST_PAUSE))
    if response.status != HTTPStatus.OK:
        return []
    return list(parse_sitemap(response.body, url).pages[:_MOST_ENTRIES])


def _sort_entries(
    reader: CrawlReader, lists: Iterable[Sequence[SitemapEntry]], most: int
) -> tuple[list[Request], list[Request]]:
    """Requests for pages that are new, and for those that have changed since they were seen."""
    entries: dict[str, str] = {}
    for found in lists:
        for entry in found:
            url = normalise(entry.url)
            if url:
                entries.setdefault(url, entry.changed)
    new: list[Request] = []
    told: list[Request] = []
    for url, seen in _with_last_visits(reader, entries):
        if len(new) + len(told) >= most:
            break
        rank = _LISTED - (len(new) + len(told)) * _STEP
        if seen is None:
            new.append(Request(url, rank))
        elif seen.is_page and has_changed(entries[url], seen.fetched_at):
            told.append(_again(seen, rank))
    return new, told


def _with_last_visits(
    reader: CrawlReader, urls: Collection[str]
) -> Iterator[tuple[str, StoredVisit | None]]:
    left = iter(urls)
    while some := list(islice(left, _LOOKED_UP)):
        known: Mapping[str, StoredVisit] = reader.last_visits(some)
        yield from ((url, known.get(url)) for url in some)


def has_changed(date: str, seen_at: float) -> bool:
    """Whether a date as sites write it is after a time; a day without a time is its beginning.

    >>> has_changed("2024-05-02", 0.0), has_changed("Thu, 01 Jan 1970 00:00:00 GMT", 1.0)
    (True, False)
    >>> has_changed("yesterday", 0.0)
    False
    """
    try:
        at = datetime.fromisoformat(date.strip())
    except ValueError:
        try:
            at = parsedate_to_datetime(date)
        except (ValueError, TypeError, IndexError):
            return False
    at = at.replace(tzinfo=at.tzinfo or UTC)
    latest = datetime.fromtimestamp(time.time(), UTC) + timedelta(days=1)
    return datetime.fromtimestamp(seen_at, UTC) < at <= latest  # a date to come tells nothing
