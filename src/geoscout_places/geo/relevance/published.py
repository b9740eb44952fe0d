"""The rules of published systems: an address in the region decides, or the scope does.

An address says that something is there, where a mention only says that somebody wrote about it.
Coordinates in the markup are as good as an address. For texts that have no addresses, such as an
encyclopedia, the scope can decide instead.
"""

from __future__ import annotations

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.model import Address, Reading

_MAIN_SHARE = 0.5  # of the scope: a place with more is what the page is about


def has_address_inside(reading: Reading, region: Region) -> bool:
    """Whether an address or a stated point of the page lies in the region."""
    return any(is_inside(address, region) for address in reading.addresses) or any(
        region.contains_point(point) for point, _ in reading.points
    )


def has_scope_inside(reading: Reading, region: Region) -> bool:
    """Whether the places in the region have most of the page's scope, or the main place is one."""
    inside = [part for part in reading.scope if region.contains_place(part.place)]
    if not inside:
        return False
    return inside[0] is reading.scope[0] or sum(part.score for part in inside) >= _MAIN_SHARE


def is_inside(address: Address, region: Region) -> bool:
    """Whether an address lies in the region: by its city, else its postcode, else its point."""
    if address.place is not None:
        return region.contains_place(address.place)
    if address.postcode and region.contains_postcode(address.country, address.postcode):
        return True
    return address.point is not None and region.contains_point(address.point)
