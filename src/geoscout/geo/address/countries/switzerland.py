"""Addresses of Switzerland, in its languages: "Bahnhofstrasse 5, CH-8001 Zürich"."""

from __future__ import annotations

from geoscout.geo.address import continental, german_streets, romance_streets
from geoscout.geo.address.base import AddressFormat, Finding, Sighting, Street, Trigger
from geoscout.geo.address.continental import PostalCountry
from geoscout.geo.address.left_walk import Grammar
from geoscout.geo.address.segments import Segment
from geoscout.geo.address.without_postcode import read_street_and_town


def _read_street(segment: Segment) -> Street | None:
    return romance_streets.read_street(segment) or german_streets.read_street(segment)


def _read_unnumbered(segment: Segment) -> Street | None:
    return romance_streets.read_unnumbered(segment) or german_streets.read_unnumbered(segment)


def _read_box(segment: Segment) -> Street | None:
    return romance_streets.read_box(segment) or german_streets.read_box(segment)


def _read_pair(left: Segment, right: Segment) -> Street | None:
    return romance_streets.read_pair(left, right) or german_streets.read_pair(left, right)


def _is_unit(segment: Segment) -> bool:
    return romance_streets.is_unit(segment) or german_streets.is_unit(segment)


_GRAMMAR = Grammar(
    read_street=_read_street,
    read_unnumbered=_read_unnumbered,
    read_box=_read_box,
    is_unit=_is_unit,
    read_pair=_read_pair,
    most_strangers=1,
)
_SWITZERLAND = PostalCountry("CH", 4, frozenset(("CH",)), _GRAMMAR)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address around a postcode with a town behind it."""
    return continental.read(sighting, _SWITZERLAND)


def read_without_postcode(sighting: Sighting) -> Finding | None:
    """The address around a house number with a large town behind it."""
    return read_street_and_town(sighting, "CH", _read_street)


def create() -> AddressFormat:
    """The format of Switzerland."""
    return AddressFormat(
        country="CH",
        triggers=(
            Trigger(continental.FOUR_DIGITS, read_with_postcode),
            Trigger(romance_streets.STREET_AND_TOWN, read_without_postcode),
            Trigger(german_streets.STREET_AND_TOWN, read_without_postcode),
        ),
    )
