from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.geo.structured.degrees import parse_degrees, parse_pair, parse_point
from geoscout.model import Point


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        ("48.137", 48.137),
        ("-48", -48.0),
        ("+48.5", 48.5),
        (" 48,137 ", 48.137),
        ("48.137°", 48.137),
        ("48° 30' N", 48.5),
        ("48°30'00\"N", 48.5),
        ("48°30′S", -48.5),
        ("48 30 0 N", 48.5),
        ("N 48° 30.0'", 48.5),
        ("W11°34′30″", -11.575),
        ("11° 30' O", 11.5),
        ("48.5° N", 48.5),
        ("48.5 S", -48.5),
    ],
)
def test_angles_are_read(text: str, degrees: float) -> None:
    assert parse_degrees(text) == pytest.approx(degrees)


@pytest.mark.parametrize(
    "text", ["", "north", "48.1.2", "1e5", "48° 75' N", "48; 11", "nan", "48° 30'", "4 8", "N"]
)
def test_what_is_no_angle_beyond_doubt_is_none(text: str) -> None:
    assert parse_degrees(text) is None


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [
        ("0", "0"),
        ("0.0000", "-0.0"),
        ("91", "10"),
        ("-122.4", "37.7"),
        ("45", "181"),
        ("lat", "lon"),
        ("", "11"),
    ],
)
def test_points_that_cannot_be_are_none(latitude: str, longitude: str) -> None:
    assert parse_point(latitude, longitude) is None


@pytest.mark.parametrize(
    "text",
    ["48.5;11.5", "48.5, 11.5", "48.5,11.5", "48.5 11.5", "48°30'N; 11°30'E", "48,5; 11,5"],
)
def test_pairs_are_read(text: str) -> None:
    assert parse_pair(text) == Point(48.5, 11.5)


@pytest.mark.parametrize("text", ["", "48.5", "a;b", "1,2,3", "48.5;11.5;3"])
def test_what_is_no_pair_is_none(text: str) -> None:
    assert parse_pair(text) is None


@given(st.text(max_size=100))
def test_any_text_is_survived(text: str) -> None:
    parse_degrees(text)
    parse_pair(text)
