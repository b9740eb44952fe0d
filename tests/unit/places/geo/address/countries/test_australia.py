"""Addresses of Australia as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo.address import extract_addresses
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "3/60 Pitt Street, Sydney NSW 2000",
        Expected(number="60", street="Pitt Street", city="Sydney", region="NSW", postcode="2000"),
    ),
    (
        "Level 5/123 Collins St, Melbourne, Victoria 3000, Australia",
        Expected(
            number="123", street="Collins St", city="Melbourne", region="VIC", postcode="3000"
        ),
    ),
    (
        "10 Brindabella Circuit\nCanberra ACT 2609",
        Expected(
            number="10",
            street="Brindabella Circuit",
            city="Canberra",
            region="ACT",
            postcode="2609",
        ),
    ),
    (
        "99 Murray Street, Perth 6000",
        Expected(number="99", street="Murray Street", city="Perth", region="WA", postcode="6000"),
    ),
    (
        "PO Box 12, Hobart Tas 7001",
        Expected(street="PO Box 12", city="Hobart", region="TAS", postcode="7001"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_parts_of_an_address_are_read(
    text: str, expected: Expected, gazetteer: SqliteGazetteer
) -> None:
    check(text, "AU", expected, gazetteer)


def test_the_door_before_a_slash_is_kept(gazetteer: SqliteGazetteer) -> None:
    found = extract_addresses("Shop 26/501 George Street, Sydney NSW 2000", gazetteer)

    assert [(address.unit, address.house_number) for address in found] == [("Shop 26", "501")]


def test_a_town_far_from_the_postcode_is_not_its_town(gazetteer: SqliteGazetteer) -> None:
    found = extract_addresses("The fair was at 12 Main Street, Hamilton 3204.\n", gazetteer)

    assert [address.country for address in found] == ["NZ"]
