"""Addresses of New Zealand: "Level 10, 120 Albert Street, Auckland 1010"."""

from __future__ import annotations

import re
from functools import partial

from geoscout_places.geo.address import english_streets, towns
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Trigger
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS_BEHIND
from geoscout_places.geo.address.slashed_doors import slashed_grammar
from geoscout_places.geo.address.town_first import (
    CodeBehind,
    TownFirst,
    may_be_code,
    read_town_first,
    walking,
)
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Place

_LARGE_TOWN = 5_000  # inhabitants; believed where the table lacks the postcode
_NEW_ZEALAND = TownFirst(
    find_street=walking(slashed_grammar(english_streets.GRAMMAR)),
    between=lazy_pattern(r"(?:new\szealand|aotearoa|n\.?z\.?|cbd)", re.IGNORECASE),
    own_name=lazy_pattern(r"[\s,.|-]{1,4}(?:new\szealand|aotearoa|nz\b)", re.IGNORECASE),
)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address that ends in a postcode."""
    if not may_be_code(sighting):
        return None
    code = CodeBehind(sighting.start, sighting.end, sighting.trigger, partial(_town_of, sighting))
    return read_town_first(sighting, _NEW_ZEALAND, code)


def _town_of(sighting: Sighting, name: str) -> Place | None:
    gazetteer = sighting.gazetteer
    places = towns.settlements(gazetteer, name, "NZ")
    if not places:
        return None
    if rows := gazetteer.postcodes("NZ", sighting.trigger):
        return towns.town_near(gazetteer, name, "NZ", rows[0].point)
    return places[0] if places[0].population >= _LARGE_TOWN else None


def create() -> AddressFormat:
    """The format of New Zealand."""
    return AddressFormat(country="NZ", triggers=(Trigger(FOUR_DIGITS_BEHIND, read_with_postcode),))
