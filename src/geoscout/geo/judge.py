"""Is a page about the region? The one question the crawl asks of every page.

As in the published systems, an address decides: it says that something is there, where a mention
only says that somebody wrote about it. Coordinates in the markup are as good as an address.
"""

from __future__ import annotations

from geoscout.gazetteer.region import Region
from geoscout.model import Address, Reading


def is_relevant(reading: Reading, region: Region) -> bool:
    """Whether an address or a stated point of the page lies in the region."""
    return any(is_inside(address, region) for address in reading.addresses) or any(
        region.contains_point(point) for point, _ in reading.points
    )


def is_inside(address: Address, region: Region) -> bool:
    """Whether an address lies in the region: by its city, else its postcode, else its point."""
    if address.place is not None:
        return region.contains_place(address.place)
    if address.postcode and region.contains_postcode(address.country, address.postcode):
        return True
    return address.point is not None and region.contains_point(address.point)
