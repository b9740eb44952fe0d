"""Addresses of each country as people write them: `addresses.tsv`, and what is special to a few."""

import csv
from pathlib import Path

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo.address import extract_addresses
from geoscout_places.model import Address
from tests.unit.places.geo.address.worlds import small_world

_PARTS = ("number", "street", "city", "region", "postcode")
_BEFORE = "Welcome to our pages. We have been here for a long time, and we hope you like it.\n" * 2
_AFTER = "\nPhone: 555 1234"
with Path(__file__).with_name("addresses.tsv").open(encoding="utf-8", newline="") as _file:
    _ROWS = list(csv.DictReader(_file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("row", _ROWS, ids=[f"{row['country']}: {row['text']}" for row in _ROWS])
def test_address_is_read_alone_and_as_a_part_of_a_page(
    row: dict[str, str], gazetteer: SqliteGazetteer
) -> None:
    text = row["text"].replace("\\n", "\n")  # the parts that a row leaves empty must be so

    for page in (text, _BEFORE + text + _AFTER):
        (found,) = extract_addresses(page, gazetteer)

        read = (found.house_number, found.street, found.city, found.region, found.postcode)
        assert read == tuple(row[part] for part in _PARTS)
        assert found.country == row["country"]
        assert found.point is not None


def test_the_door_before_a_slash_is_kept(gazetteer: SqliteGazetteer) -> None:
    found = extract_addresses("Shop 26/501 George Street, Sydney NSW 2000", gazetteer)

    assert [(address.unit, address.house_number) for address in found] == [("Shop 26", "501")]


def test_a_town_far_from_the_postcode_is_not_its_town(gazetteer: SqliteGazetteer) -> None:
    found = extract_addresses("The fair was at 12 Main Street, Hamilton 3204.\n", gazetteer)

    assert [address.country for address in found] == ["NZ"]


OVERSEAS = [
    ("25 rue Victor Hugo, 97200 Fort-de-France", "MQ", "Fort-de-France"),
    ("4, boulevard Général de Gaulle\n97110 Pointe-à-Pitre\nGuadeloupe", "GP", "Pointe-à-Pitre"),
    ("12 rue de Paris, 97400 Saint-Denis, La Réunion", "RE", "Saint-Denis"),
    ("30 rue de la Liberté, 97150 Marigot", "MF", "Marigot"),
    ("15 rue de Sébastopol\nBP 123\n98845 Nouméa Cedex", "NC", "Nouméa"),
    ("4 quai Jean-Charles Rey, 98000 Monaco", "MC", "Monaco"),
]


@pytest.mark.parametrize(("text", "country", "city"), OVERSEAS)
def test_address_overseas_is_in_the_country_of_its_postcode(
    text: str, country: str, city: str, gazetteer: SqliteGazetteer
) -> None:
    (address,) = extract_addresses(text, gazetteer)

    assert (address.country, address.city) == (country, city)
    assert address.house_number
    assert address.place is not None
    assert address.place.country == country


def test_overseas_addresses_can_be_asked_for(gazetteer: SqliteGazetteer) -> None:
    text = "12 rue de Paris, 97400 Saint-Denis\n" + "et ailleurs " * 20 + "5 rue Foch, 75016 Paris"

    found = extract_addresses(text, gazetteer, countries=("RE",))

    assert [address.city for address in found] == ["Saint-Denis"]


def _read(text: str) -> Address:
    (address,) = extract_addresses(text, small_world(), countries=["US"])
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
    assert extract_addresses(text, small_world(), countries=["US"]) == []


_PROSE = "A text that is certainly not a single short line and has no address in it at all.\n" * 2


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
        ("ул. Тверская, д. 7, 125009 Москва, Россия", "RU", "7", "125009", "Москва"),
        ("620014, г. Екатеринбург, ул. Малышева, 51", "RU", "51", "620014", "Екатеринбург"),
        ("01001, м. Київ, вул. Хрещатик, 36", "UA", "36", "01001", "Київ"),
        ("050010, г. Алматы, ул. Пушкина, 41", "KZ", "41", "050010", "Алматы"),
        ("Av. Meritxell 73, AD500 Andorra la Vella", "AD", "73", "AD500", "Andorra la Vella"),
        ("12 Royal Square, St Helier, Jersey JE2 4WA", "JE", "12", "JE2 4WA", "St Helier"),
        ("4 Athol Street\nDouglas\nIM1 1LB", "IM", "4", "IM1 1LB", "Douglas"),
        ("13 Route d'Esch\n2016 Luxembourg", "LU", "13", "2016", "Luxembourg"),
        ("46, Grand-Rue\n9710 Clervaux", "LU", "46", "9710", "Clervaux"),
        ("Obala 33\n6320 Piran", "SI", "33", "6320", "Piran"),
        ("Carrera 7 No. 32-16, Bogotá, Colombia", "CO", "32-16", "", "Bogotá"),
        ("Calle 50 # 46-36, Medellín, Antioquia", "CO", "46-36", "", "Medellín"),
        ("Av. Libertador Bernardo O'Higgins 1058, Santiago", "CL", "1058", "", "Santiago"),
        ("ul. Piotrkowska 104, Łódź", "PL", "104", "", "Łódź"),
        ("Via Garibaldi 12, Torino", "IT", "12", "", "Torino"),
        ("200 George Street, Sydney NSW", "AU", "200", "", "Sydney"),
        ("500 Market Street, Camden NJ", "US", "500", "", "Camden"),
        ("12 Grafton Street, Dublin", "IE", "12", "", "Dublin"),
    ],
)
def test_address_elsewhere_is_found(
    text: str, country: str, number: str, postcode: str, city: str, gazetteer: SqliteGazetteer
) -> None:
    (address,) = extract_addresses(_PROSE + text, gazetteer)

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
def test_less_is_not_enough_elsewhere(text: str, gazetteer: SqliteGazetteer) -> None:
    assert extract_addresses(_PROSE + text, gazetteer) == []


@pytest.mark.parametrize(
    ("text", "country", "street"),
    [
        ("Korunní 810, Praha", "CZ", "Korunní"),
        ("Nowy Świat 15, Warszawa", "PL", "Nowy Świat"),
        ("Gran Vía, 28, Bilbao", "ES", "Gran Vía"),
    ],
)
def test_in_a_line_of_its_own_a_street_needs_no_street_word(
    text: str, country: str, street: str, gazetteer: SqliteGazetteer
) -> None:
    (address,) = extract_addresses(text, gazetteer)

    assert (address.country, address.street) == (country, street)
    assert extract_addresses(f"{_PROSE}{text}", gazetteer) == []


@pytest.mark.parametrize("text", ["Sala 2, Barcelona", "Liga 1, Praha a Brno", "Hal 3, Amsterdam"])
def test_a_numbered_thing_before_a_town_is_no_address(
    text: str, gazetteer: SqliteGazetteer
) -> None:
    assert extract_addresses(text, gazetteer) == []


def test_country_that_follows_decides_between_readings(gazetteer: SqliteGazetteer) -> None:
    text = "88 Sneaker Boulevard\nAthens 10552"

    (stated,) = extract_addresses(f"{_PROSE}{text}\nGreece", gazetteer)
    (unstated,) = extract_addresses(f"{_PROSE}{text}\nPhone", gazetteer)

    assert (stated.country, unstated.country) == ("GR", "US")


def test_heading_of_another_country_does_not_hide_an_address(gazetteer: SqliteGazetteer) -> None:
    text = f"{_PROSE}Hauptstr. 5\n10117 Berlin\nAustria\nSchwindgasse 14\n1040 Wien"

    found = extract_addresses(text, gazetteer)

    assert [address.country for address in found] == ["DE", "AT"]


_PROSE = "A text that is certainly not a single short line and has no address in it at all.\n" * 2


@pytest.mark.parametrize(
    ("text", "country", "city"),
    [
        ("Marktplatz 7\n85598 Baldham\nTel", "DE", "Baldham"),
        ("ul. Szkolna 12, 46-220 Pogorzałka", "PL", "Pogorzałka"),
        ("Školní 12\n582 91 Kněž", "CZ", "Kněž"),
        ("8254 Kékkút, Fő utca 12.", "HU", "Kékkút"),
        ("Storgata 12\n8311 Henningsvær", "NO", "Henningsvær"),
        ("Kerkstraat 12, 9298 PR Kollumerzwaag", "NL", "Kollumerzwaag"),
        ("Rua da Igreja, 12\n7630-062 Cotifo", "PT", "Cotifo"),
        ("Šolska ulica 12, 5214 Kal nad Kanalom", "SI", "Kal nad Kanalom"),
        ("Školska 12\n52440 Montižana, Croatia", "HR", "Montižana"),
    ],
)
def test_village_is_found(text: str, country: str, city: str, gazetteer: SqliteGazetteer) -> None:
    (address,) = extract_addresses(_PROSE + text, gazetteer)

    assert (address.country, address.city) == (country, city)
    assert address.house_number


@pytest.mark.parametrize(
    "text",
    [
        "During 1221 and 1222 Francis crossed Italy, first as far south as Catania",
        "During 1794 and 1796, Robert Peter, a pioneer of business, conducted mapping",
        "Im Ring 1794 und 1796, Robert Peter",
        "Hirschparkstraße 5\n83021 Grünwald\nTel",  # a wrong code of a known German town
        "Hauptstr. 12\n4625 Amesberg",  # the code is one of Austria and one of Switzerland
        "Hauptstr. 12\nHerr Meier\n85598 Baldham",  # the street does not stand next to it
        "Montižana 5\n52440 Montižana",  # no street word, and many countries have such codes
        "ul. Szkolna, 46-220 Pogorzałka",  # no number
        "Kerkstraat 12, 9298 PR Kollumerzwaag, Germany",
    ],
)
def test_less_is_no_village(text: str, gazetteer: SqliteGazetteer) -> None:
    assert extract_addresses(_PROSE + text, gazetteer) == []
