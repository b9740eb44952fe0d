"""What addresses say of the names in them: what the town is, and that a street is not a place.

"Via Roma" in Florence is not about Rome. A square or a station that gave a street its name is
there, so the features of the town stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Address, Kind, Mention, MentionKind, Point

_FEATURES = frozenset({Kind.NEIGHBOURHOOD, Kind.LANDMARK})
_SAME_TOWN_KM = 25.0
_Street = tuple[int, int, Point | None]  # where it stands in the text, and on the map


def towns_in(addresses: Iterable[Address], text: str) -> dict[int, int]:
    """The ids of the towns of addresses, by where their names begin in the text."""
    towns = {}
    for address in addresses:
        if address.place is not None and address.city and address.end:
            start = text.rfind(address.city, address.start, address.end)
            if start >= 0:
                towns[start] = address.place.id
    return towns


def outside_streets(
    mentions: Sequence[Mention], addresses: Iterable[Address], text: str
) -> list[Mention]:
    """The mentions that are not inside the street of an address; in the order of the text."""
    nowhere: _Street = (len(text) + 1, len(text) + 1, None)
    streets = _streets(addresses, text)
    start, end, point = next(streets, nowhere)
    kept = []
    for mention in mentions:
        while mention.start >= end:
            start, end, point = next(streets, nowhere)
        is_inside = start <= mention.start and mention.end <= end
        if not is_inside or _is_feature(mention, point):
            kept.append(mention)
    return kept


def _streets(addresses: Iterable[Address], text: str) -> Iterator[_Street]:
    """The streets of addresses, in the order of the text."""
    written = (address for address in addresses if address.street and address.end)
    for address in sorted(written, key=lambda address: address.start):
        start = text.find(address.street, address.start, address.end)
        if start >= 0:
            yield start, start + len(address.street), address.point


def _is_feature(mention: Mention, point: Point | None) -> bool:
    """Whether it names something that is there, such as the square that the street is."""
    place = mention.place
    if mention.kind is MentionKind.LOCAL or place is None:
        return True
    if place.kind not in _FEATURES or point is None:
        return False
    return distance_km(place.point, point) <= _SAME_TOWN_KM
