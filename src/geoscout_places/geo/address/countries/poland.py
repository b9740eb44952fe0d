"""Addresses of Poland: "ul. Marszałkowska 12/5, 00-624 Warszawa"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import TWO_AND_THREE_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_POLAND = PostalCountry(
    "PL", frozenset(("PL",)), street_grammar("pl"), is_telling=True, has_rare_codes=True
)


def create() -> AddressFormat:
    """The format of Poland."""
    return postal_format(_POLAND, TWO_AND_THREE_DIGITS)
