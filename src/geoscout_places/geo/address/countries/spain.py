"""Addresses of Spain: "Calle de Génova, 6, 3º B, 28004 Madrid"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FIVE_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_SPAIN = PostalCountry("ES", frozenset(("E", "ES")), street_grammar("es"))


def create() -> AddressFormat:
    """The format of Spain."""
    return postal_format(_SPAIN, FIVE_DIGITS)
