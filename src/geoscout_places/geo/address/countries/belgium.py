"""Addresses of Belgium, in its languages: "Wetstraat 16 bus 3, 1000 Brussel"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.countries import france
from geoscout_places.geo.address.left_walk import combined
from geoscout_places.geo.address.word_streets import street_grammar

_GRAMMAR = combined(france.GRAMMAR, street_grammar("nl"), strangers=2)
_BELGIUM = PostalCountry("BE", frozenset(("B", "BE")), _GRAMMAR)


def create() -> AddressFormat:
    """The format of Belgium."""
    return postal_format(_BELGIUM, FOUR_DIGITS)
