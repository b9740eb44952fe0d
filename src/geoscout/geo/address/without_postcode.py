"""Addresses that are a street and a town and nothing else: "10 Downing Street, London".

Half of what proves other addresses is missing here, so the rest has to be beyond doubt: a street
word, a number but not a year, and right behind it a town that is large and, of all places of its
name, in this country.
"""

from __future__ import annotations

from geoscout.geo.address.base import Finding, Sighting, StreetEvidence, Town
from geoscout.geo.address.left_walk import StreetReader
from geoscout.geo.address.segments import leftward
from geoscout.geo.lazy_patterns import lazy_pattern
from geoscout.model import Kind, NameRole, Place

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
    town = _town_at(sighting, country)
    if town is None:
        return None
    end = sighting.start + len(_SEPARATOR.sub("", sighting.trigger))
    segment = next(leftward(sighting.text, sighting.leftmost, end), None)
    street = read_street(segment) if segment else None
    is_adjacent = street is not None and sighting.end - street.end <= 6
    if street is None or street.evidence is not StreetEvidence.TYPED or not is_adjacent:
        return None
    return Finding(street.start, town.end, street, town, is_tentative=True)


def _town_at(sighting: Sighting, country: str) -> Town | None:
    match = _TOWN.match(sighting.text, sighting.end)
    if match is None:
        return None
    words = match.group().split(" ")
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count]).rstrip(".")
        end = sighting.end + len(name)
        if _GOES_ON.match(sighting.text, end):
            continue
        if place := large_town(sighting, name, country):
            return Town(sighting.end, end, name, place, is_proven=True)
    return None


def large_town(sighting: Sighting, name: str, country: str) -> Place | None:
    """The town most people mean by the name, if it is large and in the country."""
    cities = [c for c in sighting.gazetteer.candidates(name) if c.place.kind is Kind.CITY]
    named = [c.place for c in cities if c.role == NameRole.NAME] or [
        c.place for c in cities if c.role == NameRole.ALIAS
    ]
    if named and named[0].country == country and named[0].population >= _LARGE_TOWN:
        return named[0]
    return None
