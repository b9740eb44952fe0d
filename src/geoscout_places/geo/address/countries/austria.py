"""Addresses of Austria: "Schwindgasse 14/6, 1040 Wien"."""

from __future__ import annotations

from geoscout_places.geo.address import continental, german_streets
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Trigger
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS
from geoscout_places.geo.address.continental import PostalCountry
from geoscout_places.geo.address.countries.germany import GRAMMAR
from geoscout_places.geo.address.without_postcode import read_street_and_town

_AUSTRIA = PostalCountry("AT", frozenset(("A", "AT", "Ö")), GRAMMAR)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address around a postcode with a town behind it."""
    return continental.read(sighting, _AUSTRIA)


def read_without_postcode(sighting: Sighting) -> Finding | None:
    """The address around a house number with a large town behind it."""
    return read_street_and_town(sighting, "AT", german_streets.read_street)


def create() -> AddressFormat:
    """The format of Austria."""
    return AddressFormat(
        country="AT",
        triggers=(
            Trigger(FOUR_DIGITS, read_with_postcode),
            Trigger(german_streets.STREET_AND_TOWN, read_without_postcode),
        ),
    )
