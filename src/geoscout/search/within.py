"""Reads the area a search is limited to: a place, a box, a circle or GeoJSON.

Never a file, unlike a crawl's region: the text may come from a web request.
"""

from __future__ import annotations

import re

from geoscout_places.errors import UnknownPlaceError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.region_areas import NamedArea
from geoscout_places.gazetteer.base import Gazetteer

_NUMBERS = re.compile(r"[-+\d.,;\s]+")
_ID = re.compile(r"id:(-?[0-9]{1,15})")  # a facet names its place so: names may be ambiguous


def read_within(text: str, gazetteer: Gazetteer) -> Region:
    """The region a text describes.

    Raises:
        RegionError: numbers or GeoJSON that cannot be read.
        UnknownPlaceError: no place of that name.
    """
    if text.lstrip().startswith("{") or _NUMBERS.fullmatch(text):
        return Region.parse(text, gazetteer)
    if by_id := _ID.fullmatch(text.strip()):
        return _place_of(int(by_id[1]), gazetteer)
    found = gazetteer.find(text.strip())
    others = tuple(candidate.place for candidate in found[1:])
    return Region((NamedArea(found[0].place, gazetteer, others),), gazetteer)


def _place_of(id: int, gazetteer: Gazetteer) -> Region:
    place = gazetteer.place(id)
    if place is None:
        raise UnknownPlaceError(f"id:{id}")
    return Region((NamedArea(place, gazetteer),), gazetteer)
