"""Addresses of Australia: "Level 5/123 Pitt St, Sydney NSW 2000"."""

from __future__ import annotations

import re
from functools import partial

from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address import english_streets, towns
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Trigger
from geoscout_places.geo.address.code_patterns import FOUR_DIGITS_BEHIND
from geoscout_places.geo.address.north_america import (
    Federation,
    read_with_known_postcode,
    skip_separators,
)
from geoscout_places.geo.address.slashed_doors import slashed_grammar
from geoscout_places.geo.address.town_first import may_be_code, nearest_segment, town_at_end
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Place

# Postal code: GeoNames' code, the name as the gazetteer has it, then what people write.
_STATES = {
    "ACT": "01|Australian Capital Territory",
    "NSW": "02|New South Wales",
    "NT": "03|Northern Territory",
    "QLD": "04|Queensland|Qld",
    "SA": "05|South Australia",
    "TAS": "06|Tasmania|Tas",
    "VIC": "07|Victoria|Vic",
    "WA": "08|Western Australia",
}
_NAMES = {code: names.split("|") for code, names in _STATES.items()}

_FEDERATION = Federation(
    country="AU",
    states={
        fold(spelling): code for code, names in _NAMES.items() for spelling in (code, *names[1:])
    },
    names={code: names[1] for code, names in _NAMES.items()},
    grammar=slashed_grammar(english_streets.GRAMMAR),
    own_name=lazy_pattern(r"\b(?:australia|AUS?)$", re.IGNORECASE),
    divisions={names[0]: code for code, names in _NAMES.items()},
    area_digits=2,
)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address around a postcode."""
    if not may_be_code(sighting):
        return None
    end = skip_separators(sighting.text, sighting.start, sighting.leftmost)
    _, state = _FEDERATION.state_before(sighting.text, sighting.leftmost, end)
    if not state and not _has_town(sighting):
        return None
    finding = read_with_known_postcode(sighting, _FEDERATION, sighting.trigger)
    return finding if finding and (state or _is_near(finding)) else None


def _has_town(sighting: Sighting) -> bool:
    """Whether a town stands before the postcode, where no state does."""
    nearest = nearest_segment(sighting, sighting.start)
    find = partial(_town_named, sighting.gazetteer)
    return nearest is not None and town_at_end(nearest, find) is not None


def _town_named(gazetteer: Gazetteer, name: str) -> Place | None:
    return next(iter(towns.settlements(gazetteer, name, "AU")), None)


def _is_near(finding: Finding) -> bool:
    """Whether the postcode is that of the town, and not of one far away in the same state."""
    place = finding.town.place if finding.town else None
    if place is None or finding.point is None:
        return False
    return distance_km(place.point, finding.point) <= towns.NEAR_KM


def create() -> AddressFormat:
    """The format of Australia."""
    return AddressFormat(country="AU", triggers=(Trigger(FOUR_DIGITS_BEHIND, read_with_postcode),))
