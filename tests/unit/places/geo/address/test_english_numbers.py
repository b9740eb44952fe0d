from __future__ import annotations

import pytest

from geoscout_places.geo.address.english_streets import (
    is_doubtful_number,
    is_named_unit,
    is_number,
    is_unit,
    number_end,
)
from geoscout_places.geo.address.segments import Segment, segment_words


@pytest.mark.parametrize("text", ["12 Main", "12a Main", "12-14 Main", "32-15 Main", "One Main"])
def test_house_number_is_known(text: str) -> None:
    assert is_number(segment_words(text), 0)


@pytest.mark.parametrize("text", ["12:30 pm", "$12 off", "1.5 miles", "12. Main", "one of them"])
def test_other_number_is_no_house_number(text: str) -> None:
    assert not is_number(segment_words(f"There {text}"), 1)


def test_number_of_a_suite_is_no_house_number() -> None:
    assert not is_number(segment_words("Suite 900 Main"), 1)


def test_number_behind_a_floor_is_a_house_number() -> None:
    assert is_number(segment_words("4th Floor 900 Main"), 2)


@pytest.mark.parametrize(("text", "end"), [("55 1/2 Oak", 2), ("35 - 37 Oak", 3), ("12 Oak St", 1)])
def test_fraction_and_range_belong_to_the_number(text: str, end: int) -> None:
    assert number_end(segment_words(text), 0) == end


def test_telephone_number_is_doubtful() -> None:
    assert is_doubtful_number(segment_words("555-1234")[0])
    assert not is_doubtful_number(segment_words("75-5776")[0])


def _segment(text: str) -> Segment:
    return Segment(0, len(text), text, ",", ",")


@pytest.mark.parametrize(
    "text",
    [
        "Suite 5",
        "Ste. 700",
        "#160",
        "Apt 4B",
        "2nd floor",
        "Lower Level",
        "Unit C-D",
        "Bldg 10 Rm 4",
    ],
)
def test_door_is_known(text: str) -> None:
    assert is_unit(_segment(text))


@pytest.mark.parametrize("text", ["Old Town", "Front Street", "Unit of the Army", "Main"])
def test_name_is_no_door(text: str) -> None:
    assert not is_unit(_segment(text))


def test_letter_and_number_are_no_door_before_a_street() -> None:
    assert is_unit(_segment("B-2"))
    assert not is_named_unit(_segment("B-2"))


@pytest.mark.parametrize("text", ["Flat 2", "3rd Floor", "Suite 900", "#200 -"])
def test_door_before_a_street_is_known(text: str) -> None:
    assert is_named_unit(_segment(text))
