"""Which pages of a world name a place at all, as Kozanidis, Stamou and Spiros count them.

To them a page is geographic when its text holds a toponym of the gazetteer, wherever that is. The
geoparser judges, not the look-up the strategies use, so that no crawler is marked by its own rule.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any
from weakref import WeakKeyDictionary

from geoscout.gazetteer.base import Gazetteer
from geoscout.geo.geoparser import Geoparser
from geoscout.lab.kozanidis2009 import measures as kozanidis
from geoscout.lab.measures.harvest import share_of
from geoscout.lab.simulation.trace import Trace
from geoscout.lab.worlds.base import World
from geoscout.model import Reading

OK = 200
_MOST_HOPS = 5
SAMPLE = 1265  # location entities, as many as they report on
SHARES = (0.05, 0.1, 0.25, 0.5, 1.0)  # of the visits, at which geographic pages are counted


class GeographicTruth:
    """The places named in the pages of a world, found when somebody asks."""

    def __init__(self, world: World, gazetteer: Gazetteer) -> None:
        self._world = world
        self._gazetteer = gazetteer
        self._read: Callable[[int], Reading] = getattr(world, "reading", None) or self._parse
        self._geoparser: Geoparser | None = None
        self._known: dict[int, tuple[str, ...]] = {}

    def entities(self, page: int) -> tuple[str, ...]:
        """Every mention of a place, by the id of the place; empty where there is no page."""
        if page not in self._known:
            has_page = self._world.status(page) == OK
            self._known[page] = _entities(self._read(page)) if has_page else ()
        return self._known[page]

    def has_place(self, page: int) -> bool:
        """Whether it is geographic."""
        return bool(self.entities(page))

    def _parse(self, page: int) -> Reading:
        if self._geoparser is None:
            self._geoparser = Geoparser(self._gazetteer)
        return self._geoparser.read(self._world.page(page))


def _entities(reading: Reading) -> tuple[str, ...]:
    named = (m.place for m in reading.mentions if m.kind == "place" and m.place is not None)
    return tuple(str(place.id) for place in named)


_TRUTHS: WeakKeyDictionary[Any, GeographicTruth] = WeakKeyDictionary()  # Any: worlds are a Protocol


def truth_of(world: World, gazetteer: Gazetteer) -> GeographicTruth:
    """The same one for every strategy that crawls a world."""
    if world not in _TRUTHS:
        _TRUTHS[world] = GeographicTruth(world, gazetteer)
    return _TRUTHS[world]


class RegionalSeeds:
    """A world that is crawled from sites about places, as a directory of regions lists them."""

    def __init__(self, world: World, seeds: Sequence[int]) -> None:
        self._world = world
        self.seeds = tuple(seeds)

    def __getattr__(self, name: str) -> Any:  # Any: whatever the world has
        return getattr(self._world, name)


def regional_seeds(
    world: World, truth: GeographicTruth, count: int, chance: random.Random
) -> list[int]:
    """Home pages that name a place, drawn at random."""
    homes = [p for p in range(world.size) if world.status(p) == OK and _is_home(world.url(p))]
    chance.shuffle(homes)
    return list(islice(filter(truth.has_place, homes), count))


def _is_home(url: str) -> bool:
    return url.count("/") == 3 and url.endswith("/")  # two of the scheme, one path


@dataclass(frozen=True, slots=True)
class Sighted:
    """What a crawl fetched and what it saw links to, both in order, each page once."""

    fetched: tuple[int, ...]
    seen: tuple[int, ...]


def sighted(world: World, trace: Trace) -> Sighted:
    """The pages of a crawl; a redirect stands for its target, and a dead link for nothing."""
    fetched = [page for page in trace.pages.tolist() if world.status(page) == OK]
    seen = dict.fromkeys(int(page) for page in world.seeds)
    for page in fetched:
        seen.update(dict.fromkeys(world.targets(page)))
    ends = dict.fromkeys([*fetched, *(_end_of(world, page) for page in seen)])
    return Sighted(tuple(fetched), tuple(page for page in ends if world.status(page) == OK))


def _end_of(world: World, page: int) -> int:
    """Where redirects from a page lead."""
    for _ in range(_MOST_HOPS):
        targets = world.targets(page) if 300 <= world.status(page) < 400 else ()
        if not len(targets):
            break
        page = int(targets[0])
    return page


def measure_geographic(world: World, trace: Trace, truth: GeographicTruth) -> dict[str, Any]:
    """Their measures of a crawl, and the course of it."""
    pages = sighted(world, trace)
    found = [page for page in pages.fetched if truth.has_place(page)]
    seen = [page for page in pages.seen if truth.has_place(page)]
    entities = [truth.entities(page) for page in found]
    available = [truth.entities(page) for page in seen]
    mentions = [entity for page in entities for entity in page]
    return {
        "visits": len(trace),
        "fetched_pages": len(pages.fetched),
        "seen_pages": len(pages.seen),
        "retrieved_geo_pages": len(found),
        "visited_geo_pages": len(seen),
        "accuracy": kozanidis.accuracy(len(found), len(seen)),
        "precision": kozanidis.precision(len(found), len(pages.fetched)),
        "entities": len(mentions),
        "distinct_entities": len(set(mentions)),
        "coverage": kozanidis.coverage_of_occurrences(entities),
        "coverage_of_types": kozanidis.coverage_of_types(entities),
        "coverage_of_seen": kozanidis.coverage_of_seen(entities, available),
        "entities_seen": len({entity for page in available for entity in page}),
        "coverage_of_sample": kozanidis.coverage_of_sample(entities, SAMPLE, random.Random(0)),
        "geo_found_at": found_at(trace.pages.tolist(), truth.has_place),
        "geo_auc": area([truth.has_place(page) for page in trace.pages.tolist()]),
    }


def area(flags: Sequence[bool]) -> float:
    """The mean, over the visits of a crawl, of the share of its finds that it had by then.

    It tells orders of the same pages apart: a half where the finds are spread evenly.

    >>> area([True, False, False]), area([False, False, True])
    (1.0, 0.3333333333333333)
    """
    found = list(accumulate(flags, initial=0))[1:]
    return sum(found) / (found[-1] * len(found)) if found and found[-1] else 0.0


def found_at(pages: Sequence[int], has_place: Callable[[int], bool]) -> dict[str, float]:
    """The share of geographic pages among the first visits of a crawl."""
    flags = [has_place(page) for page in pages]
    return {f"{share:.0%}": _share(flags, share) for share in SHARES}


def _share(flags: Sequence[bool], share: float) -> float:
    first = flags[: max(1, round(share * len(flags)))]
    return share_of(sum(first), len(first))
