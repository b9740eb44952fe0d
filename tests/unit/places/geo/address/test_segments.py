import pytest

from geoscout_places.geo.address.base import Street
from geoscout_places.geo.address.english_streets import GRAMMAR
from geoscout_places.geo.address.segments import find_street, leftward, segment_words


def _texts(text: str) -> list[str]:
    return [segment.text for segment in leftward(text, 0, len(text))]


def test_segments_come_from_right_to_left():
    assert _texts("12 Main St\nSpringfield, IL") == ["IL", "Springfield", "12 Main St"]


def test_dash_between_numbers_is_no_separator():
    assert _texts("Hochstr. 35 - 37 - Hinterhaus") == ["Hinterhaus", "Hochstr. 35 - 37"]


def test_dash_inside_a_word_is_no_separator():
    assert _texts("Winston-Salem") == ["Winston-Salem"]


def test_bracketed_remark_is_a_segment_that_knows_it():
    segments = list(leftward("Main St (at 5th), Town", 0, 22))

    assert [(s.text, s.is_bracketed) for s in segments] == [
        ("Town", False),
        ("at 5th", True),
        ("Main St", False),
    ]


def test_line_break_outweighs_the_comma_before_it():
    first = next(leftward("Baton Rouge,\nLA", 0, 15))

    assert first.before == "\n"


def test_offsets_point_into_the_whole_text():
    text = "xx  12 Main St ; yy"

    segment = list(leftward(text, 2, len(text)))[-1]

    assert text[segment.start : segment.end] == segment.text == "12 Main St"


def test_part_of_a_segment_keeps_its_place():
    text = "  12 Main St Springfield"
    segment = next(leftward(text, 0, len(text)))

    part = segment.part(0, 11)

    assert text[part.start : part.end] == part.text == "12 Main St"


def test_words_are_compared_without_stops_and_case():
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
def test_dashes_and_colons_separate_only_between_words(text, pieces):
    assert [segment.text for segment in leftward(text, 0, len(text))] == pieces


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
def test_walk_steps_over_what_stands_between_street_and_town(between):
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
def test_walk_ends_at_what_cannot_be_in_an_address(between):
    assert _walk(f"123 Main St\n{between}\n") is None


def test_doors_on_their_own_lines_are_collected():
    street = _walk("123 Main St\nSuite 5\n#12")

    assert street is not None
    assert street.unit == "Suite 5, #12"


def test_door_before_the_street_belongs_to_it():
    text = "Flat 2, 14 Baker Street"

    street = _walk(text)

    assert street is not None
    assert (street.unit, street.start) == ("Flat 2", 0)


def test_quadrant_behind_a_comma_belongs_to_the_street():
    street = _walk("1625 K Street, NW Suite 900")

    assert street is not None
    assert (street.name, street.unit) == ("K Street, NW", "Suite 900")


def test_street_in_brackets_counts_only_where_there_is_no_other():
    outside = _walk("110 West Broadway (300 South St)")
    inside = _walk("City Hall (300 South St)")

    assert outside is not None
    assert outside.number == "110"
    assert inside is not None
    assert inside.number == "300"


def test_bare_name_has_to_stand_next_to_the_town():
    assert _walk("500 Unicorn\nOld Town") is None
    assert _walk("500 Unicorn") is not None
