from __future__ import annotations

import pytest

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import extract_addresses
from geoscout_places.model import Address
from tests.unit.places.geo.address.worlds import small_world

WORLD: Gazetteer = small_world()


def _read(text: str) -> Address:
    (address,) = extract_addresses(text, WORLD, countries=["US"])
    return address


@pytest.mark.parametrize(
    ("text", "number", "street", "unit"),
    [
        ("47 Birch St", "47", "Birch St", ""),
        ("949 Burnt Hickory Dr, SW", "949", "Burnt Hickory Dr, SW", ""),
        ("4810 Crystal Lake Road, Unit C-D", "4810", "Crystal Lake Road", "Unit C-D"),
        ("4004 OCEAN FRONT APT 410", "4004", "OCEAN FRONT", "APT 410"),
    ],
)
def test_street_alone_is_read(text: str, number: str, street: str, unit: str) -> None:
    address = _read(text)

    assert (address.house_number, address.street, address.unit) == (number, street, unit)


@pytest.mark.parametrize(
    ("text", "city", "region"),
    [
        ("12 oak st springfield or", "springfield", "OR"),
        ("12 Oak St, Springfield", "Springfield", "IL"),
        ("12 Oak St Springfield", "Springfield", ""),
    ],
)
def test_town_behind_the_street_is_read(text: str, city: str, region: str) -> None:
    address = _read(text)

    assert (address.street.lower(), address.city, address.region) == ("oak st", city, region)


@pytest.mark.parametrize("text", ["12 Oak", "12 Monkeys on Main Street today", "Oak St"])
def test_other_lines_are_no_address(text: str) -> None:
    assert extract_addresses(text, WORLD, countries=["US"]) == []
