"""Addresses of South Africa: "83 Rivonia Road, Sandhurst, Sandton, 2196"."""

import re
from functools import partial

from msgspec.structs import replace

from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address import english_streets
from geoscout_places.geo.address.base import (
    AddressFormat,
    Finding,
    Sighting,
    Street,
    StreetEvidence,
    Trigger,
)
from geoscout_places.geo.address.continental import FOUR_DIGITS_BEHIND
from geoscout_places.geo.address.segments import Segment
from geoscout_places.geo.address.town_first import (
    CodeBehind,
    PostalAreas,
    TownFirst,
    may_be_code,
    read_town_first,
    walking,
)
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Place

_AREAS = PostalAreas(
    "ZA",
    """
    0001 Gauteng
    0300 Gauteng|North West
    0400 Gauteng|Limpopo|Mpumalanga
    0500 Limpopo
    1000 Mpumalanga|Gauteng
    1400 Gauteng
    2200 Mpumalanga
    2500 North West|Gauteng|Free State
    2900 KwaZulu-Natal
    4700 Eastern Cape|KwaZulu-Natal
    5000 Eastern Cape
    6500 Western Cape|Eastern Cape
    7000 Western Cape
    8200 Western Cape|Northern Cape
    9300 Free State
    """,
)
# Places with addresses of their own that the shipped gazetteer lacks, by the town they are part of.
_PARTS = {
    "Johannesburg": """Sandton|Bryanston|Fourways|Rivonia|Woodmead|Sunninghill|Braamfontein|Illovo
    |Houghton|Parktown|Kempton Park|Melrose|Sandhurst|Northcliff|Auckland Park|Wynberg""",
    "Cape Town": "Bellville|Milnerton|Observatory|Pinelands|Green Point|Sea Point|Parow|Wynberg",
    "Durban": "Umhlanga|Umhlanga Rocks|Ballito|Hillcrest|Morningside|Berea|La Lucia|Glenwood",
    "Pretoria": "Menlyn|Hatfield|Arcadia|Lynnwood|Menlo Park|Brooklyn|Sunnyside",
}
_TOWNS = {fold(part): town for town, parts in _PARTS.items() for part in re.split(r"\s*\|", parts)}
_AFRIKAANS = lazy_pattern(r"\w{3,}(?:straat|weg|laan|rylaan|singel|plein)", re.IGNORECASE)
_NUMBER_BEHIND = lazy_pattern(r"(?<=[a-z.]) (?P<number>[0-9]{1,4}[A-Za-z]?)$")


def read_street(segment: Segment) -> Street | None:
    """The street in this segment, in English or Afrikaans: "23 Maraisstraat", "Plein Street 4"."""
    street = english_streets.read_street(segment)
    if street and street.evidence is StreetEvidence.BARE and _AFRIKAANS.fullmatch(street.name):
        return replace(street, evidence=StreetEvidence.TYPED)
    if street or not (behind := _NUMBER_BEHIND.search(segment.text)):
        return street
    name = english_streets.read_unnumbered(segment.part(0, behind.start()))
    if name is None:
        return None
    evidence = StreetEvidence.TYPED
    return replace(name, end=segment.end, number=behind["number"], evidence=evidence)


_SOUTH_AFRICA = TownFirst(
    find_street=walking(
        replace(english_streets.GRAMMAR, read_street=read_street, unnumbered_strangers=1)
    ),
    between=lazy_pattern(
        r"(?:south\safrica|r\.?s\.?a\.?|(gauteng|western\scape|eastern\scape|northern\scape"
        r"|free\sstate|kwa\s?zulu[\s-]natal|kzn|limpopo|mpumalanga|north\swest))",
        re.IGNORECASE,
    ),
    own_name=lazy_pattern(r"[\s,.|-]{1,4}(?:Republic\sof\s)?South\sAfrica", re.IGNORECASE),
)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address that ends in a postcode."""
    if not may_be_code(sighting):
        return None
    code = CodeBehind(sighting.start, sighting.end, sighting.trigger, partial(_town_of, sighting))
    return read_town_first(sighting, _SOUTH_AFRICA, code)


def _town_of(sighting: Sighting, name: str) -> Place | None:
    place = _AREAS.town_of(sighting.gazetteer, name, sighting.trigger)
    if place is None and (town := _TOWNS.get(fold(name))):
        return _AREAS.town_of(sighting.gazetteer, town, sighting.trigger)
    return place


def create() -> AddressFormat:
    """The format of South Africa."""
    return AddressFormat(country="ZA", triggers=(Trigger(FOUR_DIGITS_BEHIND, read_with_postcode),))
