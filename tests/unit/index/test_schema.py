"""Fingerprints and lengths of pages."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout.index.schema import cells_of, cover, inflections, simhash, vector_length
from geoscout_places.gazetteer.areas.sphere import destination
from geoscout_places.model import Point

TEXT = [f"word{n % 90}" for n in range(400)]


def test_nearly_the_same_words_have_nearly_the_same_hash():
    other = [*TEXT[:-1], "changed"]

    assert (simhash(Counter(TEXT)) ^ simhash(Counter(other))).bit_count() <= 3


def test_other_words_have_another_hash():
    other = [f"other{n % 90}" for n in range(400)]

    assert (simhash(Counter(TEXT)) ^ simhash(Counter(other))).bit_count() > 15


def test_no_words_have_no_hash_and_no_length():
    assert simhash(Counter()) == 0
    assert vector_length(Counter()) == 0


def test_length_is_that_of_the_logarithmic_counts():
    assert vector_length(Counter("aab")) == pytest.approx(((1 + 0.693147) ** 2 + 1) ** 0.5)


def test_short_words_and_numbers_have_no_other_forms():
    assert inflections("bus") == []
    assert inflections("2024") == []
    assert "bakery" in inflections("bakeries")


@settings(deadline=None, max_examples=200)
@given(
    latitude=st.floats(-89, 89),
    longitude=st.floats(-180, 180),
    radius_km=st.floats(0.05, 3000),
    bearing=st.floats(0, 360),
    share=st.floats(0, 1),
)
def test_every_point_of_a_circle_is_covered(latitude, longitude, radius_km, bearing, share):
    center = Point(latitude, longitude)
    point = destination(center, bearing, radius_km * share)

    assert cells_of([point]) & set(cover(center, radius_km))


def test_covers_are_small():
    assert len(cover(Point(38.7, -9.1), 10)) < 100
    assert len(cover(Point(38.7, -9.1), 500)) < 150


def test_most_of_the_globe_has_no_cover():
    assert cover(Point(0, 0), 15_000) == []
