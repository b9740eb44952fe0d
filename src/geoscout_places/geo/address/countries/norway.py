"""Addresses of Norway: "Akershusstranda 20, 0150 Oslo"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_NORWAY = PostalCountry("NO", frozenset(("N", "NO")), street_grammar("no"), has_own_words=True)


def create() -> AddressFormat:
    """The format of Norway."""
    return postal_format(_NORWAY, FOUR_DIGITS)
