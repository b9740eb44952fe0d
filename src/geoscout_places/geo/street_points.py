"""Places addresses at their streets, by the coordinates of imported street tables.

Without such a table an address has the point of its postal code or of its town.
"""

from __future__ import annotations

from msgspec.structs import replace

from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Address, Place, Precision

_SAME_KM = 0.05  # points of tables have four decimals


def is_coarse(address: Address, town: Place | None, gazetteer: Gazetteer) -> bool:
    """Whether the point of an address is no more than that of its town or postal code.

    A point that the markup of the page states is better than any that is looked up.
    """
    if address.point is None:
        return True
    if address.precision is not None:
        return not address.precision.is_exact
    # Crawls of earlier versions did not keep how exact a point is.
    known = [town.point] if town else []
    if address.postcode:
        known += [row.point for row in gazetteer.postcodes(address.country, address.postcode)]
    return any(distance_km(address.point, point) < _SAME_KM for point in known)


def at_street(address: Address, town: Place | None, gazetteer: Gazetteer) -> Address:
    """The address with the point of its street; as it was where no table has the street."""
    if not address.street or town is None:
        return address
    point = gazetteer.street_point(address.street, address.house_number, town)
    if point is None or not is_coarse(address, town, gazetteer):
        return address
    return replace(address, point=point, precision=Precision.STREET)
