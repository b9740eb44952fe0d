"""The measures on numbers that the paper prints, and on cases worked out by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from geoscout.gazetteer import SqliteGazetteer
from geoscout.lab.kozanidis2009 import measures as kozanidis
from geoscout.lab.kozanidis2009.measures import found_at, measure_geographic, sighted
from geoscout.lab.kozanidis2009.truth import GeographicTruth
from geoscout.lab.simulation.trace import Trace
from tests.unit.lab.kozanidis2009.small_world import BOSTON, NOTHING, SmallWorld


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


def trace(*pages: int) -> Trace:
    numbers = np.array(pages, dtype=np.int64)
    flags = np.zeros(len(pages), dtype=np.bool_)
    return Trace(numbers, numbers, numbers, numbers.astype(np.float64), flags, statuses=numbers)


def test_seen_pages_are_seeds_fetched_pages_and_their_targets() -> None:
    world = SmallWorld([BOSTON] * 6, {0: [1, 2], 1: [3], 5: [4]})

    pages = sighted(world, trace(0, 1))

    assert (pages.fetched, sorted(pages.seen)) == ((0, 1), [0, 1, 2, 3])


def test_redirect_stands_for_its_target() -> None:
    world = SmallWorld([BOSTON] * 4, {0: [1, 3], 1: [2]}, {1: 301, 3: 404})

    pages = sighted(world, trace(0))

    assert sorted(pages.seen) == [0, 2]


def test_circle_of_redirects_ends() -> None:
    world = SmallWorld([BOSTON] * 3, {0: [1], 1: [2], 2: [1]}, {1: 301, 2: 301})

    assert sighted(world, trace(0)).seen == (0,)


def test_accuracy_is_over_what_was_seen_and_precision_over_what_was_fetched(
    gazetteer: SqliteGazetteer,
) -> None:
    world = SmallWorld([BOSTON, NOTHING, BOSTON, BOSTON, NOTHING], {0: [1, 2, 3, 4]})
    truth = GeographicTruth(world, gazetteer)

    figures = measure_geographic(world, trace(0, 1, 2), truth)

    assert (figures["retrieved_geo_pages"], figures["visited_geo_pages"]) == (2, 3)
    assert figures["accuracy"] == pytest.approx(2 / 3)
    assert figures["precision"] == pytest.approx(2 / 3)
    assert figures["coverage"] == pytest.approx(0.5)  # two places, each named on two pages


def test_course_counts_the_first_visits() -> None:
    shares = found_at(list(range(20)), lambda page: page < 5)

    assert (shares["5%"], shares["25%"], shares["100%"]) == (1.0, 1.0, 0.25)
    assert found_at([], lambda page: True)["5%"] == 0.0
