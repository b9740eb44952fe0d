"""Is there such a town? The questions every format asks the gazetteer.

A street line proves little by itself; a town that the postcode or the region confirms is what
makes an address of it. So each answer says both which place is meant and whether it is proven.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from geoscout_places.gazetteer.areas.sphere import KM_PER_DEGREE, distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Kind, NameRole, Place, Point, Postcode

_COUNTRY_BEHIND = lazy_pattern(
    r"[\s,.;|()/–-]{1,4}(?:the )?([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3})", re.IGNORECASE
)
_OFFICE = lazy_pattern(r" [0-9]{1,2}$")
_LONGEST_COUNTRY = 50  # code points
_SETTLEMENTS = (Kind.CITY, Kind.NEIGHBOURHOOD)
_NAMES = (NameRole.NAME, NameRole.ALIAS)
NEAR_KM = 40.0  # a town with its suburbs: what people write for a postcode lies within this


def names_of(postcodes: Iterable[Postcode]) -> frozenset[str]:
    """The folded names of all towns these postcodes serve, with and without a post office's number.

    Of "České Budějovice 3" people write the town alone.
    """
    return _names_of(tuple(postcodes))


@lru_cache(maxsize=1024)  # each word of a line is compared with them
def _names_of(postcodes: tuple[Postcode, ...]) -> frozenset[str]:
    names = [fold(name) for code in postcodes for name in (code.town, *code.other_towns)]
    return frozenset([*names, *(_OFFICE.sub("", name) for name in names)])


def settlements(gazetteer: Gazetteer, name: str, country: str) -> list[Place]:
    """The populated places of this name in the country, likeliest first."""
    return [
        candidate.place
        for candidate in gazetteer.candidates(name)
        if candidate.place.country == country
        and candidate.place.kind in _SETTLEMENTS
        and candidate.role in ("name", "alias")
    ]


def settled_countries(gazetteer: Gazetteer, names: Iterable[str]) -> frozenset[str]:
    """The countries that have a populated place of one of these names."""
    return frozenset(
        candidate.place.country
        for name in names
        for candidate in gazetteer.candidates(name)
        if candidate.place.kind in _SETTLEMENTS and candidate.role in _NAMES
    )


def region_named(gazetteer: Gazetteer, name: str, country: str) -> Place | None:
    """The first-level division of this name."""
    for candidate in gazetteer.candidates(name):
        if candidate.place.kind is Kind.REGION and candidate.place.country == country:
            return candidate.place
    return None


def town_in(gazetteer: Gazetteer, name: str, region: Place) -> Place | None:
    """The likeliest town of this name inside the region."""
    for place in settlements(gazetteer, name, region.country):
        if gazetteer.is_inside(place, region):
            return place
    return None


def town_near(
    gazetteer: Gazetteer, name: str, country: str, point: Point, radius_km: float = NEAR_KM
) -> Place | None:
    """The town of this name closest to the point, None when all are farther than the radius."""
    places = [
        place
        for place in settlements(gazetteer, name, country)
        if abs(place.point.latitude - point.latitude) * KM_PER_DEGREE <= radius_km + 1.0
    ]  # of forty Springfields two or three are left to be measured
    best = min(places, key=lambda place: distance_km(place.point, point), default=None)
    return best if best and distance_km(best.point, point) <= radius_km else None


def country_behind(gazetteer: Gazetteer, text: str, end: int) -> str:
    """The country whose name follows an address that ends here; "" when none does."""
    match = _COUNTRY_BEHIND.match(text, end, end + _LONGEST_COUNTRY)
    words = match[1].split(" ") if match else []
    for count in range(len(words), 0, -1):
        for candidate in gazetteer.candidates(" ".join(words[:count]).rstrip(".")):
            if candidate.place.kind is Kind.COUNTRY and candidate.role in _NAMES:
                return candidate.place.country
    return ""


def postal_place(gazetteer: Gazetteer, postcodes: Sequence[Postcode], name: str) -> Place | None:
    """The place a town name means next to a postcode: its own, or else the post's own town."""
    return _postal_place(gazetteer, tuple(postcodes), name)


@lru_cache(maxsize=1024)  # lists of addresses have few postcodes
def _postal_place(gazetteer: Gazetteer, postcodes: tuple[Postcode, ...], name: str) -> Place | None:
    for postcode in postcodes:
        for spelling in (name, postcode.town):
            if place := town_near(gazetteer, spelling, postcode.country, postcode.point):
                return place
    return None


def nearest_point(postcodes: Sequence[Postcode], place: Place | None) -> Point | None:
    """Where the postcode is; of several rows the one closest to the place."""
    points = [postcode.point for postcode in postcodes]
    if place is None or len(points) < 2:
        return points[0] if points else None
    return min(points, key=lambda point: distance_km(point, place.point))
