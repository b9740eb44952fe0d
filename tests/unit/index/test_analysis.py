"""Fingerprints and lengths of pages."""

from __future__ import annotations

from collections import Counter

import pytest

from geoscout.index.analysis import inflections, simhash, vector_length

TEXT = [f"word{n % 90}" for n in range(400)]


def test_nearly_the_same_words_have_nearly_the_same_hash() -> None:
    other = [*TEXT[:-1], "changed"]

    assert (simhash(Counter(TEXT)) ^ simhash(Counter(other))).bit_count() <= 3


def test_other_words_have_another_hash() -> None:
    other = [f"other{n % 90}" for n in range(400)]

    assert (simhash(Counter(TEXT)) ^ simhash(Counter(other))).bit_count() > 15


def test_no_words_have_no_hash_and_no_length() -> None:
    assert simhash(Counter()) == 0
    assert vector_length(Counter()) == 0


def test_length_is_that_of_the_logarithmic_counts() -> None:
    assert vector_length(Counter("aab")) == pytest.approx(((1 + 0.693147) ** 2 + 1) ** 0.5)


def test_short_words_and_numbers_have_no_other_forms() -> None:
    assert inflections("bus") == []
    assert inflections("2024") == []
    assert "bakery" in inflections("bakeries")
