"""Addresses of Finland: "Mannerheimintie 12 A 5, 00100 Helsinki"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FIVE_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_FINLAND = PostalCountry(
    "FI", frozenset(("FI", "FIN")), street_grammar("fi", "sv"), has_own_words=True
)


def create() -> AddressFormat:
    """The format of Finland."""
    return postal_format(_FINLAND, FIVE_DIGITS)
