"""Addresses of countries without a format of their own."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo.address import extract_addresses

_BEFORE = "A text that is certainly not a single short line and has no address in it at all.\n" * 2


@pytest.mark.parametrize(
    ("text", "country", "number", "postcode", "city"),
    [
        ("Gedimino pr. 1, LT-01103 Vilnius", "LT", "1", "01103", "Vilnius"),
        ("Sadama 14, 10111 Tallinn, Estonia", "EE", "14", "10111", "Tallinn"),
        ("Brīvības iela 12, Rīga, LV-1050", "LV", "12", "1050", "Rīga"),
        ("14 Strada Lipscani\nBucharest 030033\nRomania", "RO", "14", "030033", "Bucharest"),
        ("12, Jalan Ampang,\n50450 Kuala Lumpur", "MY", "12", "50450", "Kuala Lumpur"),
        ("Laugavegur 42, 101 Reykjavík", "IS", "42", "101", "Reykjavík"),
        ("Thalou 2, Athens 105 58, Greece", "GR", "2", "105 58", "Athens"),
        ("Library Street No: 15\n34000 Istanbul, Turkey", "TR", "15", "34000", "Istanbul"),
    ],
)
def test_address_is_found(
    text: str, country: str, number: str, postcode: str, city: str, gazetteer: SqliteGazetteer
) -> None:
    (address,) = extract_addresses(_BEFORE + text, gazetteer)

    assert (address.country, address.house_number) == (country, number)
    assert (address.postcode, address.city) == (postcode, city)
    assert address.point is not None


@pytest.mark.parametrize(
    "text",
    [
        "Sadama 14, 10111 Tallinn",  # neither a street word nor the country's name
        "11000 Belgrade, Serbia",  # no street
        "Flight 12, Moscow, 1971",
        "MIR Publishers, 12 Some Street, Moscow, 1987.",
        "Wordela 17, PO Box 3495, Addis Abeba, Ethiopia",
        "Arad 366\nBucharest 0\nCraiova 160",
        "The train leaves Athens 10674 times a year",
        "Kairo 5, Seite 12345 Ankara",
    ],
)
def test_less_is_not_enough(text: str, gazetteer: SqliteGazetteer) -> None:
    assert extract_addresses(_BEFORE + text, gazetteer) == []


def test_country_that_follows_decides_between_readings(gazetteer: SqliteGazetteer) -> None:
    text = "88 Sneaker Boulevard\nAthens 10552"

    (stated,) = extract_addresses(f"{_BEFORE}{text}\nGreece", gazetteer)
    (unstated,) = extract_addresses(f"{_BEFORE}{text}\nPhone", gazetteer)

    assert (stated.country, unstated.country) == ("GR", "US")


def test_heading_of_another_country_does_not_hide_an_address(gazetteer: SqliteGazetteer) -> None:
    text = f"{_BEFORE}Hauptstr. 5\n10117 Berlin\nAustria\nSchwindgasse 14\n1040 Wien"

    found = extract_addresses(text, gazetteer)

    assert [address.country for address in found] == ["DE", "AT"]
