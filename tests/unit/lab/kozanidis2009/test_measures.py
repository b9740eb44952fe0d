"""The measures on numbers that the paper prints, and on cases worked out by hand."""

from __future__ import annotations

import random

import pytest

from geoscout.lab.kozanidis2009 import measures as kozanidis


def test_published_accuracy() -> None:
    assert kozanidis.accuracy(2_500_000, 2_800_000) == pytest.approx(0.892857, abs=1e-6)


def test_published_coverage() -> None:
    assert kozanidis.coverage(1029, 1265) == pytest.approx(0.813439, abs=1e-6)


def test_nothing_seen_is_no_accuracy() -> None:
    assert kozanidis.accuracy(0, 0) == 0


def test_occurrences_and_types_differ_by_repeats_in_a_page() -> None:
    pages = [["Athens", "Athens", "Rome"], ["Rome"]]

    assert kozanidis.coverage_of_occurrences(pages) == 0.5
    assert kozanidis.coverage_of_types(pages) == pytest.approx(2 / 3)


def test_precision_is_of_what_was_fetched() -> None:
    assert kozanidis.precision(1, 4) == 0.25


def test_coverage_of_seen_counts_each_place_once() -> None:
    fetched = [("boston", "boston"), ("boston",)]

    assert kozanidis.coverage_of_seen(fetched, [*fetched, ("mesa",)]) == 0.5


def test_coverage_of_a_sample_ends_at_its_size() -> None:
    pages = [("boston",)] * 50

    assert kozanidis.coverage_of_sample(pages, 10, random.Random(0)) == 0.1
