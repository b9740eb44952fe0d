"""Addresses of Australia and New Zealand: "Level 5/123 Pitt St, Sydney NSW 2000", "Auckland 1010".

In both the part before a slash is the door, and the number of the house follows. The rest of a
street line is as in other countries that write English.
"""

import re
from functools import partial

from msgspec.structs import replace

from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import english_streets, towns
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Street, Trigger
from geoscout_places.geo.address.continental import FOUR_DIGITS_BEHIND
from geoscout_places.geo.address.federation import (
    Federation,
    read_with_code_behind_town,
    read_with_known_postcode,
    skip_separators,
)
from geoscout_places.geo.address.segments import Segment
from geoscout_places.geo.address.town_first import (
    CodeBehind,
    TownFirst,
    may_be_code,
    nearest_segment,
    read_town_first,
    town_at_end,
    walking,
)
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Place

_DOOR = lazy_pattern(
    r"(?<![\w/])(?P<door>(?:(?:unit|level|lvl|suite|ste|shop|flat|apartment|apt|lot|office|villa"
    r"|townhouse|floor|tenancy|[ulgs])\.?\s?)?[0-9]{1,4}(?:\.[0-9]{1,3})?[a-z]?)\s?/\s?"
    r"(?=[0-9]{1,5}[a-z]?(?:[-–][0-9]{1,5}[a-z]?)?,?\s[a-z])",
    re.IGNORECASE,
)


def read_street(segment: Segment) -> Street | None:
    """The street in this segment, with the door before its number."""
    for door in reversed(list(_DOOR.finditer(segment.text))):
        street = english_streets.read_street(segment.part(door.end(), len(segment.text)))
        if street and street.start == segment.start + door.end():
            unit = ", ".join(filter(None, (door["door"], street.unit)))
            return replace(street, start=segment.start + door.start(), unit=unit)
    return english_streets.read_street(segment)


_GRAMMAR = replace(english_streets.GRAMMAR, read_street=read_street)


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
_FEDERATION = Federation(
    "AU",
    _STATES,
    _GRAMMAR,
    own_name=lazy_pattern(r"\b(?:australia|AUS?)$", re.IGNORECASE),
    area_digits=2,
)


def read_australian(sighting: Sighting) -> Finding | None:
    """The address around a postcode."""
    if not may_be_code(sighting):
        return None
    end = skip_separators(sighting.text, sighting.start, sighting.leftmost)
    _, state = _FEDERATION.state_before(sighting.text, sighting.leftmost, end)
    if not state and not _has_town(sighting):
        return None
    finding = read_with_known_postcode(sighting, _FEDERATION, sighting.trigger)
    return finding if finding and (state or _is_near(finding)) else None


def read_without_code(sighting: Sighting) -> Finding | None:
    """The address without a postcode: "200 George Street, Sydney NSW"."""
    return read_with_code_behind_town(sighting, _FEDERATION)


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


_LARGE_TOWN = 5_000  # inhabitants; believed where the table lacks the postcode
_NEW_ZEALAND = TownFirst(
    find_street=walking(_GRAMMAR),
    between=lazy_pattern(r"(?:new\szealand|aotearoa|n\.?z\.?|cbd)", re.IGNORECASE),
    own_name=lazy_pattern(r"[\s,.|-]{1,4}(?:new\szealand|aotearoa|nz\b)", re.IGNORECASE),
)


def read_new_zealand(sighting: Sighting) -> Finding | None:
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


def create() -> tuple[AddressFormat, ...]:
    """The formats of both countries."""
    return (
        AddressFormat(
            country="AU",
            triggers=(
                Trigger(FOUR_DIGITS_BEHIND, read_australian),
                Trigger(english_streets.STREET_AND_TOWN, read_without_code),
            ),
        ),
        AddressFormat(country="NZ", triggers=(Trigger(FOUR_DIGITS_BEHIND, read_new_zealand),)),
    )
