"""Addresses of Canada in both its languages: "365 Bloor St East, Toronto, ON M4W 3L4"."""

import re

from geoscout_places.geo.address import english_streets
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Trigger
from geoscout_places.geo.address.federation import (
    Federation,
    read_with_known_postcode,
    read_with_region,
    with_state,
)
from geoscout_places.geo.address.towns import read_street_and_town
from geoscout_places.geo.lazy_patterns import lazy_pattern

_PROVINCES = {
    "AB": "01|Alberta|Alta",
    "BC": "02|British Columbia|Colombie-Britannique",
    "MB": "03|Manitoba|Man",
    "NB": "04|New Brunswick|Nouveau-Brunswick",
    "NL": "05|Newfoundland and Labrador|Newfoundland|Nfld|NF|Terre-Neuve-et-Labrador",
    "NS": "07|Nova Scotia|Nouvelle-Écosse",
    "ON": "08|Ontario|Ont",
    "PE": "09|Prince Edward Island|PEI|Île-du-Prince-Édouard",
    "QC": "10|Quebec|Québec|Que|Qué|PQ",
    "SK": "11|Saskatchewan|Sask",
    "YT": "12|Yukon|Yukon Territory|YK",
    "NT": "13|Northwest Territories|NWT|Territoires du Nord-Ouest",
    "NU": "14|Nunavut",
}
_FEDERATION = Federation(
    "CA",
    _PROVINCES,
    english_streets.GRAMMAR,
    own_name=lazy_pattern(r"\bcanada$|(?<=[A-Z]{2}, )CA$", re.IGNORECASE),
)

# The code "M4W 3L4" is seen at its first digit; its first letter is read from there.
_CODE = (
    r"(?<=[ABCEGHJ-NPRSTVXY])(?<![A-Za-z0-9].)[0-9][A-Z][ \u00a0-]?[0-9][A-Z][0-9](?![A-Za-z0-9])"
)
_WRITTEN = "|".join([*_PROVINCES, "Ont\\.", "Que\\.", "Alta\\.", *_FEDERATION.codes])
_PROVINCE = rf",\s{{0,2}}(?=[A-Z])(?:{_WRITTEN}|Québec)(?![\w'’])"
# "Québec QC", "Ontario, Canada M5X 1C7": what looked like the end of the address is not.
_BETTER_FOLLOWS = lazy_pattern(
    rf"(?:[\s,]{{1,3}}(?:Canada|CANADA|CA))?[\s,.|()]{{1,4}}(?:[A-Z][0-9][A-Z]\s?[0-9][A-Z][0-9]|(?:{'|'.join(_PROVINCES)}))(?![A-Za-z0-9])"
)


def read_with_code(sighting: Sighting) -> Finding | None:
    """The address around a postal code."""
    whole = sighting.moved(sighting.start - 1, sighting.end)
    return read_with_known_postcode(whole, _FEDERATION, whole.trigger[:3])


def read_with_province(sighting: Sighting) -> Finding | None:
    """The address around a province behind a comma."""
    if _BETTER_FOLLOWS.match(sighting.text, sighting.end):
        return None  # it is a trigger itself, and the end of the address
    return read_with_region(sighting, _FEDERATION)


def read_with_town(sighting: Sighting) -> Finding | None:
    """The address around a house number with a large town behind it."""
    finding = read_street_and_town(sighting, "CA", english_streets.read_street)
    return with_state(finding, sighting.gazetteer, _FEDERATION) if finding else None


def create() -> AddressFormat:
    """The format of Canada."""
    return AddressFormat(
        country="CA",
        triggers=(
            Trigger(_CODE, read_with_code),
            Trigger(_PROVINCE, read_with_province),
            Trigger(english_streets.STREET_AND_TOWN, read_with_town),
        ),
    )
