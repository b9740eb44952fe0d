"""The form in which names and text meet, and the names found in it."""

import pytest

from geoscout_places.gazetteer import automaton


def found(text: str, *names: str) -> list[str]:
    content = automaton.compile_automaton(automaton.written_names(names))
    view = automaton.sight(text)
    return [text[start:end] for start, end, _ in automaton.load_automaton(content).find(view)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("in New York City", "New York City"),
        ("in NEW YORK CITY today", "New York City"),
        ("near Saint-Étienne", "Saint-Étienne"),
        ("near St. Étienne", "Saint-Étienne"),
        ("near St-Etienne", "Saint-Étienne"),
        ("FRANKFURT AM MAIN", "Frankfurt am Main"),
        ("EL PASO grows", "El Paso"),
        ("O’Fallon", "O'Fallon"),
        ("из Москва", "Москва"),
        ("the USA won", "USA"),
    ],
)
def test_name_is_found_however_it_is_written(text, name):
    assert len(found(text, name)) == 1


def test_longest_name_wins():
    assert found("New York City", "New York", "New York City") == ["New York City"]


def test_lower_case_words_are_passed_over():
    assert found("he said one part", "Said", "One", "Part") == []


def test_two_letters_are_a_code_in_capitals_only():
    assert found("He is in DE", "He", "DE") == ["DE"]


def test_name_with_its_country_is_two_names():
    assert found("Paris, France", "Paris", "France", "Paris, France") == ["Paris", "France"]


def test_article_is_left_out_where_the_name_stands_without_it():
    assert found("The Netherlands", "Netherlands", "The Netherlands") == ["Netherlands"]
    assert found("The Hague", "The Hague") == ["The Hague"]


@pytest.mark.parametrize("text", ["", "\ud800", "İstanbul", "ẞß", "ﬁ", "A" * 1000, "\x00" * 50])
def test_sight_keeps_every_character_in_its_place(text):
    assert len(automaton.sight(text)) == len(text)
    assert len(automaton.capitalised(automaton.sight(text))) == len(text)
