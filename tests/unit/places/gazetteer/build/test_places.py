import sqlite3

import pytest

from geoscout_places.gazetteer.build.compile import Writer
from geoscout_places.gazetteer.build.places import (
    TownFinder,
    Village,
    VillageRows,
    add_villages,
    villages_of_codes,
)
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.tables import TABLES, PostcodeRow
from geoscout_places.model import Kind, Place, Point

PLACES = [
    # Neunkirchen in Siegerland, and the seat of a district
    (1, "Neunkirchen", "DE", 50.8, 8.0, 14_225),
    (2, "Eichstätt", "DE", 48.8885, 11.1967, 13_125),
    (3, "Beilngries", "DE", 49.03, 11.48, 8_600),
    (4, "Bremen", "DE", 53.0758, 8.8072, 546_501),
    (5, "Emmonak", "US", 62.7778, -164.5231, 849),
    (6, "London", "GB", 51.5085, -0.1257, 8_961_989),
    (7, "London", "GB", 51.5128, -0.0918, 7_556),
]


@pytest.fixture
def finder():
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE TABLE place (id, name, country, latitude, longitude, population,"
        " kind DEFAULT 'city', parent DEFAULT 0, code DEFAULT '')"
    )
    connection.execute("CREATE TABLE name (folded, place, score)")
    for place in PLACES:
        connection.execute(
            "INSERT INTO place (id, name, country, latitude, longitude, population)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            place,
        )
        connection.execute("INSERT INTO name VALUES (?, ?, 1)", (fold(place[1]), place[0]))
    return TownFinder(connection)


def town_of(finder: TownFinder, country: str, names: str, latitude: str, longitude: str) -> int:
    """The id of the town that a code with these names and this point is linked to."""
    town, _, others = names.partition("|")
    found = finder.locate(
        PostcodeRow(country, "1", town, "", latitude, longitude=longitude, names=others)
    )
    assert found is not None
    return found[-1]


def test_namesake_far_from_the_code_is_not_its_town(finder):
    names = "Neunkirchen|Neunkirchen-Seelscheid"

    assert town_of(finder, "DE", names, "50.8556", "7.3308") == 0
    assert town_of(finder, "DE", "Neunkirchen", "50.79", "8.0") == 1


def test_town_there_comes_before_the_seat_of_its_district(finder):
    assert town_of(finder, "DE", "Eichstätt|Beilngries", "49.0116", "11.4961") == 3


def test_outskirts_of_a_large_city_belong_to_it(finder):
    assert town_of(finder, "DE", "Bremen", "53.19", "8.55") == 4


def test_code_of_a_wide_country_may_lie_far_from_its_town(finder):
    assert town_of(finder, "US", "Emmonak", "62.6979", "-163.4661") == 5


def test_city_inside_a_large_one_of_its_name_has_the_codes_nearest_to_it(finder):
    assert town_of(finder, "GB", "London", "51.52", "-0.09") == 7
    assert town_of(finder, "GB", "London", "51.60", "-0.20") == 6


VILSBIBURG = Point(48.45, 12.36)
FAR_AWAY = Point(53.5, 9.9)


@pytest.fixture
def writer():
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES)
    writer = Writer(connection)
    town = Place(
        1, "Vilsbiburg", Kind.CITY, VILSBIBURG, "DE",
        population=11_000, timezone="Europe/Berlin", parent=8,
    )  # fmt: skip
    writer.add_place(town)
    bavaria = Place(7, "Bavaria", Kind.REGION, Point(49, 11), "DE", timezone="Europe/Berlin")
    writer.add_place(bavaria, code="DE.02")
    connection.execute(
        "INSERT INTO postcode VALUES ('DE', '84137', 'Vilsbiburg', '02', 48.45, 12.36, ?, 1)",
        ("Gaindorf|Seyboldsdorf",),
    )
    connection.execute(
        "INSERT INTO postcode VALUES ('IN', '781001', 'Guwahati', '', 26.2, 91.7, 'Panbazar', 0)"
    )
    return writer


def named(writer: Writer, name: str) -> list[Place]:
    rows = writer._connection.execute("SELECT id FROM place WHERE name = ?", (name,))
    return [place for (id,) in rows if (place := writer.place(id))]


def test_villages_of_a_code_are_at_its_point_in_the_district_of_its_town(writer):
    add_villages(writer._connection, writer, villages_of_codes(writer._connection))

    (village,) = named(writer, "Gaindorf")
    assert village.point == VILSBIBURG
    assert (village.kind, village.country, village.parent) == (Kind.CITY, "DE", 8)
    assert village.timezone == "Europe/Berlin"
    assert village.id < -20_000_000_000
    assert named(writer, "Seyboldsdorf")
    assert not named(writer, "Panbazar")  # of a country whose tables name post offices


def test_a_village_that_is_a_town_near_by_is_not_made_twice(writer):
    near = Village("Vilsbiburg", "DE", "02", Point(48.5, 12.4), 0)
    far = Village("Vilsbiburg", "DE", "02", FAR_AWAY, 0)

    add_villages(writer._connection, writer, [near, far])

    assert [place.point for place in named(writer, "Vilsbiburg")] == [FAR_AWAY, VILSBIBURG]


def test_a_row_without_coordinates_is_at_its_code(writer):
    rows = VillageRows()
    for name, code in (("Herrnfelden", "84137"), ("Herrnfelden", "84138"), ("Nirgends", "99999")):
        rows.add(PostcodeRow("DE", code, name, "02", "", longitude="", names=""))
    rows.add(PostcodeRow("IN", "781001", "Fancy Bazar", "", "", longitude="", names=""))

    found = list(rows.villages(writer._connection))

    assert found == [Village("Herrnfelden", "DE", "02", VILSBIBURG, 1)]


def test_the_id_of_a_village_does_not_depend_on_its_row(writer):
    add_villages(writer._connection, writer, [Village("Gaindorf", "DE", "02", VILSBIBURG, 0)])
    (alone,) = named(writer, "Gaindorf")

    add_villages(writer._connection, writer, [Village("GAINdorf", "DE", "", Point(48.46, 12.3), 1)])

    assert [place.id for place in named(writer, "Gaindorf")] == [alone.id]
    assert (alone.parent, alone.timezone) == (7, "Europe/Berlin")  # the town is not known


@pytest.mark.parametrize(
    ("part", "country", "city"),
    [
        ("Brooklyn", "US", "New York City"),
        ("Astoria, NY", "US", "New York City"),
        ("Staten Island", "US", "New York City"),
        ("Islington", "GB", "London"),
        ("Montmartre", "FR", "Paris"),
        ("Kadıköy", "TR", "Istanbul"),
    ],
)
def test_part_of_a_city_lies_in_it(gazetteer, part, country, city):
    place = next(found.place for found in gazetteer.find(part) if found.place.country == country)

    assert city in [around.name for around in gazetteer.ancestors(place)]


@pytest.mark.parametrize("town", ["Hoboken, NJ", "Yonkers, NY", "Versailles", "Potsdam"])
def test_neighbouring_town_is_no_part_of_a_city(gazetteer, town):
    around = gazetteer.ancestors(gazetteer.find(town)[0].place)

    assert all(place.kind is not Kind.CITY for place in around)
