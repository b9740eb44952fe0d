"""Houses, streets and landmarks that pages of the crawl themselves give.

The shipped gazetteer has no streets, but a crawl of a town has thousands of its addresses. Where a
page states coordinates next to its one address, the house is known; else at least its postal code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from geoscout.index.base import Index, KnownSpot, Spot
from geoscout.index.known_spots import house_key, landmark_key, street_key
from geoscout.search.street_finding import looks_like_street, may_be_in_street
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Place, Point, Precision

_LONGEST_STREET = 4  # words
_NUMBER = re.compile(r"\d{1,5}[a-z]?", re.IGNORECASE)
_ORDER = tuple(Precision)  # the exact ones first
_IN_ONE_TOWN = 0.5  # of what pages tell of a street must be more than this, if no town is named
_FARTHEST_KM = 30.0  # that spots of one street may be apart, for its middle to mean something


@dataclass(frozen=True, slots=True)
class OwnSpot:
    """Where something is by the pages of the crawl."""

    key: str  # by which the index finds the pages that give it
    spot: Spot | None  # None where no page tells
    place_id: int  # its town


@dataclass(frozen=True, slots=True)
class OwnStreet:
    """A part of a query that is a street or house which pages give."""

    start: int  # tokens
    end: int
    name: str  # with its number, as it is written
    found: OwnSpot
    is_house: bool  # False: no page has the number


class OwnSpots:
    """Asks one index for houses, streets and landmarks."""

    def __init__(self, index: Index, gazetteer: Gazetteer) -> None:
        self._index = index
        self._gazetteer = gazetteer

    def house(self, street: str, number: str, town: Place) -> OwnSpot | None:
        """A house in a town, else its street; None where no page has either there."""
        keys = (house_key(street, number), street_key(street))
        found = (self._in_town(key, town) for key in keys if key)
        return next((one for one in found if one), None)

    def landmark(self, name: str) -> OwnSpot | None:
        """Something with a name that pages state the coordinates of; None for none."""
        return self._at(landmark_key(name), self._rows(landmark_key(name)))

    def street_in(self, tokens: Sequence[str]) -> OwnStreet | None:
        """The first street or house of a query that names no town, if pages have it in one town."""
        for start, end, street, number in _streets_in(tokens):
            key = house_key(street, number) if number else ""
            is_house = bool(key) and self._index.is_known(key)
            if not is_house:
                key = street_key(street) if looks_like_street(street) else ""
            if found := self._in_one_town(key):
                return OwnStreet(start, end, " ".join(tokens[start:end]), found, is_house)
        return None

    def _in_town(self, key: str, town: Place) -> OwnSpot | None:
        return self._at(key, [row for row in self._rows(key) if self._is_in(row.place_id, town)])

    def _in_one_town(self, key: str) -> OwnSpot | None:
        rows = self._rows(key)
        towns = Counter(row.place_id for row in rows if row.place_id)
        for town, count in towns.most_common(1):
            if count > _IN_ONE_TOWN * len(rows):
                return self._at(key, [row for row in rows if row.place_id == town])
        return None

    def _rows(self, key: str) -> list[KnownSpot]:
        return self._index.known_spots(key) if key and self._index.is_known(key) else []

    def _is_in(self, id: int, town: Place) -> bool:
        place = self._gazetteer.place(id) if id else None
        return place is not None and (id == town.id or self._gazetteer.is_inside(place, town))

    def _at(self, key: str, rows: Sequence[KnownSpot]) -> OwnSpot | None:
        """What the surest rows tell: the spot in their middle."""
        if not rows:
            return None
        spots = [row.spot for row in rows if row.spot]
        best = min((_ORDER.index(spot.precision) for spot in spots), default=0)
        middle = _middle([spot for spot in spots if _ORDER.index(spot.precision) == best])
        return OwnSpot(key, middle, rows[0].place_id)


def _middle(spots: Sequence[Spot]) -> Spot | None:
    """The spot in the middle of some; None where they are too far apart to be one thing."""
    if not spots:
        return None
    center = Point(
        median(spot.point.latitude for spot in spots),
        median(spot.point.longitude for spot in spots),
    )
    nearest = min(spots, key=lambda spot: distance_km(center, spot.point))
    is_near = [distance_km(nearest.point, spot.point) <= _FARTHEST_KM for spot in spots]
    return nearest if sum(is_near) > len(spots) / 2 else None


def _streets_in(tokens: Sequence[str]) -> Iterator[tuple[int, int, str, str]]:
    """What may be a street in a query: tokens from and to, its name, its number or "".

    With a number first, before or behind the street; the longest first.
    """
    numbers = [at for at, token in enumerate(tokens) if _NUMBER.fullmatch(token)]
    for size in range(_LONGEST_STREET, 0, -1):
        for at in numbers:
            if at >= size:
                yield at - size, at + 1, " ".join(tokens[at - size : at]), tokens[at]
            if at + size < len(tokens):
                yield at, at + size + 1, " ".join(tokens[at + 1 : at + 1 + size]), tokens[at]
    if any(map(may_be_in_street, tokens)):  # most queries have no such word
        for size in range(_LONGEST_STREET, 0, -1):
            for start in range(len(tokens) - size + 1):
                yield start, start + size, " ".join(tokens[start : start + size]), ""
