from __future__ import annotations

import sqlite3

import pytest

from geoscout_places.gazetteer.build.links import TownFinder
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.tables import PostcodeRow

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
def finder() -> TownFinder:
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


def test_namesake_far_from_the_code_is_not_its_town(finder: TownFinder) -> None:
    names = "Neunkirchen|Neunkirchen-Seelscheid"

    assert town_of(finder, "DE", names, "50.8556", "7.3308") == 0
    assert town_of(finder, "DE", "Neunkirchen", "50.79", "8.0") == 1


def test_town_there_comes_before_the_seat_of_its_district(finder: TownFinder) -> None:
    assert town_of(finder, "DE", "Eichstätt|Beilngries", "49.0116", "11.4961") == 3


def test_outskirts_of_a_large_city_belong_to_it(finder: TownFinder) -> None:
    assert town_of(finder, "DE", "Bremen", "53.19", "8.55") == 4


def test_code_of_a_wide_country_may_lie_far_from_its_town(finder: TownFinder) -> None:
    assert town_of(finder, "US", "Emmonak", "62.6979", "-163.4661") == 5


def test_city_inside_a_large_one_of_its_name_has_the_codes_nearest_to_it(
    finder: TownFinder,
) -> None:
    assert town_of(finder, "GB", "London", "51.52", "-0.09") == 7
    assert town_of(finder, "GB", "London", "51.60", "-0.20") == 6
