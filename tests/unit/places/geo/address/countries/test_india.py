"""Addresses of India as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "No. 14, Anna Salai, Guindy, Chennai - 600032",
        Expected(number="14", street="Anna Salai", city="Chennai", postcode="600032"),
    ),
    (
        "24/B Park Street\nKolkata 700016, West Bengal, India",
        Expected(number="24/B", street="Park Street", city="Kolkata", postcode="700016"),
    ),
    (
        "E-64, Vasant Marg, Vasant Vihar, New Delhi 110 057",
        Expected(number="E-64", street="Vasant Marg", city="New Delhi", postcode="110 057"),
    ),
    (
        "Plot 42, Tech Park, Hyderabad, Telangana 500032",
        Expected(
            number="42", street="Tech Park", city="Hyderabad", region="Telangana", postcode="500032"
        ),
    ),
    (
        "Shop No 3, Empire House, S V Road, Mumbai-400056",
        Expected(street="S V Road", city="Mumbai", postcode="400056"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_parts_of_an_address_are_read(
    text: str, expected: Expected, gazetteer: SqliteGazetteer
) -> None:
    check(text, "IN", expected, gazetteer)
