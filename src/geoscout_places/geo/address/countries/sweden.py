"""Addresses of Sweden: "Storgatan 14, 114 55 Stockholm"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FIVE_DIGITS, THREE_AND_TWO_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_SWEDEN = PostalCountry("SE", frozenset(("S", "SE")), street_grammar("sv"), has_own_words=True)


def create() -> AddressFormat:
    """The format of Sweden."""
    return postal_format(_SWEDEN, THREE_AND_TWO_DIGITS, FIVE_DIGITS)
