"""Addresses of France: "12 bis, rue de la Paix, 75002 Paris"."""

from __future__ import annotations

import re

from msgspec.structs import replace

from geoscout_places.geo.address import continental, romance_streets
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Trigger
from geoscout_places.geo.address.code_patterns import FIVE_DIGITS
from geoscout_places.geo.address.continental import PostalCountry
from geoscout_places.geo.address.left_walk import Grammar
from geoscout_places.geo.address.without_postcode import read_street_and_town
from geoscout_places.geo.lazy_patterns import lazy_pattern

GRAMMAR = Grammar(
    read_street=romance_streets.read_street,
    read_unnumbered=romance_streets.read_unnumbered,
    read_box=romance_streets.read_box,
    is_unit=romance_streets.is_unit,
    read_pair=romance_streets.read_pair,
    most_strangers=2,
)
# An arrondissement, or the mark of mail for large receivers; the town ends before either.
_MARK = lazy_pattern(
    r"\s+(?:[0-9]{1,2}(?:er|ère|e|ème|eme|è)?(?!\w)|cedex(?:\s?[0-9]{1,2}(?!\w))?)", re.IGNORECASE
)
_FRANCE = PostalCountry("FR", frozenset(("F", "FR")), GRAMMAR, _MARK, proof="cedex")
# By the first digits of the code: countries of their own in the gazetteer, one post with France.
_OVERSEAS = {
    "971": ("GP", "BL", "MF"),
    "972": ("MQ",),
    "973": ("GF",),
    "974": ("RE",),
    "975": ("PM",),
    "976": ("YT",),
    "977": ("BL",),
    "978": ("MF",),
    "980": ("MC",),
    "986": ("WF",),
    "987": ("PF",),
    "988": ("NC",),
}
_COUNTRIES = {
    code: replace(_FRANCE, country=code, prefixes=_FRANCE.prefixes | {code}, is_telling=True)
    for codes in _OVERSEAS.values()
    for code in codes
}


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address around a postcode with a town behind it."""
    overseas = _OVERSEAS.get(sighting.trigger[:3])
    if overseas is None:
        return continental.read(sighting, _FRANCE)
    found = [
        replace(finding, country=code)
        for code in overseas
        if (finding := continental.read(sighting, _COUNTRIES[code]))
    ]
    return min(found, key=lambda finding: finding.is_guess, default=None)


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
        other_countries=frozenset(_COUNTRIES),
    )
