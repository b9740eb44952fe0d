"""Addresses of Luxembourg: "2, boulevard Royal, L-2449 Luxembourg"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.countries import switzerland

_LUXEMBOURG = PostalCountry(
    "LU", frozenset(("L", "LU")), switzerland.GRAMMAR, takes_villages=False
)  # its codes are also those of Austria and Switzerland, whose streets look the same


def create() -> AddressFormat:
    """The format of Luxembourg."""
    return postal_format(_LUXEMBOURG, FOUR_DIGITS)
