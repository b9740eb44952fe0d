"""Addresses of Croatia: "Ilica 10, 10000 Zagreb"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FIVE_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_CROATIA = PostalCountry("HR", frozenset(("HR",)), street_grammar("hr"))


def create() -> AddressFormat:
    """The format of Croatia."""
    return postal_format(_CROATIA, FIVE_DIGITS)
