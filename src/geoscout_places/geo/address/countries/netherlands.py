"""Addresses of the Netherlands: "Damrak 1-5, 1012 LG Amsterdam"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS_AND_LETTERS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_NETHERLANDS = PostalCountry("NL", frozenset(("NL",)), street_grammar("nl"), is_telling=True)


def create() -> AddressFormat:
    """The format of the Netherlands."""
    return postal_format(_NETHERLANDS, FOUR_DIGITS_AND_LETTERS)
