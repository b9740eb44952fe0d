"""Addresses of France: "12 bis, rue de la Paix, 75002 Paris"."""

from __future__ import annotations

import re

from geoscout.geo.address import continental, romance_streets
from geoscout.geo.address.base import AddressFormat, Finding, Sighting, Trigger
from geoscout.geo.address.code_patterns import FIVE_DIGITS
from geoscout.geo.address.continental import PostalCountry
from geoscout.geo.address.left_walk import Grammar
from geoscout.geo.address.without_postcode import read_street_and_town

GRAMMAR = Grammar(
    read_street=romance_streets.read_street,
    read_unnumbered=romance_streets.read_unnumbered,
    read_box=romance_streets.read_box,
    is_unit=romance_streets.is_unit,
    read_pair=romance_streets.read_pair,
    most_strangers=2,
)
# An arrondissement, or the mark of mail for large receivers; the town ends before either.
_MARK = re.compile(
    r"\s+(?:[0-9]{1,2}(?:er|ère|e|ème|eme|è)?(?!\w)|cedex(?:\s?[0-9]{1,2}(?!\w))?)", re.IGNORECASE
)
_FRANCE = PostalCountry("FR", frozenset(("F", "FR")), GRAMMAR, _MARK, proof="cedex")


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address around a postcode with a town behind it."""
    return continental.read(sighting, _FRANCE)


def read_without_postcode(sighting: Sighting) -> Finding | None:
    """The address around a house number with a large town behind it."""
    return read_street_and_town(sighting, "FR", romance_streets.read_street)


def create() -> AddressFormat:
    """The format of France."""
    return AddressFormat(
        country="FR",
        triggers=(
            Trigger(FIVE_DIGITS, read_with_postcode),
            Trigger(romance_streets.STREET_AND_TOWN, read_without_postcode),
        ),
    )
