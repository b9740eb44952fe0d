"""Addresses of Austria as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "Stephansplatz 3, 1010 Wien",
        Expected(number="3", street="Stephansplatz", city="Wien", postcode="1010"),
    ),
    (
        "Mariahilfer Straße 77-79/2/14\nA-1060 Wien",
        Expected(number="77-79/2/14", street="Mariahilfer Straße", city="Wien", postcode="1060"),
    ),
    (
        "Getreidegasse 9, 5020 Salzburg, Österreich",
        Expected(number="9", street="Getreidegasse", city="Salzburg", postcode="5020"),
    ),
    (
        "Herrengasse 16, Stiege 2, Tür 5, 8010 Graz",
        Expected(number="16", street="Herrengasse", city="Graz", postcode="8010"),
    ),
    (
        "8010 Graz, Rechbauerstraße 12",
        Expected(number="12", street="Rechbauerstraße", city="Graz", postcode="8010"),
    ),
    (
        "Innrain 52, A-6020 Innsbruck",
        Expected(number="52", street="Innrain", city="Innsbruck", postcode="6020"),
    ),
    (
        "Hauptplatz 1, 4020 Linz/Donau",
        Expected(number="1", street="Hauptplatz", city="Linz/Donau", postcode="4020"),
    ),
    (
        "Universitätsring 1\n1010 Wien, Österreich",
        Expected(number="1", street="Universitätsring", city="Wien", postcode="1010"),
    ),
    (
        "Am Hof 4 Top 12, 1010 Wien",
        Expected(number="4", street="Am Hof", city="Wien", postcode="1010"),
    ),
    (
        "A-8020 Graz, Lazarettgürtel 55",
        Expected(number="55", street="Lazarettgürtel", city="Graz", postcode="8020"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_address_is_read(text: str, expected: Expected, gazetteer: SqliteGazetteer) -> None:
    check(text, "AT", expected, gazetteer)
