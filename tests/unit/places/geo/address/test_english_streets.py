"""Numbers, doors and quadrants, which English writes in more ways than others."""

import pytest

from geoscout_places.geo.address.english_streets import (
    is_doubtful_number,
    is_named_unit,
    is_number,
    number_end,
    read_direction,
)
from geoscout_places.geo.address.segments import Segment, segment_words


def _segment(text: str) -> Segment:
    return Segment(0, len(text), text, "\n", "\n")


@pytest.mark.parametrize(
    ("text", "found"),
    [("NW Suite 900", ("NW", "Suite 900")), ("North Platte", ("", ""))],
)
def test_quadrant_may_have_a_door_behind_it(text, found):
    assert read_direction(_segment(text)) == found


@pytest.mark.parametrize("text", ["12 Main", "12a Main", "12-14 Main", "32-15 Main", "One Main"])
def test_house_number_is_known(text):
    assert is_number(segment_words(text), 0)


@pytest.mark.parametrize("text", ["12:30 pm", "$12 off", "1.5 miles", "12. Main", "one of them"])
def test_other_number_is_no_house_number(text):
    assert not is_number(segment_words(f"There {text}"), 1)


def test_number_of_a_suite_is_no_house_number_and_that_behind_a_floor_is():
    assert not is_number(segment_words("Suite 900 Main"), 1)
    assert is_number(segment_words("4th Floor 900 Main"), 2)


@pytest.mark.parametrize(("text", "end"), [("55 1/2 Oak", 2), ("35 - 37 Oak", 3), ("12 Oak St", 1)])
def test_fraction_and_range_belong_to_the_number(text, end):
    assert number_end(segment_words(text), 0) == end


def test_telephone_number_is_doubtful():
    assert is_doubtful_number(segment_words("555-1234")[0])
    assert not is_doubtful_number(segment_words("75-5776")[0])


@pytest.mark.parametrize(
    ("text", "is_door"),
    [("Flat 2", True), ("3rd Floor", True), ("Suite 900", True), ("#200 -", True), ("B-2", False)],
)
def test_door_before_a_street_is_known(text, is_door):
    assert is_named_unit(_segment(text)) is is_door
