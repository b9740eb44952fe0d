"""How the tests of the countries compare an address with what it should have been read as."""

from __future__ import annotations

from dataclasses import dataclass

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import extract_addresses
from geoscout_places.model import Address

_BEFORE = "Welcome to our pages. We have been here for a long time, and we hope you like it.\n" * 2
_AFTER = "\nPhone: 555 1234"


@dataclass(frozen=True)
class Expected:
    """The parts an address should have; the others should be empty."""

    number: str = ""
    street: str = ""
    city: str = ""
    region: str = ""
    postcode: str = ""


def check(text: str, country: str, expected: Expected, gazetteer: Gazetteer) -> None:
    """Read the text as it is and again as a part of a page; both have to come out as expected."""
    for page in (text, _BEFORE + text + _AFTER):
        addresses = extract_addresses(page, gazetteer)

        assert [_parts(address) for address in addresses] == [expected]
        assert addresses[0].country == country
        assert addresses[0].point is not None


def _parts(address: Address) -> Expected:
    return Expected(
        address.house_number, address.street, address.city, address.region, address.postcode
    )
