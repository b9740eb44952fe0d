"""The measures on numbers that the paper prints, and on cases worked out by hand."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from geoscout_lab.kozanidis2009 import measures as kozanidis
from geoscout_lab.kozanidis2009.measures import (
    GeographicTruth,
    NamedSynset,
    accepted_pages,
    found_at,
    measure_geographic,
    regional_seeds,
    sighted,
    truth_of,
)
from geoscout_places.gazetteer.wordnet import load_geowordnet
from geoscout_places.model import Link, Page
from tests.unit.lab.kozanidis2009.small_world import BOSTON, NOTHING, SmallWorld, make_trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geoscout.strategy import Scores, Source
    from geoscout_lab.simulation.simulate import Trace


ATHENS, ATHINAI, ROME = NamedSynset("Athens", 1), NamedSynset("Athinai", 1), NamedSynset("Rome", 2)


def test_coverage_is_of_places_over_names_or_mentions_or_what_was_seen():
    pages, fetched = [[ATHENS, ATHINAI, ROME], [ROME]], [[ATHENS, ATHENS], [ATHINAI]]

    assert kozanidis.coverage_of_names(pages) == pytest.approx(2 / 3)
    assert kozanidis.coverage_of_names([]) == 0
    assert kozanidis.coverage_of_occurrences(pages) == 0.5
    assert kozanidis.coverage_of_types(pages) == pytest.approx(2 / 3)
    assert kozanidis.coverage_of_seen(fetched, [*fetched, [ROME]]) == 0.5


def trace(*pages: int) -> Trace:
    return make_trace(pages, [-1] * len(pages))


@pytest.mark.parametrize(
    ("targets", "statuses", "visits", "seen"),
    [
        ({0: [1, 2], 1: [3], 5: [4]}, {}, [0, 1], [0, 1, 2, 3]),
        ({0: [1, 3], 1: [2]}, {1: 301, 3: 404}, [0], [0, 2]),  # a redirect is its target
        ({0: [1], 1: [2], 2: [1]}, {1: 301, 2: 301}, [0], [0]),  # a circle of redirects ends
    ],
)
def test_seen_pages_are_seeds_fetched_pages_and_their_targets(targets, statuses, visits, seen):
    world = SmallWorld([BOSTON] * 6, targets, statuses)

    assert sorted(sighted(world, trace(*visits)).seen) == seen


WORLD = SmallWorld([BOSTON, NOTHING, BOSTON, BOSTON, NOTHING], {0: [1, 2, 3, 4]})


def test_readings_of_accuracy_differ(gazetteer):
    truth = GeographicTruth(WORLD, gazetteer)

    figures = measure_geographic(WORLD, trace(0, 1, 2), truth, accepted={1, 2})

    # pages 0 and 2 name places and were fetched, page 3 names them and was only seen
    assert (figures["retrieved_geo_pages"], figures["visited_geo_pages"]) == (1, 2)
    assert figures["accuracy"] == 0.5
    assert figures["false_accepted"] == 1.0
    assert figures["accuracy_of_seen"] == pytest.approx(2 / 3)
    assert figures["precision"] == pytest.approx(2 / 3)


def test_readings_of_coverage_differ(gazetteer):
    truth = GeographicTruth(WORLD, gazetteer)

    figures = measure_geographic(WORLD, trace(0, 1, 2), truth, accepted=None)

    # two places by one name each, on two pages
    assert (figures["entities"], figures["distinct_entities"]) == (2, 2)
    assert (figures["coverage"], figures["coverage_of_occurrences"]) == (1.0, 0.5)
    assert figures["accuracy"] is None


def test_course_counts_the_first_visits():
    shares = found_at(list(range(20)), lambda page: page < 5)

    assert (shares["5%"], shares["25%"], shares["100%"]) == (1.0, 1.0, 0.25)
    assert found_at([], lambda page: True)["5%"] == 0.0


def test_page_is_geographic_when_it_names_a_place_and_answers(gazetteer):
    world = SmallWorld([BOSTON, NOTHING, BOSTON], {}, {2: 404})
    truth = GeographicTruth(world, gazetteer)

    assert [truth.has_place(page) for page in range(3)] == [True, False, False]
    assert [mention.name for mention in truth.entities(0)] == ["Boston", "Massachusetts"]
    assert truth_of(world, gazetteer) is truth_of(world, gazetteer)


def test_judge_knows_the_names_of_geowordnet_and_no_others(gazetteer):
    texts = ["Off to Somerville.", "Off to Beantown.", "Reading is nice."]
    truth = GeographicTruth(SmallWorld(texts, {}), gazetteer)

    # WordNet has no Somerville, and calls Boston Beantown; Reading is an ordinary word first.
    assert [truth.has_place(page) for page in range(3)] == [False, True, False]
    assert truth.entities(1)[0].offset == load_geowordnet().senses("Boston")[0].offset


def test_regional_seeds_are_home_pages_that_name_a_place(gazetteer):
    world = SmallWorld([NOTHING, BOSTON, BOSTON, BOSTON, BOSTON], {}, {4: 404})
    truth = GeographicTruth(world, gazetteer)

    seeds = regional_seeds(world, truth, 10, random.Random(0))

    assert seeds == [2]


class Linked(SmallWorld):
    """Its anchors are the numbers of their targets."""

    def links(self, page: int) -> Sequence[Link]:
        return [Link(self.url(target), f"to {target}") for target in self.targets(page)]


class Scorer:
    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [None] * len(links)


class PageTest(Scorer):
    def is_geographic(self, page: Page, links: Sequence[Link]) -> bool:
        return "host2" in page.url or any(link.anchor == "to 3" for link in links)


class LinkTest(Scorer):
    def expects_place(self, link: Link) -> bool:
        return link.anchor in ("to 1", "to 3")


LINKED = Linked([BOSTON, NOTHING, BOSTON, BOSTON], {0: [1, 2], 1: [3]}, {3: 404})
REDIRECTED = Linked([BOSTON, NOTHING, BOSTON], {0: [1], 1: [2]}, {1: 301})


@pytest.mark.parametrize(
    ("world", "visits", "parents", "strategy", "accepted"),
    [
        (LINKED, [0, 1, 2], [-1, 0, 0], PageTest(), {1, 2}),  # by its URL and links
        (LINKED, [0, 1, 2, 3], [-1, 0, 0, 1], LinkTest(), {1}),  # a seed has no anchor, 3 is dead
        (REDIRECTED, [0, 1, 2], [-1, 0, 1], LinkTest(), {2}),  # by the link to the redirect
        (LINKED, [0], [-1], Scorer(), None),
    ],
)
def test_pages_are_accepted_by_the_test_of_their_crawler(
    world, visits, parents, strategy, accepted
):
    assert accepted_pages(world, make_trace(visits, parents), strategy) == accepted
