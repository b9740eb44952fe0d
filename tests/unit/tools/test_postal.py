import pytest
from tools.derive.british import GridPostcode, attraction, mean_point
from tools.derive.countries import Area
from tools.derive.places import Place
from tools.derive.postal_names import (
    Match,
    NameMatcher,
    PostalRow,
    area_middles,
    choose,
    dominant,
    town_of,
)
from tools.derive.postcodes import Regions, other_names

BAVARIA = Area(
    1, "DE.02", "Bavaria", "region", 0, longitude=0, country="DE", population=0, timezone="",
    codes=("BY",), names=("Bayern",),
)  # fmt: skip
REGIONS = Regions([BAVARIA])


def town(name: str, region: str, latitude: float, population: int = 1_000) -> Place:
    return Place(
        hash(name), name, latitude, 11.0, "DE", admin1=region, population=population, feature="PPL"
    )


def row(place: str, municipality: str = "") -> PostalRow:
    return PostalRow("93333", "Bayern", "", municipality, place)


def test_a_region_is_found_by_any_of_its_names():
    assert REGIONS.find("DE", "", "Bayern") == "02"
    assert REGIONS.find("DE", "BY") == "02"
    assert REGIONS.find("AT", "Bayern") == ""


def test_a_place_is_found_in_the_region_of_its_row():
    matcher = NameMatcher([town("Neustadt", "02", 48.8), town("Neustadt", "15", 50.7)], REGIONS)

    assert [match.place.admin1 for match in matcher.matches([row("Neustadt")])] == ["02"]


def test_the_municipality_stands_in_for_an_unknown_village():
    matcher = NameMatcher([town("Neustadt", "02", 48.8)], REGIONS)

    assert [match.name for match in matcher.matches([row("Bad Gögging", "Neustadt")])] == [
        "Neustadt"
    ]


def test_saint_is_matched_in_both_spellings():
    matcher = NameMatcher([town("Sankt Wolfgang", "02", 48.2)], REGIONS)

    assert len(matcher.matches([row("St. Wolfgang")])) == 1


def test_parts_of_a_town_are_the_town():
    assert town_of("Wien, Penzing") == "Wien"
    assert town_of("Marseille 01") == "Marseille"
    assert town_of("Rennes") == "Rennes"


def test_a_far_larger_place_is_meant_among_homonyms():
    small, large = town("Olsztyn", "02", 50.0, 2_000), town("Olsztyn", "02", 53.0, 170_000)

    assert dominant([small, large]) == large
    assert dominant([small, town("Olsztyn", "02", 51.0, 3_000)]) is None


def test_the_middle_of_an_area_is_that_of_its_unambiguous_places():
    found = {
        "9301": [Match("A", town("A", "02", 48.0))],
        "9302": [Match("B", town("B", "02", 50.0))],
        "9303": [Match("C", town("C", "02", 40.0)), Match("C", town("C", "15", 60.0))],
    }

    assert area_middles(found, 2) == {"93": (49.0, 11.0)}


@pytest.mark.parametrize(
    ("places", "chosen"),
    [
        pytest.param([("A", 49.9, 50_000), ("A", 49.0, 1_000)], 49.0, id="the near one"),
        pytest.param(
            [("A", 49.00, 500), ("B", 49.05, 9_000), ("C", 49.90, 80_000)],
            49.05,
            id="the largest of those that lie together",
        ),
    ],
)
def test_of_homonyms_one_near_the_middle_is_chosen(places, chosen):
    matches = [Match(name, town(name, "02", north, people)) for name, north, people in places]

    found = choose(matches, (49.1, 11.0))

    assert found is not None
    assert found.place.latitude == chosen


def test_other_names_of_a_code_are_its_first_twelve_villages():
    names = ["A-Dorf", *(f"{letter}-Dorf" for letter in "BCDEFGHIJKLMNOP")]

    assert other_names("A-Dorf", names) == tuple(f"{letter}-Dorf" for letter in "BCDEFGHIJKLM")


def test_outliers_do_not_move_the_middle_of_postcodes():
    near = [GridPostcode("SW1A", "ENG", 529_000.0 + step, 180_000.0) for step in range(9)]
    stray = GridPostcode("SW1A", "ENG", 250_000.0, 650_000.0)

    latitude, longitude = mean_point([*near, stray])

    assert abs(latitude - 51.504) < 0.01
    assert abs(longitude + 0.142) < 0.01


def test_a_city_attracts_more_than_a_village_but_not_from_afar():
    city, village = town("Birmingham", "ENG", 52.48, 1_000_000), town("Hopwood", "ENG", 52.40, 500)

    assert attraction(city, (52.42, 11.0)) > attraction(village, (52.42, 11.0))
    assert attraction(town("Solihull", "ENG", 52.40, 120_000), (52.40, 11.0)) > attraction(
        city, (52.35, 11.0)
    )
