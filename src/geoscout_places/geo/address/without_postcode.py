"""Addresses that are a street and a town and nothing else: "10 Downing Street, London".

Half of what proves other addresses is missing here, so the rest has to be beyond doubt: a street
word, a number but not a year, and right behind it a town that is large and, of all places of its
name, in this country.
"""

from __future__ import annotations

from geoscout_places.geo.address.base import Finding, Sighting, StreetEvidence, Town
from geoscout_places.geo.address.left_walk import StreetReader
from geoscout_places.geo.address.segments import leftward
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Kind, NameRole, Place

_TOWN = lazy_pattern(r"[A-ZÄÖÜÀÂÇÉÈÊÎÔŒ][\w.'’-]*(?: [A-Za-zÀ-ÿ][\w.'’-]*){0,3}")
_GOES_ON = lazy_pattern(r"[\w'’-]| [A-Z0-9]")  # then the name is longer than what was found
_LARGE_TOWN = 50_000  # inhabitants
_SEPARATOR = lazy_pattern(r"(?:,?\s{1,3}|\sin\s)$")
_YEAR = lazy_pattern(r"(?:1[6-9]|20)[0-9]{2}")


def read_street_and_town(
    sighting: Sighting, country: str, read_street: StreetReader
) -> Finding | None:
    """The address of which the trigger holds the number and ends where the town begins."""
    if _YEAR.match(sighting.trigger):
        return None
    town = next((t for t in sighting.once(_towns_at) if _is_in(t, country)), None)
    if town is None:
        return None
    end = sighting.start + len(_SEPARATOR.sub("", sighting.trigger))
    segment = next(leftward(sighting.text, sighting.leftmost, end), None)
    street = read_street(segment) if segment else None
    is_adjacent = street is not None and sighting.end - street.end <= 6
    if street is None or street.evidence is not StreetEvidence.TYPED or not is_adjacent:
        return None
    return Finding(street.start, town.end, street, town, is_tentative=True)


def _is_in(town: Town, country: str) -> bool:
    return town.place is not None and town.place.country == country


def _towns_at(sighting: Sighting) -> list[Town]:
    """The large towns that the words behind the trigger may name, the longest name first."""
    match = _TOWN.match(sighting.text, sighting.end)
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
    named = [c.place for c in cities if c.role == NameRole.NAME] or [
        c.place for c in cities if c.role == NameRole.ALIAS
    ]
    return named[0] if named and named[0].population >= _LARGE_TOWN else None
