"""Which pages of a world name a place at all, as Kozanidis, Stamou and Spiros count them.

For them a page is geographic if its text has a toponym of the gazetteer, wherever that place is.
The geoparser decides, not the look-up the strategies use, so that no crawler is judged by its own
rule.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from geoscout.gazetteer.base import Gazetteer
from geoscout.geo.geoparser import Geoparser
from geoscout.lab.worlds.base import OK, ReadWorld, World
from geoscout.model import MentionKind, Reading


class GeographicTruth:
    """The places named in the pages of a world, found when they are needed."""

    def __init__(self, world: World, gazetteer: Gazetteer) -> None:
        self._world = world
        self._gazetteer = gazetteer
        self._read: Callable[[int], Reading] = (
            world.reading if isinstance(world, ReadWorld) else self._parse
        )
        self._geoparser: Geoparser | None = None
        self._known: dict[int, tuple[str, ...]] = {}

    def entities(self, page: int) -> tuple[str, ...]:
        """The place ids of all mentions on a page; empty if the URL is not a page."""
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
    named = (m.place for m in reading.mentions if m.kind == MentionKind.PLACE)
    return tuple(str(place.id) for place in named if place is not None)


_TRUTHS: WeakKeyDictionary[Any, GeographicTruth] = WeakKeyDictionary()  # Any: worlds are a Protocol


def truth_of(world: World, gazetteer: Gazetteer) -> GeographicTruth:
    """The same one for every strategy that crawls a world."""
    if world not in _TRUTHS:
        _TRUTHS[world] = GeographicTruth(world, gazetteer)
    return _TRUTHS[world]


def regional_seeds(
    world: World, truth: GeographicTruth, count: int, chance: random.Random
) -> list[int]:
    """Home pages that name a place, drawn at random."""
    homes = [p for p in range(world.size) if world.status(p) == OK and _is_home(world.url(p))]
    chance.shuffle(homes)
    return list(islice(filter(truth.has_place, homes), count))


def _is_home(url: str) -> bool:
    return url.count("/") == 3 and url.endswith("/")  # two of the scheme, one path
