"""Addresses of all countries that have no file of their own, as far as postcodes go."""

from __future__ import annotations

from geoscout_places.geo.address.base import AddressFormat, Trigger
from geoscout_places.geo.address.code_patterns import (
    BEHIND_TOWN,
    FIVE_DIGITS,
    FOUR_DIGITS,
    SIX_OR_SEVEN_DIGITS,
    THREE_AND_TWO_DIGITS,
    THREE_DIGITS,
)
from geoscout_places.geo.address.general import read_code_before_town, read_code_behind_town
from geoscout_places.geo.address.postal_forms import LENGTHS

_BEFORE_TOWN = (
    FOUR_DIGITS,
    FIVE_DIGITS,
    THREE_AND_TWO_DIGITS,
    SIX_OR_SEVEN_DIGITS,
    THREE_DIGITS,
)


def create() -> AddressFormat:
    """The format of the rest of the world; asked last, and gives way to all others."""
    return AddressFormat(
        country="ZZ",
        triggers=(
            *(Trigger(pattern, read_code_before_town) for pattern in _BEFORE_TOWN),
            Trigger(BEHIND_TOWN, read_code_behind_town),
        ),
        other_countries=frozenset(LENGTHS),
    )
