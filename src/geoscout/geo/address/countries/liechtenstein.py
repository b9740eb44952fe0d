"""Addresses of Liechtenstein: "Städtle 37, 9490 Vaduz"."""

from __future__ import annotations

from geoscout.geo.address.base import AddressFormat
from geoscout.geo.address.code_patterns import FOUR_DIGITS
from geoscout.geo.address.continental import PostalCountry, postal_format
from geoscout.geo.address.countries.germany import GRAMMAR

_LIECHTENSTEIN = PostalCountry("LI", frozenset(("FL", "LI")), GRAMMAR)


def create() -> AddressFormat:
    """The format of Liechtenstein."""
    return postal_format(_LIECHTENSTEIN, FOUR_DIGITS)
