from typing import Any

import pytest
from tools.derive.places import Detail, Districts, Place, make_place, select_names, with_names

NO_DISTRICTS = Districts([], set())


def city(**changes: Any) -> dict[str, Any]:
    record: dict[str, Any] = {
        "geonameid": 1, "name": "Springfield", "latitude": 39.80172, "longitude": -89.64371,
        "countrycode": "US", "population": 100, "timezone": "America/Chicago", "admin1code": "IL",
        "alternatenames": [""],
    }  # fmt: skip
    return record | changes


def test_feature_code_and_a_missing_region_come_from_the_older_copy():
    place = make_place(city(admin1code=""), Detail("PPLA", "IL", "167"), NO_DISTRICTS)

    assert (place.feature, place.admin1) == ("PPLA", "IL")
    assert place.names == ()  # which are stored as one empty name


def test_district_is_found_by_name_and_position():
    row = {
        "name": "Springfield", "country": "US", "lat": "39.80170", "lng": "-89.64369",
        "admin2": "167",
    }  # fmt: skip
    districts = Districts([row], {"US.IL.167"})

    assert districts.of(city(), None) == "167"


@pytest.mark.parametrize(
    ("region", "known", "district"),
    [("IL", "US.IL.167", "167"), ("IL", "US.IL.999", ""), ("MO", "US.IL.167", "")],
)
def test_district_of_the_older_copy_is_taken_while_it_exists_there(region, known, district):
    assert Districts([], {known}).of(city(), Detail("PPL", region, "167")) == district


def test_foreign_scripts_are_kept_for_larger_places_only():
    names = ["Спрингфилд", "Springfield City"]
    small = city(alternatenames=names)
    large = city(alternatenames=names, population=100_000)

    assert select_names("Springfield", small) == ("Springfield City",)
    assert select_names("Springfield", large) == ("Springfield City", "Спрингфилд")


def test_a_us_city_is_not_its_county():
    names = ["Fayette County", "Augusta-Richmond County"]

    assert select_names("Augusta", city(alternatenames=names)) == ("Augusta-Richmond County",)


def test_names_we_vouch_for_may_look_like_codes():
    place = Place(1, "Los Angeles", 0, 0, "US", admin1="CA", names=("Los Anjeles",))

    assert with_names(place, ["LA", "L.A."]) == ("L.A.", "LA", "Los Anjeles")
