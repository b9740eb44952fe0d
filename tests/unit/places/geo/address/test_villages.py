"""Towns that neither the postcode tables nor the gazetteer know, next to a street for sure."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo.address import extract_addresses

_BEFORE = "A text that is certainly not a single short line and has no address in it at all.\n" * 2


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
    (address,) = extract_addresses(_BEFORE + text, gazetteer)

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
    assert extract_addresses(_BEFORE + text, gazetteer) == []
