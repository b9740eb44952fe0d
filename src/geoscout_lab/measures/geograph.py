"""The geospatial web graph: how places, links and addresses hang together.

What Ahlers and Boll 2009 wanted to know next. Of the pages of a crawl: how far apart are the places
of two pages that are one, two or three links apart, where do the links to relevant pages come from,
and how often does a host repeat an address?
"""

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from statistics import median
from typing import Any

from geoscout.store.base import StoredReading
from geoscout.store.reader import CrawlReader
from geoscout_lab.measures.harvest import share_of
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.geo.address import entity_form, is_entity
from geoscout_places.model import Point
from geoscout_places.urls import host_of

STEPS = 3
_STARTS = 300  # pages that distances are measured from
_AROUND = 200  # pages at most that a page is compared with, at each number of links

_READ_AT_ONCE = 1000  # pages of a crawl on disk

Targets = Mapping[int, Sequence[int]]  # of each page, among the pages of the crawl


def graph_of(
    targets: Targets,
    points: Mapping[int, Point],
    relevant: Collection[int],
    named: Iterable[tuple[Hashable, Sequence[str]]],
) -> dict[str, Any]:
    """The figures of a graph; `named` are the hosts of the relevant pages and their addresses."""
    return {
        "kilometres": kilometres_by_links(targets, points, random.Random(0)),
        "from_relevant": links_from_relevant(targets, relevant.__contains__),
        "repetition": repetition(named),
    }


def graph_of_crawl(store: CrawlReader) -> dict[str, Any]:
    """The same of a crawl on disk, by what the geoparser read."""
    pages = {page.n: page for page in store.pages()}
    numbers = {page.url: n for n, page in pages.items()}
    targets: dict[int, list[int]] = {n: [] for n in pages}
    for found in store.links():
        end = numbers.get(found.link.url)
        if end is not None and found.n in targets:
            targets[found.n].append(end)
    points, named = {}, []
    for n, reading in _readings(store, pages):
        if reading.places and reading.places[0].is_main:
            points[n] = reading.places[0].place.point
        if pages[n].relevant:
            known = [a for a in reading.addresses if is_entity(a.address)]
            forms = [entity_form(a.address, a.place_id) for a in known]
            named.append((host_of(pages[n].url), forms))
    unique = {n: list(dict.fromkeys(ends)) for n, ends in targets.items()}
    return graph_of(unique, points, {n for n, page in pages.items() if page.relevant}, named)


def _readings(store: CrawlReader, pages: Iterable[int]) -> Iterator[tuple[int, StoredReading]]:
    numbers = iter(pages)
    while piece := list(islice(numbers, _READ_AT_ONCE)):
        yield from store.readings_of(piece).items()


def kilometres_by_links(
    targets: Targets, points: Mapping[int, Point], chance: random.Random
) -> list[float | None]:
    """The median distance of the places of pages 1, 2, 3 links apart; the last: of any two.

    Pages without a place are led through and not compared.
    """
    apart: list[list[float]] = [[] for _ in range(STEPS)]
    starts = sorted(points)
    for page in chance.sample(starts, min(_STARTS, len(starts))):
        seen, ring = {page}, [page]
        for found in apart:
            ring = _next_ring(targets, ring, seen, chance)
            found += [distance_km(points[page], points[one]) for one in ring if one in points]
    pairs = (chance.sample(starts, 2) for _ in range(_STARTS * 10 if len(starts) > 1 else 0))
    by_chance = [distance_km(points[one], points[other]) for one, other in pairs]
    return [median(found) if found else None for found in (*apart, by_chance)]


def _next_ring(
    targets: Targets, ring: Sequence[int], seen: set[int], chance: random.Random
) -> list[int]:
    """The pages one link further that were not met before."""
    found = dict.fromkeys(end for page in ring for end in targets.get(page, ()) if end not in seen)
    seen.update(found)
    return chance.sample(list(found), min(_AROUND, len(found)))


def links_from_relevant(targets: Targets, is_relevant: Callable[[int], bool]) -> dict[str, float]:
    """The share of links that come from a relevant page: of those to relevant pages, and of all."""
    counts = {(a, b): 0 for a in (False, True) for b in (False, True)}
    for page, ends in targets.items():
        here = is_relevant(page)
        for end in ends:
            counts[here, is_relevant(end)] += 1
    to_relevant = counts[True, True] + counts[False, True]
    every = to_relevant + counts[True, False] + counts[False, False]
    from_relevant = counts[True, True] + counts[True, False]
    return {
        "to_relevant": share_of(counts[True, True], to_relevant),
        "to_any": share_of(from_relevant, every),
    }


def repetition(entities: Iterable[tuple[Hashable, Sequence[str]]]) -> float:
    """How many pages of a host have an address that one of them has, in the mean over addresses.

    >>> repetition([("a", ["x"]), ("a", ["x", "y"]), ("b", ["x"])])
    1.3333333333333333
    """
    counts: dict[tuple[Hashable, str], int] = defaultdict(int)
    for host, named in entities:
        for entity in set(named):
            counts[host, entity] += 1
    return share_of(sum(counts.values()), len(counts))
