"""Addresses of Hungary: "1051 Budapest, Nádor utca 7."."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_HUNGARY = PostalCountry(
    "HU", frozenset(("H", "HU")), street_grammar("hu"), has_street_behind=True, has_own_words=True
)


def create() -> AddressFormat:
    """The format of Hungary."""
    return postal_format(_HUNGARY, FOUR_DIGITS)
