"""Street names: one normal form for all spellings, and the part of a street a house number is in.

"Milam Street", "Milam St." and "MILAM ST" are one street. As with place names, the form is compiled
into the gazetteer and made again for every question, so both must use this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from statistics import median
from typing import NamedTuple

from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Point

HOUSES_OF_A_BLOCK = 20  # numbers: about a hundred metres in most towns
# Each word with the form that stands for it: what the post of the country abbreviates it to.
_FORMS = """
    street:st str:st avenue:ave av:ave aven:ave road:rd drive:dr drv:dr lane:ln boulevard:blvd
    boul:blvd bd:blvd bld:blvd court:ct crt:ct place:pl terrace:ter terr:ter circle:cir circ:cir
    parkway:pkwy pky:pkwy highway:hwy hiway:hwy trail:trl square:sq plaza:plz alley:aly
    turnpike:tpke expressway:expy freeway:fwy causeway:cswy crossing:xing crescent:cres
    center:ctr centre:ctr route:rte way:wy
    north:n south:s east:e west:w northeast:ne northwest:nw southeast:se southwest:sw
    first:1st second:2nd third:3rd fourth:4th fifth:5th sixth:6th seventh:7th eighth:8th ninth:9th
    tenth:10th platz:pl chemin:ch allee:all impasse:imp faubourg:fbg
    calle:c avenida:avda piazza:pza viale:vle corso:cso rua:r
"""
_SHORT = dict(pair.split(":") for pair in _FORMS.split())
_ENDING = re.compile(r"(?:stra(?:ss|s)e|str)$|(?<=\w)platz$")  # "Lindenstraße", "Marktplatz"
_NUMBER = re.compile(r"\d+")


class StreetSpot(NamedTuple):
    """A part of a street and where it is."""

    block: int | None  # of the house numbers there; None where the table has no numbers
    point: Point


@lru_cache(maxsize=16_384)
def fold_street(name: str) -> str:
    """The form under which a street is stored and looked up.

    Without spaces, because German streets are written as one word and as several.

    >>> fold_street("Milam Street"), fold_street("MILAM ST."), fold_street("N. Fifth Avenue")
    ('milamst', 'milamst', 'n5thave')
    >>> fold_street("Lindenstraße"), fold_street("Linden Str."), fold_street("Linden-Strasse")
    ('lindenst', 'lindenst', 'lindenst')
    """
    words = (_SHORT.get(word, word) for word in fold(name).split())
    return "".join(_ENDING.sub(_short_ending, word) for word in words)


def _short_ending(found: re.Match[str]) -> str:
    return _SHORT.get(found[0], "st")


def block_of(house_number: str) -> int | None:
    """The block of a house number; None where it has no digits.

    >>> block_of("100"), block_of("117-119"), block_of("12a"), block_of("A")
    (5, 5, 0, None)
    """
    found = _NUMBER.search(house_number)
    return int(found[0]) // HOUSES_OF_A_BLOCK if found else None


def middle_of(spots: Sequence[StreetSpot], house_number: str = "") -> Point | None:
    """The spot in the middle of a street, or of the part nearest to a house number.

    A spot, not an average: a street bends, and towns have two streets of one name.
    """
    wanted = block_of(house_number)
    numbered = [spot for spot in spots if spot.block is not None]
    if wanted is not None and numbered:
        nearest = min(abs((spot.block or 0) - wanted) for spot in numbered)
        spots = [spot for spot in numbered if abs((spot.block or 0) - wanted) == nearest]
    if not spots:
        return None
    latitude = median(spot.point.latitude for spot in spots)
    longitude = median(spot.point.longitude for spot in spots)
    return min(
        (spot.point for spot in spots),
        key=lambda p: (p.latitude - latitude) ** 2 + (p.longitude - longitude) ** 2,
    )
