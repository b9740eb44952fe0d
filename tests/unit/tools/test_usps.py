from dataclasses import replace

import pytest
from tools.derive.places import Place
from tools.derive.usps import (
    StateIndex,
    ZipCode,
    add_aliases,
    find_aliases,
    make_post_towns,
    match_key,
    usable_aliases,
)

ENCINO = Place(
    5346827, "Encino", 34.16, -118.5, "US", admin1="CA", admin2="037", population=41905,
    feature="PPLX",
)  # fmt: skip
LOS_ANGELES = Place(
    5368361, "Los Angeles", 34.05, -118.24, "US", admin1="CA", admin2="037", population=3820914
)
VAN_NUYS = ZipCode(
    code="91401", kind="STANDARD", city="Van Nuys", state="CA", county="Los Angeles County",
    timezone="America/Los_Angeles", latitude=34.18, longitude=-118.43,
    acceptable=("Sherman Oaks",), unacceptable=(),
)  # fmt: skip
DOWNTOWN = replace(
    VAN_NUYS, code="90012", city="Los Angeles", latitude=34.06, acceptable=("Sanford Hill",)
)


def test_saint_fort_and_mount_are_matched_in_both_spellings():
    assert match_key("St. Louis") == match_key("Saint Louis")
    assert match_key("Ft Worth") == match_key("Fort Worth")
    assert match_key("Mt. Vernon") == match_key("Mount Vernon")


def test_a_town_unknown_to_the_gazetteer_becomes_a_place_with_its_zip_code_as_id():
    second = replace(VAN_NUYS, code="91405", latitude=34.20)
    counties = {("CA", "los angeles county"): "037"}

    towns = make_post_towns([second, VAN_NUYS], StateIndex([ENCINO]), counties)

    assert [(town.id, town.name, town.feature) for town in towns] == [(-91401, "Van Nuys", "POST")]
    assert (towns[0].latitude, towns[0].admin2) == (34.19, "037")


def test_a_known_town_and_a_single_recipient_become_no_place():
    unique = replace(VAN_NUYS, kind="UNIQUE")

    assert make_post_towns([DOWNTOWN, unique], StateIndex([LOS_ANGELES]), {}) == []


def test_a_homonym_far_away_in_the_state_is_another_town():
    far = replace(VAN_NUYS, latitude=41.0)
    index = StateIndex([replace(ENCINO, name="Van Nuys")])

    assert len(make_post_towns([far], index, {})) == 1


OTHER = replace(VAN_NUYS, city="Encino", latitude=34.16, acceptable=("Sanford Hill",))


@pytest.mark.parametrize(
    ("zip_codes", "aliases"),
    [
        pytest.param([DOWNTOWN], {LOS_ANGELES.id: {"Sanford Hill"}}, id="of the city"),
        pytest.param([replace(DOWNTOWN, acceptable=("Encino",))], {}, id="a place itself"),
        pytest.param([DOWNTOWN, OTHER], {}, id="of two cities"),
        pytest.param([replace(DOWNTOWN, acceptable=("Hazard",))], {}, id="a common word"),
    ],
)
def test_an_alias_goes_to_the_one_city_of_its_zip_codes(zip_codes, aliases):
    assert find_aliases(zip_codes, StateIndex([LOS_ANGELES, ENCINO]), {"hazard"}) == aliases


@pytest.mark.parametrize(
    ("names", "of_city", "of_others"),
    [
        ({"acceptable": ("Long Is City", "N Hollywood", "Encino Hts")}, [], []),
        (
            {"acceptable": (), "unacceptable": ("Santa Claus", "Van Nuys Heights")},
            ["Van Nuys Heights"],  # the other one is a post office
            ["Santa Claus", "Van Nuys Heights"],
        ),
        ({"acceptable": (), "unacceptable": ("Macys Finance", "Bank of America")}, [], []),
        ({"kind": "UNIQUE", "acceptable": ("Philip Morris",)}, [], []),
    ],
    ids=["abbreviations", "post offices", "companies", "single recipient"],
)
def test_aliases_are_names_of_towns(names, of_city, of_others):
    zip_code = replace(VAN_NUYS, **names)

    assert usable_aliases(zip_code, is_city=True) == of_city
    assert usable_aliases(zip_code, is_city=False) == of_others


def test_aliases_are_added_to_the_names_of_their_place_only():
    changed, other = add_aliases([LOS_ANGELES, ENCINO], {LOS_ANGELES.id: {"Crenshaw"}})

    assert changed.names == ("Crenshaw",)
    assert other == ENCINO
