"""Addresses of Denmark: "Vesterbrogade 4 A, 2. tv., 1620 København V"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_DENMARK = PostalCountry("DK", frozenset(("DK",)), street_grammar("da"), has_own_words=True)


def create() -> AddressFormat:
    """The format of Denmark."""
    return postal_format(_DENMARK, FOUR_DIGITS)
