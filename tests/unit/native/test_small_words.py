"""The kernel counts small words as the form in Python does."""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.language import guess, guess_block, guess_language

WORDS = "der die und the of et le la en Und THE in ein été και и не x \U0001f600 aaaaaaaaaaaaaaaaaa"
TEXTS = st.lists(st.sampled_from([*WORDS.split(), "\n", "\u2003"]), max_size=60).map(" ".join)


def _unaided(text: str, claimed: str, language: str) -> tuple[str, str]:
    with patch.object(guess, "_table", lambda: None):
        return guess_language(text, claimed), guess_block(text, language)


@given(TEXTS, st.sampled_from(["", "de", "en-US"]), st.sampled_from(["", "de", "fr"]))
def test_guesses_are_the_same_without_the_kernel(
    small_words: Any, text: str, claimed: str, language: str
) -> None:
    assert small_words is not None
    assert (guess_language(text, claimed), guess_block(text, language)) == _unaided(
        text, claimed, language
    )


@given(TEXTS, st.integers(0, 20), st.integers(0, 60))
def test_points_are_the_same_to_the_last_bit(
    small_words: Any, text: str, start: int, size: int
) -> None:
    assert small_words is not None
    ranges = [(min(start, len(text)), min(start + size, len(text))), (0, len(text))]
    found = guess._points(text, ranges)
    with patch.object(guess, "_table", lambda: None):
        assert found == guess._points(text, ranges)


def test_words_are_divided_where_python_divides_them(small_words: Any) -> None:
    table = small_words.SmallWords({"ab": ((0, 1.0),)}, [0.0])
    wrong = [
        code
        for code in range(sys.maxunicode + 1)
        if (table.points(f"ab{chr(code)}", [(0, 3)])[0] == 1.0) != chr(code).isspace()
    ]
    assert not wrong


def test_ranges_outside_the_text_are_refused(small_words: Any) -> None:
    table = small_words.SmallWords({"ab": ((0, 1.0),)}, [0.0])
    for ranges in ([(0, 3)], [(-1, 2)], [(2, 1)], [(0, 2), (0, 9)]):
        with pytest.raises(ValueError, match="outside"):
            table.points("ab", ranges)
    assert table.points("ab", [(0, 2)]) == [1.0]  # nothing of the refused ones is counted


def test_words_of_unknown_languages_are_refused(small_words: Any) -> None:
    with pytest.raises(ValueError, match="unknown language"):
        small_words.SmallWords({"ab": ((1, 1.0),)}, [0.0])


def test_a_table_without_words_counts_none(small_words: Any) -> None:
    assert small_words.SmallWords({}, [0.5]).points("ab", [(0, 2)]) == [0.5]
