"""The questions users ask, on the real gazetteer."""

import csv
from pathlib import Path
from threading import Thread

import pytest

from geoscout_places.errors import DamagedDataError, UnknownPlaceError
from geoscout_places.gazetteer import SqliteGazetteer, open_gazetteer
from geoscout_places.gazetteer.base import View
from geoscout_places.model import Kind, Place, Point

CITIES = Path(__file__).with_name("cities_2006.tsv").read_text().splitlines()


def best(gazetteer: SqliteGazetteer, name: str, country: str = "") -> Place:
    return gazetteer.find(name, country)[0].place


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("Lisbon", 2267057),
        ("Lisbon, NH", 5088728),
        ("Lisbon, New Hampshire", 5088728),
        ("Glendale", 5295985),
        ("Glendale, California", 5352423),
        ("Frankfurt am Main", 2925533),
        ("Frankfurt/Main", 2925533),
        ("Frankfurt", 2925533),
        ("St. Louis", 4407066),
        ("Saint Louis, MO", 4407066),
        ("München", 2867714),
        ("Munich", 2867714),
        ("MUENCHEN", 2867714),
        ("L.A.", 5368361),
        ("NYC", 5128581),
        ("New York", 5128581),
        ("Athens", 264371),
        ("Athens, Alabama", 4830668),
        ("Athens Greece", 264371),
        ("Oldenburg, Germany", 2857458),
        ("Paris", 2988507),
        ("Paris, Texas", 4717560),
        ("London", 2643743),
        ("London, Ontario", 6058560),
        ("Georgia", 614540),
        ("Georgia, USA", 4197000),
        ("Washington, D.C.", 4140963),
        ("Vienna", 2761369),
        ("Wien", 2761369),
        ("Köln", 2886242),
        ("Cologne", 2886242),
        ("Москва", 524901),
        ("Bayern", 2951839),
        ("Texas", 4736286),
        ("TX", 4736286),
        ("Deutschland", 2921044),
        ("UK", 2635167),
        ("Scotland", 2638360),
        ("Europe", 6255148),
        ("Los Angeles County", 5368381),
    ],
)
def test_name_finds_the_place_people_mean(gazetteer, name, id):
    assert best(gazetteer, name).id == id


@pytest.mark.parametrize("row", list(csv.DictReader(CITIES, delimiter="\t")), ids=str)
def test_city_of_the_2006_partition_is_found(gazetteer, row):
    place = best(gazetteer, f"{row['city']}, {row['state']}")

    state = next(p for p in gazetteer.ancestors(place) if p.kind is Kind.REGION)
    assert state in [candidate.place for candidate in gazetteer.candidates(row["state"])]
    assert place.kind is Kind.CITY
    assert place.population > 40_000  # GeoNames counts Augusta without Richmond County
    assert place.timezone == row["timezone"]


def test_path_leads_from_the_continent_to_the_place(gazetteer):
    assert gazetteer.path(best(gazetteer, "Lisbon")) == ["Europe", "Portugal", "Lisbon"]


def test_country_may_be_given_by_name(gazetteer):
    assert best(gazetteer, "Birmingham", "United States").country == "US"


def test_unknown_name_carries_the_nearest_spellings(gazetteer):
    with pytest.raises(UnknownPlaceError) as error:
        gazetteer.find("Oldenbrug")

    assert any(label.startswith("Oldenburg") for label in error.value.suggestions)
    assert len(error.value.suggestions) == 3


def test_qualifier_that_does_not_fit_finds_nothing(gazetteer):
    with pytest.raises(UnknownPlaceError):
        gazetteer.find("Lisbon, Germany")


@pytest.mark.parametrize("name", ["", " ", ",", "!!!", "\x00", "x" * 10_000, "'; DROP TABLE place"])
def test_odd_names_are_unknown_not_errors(gazetteer, name):
    with pytest.raises(UnknownPlaceError):
        gazetteer.find(name)


def test_city_is_inside_its_country(gazetteer):
    assert gazetteer.is_inside(best(gazetteer, "Oldenburg"), best(gazetteer, "Germany"))
    assert not gazetteer.is_inside(best(gazetteer, "Germany"), best(gazetteer, "Oldenburg"))


def test_children_of_a_country_are_its_regions(gazetteer):
    regions = gazetteer.children(best(gazetteer, "Austria"))

    assert len([p for p in regions if p.kind is Kind.REGION]) == 9


def test_neighbourhood_lies_in_its_city(gazetteer):
    assert gazetteer.is_inside(best(gazetteer, "Harlem, New York"), best(gazetteer, "NYC"))


@pytest.mark.parametrize(
    ("point", "name"),
    [
        (Point(53.14, 8.21), "Oldenburg"),
        (Point(-18.14, 178.44), "Suva"),
        (Point(64.14, -21.94), "Reykjavík"),
    ],
)
def test_nearest_place_to_a_point(gazetteer, point, name):
    nearest = gazetteer.nearest(point, minimum_population=10_000)

    assert nearest is not None
    assert nearest.name == name


def test_nothing_is_near_the_south_pole_of_inaccessibility(gazetteer):
    assert gazetteer.nearest(Point(-82.1, 54.97)) is None


@pytest.mark.parametrize(
    ("country", "code", "town"),
    [
        ("US", "90210", "Beverly Hills"),
        ("DE", "26121", "Oldenburg"),
        ("AT", "1010", "Wien"),
        ("CH", "8001", "Zürich"),
        ("FR", "69001", "Lyon"),
        ("CA", "M5V 2T6", "Toronto"),
        ("GB", "SW1A 1AA", "London"),
    ],
)
def test_postal_code_has_town_and_place(gazetteer, country, code, town):
    rows = gazetteer.postcodes(country, code)

    places = [gazetteer.place(row.place_id) for row in rows]
    assert any(
        place and town in (place.name, row.town) for place, row in zip(places, rows, strict=True)
    )


def test_unknown_postal_code_has_no_rows(gazetteer):
    assert gazetteer.postcodes("US", "00000") == ()


def test_streets_are_not_known_without_a_table(gazetteer):
    assert gazetteer.is_street("Main Street", best(gazetteer, "Lisbon")) is None


def test_file_that_is_no_gazetteer_is_refused(tmp_path):
    file = tmp_path / "gazetteer.sqlite"
    file.write_bytes(b"not a database" * 100)

    with pytest.raises(DamagedDataError, match="cannot be read"):
        SqliteGazetteer(file)


def test_names_of_a_place_are_given_with_their_roles(gazetteer):
    city = best(gazetteer, "Los Angeles")

    names = gazetteer.names([city])[city.id]

    assert {("los angeles", "name"), ("la", "alias"), ("angeleno", "demonym")} <= set(names)


def test_closing_waits_for_a_thread_that_is_reading(built_home):
    opened = open_gazetteer(built_home)
    refused: list[DamagedDataError] = []

    def read_on() -> None:
        try:
            for number in range(1_000_000):
                opened.candidates(f"Lisbon {number}")
        except DamagedDataError as error:
            refused.append(error)

    reader = Thread(target=read_on)
    reader.start()
    opened.close()
    reader.join(timeout=10)

    assert len(refused) == 1


@pytest.mark.parametrize(
    ("beginning", "expected"),
    [("lisb", "Lisbon"), ("oldenb", "Oldenburg"), ("São Pau", "São Paulo"), ("new y", "New York")],
)
def test_a_beginning_gives_the_best_known_place_first(gazetteer, beginning, expected):
    assert gazetteer.complete(beginning, 3)[0].name.startswith(expected)


def test_marks_alone_complete_nothing(gazetteer):
    assert gazetteer.complete(" ,", 5) == []


def test_a_view_may_cross_the_antimeridian(gazetteer):
    places = gazetteer.in_view(View(177, -19, -179, -15), 50)

    assert {"FJ"} == {place.country for place in places}


def test_continents_are_seven(gazetteer):
    assert len(gazetteer.of_kind(Kind.CONTINENT)) == 7
