from __future__ import annotations

import time

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo.stated import dateline, stated_fields


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Location: Herndon VA", "Herndon, Virginia"),
        ("Location:\nUS-NY-New York\nMore", "New York City, New York"),
        ("Job Location: georgetown, CT", "Georgetown, Connecticut"),
        ("Location\nUnited States, Maryland, Windsor Mill", "Windsor Mill, Maryland"),
        ("Arbeitsort: 26121 Oldenburg", "Oldenburg, Lower Saxony"),
        ("Lieu : Lyon", "Lyon, Auvergne"),
    ],
)
def test_field_is_read_in_the_ways_people_write_it(
    gazetteer: SqliteGazetteer, text: str, label: str
) -> None:
    places = stated_fields(f"Senior clerk\n{text}\nSalary: good\n", gazetteer)

    assert [gazetteer.label(place).startswith(label) for place in places] == [True]


@pytest.mark.parametrize("text", ["Location: to be agreed", "City: ", "The location is good"])
def test_field_without_a_place_is_nothing(gazetteer: SqliteGazetteer, text: str) -> None:
    assert stated_fields(text, gazetteer) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("LONDON, March 5 - The bank said", "London"),
        ("EINDHOVEN, Netherlands, March 24 -\nThe group", "Eindhoven"),
        ("BERLIN (AP) — General", "Berlin"),
        ("Havana (CNN) -- The president", "Havana"),
    ],
)
def test_dateline_is_read(gazetteer: SqliteGazetteer, text: str, name: str) -> None:
    place = dateline(f"SOME HEADLINE\n{text}", gazetteer)

    assert place is not None
    assert place.name == name


def test_running_text_has_no_dateline(gazetteer: SqliteGazetteer) -> None:
    assert dateline("In London, March was cold. Paris - a city - was warm.", gazetteer) is None


def test_hostile_text_takes_linear_time(gazetteer: SqliteGazetteer) -> None:
    text = "location " * 60_000 + "A" * 200_000 + "\nLocation:" * 20_000
    start = time.process_time()

    stated_fields(text, gazetteer)
    dateline(text, gazetteer)

    assert time.process_time() - start < 5
