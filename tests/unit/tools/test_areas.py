from tools.derive.areas import district_names, is_vague, select_names
from tools.derive.countries import is_country_spelling
from tools.derive.places import Place
from tools.derive.units import (
    Centres,
    Subdivision,
    Subdivisions,
    bare_name,
    group_units,
    measure,
    parse_admin_ids,
)

CODES = ["DE.02\tBavaria\tBavaria\t2951839"]
HIERARCHY = ["2951839\t3220837\tADM", "2017370\t12510143\tADM"]


def place(name: str, latitude: float, longitude: float, population: int) -> Place:
    return Place(
        1, name, latitude, longitude, "FJ", admin1="01", admin2="11", population=population,
        timezone="Pacific/Fiji", feature="PPL",
    )  # fmt: skip


def test_an_id_is_looked_up_or_a_code_that_is_a_child_of_its_parent():
    ids = parse_admin_ids(CODES, HIERARCHY)

    assert ids.region("DE.02", 2921044) == 2951839
    assert ids.region("KZ.12510143", 2017370) == 12510143
    assert ids.district("DE.02.3220837", 2951839) == 3220837
    others = [("DE.02.091", 2951839), ("DE.02.3220838", 2951839), ("DE.02.3220837", None)]
    assert [ids.district(code, parent) for code, parent in others] == [None] * 3


def test_another_spelling_of_a_district_is_that_of_the_same_code():
    known = Subdivisions({}, {"FR-41": Subdivision("", ("Loir-et-Cher",), None)})

    assert known.spellings("FR.24.41", "Loire-et-Cher") == ("Loir-et-Cher",)
    assert known.spellings("FR.24.41", "Cher") == ()


def test_the_middle_of_cities_is_right_across_the_date_line():
    centre = measure([place("West", -17.0, 179.0, 99), place("East", -17.0, -179.0, 99)])

    assert abs(abs(centre.point[1]) - 180.0) < 0.01


def test_a_larger_city_weighs_more():
    centre = measure([place("Large", 10.0, 20.0, 900_000), place("Small", 20.0, 20.0, 1_000)])

    assert 10.0 <= centre.point[0] < 10.1
    assert centre.population == 901_000


def test_a_district_without_cities_is_where_the_town_of_its_name_is():
    centres = Centres([place("Chinique", 15.04, -91.02, 5_000)])

    found = centres.by_name("FJ.01.99", "Municipio de Chinique")

    assert centres.of("FJ.01.99") is None
    assert found is not None
    assert found.point == (15.04, -91.02)


def test_words_for_a_kind_of_unit_are_no_part_of_its_name():
    assert bare_name("Al-Zabadani District") == "zabadani"


def test_a_us_county_has_no_bare_alias():
    assert district_names("Orange County", "US", ["Orange", "Comté d'Orange"]) == (
        "Comté d'Orange",
    )
    assert district_names("Kent", "GB", ["Kentshire"]) == ("Kentshire",)


def test_directions_are_no_areas():
    assert is_vague("Northeast")
    assert is_vague("South Central Coast")
    assert not is_vague("New England")


def test_small_units_have_no_names_in_foreign_scripts():
    names = ["Elbasani", "Эльбасан"]

    assert select_names(names, "AL.43.1", 100_000) == ["Elbasani"]
    assert select_names(names, "AL.43.1", 5_000_000) == names


def test_names_of_a_unit_are_joined_by_id_and_nan_is_no_country():
    rows: list[list[str | float]] = [
        ["Scandinavia", "Scandinavia", float("nan"), 12.0, 63.0, "2614165", "region", 20_320_000],
        ["Skandinavien", "Scandinavia", float("nan"), 12.0, 63.0, "2614165", "region", 20_320_000],
    ]

    unit = group_units(rows)[2614165]

    assert unit.country == ""
    assert (unit.latitude, unit.longitude) == (63.0, 12.0)
    assert unit.names == ("Scandinavia", "Skandinavien")


def test_spellings_of_countries_are_no_counties_citizens_or_slips():
    wrong = ["Here", "War", "British subject", "County of York", "United Kindgom", "ALASKA"]
    assert not any(is_country_spelling(spelling, strict=True) for spelling in wrong)
    assert is_country_spelling("Didžioji Britanija Karalystė", strict=True)
    assert is_country_spelling("Великобритания", strict=True)
    assert is_country_spelling("Angvila", strict=False)  # GeoNames has no names of it
