"""Addresses of Slovakia: "Hlavná 12, 811 01 Bratislava"."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat
from geoscout_places.geo.address.code_patterns import FIVE_DIGITS, THREE_AND_TWO_DIGITS
from geoscout_places.geo.address.continental import PostalCountry, postal_format
from geoscout_places.geo.address.word_streets import street_grammar

_SLOVAKIA = PostalCountry("SK", frozenset(("SK",)), street_grammar("sk"), has_rare_codes=True)


def create() -> AddressFormat:
    """The format of Slovakia."""
    return postal_format(_SLOVAKIA, THREE_AND_TWO_DIGITS, FIVE_DIGITS)
