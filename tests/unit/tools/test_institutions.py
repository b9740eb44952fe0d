from typing import Any

from tools.derive.institutions import Towns, make_colleges, make_stations, make_universities
from tools.derive.places import Place


def town(id: int, name: str, latitude: float, population: int = 100_000) -> Place:
    return Place(id, name, latitude, 1.0, "GB", admin1="ENG", population=population, feature="PPL")


TOWNS = Towns(
    [
        town(1, "Oxford", 51.75),
        town(2, "Newport", 51.6),
        town(3, "Newport", 52.8, population=90_000),
        town(4, "Leeds", 53.8),
        town(5, "San Carlos", 50.0),
        town(6, "Hamlet", 50.0, population=500),
        town(7, "Bath", 51.38),
    ],
    words={"oxford", "bath"},
)


def town_of(name: str) -> str:
    found = TOWNS.named_in(name, "GB")
    return found.name if found else ""


def test_a_university_is_in_the_town_it_is_named_after():
    assert town_of("University of Oxford") == "Oxford"
    assert town_of("Leeds Metropolitan University") == "Leeds"


def test_a_town_that_cannot_be_told_gives_none():
    assert town_of("University of Newport") == ""  # two of them
    assert town_of("Universities of Oxford and of Leeds") == ""
    assert town_of("University of San Carlos") == ""  # of the saint
    assert town_of("University of Hamlet") == ""  # too small to have one
    assert town_of("Bath Spa College") == ""  # the word, unless a preposition is before it
    assert town_of("Royal Leeds Light University") == ""  # neither at an end nor after a word


def test_universities_have_their_other_name_and_stable_ids():
    (row,) = make_universities([("GB", "University of Oxford"), ("US", "Yale University")], TOWNS)

    assert (row.name, row.names, row.kind) == (
        "University of Oxford",
        ("Oxford University",),
        "university",
    )
    assert row.id == -858020772
    assert (row.latitude, row.longitude) == (51.75, 1.0)


def test_a_college_whose_name_several_have_is_left_out():
    def college(name: str) -> dict[str, object]:
        return {"name": name, "latitude": 40.12345, "longitude": -80.0}

    rows = list(
        make_colleges(map(college, ("Columbia College", "Columbia College", "Yale College")))
    )

    assert [(row.name, row.latitude) for row in rows] == [("Yale College", 40.123)]


def test_stations_are_those_that_are_called_so():
    def station(name: str) -> dict[str, Any]:
        return {"id": name, "name": name, "location": {"latitude": 50.1, "longitude": 8.6}}

    rows = list(make_stations(map(station, ("Abensberg", "Ulm Hbf", "Berlin Ostbahnhof"))))

    assert [row.name for row in rows] == ["Ulm Hauptbahnhof", "Berlin Ostbahnhof"]
    assert rows[0].names == ("Ulm Hbf", "Hauptbahnhof Ulm")
