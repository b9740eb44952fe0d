"""Which worlds know the truth, which were read, and what a synthetic web says of itself."""

from __future__ import annotations

import pytest

from geoscout_lab.worlds.archive import Judging, open_archive
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_lab.worlds.truth import KnownWorld, ReadWorld, facts_of
from tests.unit.lab.small_worlds import HandMadeWorld


@pytest.fixture(scope="module")
def web(gazetteer):
    return make_web(WebPlan("ahlers2009", 1, 2000), gazetteer)


def test_synthetic_web_is_known_an_archive_read_and_one_made_by_hand_neither(
    web, archive, own_settings
):
    world = open_archive([archive], ["http://a.example/"], Judging(()), own_settings)
    worlds = (web, world, HandMadeWorld({"s": []}))

    assert [isinstance(one, KnownWorld) for one in worlds] == [True, False, False]
    assert [isinstance(one, ReadWorld) for one in worlds] == [False, True, False]


def test_facts_count_only_what_can_be_reached():
    world = HandMadeWorld({"s": ["a"], "x": ["b"]}, frozenset("ab"))

    facts = facts_of(world)

    assert facts.targets.tolist() == [world.numbers["a"]]
    assert (facts.reachable, facts.hosts, facts.entities) == (2, 1, 1)


def test_web_from_other_seeds_is_the_same_web(web):
    other = web.from_seeds([5, 7])

    assert list(other.seeds) == [5, 7]
    assert list(web.seeds) != [5, 7]
    assert isinstance(other, KnownWorld)
    assert [other.url(page) for page in range(50)] == [web.url(page) for page in range(50)]
    assert list(other.at_port(80).seeds) == [5, 7]


def test_place_of_a_page_is_its_city(web):
    cities = [web.city(page) for page in range(200)]

    assert [web.place(page) for page in range(200)] == [city and city.place for city in cities]


def test_addresses_of_a_relevant_page_hold_those_of_the_region(web):
    page = next(page for page in range(web.size) if web.is_relevant(page))

    assert {address.normal_form for address in web.addresses(page)} >= set(web.entities(page))
