from __future__ import annotations

import pytest

from geoscout_places.geo.address.segments import leftward, segment_words


def _texts(text: str) -> list[str]:
    return [segment.text for segment in leftward(text, 0, len(text))]


def test_segments_come_from_right_to_left() -> None:
    assert _texts("12 Main St\nSpringfield, IL") == ["IL", "Springfield", "12 Main St"]


def test_dash_between_numbers_is_no_separator() -> None:
    assert _texts("Hochstr. 35 - 37 - Hinterhaus") == ["Hinterhaus", "Hochstr. 35 - 37"]


def test_dash_inside_a_word_is_no_separator() -> None:
    assert _texts("Winston-Salem") == ["Winston-Salem"]


def test_bracketed_remark_is_a_segment_that_knows_it() -> None:
    segments = list(leftward("Main St (at 5th), Town", 0, 22))

    assert [(s.text, s.is_bracketed) for s in segments] == [
        ("Town", False),
        ("at 5th", True),
        ("Main St", False),
    ]


def test_line_break_outweighs_the_comma_before_it() -> None:
    first = next(leftward("Baton Rouge,\nLA", 0, 15))

    assert first.before == "\n"


def test_offsets_point_into_the_whole_text() -> None:
    text = "xx  12 Main St ; yy"

    segment = list(leftward(text, 2, len(text)))[-1]

    assert text[segment.start : segment.end] == segment.text == "12 Main St"


def test_part_of_a_segment_keeps_its_place() -> None:
    text = "  12 Main St Springfield"
    segment = next(leftward(text, 0, len(text)))

    part = segment.part(0, 11)

    assert text[part.start : part.end] == part.text == "12 Main St"


def test_words_are_compared_without_stops_and_case() -> None:
    assert [word.key for word in segment_words("N.E. Main St., U.S.")] == ["ne", "main", "st", "us"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Address: 12 Main St", ["12 Main St", "Address"]),
        ("No: 12", ["No: 12"]),
        ("Casino: 12", ["12", "Casino"]),
        ("12:30", ["12:30"]),
        ("Inn - Bar 5", ["Bar 5", "Inn"]),
        ("35 - 37", ["35 - 37"]),
        ("35 – 37b", ["35 – 37b"]),
        ("a 5 - b", ["b", "a 5"]),
        ("Lake-City -5", ["Lake-City -5"]),
    ],
)
def test_dashes_and_colons_separate_only_between_words(text: str, pieces: list[str]) -> None:
    assert [segment.text for segment in leftward(text, 0, len(text))] == pieces
