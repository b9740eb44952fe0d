"""Addresses of India: "No. 14, Vedavinayagar Street, Gandhi Nagar, Avadi, Chennai - 600054".

Many lines come between the number of the house and the town: buildings, localities, landmarks. So
the number is looked for in all of them, and not only next to a street.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice

from geoscout_places.geo.address.base import (
    LONG_NUMBER,
    AddressFormat,
    Finding,
    Sighting,
    Street,
    StreetEvidence,
    Trigger,
)
from geoscout_places.geo.address.segments import Segment, is_foreign, whole_street
from geoscout_places.geo.address.town_first import (
    CodeBehind,
    PostalAreas,
    TownFirst,
    read_town_first,
)
from geoscout_places.geo.lazy_patterns import lazy_pattern

_AREAS = PostalAreas(
    "IN",
    """
    11 Delhi
    12 Haryana
    14 Punjab|Chandigarh
    16 Chandigarh|Punjab|Haryana
    17 Himachal Pradesh
    18 Jammu and Kashmir|Ladakh
    20 Uttar Pradesh|Uttarakhand
    29
    30 Rajasthan
    35
    36 Gujarat|Dadra and Nagar Haveli and Daman and Diu
    40 Maharashtra|Goa
    45 Madhya Pradesh|Chhattisgarh
    50 Telangana|Andhra Pradesh|Puducherry
    54
    56 Karnataka
    60 Tamil Nadu|Puducherry
    67 Kerala|Lakshadweep|Puducherry
    70 West Bengal|Sikkim|Andaman and Nicobar
    75 Odisha
    78 Assam
    79 Arunachal Pradesh|Manipur|Meghalaya|Mizoram|Nagaland|Tripura|Assam
    80 Bihar|Jharkhand
    86
    """,
)
_STATES = (
    "Andaman and Nicobar(?: Islands)?|Andhra Pradesh|Arunachal Pradesh|Assam|Bihar|Chandigarh"
    "|Chhattisgarh|Delhi|Goa|Gujarat|Haryana|Himachal Pradesh|Jammu (?:and|&) Kashmir|Jharkhand"
    "|Karnataka|Kerala|Ladakh|Madhya Pradesh|Maharashtra|Manipur|Meghalaya|Mizoram|Nagaland"
    "|Odisha|Orissa|Puducherry|Punjab|Rajasthan|Sikkim|Tamil\\s?nadu|Telangana|Tripura"
    "|Uttar Pradesh|Uttarakhand|West Bengal|A\\.?P|D\\.?L|G\\.?J|H\\.?R|K\\.?A|K\\.?L|M\\.?H|M\\.?P"
    "|O\\.?D|P\\.?B|R\\.?J|T\\.?N|T\\.?S|U\\.?P|U\\.?K|W\\.?B"
)
# "560001", "110 001"; before it a word, a comma or a dash, or none: "Chennai-600001".
_PIN = LONG_NUMBER + (
    r"(?:(?<=[A-Za-z.,):–-]\s)|(?<=[A-Za-z][–-]))[1-8][0-9]{2}[ \u00a0]?[0-9]{3}"
    r"(?![\w%]|[.,:/–-][0-9]| [a-z0-9])"
)
_MARK = lazy_pattern(r"(?:[–-]\s{0,2}|\bpin(?:\s?code)?\s?[:.–-]{0,2}\s{0,2})$", re.IGNORECASE)
_NUMBER = lazy_pattern(
    r"(?:#\s?|(?:(?:plot|house|door|old|new|survey|premises|municipal|gala|h|d|s)\.?\s?"
    r"(?:no|nos|number)?|no|nos)\s?[.:]?[\s:.-]{0,2})?"
    r"(?P<number>(?:[A-Z]{1,3}\s?-?\s?)?[0-9]{1,5}[A-Z]?(?:\s?[/-]\s?[0-9A-Z]{1,5}){0,4})"
    r"(?:\s(?P<name>[^\W\d_].{2,}))?",
    re.IGNORECASE,
)
_DOOR = lazy_pattern(
    r"(?:shop|flat|unit|office|suite|room|apartment|apt|floor|level|wing|tower|block|ground\sfloor"
    r"|first\sfloor|[0-9]{1,2}(?:st|nd|rd|th)\s(?:floor|level))\b.{0,20}",
    re.IGNORECASE,
)
_NOT_A_NAME = lazy_pattern(
    r"(?:st|nd|rd|th|am|pm|km|kms|min|mins|years?|days?|hours?|people|and|or|to|of)\b"
    r"|[a-z]{3} [0-9]",
    re.IGNORECASE,
)
_STREET_WORD = lazy_pattern(
    r"\b(?:road|rd|street|st|marg|nagar|salai|path|lane|avenue|ave|highway|chowk|bazaa?r|colony"
    r"|layout|sector|cross|circle|bhawan|bhavan|enclave|vihar|puram|estate|complex|plaza|building"
    r"|house|park|phase|main|gali|galli|peth|wadi|garden|gardens|terrace|hills|place|district)\b",
    re.IGNORECASE,
)
_MOST_SEGMENTS = 9
_LONGEST = 60  # code points of a segment


def _find_street(segments: Iterator[Segment]) -> Street | None:
    """The number of the house and what follows it; without a number the street alone."""
    names: list[Segment] = []
    for segment in islice(segments, _MOST_SEGMENTS):
        if len(segment.text) > _LONGEST or is_foreign(segment):
            break
        number = _NUMBER.fullmatch(segment.text)
        if number and not _NOT_A_NAME.match(number["name"] or ""):
            return _numbered(segment, number, names)
        names.append(segment)
        if segment.before == ":":
            break  # a label stands before it
    return _unnumbered(names)


def _numbered(segment: Segment, number: re.Match[str], names: list[Segment]) -> Street | None:
    """The street of a segment that begins with a number; alone, the next one is its name."""
    right = [name for name in names if not _DOOR.fullmatch(name.text)]
    if not number["name"] and not right:
        return None
    name = number["name"] or right[-1].text
    end = segment.end if number["name"] else right[-1].end
    doors = ", ".join(door.text for door in reversed(names) if _DOOR.fullmatch(door.text))
    is_street = any(_STREET_WORD.search(text) for text in (name, *(n.text for n in names)))
    evidence = StreetEvidence.TYPED if is_street else StreetEvidence.LIKELY
    return Street(segment.start, end, number["number"], name, doors, evidence=evidence)


def _unnumbered(names: list[Segment]) -> Street | None:
    for segment in names[:4]:
        if _STREET_WORD.search(segment.text) and not segment.text[0].islower():
            evidence = StreetEvidence.UNNUMBERED
            return whole_street(segment, evidence)
    return None


_INDIA = TownFirst(
    find_street=_find_street,
    between=lazy_pattern(
        rf"(?:india|bharat|pin(?:\s?code)?|dist\.?.{{0,20}}|({_STATES})\.?)", re.IGNORECASE
    ),
    own_name=lazy_pattern(
        rf"[\s,.|()-]{{1,4}}(?:(?:{_STATES})[\s,.]{{1,3}})?india\b", re.IGNORECASE
    ),
)


def read_with_pin(sighting: Sighting) -> Finding | None:
    """The address that ends in a PIN code."""
    digits = "".join(sighting.trigger.split())
    find = partial(_AREAS.town_of, sighting.gazetteer, code=digits)
    mark = _MARK.search(sighting.text, max(0, sighting.start - 14), sighting.start)
    code = CodeBehind(
        sighting.start, sighting.end, sighting.trigger, find, is_marked=mark is not None
    )
    return read_town_first(sighting, _INDIA, code)


def create() -> AddressFormat:
    """The format of India."""
    return AddressFormat(country="IN", triggers=(Trigger(_PIN, read_with_pin),))
