"""Addresses of Czechia: "Jindřišská 126/15, 110 00 Praha 1"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FIVE_DIGITS, THREE_AND_TWO_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_CZECHIA = PostalCountry("CZ", frozenset(("CZ",)), street_grammar("cs"), has_rare_codes=True)


def create() -> AddressFormat:
    """The format of Czechia."""
    return postal_format(_CZECHIA, THREE_AND_TWO_DIGITS, FIVE_DIGITS)
