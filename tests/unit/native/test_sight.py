"""The kernel sees texts as the form in Python does."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.gazetteer.automaton import capitalised
from geoscout.gazetteer.automaton import sight as see
from tests.unit.native.unaided import without_kernel

PIECES = (
    "ST", "ST.", "EL", "PASO", "RIO", "DE", "USA", "US", "McDONALD", "NEW", "YORK", "O'NEIL", "ÄÖÜ",
    "MÜNCHEN", "a", "of", "the", "off", "i_b", "éa", "ŁÓDŹ", "Straße", "1ABC", "ABC2", "東京",
    "\ud800", "\U0001f600", "İZMİR", " ", "  ", "\n", "-", "–", ".", "'", ",", "_",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)
ANY = st.text(st.characters(codec=None), max_size=30)


@given(TEXTS | ANY)
def test_texts_are_seen_as_without_the_kernel(sight: Any, text: str) -> None:
    assert sight is not None
    found = see(text), capitalised(text), capitalised(see(text))
    with without_kernel():
        assert found == (see(text), capitalised(text), capitalised(see(text)))


def test_every_letter_is_seen_as_without_the_kernel(sight: Any) -> None:
    assert sight is not None
    text = "".join(map(chr, range(sys.maxunicode + 1)))
    found = see(text), capitalised(text)
    with without_kernel():
        assert found == (see(text), capitalised(text))


def test_a_text_that_is_seen_as_it_is_costs_no_copy(sight: Any) -> None:
    assert sight is not None
    text = "rain in Paris"
    assert see(text) is text


@pytest.mark.parametrize("answer", [(0, "A" * 9), (4, "Xyz"), (0, "é" * 5), (0, "")])
def test_a_quiet_form_that_does_not_fit_is_refused(sight: Any, answer: tuple[int, str]) -> None:
    compiled = sight.Sight({}, frozenset(), lambda *_: answer)
    with pytest.raises(ValueError, match="quietly"):
        compiled.see("ABC DEF")


def test_letters_beyond_the_table_are_refused(sight: Any) -> None:
    with pytest.raises(ValueError, match="beyond"):
        sight.Sight({0x2100: 65}, frozenset(), None)
