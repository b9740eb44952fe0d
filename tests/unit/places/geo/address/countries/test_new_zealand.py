"""Addresses of New Zealand as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "Level 10, 120 Albert Street, Auckland 1010, New Zealand",
        Expected(number="120", street="Albert Street", city="Auckland", postcode="1010"),
    ),
    (
        "29 Fitzherbert Terrace\nThorndon\nWellington 6011",
        Expected(number="29", street="Fitzherbert Terrace", city="Wellington", postcode="6011"),
    ),
    (
        "2/14 Queen Street, Howick, Auckland 2014",
        Expected(number="14", street="Queen Street", city="Auckland", postcode="2014"),
    ),
    (
        "145 Kew Road, Invercargill 9812",
        Expected(number="145", street="Kew Road", city="Invercargill", postcode="9812"),
    ),
    (
        "PO Box 1234, Wellington 6140",
        Expected(street="PO Box 1234", city="Wellington", postcode="6140"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_parts_of_an_address_are_read(
    text: str, expected: Expected, gazetteer: SqliteGazetteer
) -> None:
    check(text, "NZ", expected, gazetteer)
