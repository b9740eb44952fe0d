"""What the experiment knows about a synthetic web, and about one made by hand."""

from __future__ import annotations

import random

import pytest

from geoscout.collaborate import CollaborationAim, Origin
from geoscout.collaborate.partition import Partition, shipped_partition
from geoscout.errors import UsageError
from geoscout.gazetteer import SqliteGazetteer
from geoscout.lab.experiments import ExperimentTask
from geoscout.lab.gao2006 import experiment as gao2006
from geoscout.lab.gao2006.world import (
    GaoWorld,
    WrongClassifier,
    from_directories,
    world_to_learn_from,
)
from geoscout.lab.simulation.simulate import SimulationPlan
from geoscout.lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout.lab.worlds.synthetic.structure.hosts import HostType
from geoscout.model import Address, Page, Place, Reading
from geoscout.parse import parse_html
from geoscout.strategy import StrategyAim
from geoscout.urls import host_of
from tests.unit.lab.small_worlds import HandMadeWorld

NORTH_HOLLYWOOD = 5377654  # a part of Los Angeles


@pytest.fixture(scope="module")
def web(gazetteer: SqliteGazetteer) -> SyntheticWeb:
    return make_web(WebPlan("gao2006", 1, 6000), gazetteer, parse_html)


@pytest.fixture(scope="module")
def partition(gazetteer: SqliteGazetteer) -> Partition:
    return shipped_partition("gao2006", gazetteer)


def test_entities_are_those_of_owned_cities(web: SyntheticWeb, partition: Partition) -> None:
    entities_of = GaoWorld(web, partition).entities_of()
    found = [page for page in range(web.size) if entities_of(page)]

    assert found == [page for page in range(web.size) if web.entities(page)]
    assert all(partition.owner(int(entity.city)) for entity in entities_of(found[0]))


def test_servers_are_found_by_host(web: SyntheticWeb, partition: Partition) -> None:
    locate = GaoWorld(web, partition).locations()

    places = [locate(host_of(web.url(page))) for page in range(0, web.size, 50)]

    assert None in places  # many servers are unknown
    assert any(place is not None for place in places)
    assert locate("nowhere.invalid") is None


def test_wrong_classifier_says_the_same_of_a_page_each_time(
    web: SyntheticWeb, partition: Partition, gazetteer: SqliteGazetteer
) -> None:
    known = GaoWorld(web, partition)
    wrong = WrongClassifier(CollaborationAim(partition, gazetteer), web, known)
    pages = [Origin(Page(web.url(page), "", "", "", ())) for page in range(2000)]

    labels = [wrong.label(origin) for origin in pages]

    assert labels == [wrong.label(origin) for origin in pages]
    assert 0.12 < labels.count(0) / len(labels) < 0.18


def test_trained_classifier_knows_cities(web: SyntheticWeb, partition: Partition) -> None:
    model = GaoWorld(web, partition).train(random.Random(1))

    ((place, _),) = model.classify("Boston Boston Boston")

    assert partition.targets[place].name == "Boston"


def test_synthetic_web_is_not_trained_on_itself(
    web: SyntheticWeb, gazetteer: SqliteGazetteer
) -> None:
    other = world_to_learn_from(web, gazetteer)

    assert other.size == web.size
    assert other.url(0) != web.url(0)


def test_web_can_be_crawled_from_its_directories(web: SyntheticWeb) -> None:
    world = from_directories(web)

    assert world.seeds
    assert {web.host_type(page) for page in world.seeds} == {HostType.DIRECTORY}


def test_archive_brings_its_own_seeds() -> None:
    with pytest.raises(UsageError, match="synthetic"):
        from_directories(HandMadeWorld({"s": []}))


def test_archive_is_all_there_is_to_learn_from(gazetteer: SqliteGazetteer) -> None:
    world = HandMadeWorld({"s": []})

    assert world_to_learn_from(world, gazetteer) is world


class PlacedWorld(HandMadeWorld):
    """A world whose pages have an address each, in the place they are given."""

    def __init__(self, *places: Place | None) -> None:
        super().__init__({str(number): [] for number in range(len(places))})
        self._places = places

    def reading(self, page: int) -> Reading:
        place = self._places[page]
        street = Address(
            0,
            0,
            "",
            "1",
            "Elm St",
            unit="",
            city="",
            region="",
            postcode="",
            country="US",
            point=None,
            place=place,
            source="text",
        )
        return Reading((street,), (), (), ())

    def fingerprint(self, page: int) -> int:
        return page


def test_part_of_a_city_counts_as_the_city(
    partition: Partition, gazetteer: SqliteGazetteer
) -> None:
    boston = gazetteer.find("Boston, MA")[0].place
    los_angeles = gazetteer.find("Los Angeles, CA")[0].place
    part = gazetteer.place(NORTH_HOLLYWOOD)
    assert part is not None
    world = PlacedWorld(boston, part, None)

    model = GaoWorld(world, partition).train(random.Random(1))

    assert partition.owner(part.id) is not None
    assert sorted(place for place, _ in model.classify("", 9)) == [0, boston.id, los_angeles.id]


@pytest.mark.parametrize(
    "name", ["hash", "url", "anchor", "content", "ip", "classifier-2006", "classifier:training=3"]
)
def test_experiment_runs_on_a_small_web(
    web: SyntheticWeb, gazetteer: SqliteGazetteer, name: str
) -> None:
    task = ExperimentTask(web, name, SimulationPlan(300), StrategyAim(None, gazetteer))

    figures = gao2006.run(task)

    assert figures["collaboration"] == name
    assert sum(figures["pages_by_node"].values()) == figures["downloads"] == 300
