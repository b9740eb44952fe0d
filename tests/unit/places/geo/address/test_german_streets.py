import pytest

from geoscout_places.geo.address.base import StreetEvidence
from geoscout_places.geo.address.german_streets import (
    is_unit,
    read_box,
    read_pair,
    read_street,
    read_unnumbered,
)
from geoscout_places.geo.address.segments import Segment


def _segment(text: str, start: int = 0) -> Segment:
    return Segment(start, start + len(text), text, "\n", "\n")


@pytest.mark.parametrize(
    ("text", "number", "name"),
    [
        ("Hauptstr. 5", "5", "Hauptstr."),
        ("Am Alten Markt 3a", "3a", "Am Alten Markt"),
        ("Straße des 17. Juni 135", "135", "Straße des 17. Juni"),
        ("Platz der Republik 1", "1", "Platz der Republik"),
        ("Straße nach Fichtenwalde 13", "13", "Straße nach Fichtenwalde"),
        ("Unter den Linden 77", "77", "Unter den Linden"),
        ("Köpenicker Str. 178/179", "178/179", "Köpenicker Str."),
        ("Mariahilfer Straße 77-79/2/14", "77-79/2/14", "Mariahilfer Straße"),
        ("Severin-Schreiber-Gasse 1+3", "1+3", "Severin-Schreiber-Gasse"),
        ("Hochstr 35 - 37", "35 - 37", "Hochstr"),
        ("Prinz Eugen Straße 12", "12", "Prinz Eugen Straße"),
        ("Muster GmbH & Co. KG W.-C.-Röntgen-Str. 2", "2", "W.-C.-Röntgen-Str."),
        ("Rheinlandstr.8", "8", "Rheinlandstr."),
        ("Hauptstraße Nr. 12", "12", "Hauptstraße"),
    ],
)
def test_street_is_read(text: str, number: str, name: str) -> None:
    street = read_street(_segment(text))

    assert street is not None
    assert (street.number, street.name) == (number, name)
    assert street.evidence >= StreetEvidence.LIKELY


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("Stephansplatz 4/6/1 Stiege 2 Tür 5", "4/6/1", "Stiege 2 Tür 5"),
        ("Sophienstr. 2 Rgb.", "2", "Rgb."),
        ("Am Hof 4 Top 12", "4", "Top 12"),
    ],
)
def test_door_behind_the_number_is_a_unit(text: str, number: str, unit: str) -> None:
    street = read_street(_segment(text))

    assert street is not None
    assert (street.number, street.unit) == (number, unit)


@pytest.mark.parametrize(
    "text",
    [
        "Telefon 030 2345",
        "Halle 7",
        "Stand 2019",
        "26. Oktober 2023",
        "Tür 5",
        "Bundesstraße 224",
        "Seite 12",
        "Hauptstraße",
        "5",
    ],
)
def test_other_numbered_things_are_no_street(text: str) -> None:
    assert read_street(_segment(text)) is None


def test_name_alone_is_believed_less() -> None:
    street = read_street(_segment("Durchholzen 60"))

    assert street is not None
    assert street.evidence is StreetEvidence.BARE


def test_block_of_mannheim_is_a_street() -> None:
    street = read_pair(_segment("C 4"), _segment("12", start=5))

    assert street is not None
    assert (street.number, street.name, street.start, street.end) == ("12", "C 4", 0, 7)


@pytest.mark.parametrize("text", ["Dorfstrasse", "Marienplatz", "Sankt-Jakobs-Platz"])
def test_street_without_number_fills_its_segment(text: str) -> None:
    assert read_unnumbered(_segment(text)) is not None


@pytest.mark.parametrize("text", ["Platz", "Schloss Nymphenburg", "unsere Straße"])
def test_other_names_are_no_street_without_number(text: str) -> None:
    assert read_unnumbered(_segment(text)) is None


@pytest.mark.parametrize("text", ["Postfach 10 01 65", "Postfach"])
def test_box_is_read(text: str) -> None:
    assert read_box(_segment(text)) is not None


@pytest.mark.parametrize("text", ["Stiege 2", "3. Stock", "Tür 5", "EG links"])
def test_door_is_known(text: str) -> None:
    assert is_unit(_segment(text))
