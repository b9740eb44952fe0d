"""Addresses of Switzerland as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "Rue de Lausanne 45\n1202 Genève",
        Expected(number="45", street="Rue de Lausanne", city="Genève", postcode="1202"),
    ),
    (
        "Via Nassa, 5, 6900 Lugano",
        Expected(number="5", street="Via Nassa", city="Lugano", postcode="6900"),
    ),
    (
        "Avenue de la Gare 12, CH-1003 Lausanne",
        Expected(number="12", street="Avenue de la Gare", city="Lausanne", postcode="1003"),
    ),
    (
        "Dorfstrasse\n3715 Adelboden",
        Expected(street="Dorfstrasse", city="Adelboden", postcode="3715"),
    ),
    (
        "Bundesplatz 3, 3003 Bern",
        Expected(number="3", street="Bundesplatz", city="Bern", postcode="3003"),
    ),
    (
        "Bahnhofstrasse 45, Postfach, 8021 Zürich 1",
        Expected(number="45", street="Bahnhofstrasse", city="Zürich", postcode="8021"),
    ),
    (
        "Steinenberg 14, 4051 Basel",
        Expected(number="14", street="Steinenberg", city="Basel", postcode="4051"),
    ),
    (
        "ETH Zürich\nRämistrasse 101\n8092 Zürich",
        Expected(number="101", street="Rämistrasse", city="Zürich", postcode="8092"),
    ),
    (
        "Place de la Riponne 10\nCase postale\n1014 Lausanne",
        Expected(number="10", street="Place de la Riponne", city="Lausanne", postcode="1014"),
    ),
    (
        "12, rue du Rhône, 1204 Genève",
        Expected(number="12", street="rue du Rhône", city="Genève", postcode="1204"),
    ),
    (
        "Viale Stazione 18, 6500 Bellinzona",
        Expected(number="18", street="Viale Stazione", city="Bellinzona", postcode="6500"),
    ),
    (
        "Zentralstrasse 156\nCH - 8003 Zürich",
        Expected(number="156", street="Zentralstrasse", city="Zürich", postcode="8003"),
    ),
    (
        "Unterdorf 4, 6430 Schwyz SZ",
        Expected(number="4", street="Unterdorf", city="Schwyz", postcode="6430"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_address_is_read(text: str, expected: Expected, gazetteer: SqliteGazetteer) -> None:
    check(text, "CH", expected, gazetteer)
