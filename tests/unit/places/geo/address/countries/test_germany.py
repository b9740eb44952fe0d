"""Addresses of Germany as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "Musterfirma GmbH · Hauptstr. 5 · 10117 Berlin",
        Expected(number="5", street="Hauptstr.", city="Berlin", postcode="10117"),
    ),
    (
        "Am Alten Markt 3a\n18055 Rostock",
        Expected(number="3a", street="Am Alten Markt", city="Rostock", postcode="18055"),
    ),
    (
        "Technische Universität Berlin, Straße des 17. Juni 135, 10623 Berlin",
        Expected(number="135", street="Straße des 17. Juni", city="Berlin", postcode="10623"),
    ),
    (
        "C 4, 12\n68159 Mannheim",
        Expected(number="12", street="C 4", city="Mannheim", postcode="68159"),
    ),
    (
        "Q7, 24, 68161 Mannheim",
        Expected(number="24", street="Q7", city="Mannheim", postcode="68161"),
    ),
    (
        "Postfach 10 01 65, 50441 Köln",
        Expected(street="Postfach 10 01 65", city="Köln", postcode="50441"),
    ),
    (
        "Marienplatz 8, D-80331 München, Deutschland",
        Expected(number="8", street="Marienplatz", city="München", postcode="80331"),
    ),
    (
        "Willy-Brandt-Straße 1 in 10557 Berlin",
        Expected(number="1", street="Willy-Brandt-Straße", city="Berlin", postcode="10557"),
    ),
    (
        "Unter den Linden 6, 10099 Berlin",
        Expected(number="6", street="Unter den Linden", city="Berlin", postcode="10099"),
    ),
    (
        "Rathausstr. 10, 79098 Freiburg i. Br.",
        Expected(number="10", street="Rathausstr.", city="Freiburg i. Br.", postcode="79098"),
    ),
    (
        "Kaiserstr. 12-14\n60311 Frankfurt am Main",
        Expected(number="12-14", street="Kaiserstr.", city="Frankfurt am Main", postcode="60311"),
    ),
    (
        "Bahnhofstraße 27, 15230 Frankfurt (Oder)",
        Expected(number="27", street="Bahnhofstraße", city="Frankfurt (Oder)", postcode="15230"),
    ),
    (
        "Anschrift: Neuer Wall 50, 20354 Hamburg",
        Expected(number="50", street="Neuer Wall", city="Hamburg", postcode="20354"),
    ),
    (
        "Im Neuenheimer Feld 672\n69120 Heidelberg",
        Expected(number="672", street="Im Neuenheimer Feld", city="Heidelberg", postcode="69120"),
    ),
    (
        "Ludwig-Erhard-Allee 20, DE 53175 Bonn",
        Expected(number="20", street="Ludwig-Erhard-Allee", city="Bonn", postcode="53175"),
    ),
    (
        "Dorfstraße 12\nOT Klein Machnow\n14532 Kleinmachnow",
        Expected(number="12", street="Dorfstraße", city="Kleinmachnow", postcode="14532"),
    ),
    (
        "Schloßplatz 1 (Neues Schloss), 70173 Stuttgart",
        Expected(number="1", street="Schloßplatz", city="Stuttgart", postcode="70173"),
    ),
    (
        "Zeil 106, 60313 Frankfurt/Main",
        Expected(number="106", street="Zeil", city="Frankfurt/Main", postcode="60313"),
    ),
    (
        "Impressum\nMax Mustermann\nMusterweg 12 a\n22303 Hamburg",
        Expected(number="12 a", street="Musterweg", city="Hamburg", postcode="22303"),
    ),
    (
        "Wo? Kulturzentrum, Schloßstr. 2-4, 14059 Berlin-Charlottenburg",
        Expected(number="2-4", street="Schloßstr.", city="Berlin-Charlottenburg", postcode="14059"),
    ),
    (
        "Ludwig-Maximilians-Universität München\nGeschwister-Scholl-Platz 1\n80539 München",
        Expected(number="1", street="Geschwister-Scholl-Platz", city="München", postcode="80539"),
    ),
    (
        "Graf-Adolf-Str. 12 | 40212 Düsseldorf | Tel. 0211 / 123456",
        Expected(number="12", street="Graf-Adolf-Str.", city="Düsseldorf", postcode="40212"),
    ),
    (
        "Gewerbegebiet Nord, Industriestraße 7, 97424 Schweinfurt",
        Expected(number="7", street="Industriestraße", city="Schweinfurt", postcode="97424"),
    ),
    (
        "Adresse: Neue Straße 1, 06108 Halle (Saale)",
        Expected(number="1", street="Neue Straße", city="Halle (Saale)", postcode="06108"),
    ),
    (
        "Markt 9\n04109 Leipzig",
        Expected(number="9", street="Markt", city="Leipzig", postcode="04109"),
    ),
    (
        "Kurfürstendamm 193d, 10707 Berlin",
        Expected(number="193d", street="Kurfürstendamm", city="Berlin", postcode="10707"),
    ),
    (
        "Postfach 1234\nHauptstraße 1\n73430 Aalen",
        Expected(number="1", street="Hauptstraße", city="Aalen", postcode="73430"),
    ),
    (
        "Treffpunkt: Bergmannstr. 102 in Berlin",
        Expected(number="102", street="Bergmannstr.", city="Berlin"),
    ),
    (
        "in der Lindenstraße 5, 26123 Oldenburg",
        Expected(number="5", street="Lindenstraße", city="Oldenburg", postcode="26123"),
    ),
    (
        "Unser Büro liegt in der Lindenstraße 5 in 26123 Oldenburg und ist gut zu erreichen.",
        Expected(number="5", street="Lindenstraße", city="Oldenburg", postcode="26123"),
    ),
    (
        "Das Museum am Schloßplatz 1, 26122 Oldenburg ist geöffnet.",
        Expected(number="1", street="Schloßplatz", city="Oldenburg", postcode="26122"),
    ),
    (
        "Weg am Sportplatz 3, 26122 Oldenburg",
        Expected(number="3", street="Weg am Sportplatz", city="Oldenburg", postcode="26122"),
    ),
    (
        "und " * 40 + "um acht in der Lindenstraße 5, 26123 Oldenburg.",
        Expected(number="5", street="Lindenstraße", city="Oldenburg", postcode="26123"),
    ),
    (
        "Freisinger Str. 19 B\n85416 Langenbach",
        Expected(number="19 B", street="Freisinger Str.", city="Langenbach", postcode="85416"),
    ),
    (
        "LeVip (Mittelweg 141 20148 Hamburg)",
        Expected(number="141", street="Mittelweg", city="Hamburg", postcode="20148"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_address_is_read(text: str, expected: Expected, gazetteer: SqliteGazetteer) -> None:
    check(text, "DE", expected, gazetteer)
