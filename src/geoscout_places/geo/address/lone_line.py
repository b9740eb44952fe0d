"""A text that is one short line and nothing but an address: "8128 S. King Drive".

A form field or a column of a table, not a page: that the line begins with a number and is used up
by a street proves enough, so neither state nor postcode are asked for.
"""

from __future__ import annotations

import re

from geoscout_places.geo.address import towns
from geoscout_places.geo.address.base import Finding, Sighting, Street, StreetEvidence, Town
from geoscout_places.geo.address.left_walk import find_street
from geoscout_places.geo.address.north_america import (
    Federation,
    RegionClue,
    read_clue,
    skip_separators,
)
from geoscout_places.geo.address.segments import leftward, segment_words
from geoscout_places.geo.address.street_words import ENGLISH
from geoscout_places.geo.lazy_patterns import lazy_pattern

_DOOR_BEHIND = lazy_pattern(r"(?:\S{0,4}[0-9#]\S{0,6}|[NSEW]{1,2}|[()/.\s]){0,6}")
_DOORS = lazy_pattern(r"\W*|(?:[^,]{1,20},\s?){1,2}")  # what may stand before the street
_LINE_START = lazy_pattern(
    r"\s*(?:#?[0-9]|[NSEW][0-9]|(?:one|two|three|suite|ste|apt|unit|room|p\.?\s?o)\b)",
    re.IGNORECASE,
)


def read_lone_line(sighting: Sighting, federation: Federation) -> Finding | None:
    """A line that is nothing but an address, with a state at its end or without any."""
    if not _LINE_START.match(sighting.text):
        return None
    end = skip_separators(sighting.text, sighting.end, 0)
    start, state = federation.state_before(sighting.text, 0, end)
    if state:
        town_end = skip_separators(sighting.text, start, 0)
        clue = RegionClue(sighting.moved(start, end), state, "", "", (), town_end=town_end)
        finding = read_clue(clue, federation)
        if finding and finding.town and finding.street:
            return finding
    return _read_street_line(sighting, federation)


def _read_street_line(sighting: Sighting, federation: Federation) -> Finding | None:
    """A street that fills the line, or all of it but a door before and a town behind."""
    street = find_street(leftward(sighting.text, 0, sighting.end), federation.grammar)
    if street is None or not _DOORS.fullmatch(sighting.text, 0, street.start):
        return None
    rest = sighting.text[street.end : sighting.end].strip(" ,.")
    if _DOOR_BEHIND.fullmatch(rest) or rest in (street.unit, _quadrant(street)):
        is_street = street.evidence >= StreetEvidence.LIKELY or bool(street.unit)
        is_counted = segment_words(street.name)[0].key in ENGLISH.counted
        found = is_street and not is_counted
        return Finding(street.start, sighting.end, street, None) if found else None
    town = _town_behind(sighting, street, rest, federation.country)
    return Finding(street.start, sighting.end, street, town) if town else None


def _quadrant(street: Street) -> str:
    return street.name.rpartition(", ")[2]


def _town_behind(sighting: Sighting, street: Street, name: str, country: str) -> Town | None:
    places = towns.settlements(sighting.gazetteer, name, country)
    start = sighting.text.index(name, street.end)
    return Town(start, start + len(name), name, places[0], is_proven=True) if places else None
