"""Towns behind postcodes are remembered, wherever the same line stands."""

from __future__ import annotations

from geoscout_places.geo.address import extract_addresses
from geoscout_places.model import Kind, Place, Point, Postcode
from tests.fakes import FakeGazetteer
from tests.unit.places.geo.address.worlds import small_world


def test_the_same_line_is_found_at_each_of_its_places() -> None:
    text = "Sendlinger Str. 5, 80331 München\nTal 12, 80331 München\nPost: D-80331 München\n"

    found = extract_addresses(text, small_world())

    assert [(a.street, a.house_number, a.text) for a in found] == [
        ("Sendlinger Str.", "5", "Sendlinger Str. 5, 80331 München"),
        ("Tal", "12", "Tal 12, 80331 München"),
        ("", "", "D-80331 München"),
    ]
    assert [text[a.start : a.end] for a in found] == [a.text for a in found]


def test_another_gazetteer_is_asked_for_itself() -> None:
    text = "Sendlinger Str. 5, 80331 München\n"
    place = Place(7, "München", Kind.CITY, Point(50.0, 9.0), "DE", population=1_000)
    code = Postcode("DE", "80331", "München", "02", Point(50.0, 9.0))

    here = extract_addresses(text, small_world())
    there = extract_addresses(text, FakeGazetteer([place], [code]))
    nowhere = extract_addresses(text, FakeGazetteer([]))

    assert [a.point for a in here] == [Point(48.13, 11.57)]
    assert [(a.point, a.place) for a in there] == [(Point(50.0, 9.0), place)]
    assert nowhere == []


def test_letters_of_a_country_prove_what_a_line_alone_does_not() -> None:
    world = FakeGazetteer([Place(7, "Kleindorf", Kind.CITY, Point(47.0, 15.0), "AT")])

    assert extract_addresses("Hauptstraße 5, 4711 Kleindorf\n", world) == []
    assert [a.city for a in extract_addresses("Hauptstraße 5, A-4711 Kleindorf\n", world)] == [
        "Kleindorf"
    ]


def test_a_german_postcode_behind_in_is_not_one_of_indiana() -> None:
    text = "Unser Haus liegt ruhig in 80331 München, mitten in der Stadt."

    assert [a.country for a in extract_addresses(text, small_world())] == ["DE"]
