"""Which of its places a name means, by the other names of the same link and by the region.

A name may be borne by many places, and the most populous one is often wrong: next to Boston,
Cambridge is not the one in England. Each name is narrowed, first by a qualifier ("Cambridge,
MA", or "Massachusetts" somewhere in the link), then by the region of the crawl; narrowing never
leaves a name without a place. Of what is then left, either the first sense is taken, or the set
of senses that lies closest together (K-7 in docs/rank.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Kind, NameRole, Place
from geoscout_places.toponyms import HomeArea, sight
from geoscout_places.toponyms.geowordnet import FEW_LETTERS
from geoscout_places.toponyms.short_texts import Toponym

_MOST_SENSES = 8  # of one name that are tried; the ninth Springfield is never the answer
_MOST_CODED = 20_000
_WIDE = frozenset((Kind.COUNTRY, Kind.REGION, Kind.DISTRICT))


class SenseChooser:
    """Chooses the places that the names of a link mean."""

    def __init__(self, gazetteer: Gazetteer, home: HomeArea | None, how: str) -> None:
        """`how` is "nearest", "first" or "population", which looks at nothing else."""
        self._gazetteer = gazetteer
        self._home = home
        self._how = how

    def choose(self, toponyms: Sequence[Toponym]) -> list[Place]:
        """The place of each name, each place once."""
        if self._how == "population":
            return _distinct(max(t.senses, key=lambda place: place.population) for t in toponyms)
        narrowed = [self._at_home(self._inside(one, toponyms)) for one in toponyms]
        if self._how == "first":
            return _distinct(toponym.senses[0] for toponym in narrowed)
        return nearest_senses(narrowed)

    def _inside(self, toponym: Toponym, others: Sequence[Toponym]) -> Toponym:
        """The senses that lie in an area another name means: Cambridge with Massachusetts."""
        if len(toponym.senses) == 1:
            return toponym
        areas = [
            place
            for other in others
            if other.name != toponym.name
            for place in other.senses
            if place.kind in _WIDE
        ]
        return _within(toponym, areas, self._gazetteer)

    def _at_home(self, toponym: Toponym) -> Toponym:
        if self._home is None or len(toponym.senses) == 1:
            return toponym
        return _narrow(toponym, self._home.contains_place)


class CodeReader:
    """Narrows names by the code of a state or country after them: "Cambridge, MA"."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._gazetteer = gazetteer
        self._known = BoundedCache(self._coded, _MOST_CODED)

    def narrow(self, toponym: Toponym, text: str, *, is_lower: bool = False) -> Toponym:
        """The senses in the area of the code; all where none follows the name in the text.

        `is_lower`: the text is the words of a path, where codes are in small letters.
        """
        if len(toponym.senses) == 1:
            return toponym
        name, letters = re.escape(toponym.name), "[a-z]" if is_lower else "[A-Z]"
        pattern = rf"\b{name.lower() if is_lower else name},? ({letters}{{2}})\b"
        found = re.search(pattern, sight(text))
        return self._known[toponym, found[1].upper()] if found else toponym

    def _coded(self, key: tuple[Toponym, str]) -> Toponym:
        toponym, code = key
        areas = [
            found.place
            for found in self._gazetteer.candidates(code)
            if found.role is not NameRole.DEMONYM and found.place.kind in _WIDE
        ]
        return _within(toponym, areas, self._gazetteer)


def without_short_aliases(toponym: Toponym) -> Toponym | None:
    """The name with those of its places that are really called so; None for an alias of all.

    Only names of a few letters are looked at: LA, NYC and USA count as codes, not as names.
    """
    if len(toponym.name) > FEW_LETTERS:
        return toponym
    name = fold(toponym.name)
    senses = tuple(place for place in toponym.senses if fold(place.name) == name)
    return replace(toponym, senses=senses) if senses else None


def _within(toponym: Toponym, areas: Sequence[Place], gazetteer: Gazetteer) -> Toponym:
    def is_within(place: Place) -> bool:
        return any(a.id != place.id and gazetteer.is_inside(place, a) for a in areas)

    return _narrow(toponym, is_within) if areas else toponym


def _narrow(toponym: Toponym, test: Callable[[Place], bool]) -> Toponym:
    """The senses that pass the test, or all where none does."""
    fitting = tuple(filter(test, toponym.senses))
    return replace(toponym, senses=fitting) if fitting else toponym


def nearest_senses(toponyms: Sequence[Toponym]) -> list[Place]:
    """The senses that lie closest together.

    Every sense of every name is tried as the middle, to which each other name brings its nearest
    sense; trying all combinations would be exponential, and the star finds the same cluster.
    """
    best: list[Place] = []
    shortest = float("inf")
    for toponym in toponyms:
        for middle in toponym.senses[:_MOST_SENSES]:
            chosen = [_nearest(other, middle) for other in toponyms]
            total = sum(distance_km(middle.point, place.point) for place in chosen)
            if total < shortest:  # on a tie the earlier, likelier sense stays
                best, shortest = chosen, total
    return _distinct(best)


def _nearest(toponym: Toponym, middle: Place) -> Place:
    senses = toponym.senses[:_MOST_SENSES]
    return min(senses, key=lambda place: distance_km(place.point, middle.point))


def _distinct(places: Iterable[Place]) -> list[Place]:
    return list({place.id: place for place in places}.values())
