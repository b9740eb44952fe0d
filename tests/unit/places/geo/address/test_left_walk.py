from __future__ import annotations

import pytest

from geoscout_places.geo.address.base import Street
from geoscout_places.geo.address.english_streets import GRAMMAR
from geoscout_places.geo.address.left_walk import find_street
from geoscout_places.geo.address.segments import leftward


def _walk(text: str) -> Street | None:
    return find_street(leftward(text, 0, len(text)), GRAMMAR)


@pytest.mark.parametrize(
    "between",
    [
        "",
        "Suite 5",
        "(at 5th Ave)",
        "Downtown",
        "between 8th and 9th Aves., Midtown West",
        "PO Box 12",
        "2nd floor\nOld Town",
    ],
)
def test_walk_steps_over_what_stands_between_street_and_town(between: str) -> None:
    street = _walk(f"123 Main St\n{between}\n")

    assert street is not None
    assert (street.number, street.name) == ("123", "Main St")


@pytest.mark.parametrize(
    "between",
    [
        "info@example.org",
        "Call 555 123 4567 now",
        "said the mayor",
        "The shop has been here for years. It sells all sorts of things to all sorts of people",
        "One\nTwo\nThree\nFour\nFive\nSix",
    ],
)
def test_walk_ends_at_what_cannot_be_in_an_address(between: str) -> None:
    assert _walk(f"123 Main St\n{between}\n") is None


def test_doors_on_their_own_lines_are_collected() -> None:
    street = _walk("123 Main St\nSuite 5\n#12")

    assert street is not None
    assert street.unit == "Suite 5, #12"


def test_door_before_the_street_belongs_to_it() -> None:
    text = "Flat 2, 14 Baker Street"

    street = _walk(text)

    assert street is not None
    assert (street.unit, street.start) == ("Flat 2", 0)


def test_quadrant_behind_a_comma_belongs_to_the_street() -> None:
    street = _walk("1625 K Street, NW Suite 900")

    assert street is not None
    assert (street.name, street.unit) == ("K Street, NW", "Suite 900")


def test_street_in_brackets_counts_only_where_there_is_no_other() -> None:
    outside = _walk("110 West Broadway (300 South St)")
    inside = _walk("City Hall (300 South St)")

    assert outside is not None
    assert outside.number == "110"
    assert inside is not None
    assert inside.number == "300"


def test_bare_name_has_to_stand_next_to_the_town() -> None:
    assert _walk("500 Unicorn\nOld Town") is None
    assert _walk("500 Unicorn") is not None
