"""Addresses of Portugal: "Rua Augusta, 100, 2.º Esq., 1100-053 Lisboa"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FOUR_AND_THREE_DIGITS, FOUR_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_PORTUGAL = PostalCountry("PT", frozenset(("P", "PT")), street_grammar("pt"))


def create() -> AddressFormat:
    """The format of Portugal."""
    return postal_format(_PORTUGAL, FOUR_AND_THREE_DIGITS, FOUR_DIGITS)
