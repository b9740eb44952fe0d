from __future__ import annotations

import pytest

from geoscout_places.toponyms import NameFinder, forms_of_folded, view_of


def found(names: list[str], view: str) -> list[str]:
    return [view[start:end] for start, end in NameFinder(names).whole_words(view)]


def test_longest_name_is_found_from_the_left() -> None:
    assert found(["York", "New York"], "in New York and York") == ["New York", "York"]


def test_part_of_a_word_is_not_a_name() -> None:
    assert found(["Mesa"], "Mesas, Mesa. (Mesa)") == ["Mesa", "Mesa"]


def test_part_of_a_word_is_found_where_that_is_asked_for() -> None:
    assert list(NameFinder(["sanfrancisco"]).anywhere("visitsanfrancisco")) == [(5, 17)]


def test_no_names_are_found_nowhere() -> None:
    assert found([], "Mesa") == []


@pytest.mark.parametrize("text", ["L.A. and St. Paul", "U.S.A.", "GRÜN-STADT", "a.b.c"])
def test_view_keeps_every_character_in_its_place(text: str) -> None:
    assert len(view_of(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ST. PAUL", "st paul"),
        ("Saint-Paul", "st paul"),
        ("N.Y.C.", "nyc"),
        ("San José", "san jose"),
    ],
)
def test_folded_name_is_found_however_it_is_written(text: str, name: str) -> None:
    view = view_of(text)

    assert NameFinder(forms_of_folded(name)).whole_words(view)
