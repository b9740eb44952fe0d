"""Is there such a town? The questions every format asks the gazetteer.

A street line proves little by itself; a town that the postcode or the region confirms is what
makes an address of it. So each answer says both which place is meant and whether it is proven.

Also addresses that are a street and a town and nothing else: "10 Downing Street, London". Half of
what proves other addresses is missing there, so the rest has to be beyond doubt: a street word, a
number but not a year, and right behind it a town that is large and, of all places of its name, in
this country.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from geoscout_places.gazetteer.areas.sphere import KM_PER_DEGREE, distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address.base import Finding, Sighting, StreetEvidence, Town
from geoscout_places.geo.address.segments import PairReader, StreetReader, leftward
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


_TOWN = lazy_pattern(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}")
_GOES_ON = lazy_pattern(r"[\w'’-]| [A-Z0-9]")  # then the name is longer than what was found
_LARGE_TOWN = 50_000  # inhabitants
_OUTDOES = 20
_SEPARATOR = lazy_pattern(r"(?:,?\s{1,3}|\sin\s)$")
_YEAR = lazy_pattern(r"(?:1[6-9]|20)[0-9]{2}")


def read_street_and_town(
    sighting: Sighting, country: str, read_street: StreetReader
) -> Finding | None:
    """The address of which the trigger holds the number and ends where the town begins."""
    town = next((t for t in sighting.once(towns_behind) if _is_in(t, country)), None)
    return read_before_town(sighting, town, read_street) if town else None


def read_before_town(
    sighting: Sighting,
    town: Town,
    read_street: StreetReader,
    read_pair: PairReader | None = None,
    *,
    is_plain: bool = False,
) -> Finding | None:
    """The address of a town and the street before it, whose number the trigger holds.

    Where most streets have no street word (`is_plain`), or in names of several words, none is asked
    for in a text that is nothing but this line: "Korunní 810, Praha", "Nowy Świat 15, Warszawa".
    """
    if _YEAR.match(sighting.trigger):
        return None
    end = sighting.start + len(_SEPARATOR.sub("", sighting.trigger))
    segments = leftward(sighting.text, sighting.leftmost, end)
    segment, left = next(segments, None), next(segments, None)
    street = read_street(segment) if segment else None
    if street is None and read_pair and segment and left and segment.before == ",":
        street = read_pair(left, segment)
    if street is None or not street.number or sighting.end - street.end > _NEAR_TOWN:
        return None
    is_line = sighting.is_alone and not sighting.text[town.end :].strip(" .")
    is_bare_enough = is_line and (is_plain or " " in street.name)
    if street.evidence < (StreetEvidence.BARE if is_bare_enough else StreetEvidence.TYPED):
        return None
    return Finding(street.start, town.end, street, town, is_tentative=True)


_NEAR_TOWN = 6  # code points between a street and the town behind it


def _is_in(town: Town, country: str) -> bool:
    return town.place is not None and town.place.country == country


def towns_behind(sighting: Sighting) -> list[Town]:
    """The large towns that the words behind the trigger may name, the longest name first."""
    match = _TOWN.match(sighting.text, sighting.end, sighting.end + _LONGEST_COUNTRY)
    words = match.group().split(" ") if match else []
    found = []
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count]).rstrip(".")
        end = sighting.end + len(name)
        if _GOES_ON.match(sighting.text, end):
            continue
        if place := _large_town(sighting, name):
            found.append(Town(sighting.end, end, name, place, is_proven=True))
    return found


def large_town(sighting: Sighting, name: str, country: str) -> Place | None:
    """The town most people mean by the name, if it is large and in the country."""
    place = _large_town(sighting, name)
    return place if place and place.country == country else None


def _large_town(sighting: Sighting, name: str) -> Place | None:
    cities = [c for c in sighting.gazetteer.candidates(name) if c.place.kind is Kind.CITY]
    named = [c.place for c in cities if c.role == NameRole.NAME]
    aliased = [c.place for c in cities if c.role == NameRole.ALIAS]
    # "Praha" is what Prague calls itself, whatever hamlet has the name too.
    if aliased and (not named or aliased[0].population > _OUTDOES * named[0].population):
        named = aliased
    return named[0] if named and named[0].population >= _LARGE_TOWN else None
