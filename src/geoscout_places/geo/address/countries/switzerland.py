"""Addresses of Switzerland, in its languages: "Bahnhofstrasse 5, CH-8001 Zürich"."""

from __future__ import annotations

from geoscout_places.geo.address import continental, german_streets, romance_streets
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Trigger
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS
from geoscout_places.geo.address.continental import PostalCountry
from geoscout_places.geo.address.countries import france, germany
from geoscout_places.geo.address.left_walk import combined
from geoscout_places.geo.address.without_postcode import read_street_and_town

GRAMMAR = combined(france.GRAMMAR, germany.GRAMMAR)
_SWITZERLAND = PostalCountry("CH", frozenset(("CH",)), GRAMMAR)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address around a postcode with a town behind it."""
    return continental.read(sighting, _SWITZERLAND)


def read_without_postcode(sighting: Sighting) -> Finding | None:
    """The address around a house number with a large town behind it."""
    return read_street_and_town(sighting, "CH", GRAMMAR.read_street)


def create() -> AddressFormat:
    """The format of Switzerland."""
    return AddressFormat(
        country="CH",
        triggers=(
            Trigger(FOUR_DIGITS, read_with_postcode),
            Trigger(romance_streets.STREET_AND_TOWN, read_without_postcode),
            Trigger(german_streets.STREET_AND_TOWN, read_without_postcode),
        ),
    )
