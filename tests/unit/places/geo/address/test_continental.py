"""Towns behind postcodes are remembered, wherever the same line stands."""

import re

import pytest

from geoscout_places.geo.address import extract_addresses
from geoscout_places.geo.address.base import Sighting
from geoscout_places.geo.address.postal_town import PostalLine, may_be_served
from geoscout_places.model import Kind, Place, Point, Postcode
from tests.fakes import FakeGazetteer
from tests.unit.places.geo.address.worlds import small_world


def test_the_same_line_is_found_at_each_of_its_places():
    text = "Sendlinger Str. 5, 80331 München\nTal 12, 80331 München\nPost: D-80331 München\n"

    found = extract_addresses(text, small_world())

    assert [(a.street, a.house_number, a.text) for a in found] == [
        ("Sendlinger Str.", "5", "Sendlinger Str. 5, 80331 München"),
        ("Tal", "12", "Tal 12, 80331 München"),
        ("", "", "D-80331 München"),
    ]
    assert [text[a.start : a.end] for a in found] == [a.text for a in found]


def test_another_gazetteer_is_asked_for_itself():
    text = "Sendlinger Str. 5, 80331 München\n"
    place = Place(7, "München", Kind.CITY, Point(50.0, 9.0), "DE", population=1_000)
    code = Postcode("DE", "80331", "München", "02", Point(50.0, 9.0))

    here = extract_addresses(text, small_world())
    there = extract_addresses(text, FakeGazetteer([place], [code]))
    nowhere = extract_addresses(text, FakeGazetteer([]))

    assert [a.point for a in here] == [Point(48.13, 11.57)]
    assert [(a.point, a.place) for a in there] == [(Point(50.0, 9.0), place)]
    assert nowhere == []


def test_letters_of_a_country_prove_what_a_line_alone_does_not():
    world = FakeGazetteer([Place(7, "Kleindorf", Kind.CITY, Point(47.0, 15.0), "AT")])

    assert extract_addresses("Hauptstraße 5, 4711 Kleindorf\n", world) == []
    assert [a.city for a in extract_addresses("Hauptstraße 5, A-4711 Kleindorf\n", world)] == [
        "Kleindorf"
    ]


def test_a_german_postcode_behind_in_is_not_one_of_indiana():
    text = "Unser Haus liegt ruhig in 80331 München, mitten in der Stadt."

    assert [a.country for a in extract_addresses(text, small_world())] == ["DE"]


WORLD = small_world()
MARK = re.compile(r"\s[0-9]{1,2}(?!\w)|\scedex", re.IGNORECASE)


def _line(text: str, proof: str = "") -> PostalLine:
    code, _, _ = text.partition(" ")
    sighting = Sighting(text, 0, len(code) + 1, 0, WORLD, is_alone=False)
    return PostalLine(sighting, "DE", WORLD.postcodes("DE", code), MARK, proof)


@pytest.mark.parametrize(
    ("text", "town"),
    [
        ("80331 München", "München"),
        ("80331 MÜNCHEN", "MÜNCHEN"),
        ("80331 München Telefon 089", "München"),
        ("80331 München-Altstadt", "München-Altstadt"),
        ("60313 Frankfurt am Main, Hessen", "Frankfurt am Main"),
        ("60313 Frankfurt/M.", "Frankfurt/M."),
        ("60313 Frankfurt a. M. Tel", "Frankfurt a. M."),
        ("82049 München", "München"),
    ],
)
def test_town_is_proven_however_it_is_written(text, town):
    found = _line(text).read_town()

    assert found is not None
    assert (found.name, found.is_proven) == (town, True)


@pytest.mark.parametrize(
    "text", ["80331 Springfield", "80331 viele Menschen", "80331 mal", "99999 Pullach"]
)
def test_town_that_cannot_be_there_is_none(text):
    assert _line(text).read_town() is None


def test_town_that_nobody_knows_is_neither_proven_nor_placed():
    found = _line("80331 Menschen").read_town()

    assert found is not None
    assert (found.place, found.is_proven) == (None, False)


def test_large_town_with_an_unknown_code_is_not_proven():
    found = _line("80999 München").read_town()

    assert found is not None
    assert not found.is_proven


def test_mark_of_the_post_proves_a_town_with_an_unknown_code():
    found = _line("80999 Pullach Cedex", proof="cedex").read_town()

    assert found is not None
    assert (found.name, found.is_proven) == ("Pullach", True)


def test_mark_of_the_post_ends_the_town_but_belongs_to_the_address():
    found = _line("80331 München 2").read_town()

    assert found is not None
    assert (found.name, found.end) == ("München", 15)


def test_year_before_a_word_is_told_from_a_postcode():
    rows = WORLD.postcodes("DE", "80331")

    assert may_be_served(Sighting("80331 München", 0, 6, 0, WORLD, is_alone=False), rows)
    assert not may_be_served(Sighting("80331 Angela", 0, 6, 0, WORLD, is_alone=False), rows)
