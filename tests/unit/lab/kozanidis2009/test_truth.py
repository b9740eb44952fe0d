from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from geoscout.gazetteer import SqliteGazetteer
from geoscout.lab.kozanidis2009.measures import found_at, measure_geographic, sighted
from geoscout.lab.kozanidis2009.truth import GeographicTruth, regional_seeds, truth_of
from geoscout.lab.simulation.trace import Trace
from geoscout.model import Block, Link, Page, Part

BOSTON, NOTHING = "We live in Boston, Massachusetts.", "We like soup and bread."


class SmallWorld:
    """Pages by number: their texts, targets and, if they are not pages, status."""

    name = "small"

    def __init__(
        self,
        texts: Sequence[str],
        targets: Mapping[int, Sequence[int]],
        statuses: Mapping[int, int] | None = None,
    ) -> None:
        self._texts = texts
        self._targets = targets
        self._statuses = statuses or {}
        self.size = len(texts)
        self.seeds = [0]

    def url(self, page: int) -> str:
        return f"http://host{page}.example/" if page % 2 == 0 else f"http://host.example/{page}"

    def status(self, page: int) -> int:
        return self._statuses.get(page, 200)

    def targets(self, page: int) -> Sequence[int]:
        return self._targets.get(page, ())

    def links(self, page: int) -> Sequence[Link]:
        return ()

    def page(self, page: int) -> Page:
        text = self._texts[page]
        return Page(self.url(page), "", "en", text, (Block(0, len(text), Part.MAIN),))

    def is_relevant(self, page: int) -> bool:
        return False

    def entities(self, page: int) -> Sequence[str]:
        return ()

    def host(self, page: int) -> int:
        return page


def trace(*pages: int) -> Trace:
    numbers = np.array(pages, dtype=np.int64)
    flags = np.zeros(len(pages), dtype=np.bool_)
    return Trace(numbers, numbers, numbers, numbers.astype(np.float64), flags, statuses=numbers)


def test_page_is_geographic_when_it_names_a_place(gazetteer: SqliteGazetteer) -> None:
    truth = GeographicTruth(SmallWorld([BOSTON, NOTHING], {}), gazetteer)

    assert (truth.has_place(0), truth.has_place(1)) == (True, False)
    assert len(truth.entities(0)) == 2


def test_dead_link_is_no_geographic_page(gazetteer: SqliteGazetteer) -> None:
    truth = GeographicTruth(SmallWorld([BOSTON], {}, {0: 404}), gazetteer)

    assert not truth.has_place(0)


def test_truth_is_found_once_for_a_world(gazetteer: SqliteGazetteer) -> None:
    world = SmallWorld([BOSTON], {})

    assert truth_of(world, gazetteer) is truth_of(world, gazetteer)


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


def test_regional_seeds_are_home_pages_that_name_a_place(gazetteer: SqliteGazetteer) -> None:
    world = SmallWorld([NOTHING, BOSTON, BOSTON, BOSTON, BOSTON], {}, {4: 404})
    truth = GeographicTruth(world, gazetteer)

    seeds = regional_seeds(world, truth, 10, random.Random(0))

    assert seeds == [2]
