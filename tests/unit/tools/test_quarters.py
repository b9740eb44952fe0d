"""The quarters of cities that were written down by hand."""

import pytest
from tools.derive.quarters import Quarter, QuarterTables, parse_quarters, read_quarters

MUNICH = {
    "id": "2867714", "name": "Munich", "names": "München|Muenchen", "latitude": "48.1374",
    "longitude": "11.5755", "country": "DE", "admin1": "02", "admin2": "091",
    "population": "1260391", "timezone": "Europe/Berlin", "feature": "PPLA",
}  # fmt: skip
PASING = MUNICH | {
    "id": "2855328", "name": "Pasing", "names": "Pasing bei München", "latitude": "48.1498",
    "longitude": "11.4614", "population": "23128", "feature": "PPLX",
}  # fmt: skip


def quarters(lines: str) -> list[Quarter]:
    return list(parse_quarters(f"= Munich|München DE\n{lines}"))


def test_shipped_quarters_are_many_and_of_many_cities():
    found = read_quarters()

    assert len(found) > 1_500
    assert len({quarter.city for quarter in found}) > 70


@pytest.mark.parametrize(
    "name", ["Altstadt", "Neustadt", "Centrum", "Zentrum", "Mitte", "Südstadt"]
)
def test_common_names_are_known_with_their_city_only(name):
    assert all(quarter.needs_city for quarter in read_quarters() if quarter.name == name)


def test_new_quarter_is_a_place_of_the_areas_of_its_city():
    (place,), names = QuarterTables([MUNICH]).split(quarters("Schwabing 48.17 11.58"))

    assert (place.name, place.names, place.feature) == (
        "Schwabing",
        ("München-Schwabing",),
        "quarter",
    )
    assert (place.admin1, place.admin2, place.timezone) == ("02", "091", "Europe/Berlin")
    assert not names


def test_name_that_is_a_word_is_taken_with_the_city_only():
    (place,), _ = QuarterTables([MUNICH]).split(quarters("*Gern 48.16 11.52"))

    assert (place.name, place.names) == ("München-Gern", ())


def test_known_quarter_gets_the_name_with_its_city_only():
    places, names = QuarterTables([MUNICH, PASING]).split(quarters("Pasing 48.15 11.46"))

    assert not places
    assert [(name.id, name.name, name.flags) for name in names] == [(2855328, "München-Pasing", "")]


def test_alias_of_a_known_quarter_becomes_a_name():
    rows = [MUNICH, PASING | {"name": "Pasing-Obermenzing", "names": "Pasing"}]

    _, names = QuarterTables(rows).split(quarters("Pasing 48.15 11.46"))

    assert ("Pasing", "t") in [(name.name, name.flags) for name in names]


def test_alias_of_the_city_itself_is_not_the_quarter():
    rows = [MUNICH | {"names": "München|Schwabing"}]

    places, _ = QuarterTables(rows).split(quarters("Schwabing 48.17 11.58"))

    assert [place.name for place in places] == ["Schwabing"]


def test_quarter_far_from_its_city_is_refused():
    with pytest.raises(ValueError, match="Schwabing is not within"):
        QuarterTables([MUNICH]).split(quarters("Schwabing 49.17 11.58"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("= Munich DE\nSchwabing 48.17", "line 2 is malformed"),
        ("= Munich DE\nLaim 48.1 11.5; Laim 48.2 11.5", "one id"),
        ("= London GB\n*Chelsea 51.49 -0.17", "cannot be named with London"),
    ],
)
def test_mistakes_in_the_file_are_refused(text, message, tmp_path):
    file = tmp_path / "quarters.txt"
    file.write_text(text)

    with pytest.raises(ValueError, match=message):
        read_quarters(file)
