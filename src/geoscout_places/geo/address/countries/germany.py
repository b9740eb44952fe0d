"""Addresses of Germany: "Hauptstr. 5, 10117 Berlin"."""

from __future__ import annotations

from geoscout_places.geo.address import continental, german_streets
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Trigger
from geoscout_places.geo.address.code_patterns import FIVE_DIGITS
from geoscout_places.geo.address.continental import PostalCountry
from geoscout_places.geo.address.left_walk import Grammar
from geoscout_places.geo.address.without_postcode import read_street_and_town

GRAMMAR = Grammar(
    read_street=german_streets.read_street,
    read_unnumbered=german_streets.read_unnumbered,
    read_box=german_streets.read_box,
    is_unit=german_streets.is_unit,
    read_pair=german_streets.read_pair,
    most_strangers=1,
)
_GERMANY = PostalCountry("DE", frozenset(("D", "DE")), GRAMMAR)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address around a postcode with a town behind it."""
    return continental.read(sighting, _GERMANY)


def read_without_postcode(sighting: Sighting) -> Finding | None:
    """The address around a house number with a large town behind it."""
    return read_street_and_town(sighting, "DE", german_streets.read_street)


def create() -> AddressFormat:
    """The format of Germany."""
    return AddressFormat(
        country="DE",
        triggers=(
            Trigger(FIVE_DIGITS, read_with_postcode),
            Trigger(german_streets.STREET_AND_TOWN, read_without_postcode),
        ),
    )
