"""Addresses of Canada as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "1234, rue Sainte-Catherine Ouest, bureau 200, Montréal (Québec) H3G 1P1",
        Expected(
            number="1234",
            street="rue Sainte-Catherine Ouest",
            city="Montréal",
            region="QC",
            postcode="H3G 1P1",
        ),
    ),
    (
        "290 Bremner Blvd, Toronto, ON M5V 3L9",
        Expected(
            number="290", street="Bremner Blvd", city="Toronto", region="ON", postcode="M5V 3L9"
        ),
    ),
    (
        "100 King St. W., Suite 5700\nToronto, Ontario\nM5X 1C7\nCanada",
        Expected(
            number="100", street="King St. W.", city="Toronto", region="ON", postcode="M5X 1C7"
        ),
    ),
    (
        "845 boul. René-Lévesque Est, Québec QC G1R 2A8",
        Expected(
            number="845",
            street="boul. René-Lévesque Est",
            city="Québec",
            region="QC",
            postcode="G1R 2A8",
        ),
    ),
    (
        "1055 Canada Pl, Vancouver, BC V6C 0C3",
        Expected(
            number="1055", street="Canada Pl", city="Vancouver", region="BC", postcode="V6C 0C3"
        ),
    ),
    (
        "PO Box 2000, Station Main, Charlottetown, PE C1A 7N8",
        Expected(street="PO Box 2000", city="Charlottetown", region="PE", postcode="C1A 7N8"),
    ),
    (
        "45 O'Connor Street, Ottawa, Ontario",
        Expected(number="45", street="O'Connor Street", city="Ottawa", region="ON"),
    ),
    (
        "#200 - 1055 West Hastings Street, Vancouver, B.C. V6E 2E9",
        Expected(
            number="1055",
            street="West Hastings Street",
            city="Vancouver",
            region="BC",
            postcode="V6E 2E9",
        ),
    ),
    (
        "10220 103 Avenue NW, Edmonton, AB T5J 0K4",
        Expected(
            number="10220", street="103 Avenue NW", city="Edmonton", region="AB", postcode="T5J 0K4"
        ),
    ),
    (
        "360 Main Street\nWinnipeg, Manitoba  R3C 3Z3",
        Expected(
            number="360", street="Main Street", city="Winnipeg", region="MB", postcode="R3C 3Z3"
        ),
    ),
    (
        "3450, rue University, Montréal, Québec, H3A 0E8",
        Expected(
            number="3450", street="rue University", city="Montréal", region="QC", postcode="H3A 0E8"
        ),
    ),
    (
        "1 Yonge Street, Suite 1801, Toronto ON  M5E 1W7",
        Expected(
            number="1", street="Yonge Street", city="Toronto", region="ON", postcode="M5E 1W7"
        ),
    ),
    (
        "1250 René-Lévesque Blvd West, Montreal, QC, Canada, H3B 4W8",
        Expected(
            number="1250",
            street="René-Lévesque Blvd West",
            city="Montreal",
            region="QC",
            postcode="H3B 4W8",
        ),
    ),
    (
        "2900, boul. Édouard-Montpetit\nMontréal (Québec)  H3T 1J4",
        Expected(
            number="2900",
            street="boul. Édouard-Montpetit",
            city="Montréal",
            region="QC",
            postcode="H3T 1J4",
        ),
    ),
    (
        "6299 South Street, Halifax, Nova Scotia B3H 4R2",
        Expected(
            number="6299", street="South Street", city="Halifax", region="NS", postcode="B3H 4R2"
        ),
    ),
    (
        "9500 University Ave W., Windsor, Ont.",
        Expected(number="9500", street="University Ave W.", city="Windsor", region="ON"),
    ),
    (
        "5150 - 47 Street, Red Deer, AB T4N 3T5",
        Expected(
            number="5150 - 47", street="Street", city="Red Deer", region="AB", postcode="T4N 3T5"
        ),
    ),
    (
        "The tower at 290 Bremner Blvd, Toronto is open all year.",
        Expected(number="290", street="Bremner Blvd", city="Toronto", region="ON"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_address_is_read(text: str, expected: Expected, gazetteer: SqliteGazetteer) -> None:
    check(text, "CA", expected, gazetteer)
