"""Addresses of Liechtenstein: "Städtle 37, 9490 Vaduz"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.countries.germany import GRAMMAR

_LIECHTENSTEIN = PostalCountry("LI", frozenset(("FL", "LI")), GRAMMAR)


def create() -> AddressFormat:
    """The format of Liechtenstein."""
    return postal_format(_LIECHTENSTEIN, FOUR_DIGITS)
