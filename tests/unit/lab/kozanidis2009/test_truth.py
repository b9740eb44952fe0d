from __future__ import annotations

import random

from geoscout_lab.kozanidis2009.truth import GeographicTruth, regional_seeds, truth_of
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.gazetteer.wordnet import load_geowordnet
from tests.unit.lab.kozanidis2009.small_world import BOSTON, NOTHING, SmallWorld


def test_page_is_geographic_when_it_names_a_place(gazetteer: SqliteGazetteer) -> None:
    truth = GeographicTruth(SmallWorld([BOSTON, NOTHING], {}), gazetteer)

    assert (truth.has_place(0), truth.has_place(1)) == (True, False)
    assert [mention.name for mention in truth.entities(0)] == ["Boston", "Massachusetts"]


def test_judge_knows_the_names_of_geowordnet_and_no_others(gazetteer: SqliteGazetteer) -> None:
    texts = ["Off to Somerville.", "Off to Beantown.", "Reading is nice."]
    truth = GeographicTruth(SmallWorld(texts, {}), gazetteer)

    # WordNet has no Somerville, and calls Boston Beantown; Reading is an ordinary word first.
    assert [truth.has_place(page) for page in range(3)] == [False, True, False]
    assert truth.entities(1)[0].offset == load_geowordnet().senses("Boston")[0].offset


def test_dead_link_is_no_geographic_page(gazetteer: SqliteGazetteer) -> None:
    truth = GeographicTruth(SmallWorld([BOSTON], {}, {0: 404}), gazetteer)

    assert not truth.has_place(0)


def test_truth_is_found_once_for_a_world(gazetteer: SqliteGazetteer) -> None:
    world = SmallWorld([BOSTON], {})

    assert truth_of(world, gazetteer) is truth_of(world, gazetteer)


def test_regional_seeds_are_home_pages_that_name_a_place(gazetteer: SqliteGazetteer) -> None:
    world = SmallWorld([NOTHING, BOSTON, BOSTON, BOSTON, BOSTON], {}, {4: 404})
    truth = GeographicTruth(world, gazetteer)

    seeds = regional_seeds(world, truth, 10, random.Random(0))

    assert seeds == [2]
