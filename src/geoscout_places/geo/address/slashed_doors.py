"""Doors before a slash: "3/60 Carabella Street", "Level 5/123 Pitt St", "Shop 26/501 High St".

In Australia and New Zealand the part before the slash is the door, and the number of the house
follows. The rest of a street line is as in other countries that write English.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from geoscout_places.geo.address import english_streets
from geoscout_places.geo.address.base import Street
from geoscout_places.geo.address.left_walk import Grammar
from geoscout_places.geo.address.segments import Segment
from geoscout_places.geo.lazy_patterns import lazy_pattern

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


def slashed_grammar(grammar: Grammar) -> Grammar:
    """The grammar of English street lines with such doors."""
    return replace(grammar, read_street=read_street)
