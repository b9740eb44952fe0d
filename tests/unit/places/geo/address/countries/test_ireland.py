"""Addresses of Ireland as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "8 Hanover Quay, Dublin 2, D02 DP23",
        Expected(number="8", street="Hanover Quay", city="Dublin", postcode="D02 DP23"),
    ),
    (
        "1 Bridge St, Gort, Co. Galway, H91 FRC8",
        Expected(number="1", street="Bridge St", city="Gort", region="Galway", postcode="H91 FRC8"),
    ),
    (
        "40 Mespil Road, Dublin 4, Ireland",
        Expected(number="40", street="Mespil Road", city="Dublin"),
    ),
    (
        "12 Main Street, Adare, Co. Limerick",
        Expected(number="12", street="Main Street", city="Adare", region="Limerick"),
    ),
    (
        "The Cross, Knocklong East, Co. Limerick, V94 TY05",
        Expected(city="Knocklong East", region="Limerick", postcode="V94 TY05"),
    ),
    (
        "11 Douglas Street, Cork City, T12HY22",
        Expected(number="11", street="Douglas Street", city="Cork City", postcode="T12HY22"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_parts_of_an_address_are_read(
    text: str, expected: Expected, gazetteer: SqliteGazetteer
) -> None:
    check(text, "IE", expected, gazetteer)
