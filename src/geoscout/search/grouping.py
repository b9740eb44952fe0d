"""Puts ranked pages into groups, and counts all pages that fit by place.

A near-duplicate is left out and named with the page it repeats. Further pages of a host are not
left out; each counts a little less than the one before, so that a page of another host that is
nearly as good comes first. A page that is far better than all others stays where it is, and a crawl
of one host is not changed at all.

For facets a page counts for the places it has an address in or is about, not for those it names in
passing.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

import numpy as np

from geoscout.index.base import Index, PlaceField, Wanted
from geoscout.index.places import are_about
from geoscout.search.base import Facet
from geoscout.search.ranking import Slots
from geoscout_places.model import Kind, Place

MOST_BITS = 3  # of 64 that near-duplicates differ in at most; Manku and others, 2007
PAGES_OF_HOST = 2  # that count in full
FURTHER_PAGE = 0.9  # what each page of the host after them counts, next to the one before


@dataclass(slots=True)
class Group:
    """A hit and what stands behind it."""

    position: int  # of the hit among the candidates
    simhash: int
    similar: list[int] = field(default_factory=list)  # positions of near-duplicates
    more_of_host: int = 0  # pages of the host that come after pages of other hosts


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups in order, and how many candidates were not looked at."""

    groups: list[Group]
    left: int


def group(
    simhashes: Sequence[int], hosts: Sequence[int], scores: Sequence[float], needed: int
) -> Groups:
    """Group candidates, the best first; stops when there are as many groups as needed.

    Asking for more gives the same groups and further ones, so that pages of hits do not overlap.
    """
    shown: list[Group] = []
    leaders: dict[int, Group] = {}
    alike = _Alike()
    looked_at = 0
    for position in _in_turns(hosts, scores):
        if len(shown) >= needed:
            break
        looked_at += 1
        if (double := alike.find(simhashes[position])) is not None:
            double.similar.append(position)
            continue
        own = Group(position, simhashes[position])
        alike.add(own)
        leaders.setdefault(hosts[position], own)
        shown.append(own)
    _count_more(leaders, hosts, shown)
    return Groups(shown, len(simhashes) - looked_at)


def _count_more(leaders: dict[int, Group], hosts: Sequence[int], shown: Sequence[Group]) -> None:
    """Tell the first hit of each host how many candidates of the host are not among the hits."""
    pages = Counter(hosts)
    if len(pages) < 2:
        return  # nothing was put behind anything
    told = Counter(hosts[at] for group in shown for at in (group.position, *group.similar))
    for host, leader in leaders.items():
        leader.more_of_host = pages[host] - told[host]


def _in_turns(hosts: Sequence[int], scores: Sequence[float]) -> Iterator[int]:
    """The positions of candidates by their scores, less for further pages of a host."""
    waiting: dict[int, deque[int]] = defaultdict(deque)
    for position, host in enumerate(hosts):
        waiting[host].append(position)
    # What is here is always the best page left of each host.
    turns = [(-scores[pages[0]], pages[0], 0) for pages in waiting.values()]
    heapify(turns)
    while turns:
        _, position, taken = heappop(turns)
        yield position
        pages = waiting[hosts[position]]
        pages.popleft()
        if pages:
            factor = FURTHER_PAGE ** max(0, taken + 2 - PAGES_OF_HOST)
            heappush(turns, (-scores[pages[0]] * factor, pages[0], taken + 1))


class _Alike:
    """Finds groups by nearly equal hashes: two that differ in three bits share a quarter."""

    def __init__(self) -> None:
        self._by_quarter: tuple[dict[int, list[Group]], ...] = ({}, {}, {}, {})

    def add(self, group: Group) -> None:
        rest = group.simhash
        for known in self._by_quarter:
            known.setdefault(rest & 0xFFFF, []).append(group)
            rest >>= 16

    def find(self, simhash: int) -> Group | None:
        if not simhash:
            return None
        rest = simhash
        for known in self._by_quarter:
            for group in known.get(rest & 0xFFFF, ()):
                if (group.simhash ^ simhash).bit_count() <= MOST_BITS:
                    return group
            rest >>= 16
        return None


PlaceOf = Callable[[int], Place | None]  # by its id
LEVELS = (Kind.COUNTRY, Kind.REGION, Kind.DISTRICT, Kind.CITY)
MOST = 10  # places of a level
_LOOKED_UP = 400  # places with the most pages; enough for ten of each level


def count_facets(
    reader: Index, place_of: PlaceOf, wanted: Wanted, slots: Slots | None
) -> tuple[Facet, ...]:
    """The places with the most pages, level by level.

    `slots` are all pages that fit, or None when they are too many to have been looked at.
    """
    field = PlaceField.ABOUT  # names in passing would fill the list
    if slots is None:
        return largest_places(reader.count_places(wanted, field), place_of)
    rows = reader.places_of(slots)
    ids, counts = np.unique(rows.places[are_about(rows)], return_counts=True)
    return _largest(ids, counts, place_of)


def largest_places(counts: Mapping[int, int], place_of: PlaceOf) -> tuple[Facet, ...]:
    """Of places with their pages, those with the most for each level."""
    by_id = sorted(counts.items())
    ids, pages = np.array(by_id, np.int64).reshape(-1, 2).T
    return _largest(ids, pages, place_of)


def _largest(ids: Slots, counts: Slots, place_of: PlaceOf) -> tuple[Facet, ...]:
    """The same of ids in ascending order: of places with as many pages the one with the least."""
    levels: dict[Kind, list[Facet]] = {level: [] for level in LEVELS}
    order = np.argsort(-counts, kind="stable")[:_LOOKED_UP]
    for id, pages in zip(ids[order].tolist(), counts[order].tolist(), strict=True):
        place = place_of(id)
        level = levels.get(place.kind) if place is not None else None
        if place is not None and level is not None and len(level) < MOST:
            level.append(Facet(place, pages))
    return tuple(facet for level in levels.values() for facet in level)
