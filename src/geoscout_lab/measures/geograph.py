"""The geospatial web graph: how places, links and addresses hang together.

What Ahlers and Boll 2009 wanted to know next. Of the pages of a crawl: how far apart are the places
of two pages that are one, two or three links apart, where do the links to relevant pages come from,
and how often does a host repeat an address?
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from statistics import median

from geoscout_lab.measures.harvest import share_of
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Point

STEPS = 3
_STARTS = 300  # pages that distances are measured from
_AROUND = 200  # pages at most that a page is compared with, at each number of links

Targets = Mapping[int, Sequence[int]]  # of each page, among the pages of the crawl


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
