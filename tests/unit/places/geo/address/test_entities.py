"""Which addresses are entities, and which are the same."""

import pytest
from msgspec.structs import replace

from geoscout_places.geo.address import (
    entity_form,
    extract_addresses,
    has_unknown_street,
    is_entity,
)
from geoscout_places.geo.geoparser import Geoparser
from geoscout_places.model import Address
from geoscout_places.parse import parse_text
from tests.unit.places.geo.address.worlds import small_world

WORLD = small_world()
DENYING = small_world(streets={"New York": ["Broadway", "Unicorn"]})


def read(line: str) -> Address:
    (address,) = extract_addresses(f"{line}, New York, NY 10036", WORLD, countries=["US"])
    return address


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("100 Milam Street", "100 MILAM ST."),
        ("100 North Milam Street", "100 N. Milam St"),
        ("100 Milam St NE", "100 Milam Street Northeast"),
        ("100 Milam St, Suite 5", "100 Milam St #5"),
        ("100 Milam St, Apt. 5-B", "100 Milam St, Unit 5B"),
        ("111 Eighth Avenue", "111 8th Ave."),
        ("111 Twelfth Street", "111 12th St"),
        ("One Milam Plaza", "1 Milam Plaza"),
        ("413-B Poplar Place", "413B Poplar Pl"),
    ],
)
def test_spellings_of_one_address_are_one_entity(one, other):
    assert entity_form(read(one)) == entity_form(read(other))


@pytest.mark.parametrize(
    "other",
    ["102 Milam St", "100 Milam Ave", "100 S Milam St", "100 Milam St, Suite 6", "100 Mill St"],
)
def test_other_address_is_another_entity(other):
    assert entity_form(read("100 Milam St")) != entity_form(read(other))


def test_city_of_a_stored_address_is_known_by_its_id():
    found = read("100 Milam St")
    assert found.place is not None
    stored = replace(found, city="NYC", place=None)

    assert entity_form(stored, found.place.id) == entity_form(found)
    assert entity_form(stored) != entity_form(found)


@pytest.mark.parametrize("line", ["100 Milam St", "6100 South Main", "9201 FM 812", "715 Broadway"])
def test_number_and_street_are_an_entity(line):
    assert is_entity(read(line))


@pytest.mark.parametrize("line", ["326 Alumni Hall", "500 Unicorn", "PO Box 12"])
def test_room_name_or_box_is_not_an_entity(line):
    assert not is_entity(read(line))


def test_german_street_is_an_entity():
    (address,) = extract_addresses("Am Markt 1\n80331 München", WORLD)

    assert is_entity(address)


def test_street_table_decides_about_entities():
    assert is_entity(read("500 Unicorn"), DENYING)
    assert not is_entity(read("100 Milam St"), DENYING)
    assert is_entity(read("100 Milam St"), small_world(streets={"London": ["Strand"]}))


def test_street_that_the_table_lacks_is_unknown():
    assert has_unknown_street(read("100 Milam St"), DENYING)
    assert not has_unknown_street(read("715 Broadway"), DENYING)
    assert not has_unknown_street(read("100 Milam St"), WORLD)


def test_strict_reading_leaves_out_streets_that_the_table_lacks():
    text = "Visit us: 123 Nonexistent Avenue, New York, NY 10036\n\nor 715 Broadway, New York, NY"
    page = parse_text(text, "http://page.example/")

    lenient = Geoparser(DENYING).read(page).addresses
    strict = Geoparser(DENYING, strict_streets=True).read(page).addresses

    assert [a.street for a in lenient] == ["Nonexistent Avenue", "Broadway"]
    assert [a.street for a in strict] == ["Broadway"]


@pytest.mark.parametrize(
    "text",
    [
        "On July 6, 2002, Versace Plaza in New York, New York was dedicated.",
        "one of 75 GG1s built, the others were used (today at the Museum, New York, NY)",
    ],
)
def test_year_or_count_is_not_a_house_number(text):
    assert not any(a.house_number for a in extract_addresses(text, WORLD))
