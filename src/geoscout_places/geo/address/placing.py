"""Where addresses are: the place and the point of each, and those of markup and text as one.

A business often states its address twice: in schema.org markup and in the footer. Both become one,
with the offsets of the text and the coordinates of the markup. Where a table of streets was
imported, an address has the point of its street; else that of its postal code or town.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address.towns import postal_place, region_named, settlements, town_in
from geoscout_places.model import Address, Kind, Place, Precision


def located(address: Address, gazetteer: Gazetteer) -> Address:
    """The address with country code, place and point as far as the gazetteer knows them."""
    country = _country_code(address.country, gazetteer)
    postcodes = gazetteer.postcodes(country, address.postcode) if address.postcode else ()
    region = region_named(gazetteer, address.region, country) if address.region else None
    place = postal_place(gazetteer, postcodes, address.city)
    if place is None and address.city:
        inside = town_in(gazetteer, address.city, region) if region else None
        place = inside or next(iter(settlements(gazetteer, address.city, country)), None)
    address = replace(address, country=country, place=place)
    if address.point is not None:
        return address
    if postcodes:
        return replace(address, point=postcodes[0].point, precision=Precision.POSTCODE)
    return replace(address, point=place.point, precision=place.precision) if place else address


def merged(written: Sequence[Address], stated: Sequence[Address]) -> list[Address]:
    """All addresses once: those of the text in its order, then what only the markup has."""
    rest = list(stated)
    together = []
    for address in written:
        same = next((other for other in rest if _is_same(address, other)), None)
        if same is not None:
            rest.remove(same)
        together.append(_with_better_point(address, same))
    return together + list(dict.fromkeys(rest))


def _with_better_point(written: Address, stated: Address | None) -> Address:
    """The address of the text with the point of the markup, unless that is less exact."""
    if stated is None or stated.precision is None:
        return written
    order = list(Precision)
    if written.precision and order.index(written.precision) < order.index(stated.precision):
        return written
    return replace(written, point=stated.point, precision=stated.precision)


def _is_same(one: Address, other: Address) -> bool:
    where = one.postcode == other.postcode or fold(one.city) == fold(other.city)
    number = one.house_number == other.house_number or not (one.house_number and other.house_number)
    return where and number and _street(one) == _street(other)


def _street(address: Address) -> str:
    """The first word that tells streets apart, whatever follows is abbreviated in many ways."""
    return fold(address.street)[:5]


def _country_code(country: str, gazetteer: Gazetteer) -> str:
    if not country:
        return ""
    found = (c.place for c in gazetteer.candidates(country) if c.place.kind is Kind.COUNTRY)
    return next((place.country for place in found), "")


def is_coarse(address: Address) -> bool:
    """Whether the point of an address is no more than that of its town or postal code.

    A point that the markup of the page states is better than any that is looked up.
    """
    return address.precision is None or not address.precision.is_exact


def at_street(address: Address, town: Place | None, gazetteer: Gazetteer) -> Address:
    """The address with the point of its street; as it was where no table has the street."""
    if not address.street or town is None:
        return address
    point = gazetteer.street_point(address.street, address.house_number, town)
    if point is None or not is_coarse(address):
        return address
    return replace(address, point=point, precision=Precision.STREET)
