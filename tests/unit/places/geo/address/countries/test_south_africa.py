"""Addresses of South Africa as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "19 Dock Road, Cape Town, 8001",
        Expected(number="19", street="Dock Road", city="Cape Town", postcode="8001"),
    ),
    (
        "83 Rivonia Rd, Sandhurst, Sandton, 2196",
        Expected(number="83", street="Rivonia Rd", city="Sandton", postcode="2196"),
    ),
    (
        "Unit 201, 1059 Francis Baard Street\nHatfield\nPretoria 0002",
        Expected(number="1059", street="Francis Baard Street", city="Pretoria", postcode="0002"),
    ),
    (
        "23 Kerkstraat, Stellenbosch, 7600",
        Expected(number="23", street="Kerkstraat", city="Stellenbosch", postcode="7600"),
    ),
    (
        "Plein Street 4, Stellenbosch, 7600, South Africa",
        Expected(number="4", street="Plein Street", city="Stellenbosch", postcode="7600"),
    ),
    (
        "PO Box 22, Randburg 2125",
        Expected(street="PO Box 22", city="Randburg", postcode="2125"),
    ),
    (
        "12 Long Street, Durban, KwaZulu-Natal, 4001",
        Expected(
            number="12",
            street="Long Street",
            city="Durban",
            region="KwaZulu-Natal",
            postcode="4001",
        ),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_parts_of_an_address_are_read(
    text: str, expected: Expected, gazetteer: SqliteGazetteer
) -> None:
    check(text, "ZA", expected, gazetteer)
