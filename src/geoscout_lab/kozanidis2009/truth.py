"""Which pages of a world name a place at all, as Kozanidis, Stamou and Spiros count them.

For them a page is geographic if its text has a name of GeoWordNet, wherever that place is. No
context is weighed: a page about Charlotte Brontë is geographic. The crawlers are judged by the
text of a page, which none of them has seen when it decides.
"""

from __future__ import annotations

import random
from itertools import islice
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from geoscout_lab.worlds.base import OK, World
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.toponyms.geowordnet import GeoWordNetNames
from geoscout_places.toponyms.short_texts import ToponymReader


class NamedSynset(NamedTuple):
    """A mention of a place: how it was called, and which synset that name means first."""

    name: str
    offset: int


class GeographicTruth:
    """The places named in the pages of a world, found when they are needed."""

    def __init__(self, world: World, gazetteer: Gazetteer) -> None:
        self._world = world
        self._names = GeoWordNetNames(gazetteer)
        self._reader = ToponymReader(gazetteer, None, self._names)
        self._known: dict[int, tuple[NamedSynset, ...]] = {}

    def entities(self, page: int) -> tuple[NamedSynset, ...]:
        """All mentions of places on a page, in order; empty if the URL is not a page."""
        if page not in self._known:
            has_page = self._world.status(page) == OK
            self._known[page] = self._read(self._world.page(page).text) if has_page else ()
        return self._known[page]

    def has_place(self, page: int) -> bool:
        """Whether it is geographic."""
        return bool(self.entities(page))

    def _read(self, text: str) -> tuple[NamedSynset, ...]:
        (found,) = self._reader.in_texts([text])
        return tuple(
            NamedSynset(toponym.name, self._names.senses(toponym.name)[0].offset)
            for toponym in found
        )


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
