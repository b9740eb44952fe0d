"""A name in the name of a street is not a place that the page is about."""

from __future__ import annotations

import pytest

from geoscout.gazetteer import SqliteGazetteer
from geoscout.geo import Geoparser
from geoscout.model import Page


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
