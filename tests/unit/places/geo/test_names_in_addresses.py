"""The town of an address settles what its name means; the name of a street is not a place."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.model import Page


@pytest.fixture(scope="module")
def geoparser(gazetteer: SqliteGazetteer) -> Geoparser:
    return Geoparser(gazetteer)


def names(geoparser: Geoparser, text: str) -> list[str]:
    return [mention.text for mention in geoparser.read(Page("", "", "", text, ())).mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ristorante Da Mario, Via Roma 12, 50123 Firenze", ["Firenze"]),
        ("Le Petit Bistro, 12 Rue de Rivoli, 75004 Paris", ["Paris"]),
        ("Bäckerei Huber, Münchner Str. 5, 85757 Karlsfeld", ["Karlsfeld"]),
    ],
)
def test_a_place_that_gave_a_street_its_name_is_left_out(
    geoparser: Geoparser, text: str, expected: list[str]
) -> None:
    assert names(geoparser, text) == expected


def test_the_same_name_outside_of_streets_stays(geoparser: Geoparser) -> None:
    text = "Our cook is from Rome. Via Roma 12, 50123 Firenze. She came from Rome to Florence."

    assert names(geoparser, text) == ["Rome", "Firenze", "Rome", "Florence"]


def test_a_square_that_is_the_street_stays(geoparser: Geoparser) -> None:
    text = "Tourist Information, Marienplatz 8, 80331 München"

    assert "Marienplatz" in names(geoparser, text)


def test_the_town_of_an_address_is_meant_elsewhere_too(geoparser: Geoparser) -> None:
    text = "Welcome to Springfield! Visit us at 123 Main St, Springfield, OR 97477."

    found = geoparser.read(Page("", "", "", text, ())).mentions

    towns = [mention.place for mention in found if mention.text == "Springfield"]
    assert [place and round(place.point.longitude) for place in towns] == [-123, -123]


def test_a_town_with_the_name_of_its_state(geoparser: Geoparser) -> None:
    text = "Our office: 350 Fifth Avenue, New York."

    reading = geoparser.read(Page("", "", "", text, ()))

    assert [(a.street, a.city, a.region) for a in reading.addresses] == [
        ("Fifth Avenue", "New York", "NY")
    ]
    assert [m.place and m.place.name for m in reading.mentions if m.text == "New York"] == [
        "New York City"
    ]
