from __future__ import annotations

import pytest

from geoscout.geo.address.english_units import is_named_unit, is_unit
from geoscout.geo.address.segments import Segment


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
