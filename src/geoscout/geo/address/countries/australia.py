"""Addresses of Australia: "Level 5/123 Pitt St, Sydney NSW 2000"."""

from __future__ import annotations

import re

from geoscout.gazetteer.areas.sphere import distance_km
from geoscout.gazetteer.names import fold
from geoscout.geo.address import english_streets, towns
from geoscout.geo.address.base import AddressFormat, Finding, Sighting, Trigger
from geoscout.geo.address.code_patterns import FOUR_DIGITS_BEHIND
from geoscout.geo.address.north_america import Federation, read_with_known_postcode
from geoscout.geo.address.slashed_doors import slashed_grammar
from geoscout.geo.address.town_first import may_be_code

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
    own_name=re.compile(r"\b(?:australia|AUS?)$", re.IGNORECASE),
    divisions={names[0]: code for code, names in _NAMES.items()},
    area_digits=2,
)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address around a postcode."""
    if not may_be_code(sighting):
        return None
    finding = read_with_known_postcode(sighting, _FEDERATION, sighting.trigger)
    is_right = finding and (_names_state(sighting, finding) or _is_near(finding))
    return finding if is_right else None


def _names_state(sighting: Sighting, finding: Finding) -> bool:
    """Whether there is more than the town before the postcode."""
    end = finding.town.end if finding.town else finding.start
    return any(character.isalpha() for character in sighting.text[end : sighting.start])


def _is_near(finding: Finding) -> bool:
    """Whether the postcode is that of the town, and not of one far away in the same state."""
    place = finding.town.place if finding.town else None
    if place is None or finding.point is None:
        return False
    return distance_km(place.point, finding.point) <= towns.NEAR_KM


def create() -> AddressFormat:
    """The format of Australia."""
    return AddressFormat(country="AU", triggers=(Trigger(FOUR_DIGITS_BEHIND, read_with_postcode),))
