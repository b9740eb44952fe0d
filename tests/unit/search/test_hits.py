"""What a hit says of itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.search.hits import LENGTH, distance_text, make_snippet


@pytest.mark.parametrize(
    ("distance_km", "reach_km", "text"),
    [
        (0.42, 0.05, "0.4 km"),
        (3.4, 8.0, "within about 11 km"),  # the page is somewhere in the town
        (31.4, 8.0, "about 31 km"),
        (None, None, ""),
    ],
)
def test_a_distance_is_as_exact_as_it_is_known(distance_km, reach_km, text):
    assert distance_text(distance_km, reach_km) == text


LONG = "Nothing here. " * 60


def marked(text: str, words: list[str], places: list[str]) -> list[tuple[str, str]]:
    snippet = make_snippet(text, words, places)
    return [(snippet.text[m.start : m.end], m.kind) for m in snippet.highlights]


def test_words_and_places_are_marked_whatever_their_accents():
    found = marked("Le CAFÉ de Évora est un café.", ["cafe"], ["Evora"])

    assert found == [("CAFÉ", "word"), ("Évora", "place"), ("café", "word")]


def test_parts_of_words_are_not_marked():
    assert marked("pizzas and apizza, pizza", ["pizza"], []) == [("pizza", "word")]


def test_window_is_where_words_and_places_meet():
    text = f"pizza {LONG} Our pizza is baked in Lisbon. {LONG}"

    snippet = make_snippet(text, ["pizza"], ["Lisbon"])

    assert "pizza is baked in Lisbon" in snippet.text
    assert len(snippet.text) <= LENGTH


def test_address_is_marked_whole():
    text = "Come to 12 Main Street, Lisbon, NH 03585 today"

    snippet = make_snippet(text, ["main"], ["Lisbon"], [(8, 40)])

    assert [snippet.text[m.start : m.end] for m in snippet.highlights] == [text[8:40]]


def test_text_without_any_of_it_shows_its_beginning():
    assert make_snippet("A page of few words", ["pizza"], []).text == "A page of few words"
    assert make_snippet("", ["pizza"], []).text == ""


@given(st.text(max_size=600), st.lists(st.text(max_size=8), max_size=3))
def test_marks_lie_inside_in_order_without_overlap(text, words):
    snippet = make_snippet(text, words, words[:1])

    at = 0
    for mark in snippet.highlights:
        assert at <= mark.start < mark.end <= len(snippet.text)
        at = mark.end
