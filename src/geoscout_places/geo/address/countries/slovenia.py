"""Addresses of Slovenia: "Slovenska cesta 5, 1000 Ljubljana"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_SLOVENIA = PostalCountry("SI", frozenset(("SI", "SLO")), street_grammar("sl"), has_own_words=True)


def create() -> AddressFormat:
    """The format of Slovenia."""
    return postal_format(_SLOVENIA, FOUR_DIGITS)
