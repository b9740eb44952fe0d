"""What the experiment knows about a synthetic web, and about one made by hand."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from geoscout.collaborate.partition import shipped_partition
from geoscout.strategy import StrategyAim
from geoscout_lab.experiments import ExperimentTask
from geoscout_lab.gao2006 import experiment as gao2006
from geoscout_lab.gao2006.experiment import GaoWorld, world_to_learn_from
from geoscout_lab.simulation.simulate import SimulationPlan
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_lab.worlds.synthetic.hosts import LOCAL
from geoscout_places.model import Place, Reading
from geoscout_places.parse import parse_html
from geoscout_places.urls import host_of
from tests.unit.lab.gao2006.test_checks import address
from tests.unit.lab.small_worlds import HandMadeWorld

NORTH_HOLLYWOOD = 5377654  # a part of Los Angeles


@pytest.fixture(scope="module")
def web(gazetteer):
    return make_web(WebPlan("gao2006", 1, 6000), gazetteer, parse_html)


@pytest.fixture(scope="module")
def partition(gazetteer):
    return shipped_partition("gao2006", gazetteer)


def test_entities_are_those_of_owned_cities(web, partition):
    entities_of = GaoWorld(web, partition).entities_of()
    found = [page for page in range(web.size) if entities_of(page)]

    assert found == [page for page in range(web.size) if web.entities(page)]
    assert all(partition.owner(int(entity.city)) for entity in entities_of(found[0]))


def test_servers_are_found_by_host(web, partition):
    locate = GaoWorld(web, partition).locations()

    places = [locate(host_of(web.url(page))) for page in range(0, web.size, 50)]

    assert None in places  # many servers are unknown
    assert any(place is not None for place in places)
    assert locate("nowhere.invalid") is None


def test_trained_classifier_knows_cities(web, partition):
    known = GaoWorld(web, partition)
    local = [page for page in range(web.size) if web.host_type(page) in LOCAL]
    ((city, _),) = Counter(filter(None, map(known.city_of, local))).most_common(1)
    model = known.train(random.Random(1))

    ((place, _),) = model.classify(9 * f"{partition.targets[city].name} ")

    assert place == city


def test_synthetic_web_is_not_trained_on_itself_but_an_archive_is(web, gazetteer):
    other, archive = world_to_learn_from(web, gazetteer), HandMadeWorld({"s": []})

    assert other.size == web.size
    assert other.url(0) != web.url(0)
    assert world_to_learn_from(archive, gazetteer) is archive


def test_false_addresses_are_read_and_a_street_table_tells_them(gazetteer):
    web = make_web(WebPlan("gao2006:false_addresses=0.5", 1, 3000), gazetteer, parse_html)
    plan, aim = SimulationPlan(budget=60), StrategyAim(None, gazetteer)
    ways = ("", ":addresses=read", ":addresses=checked", ":addresses=checked:streets=0.5")

    runs = [gao2006.run(ExperimentTask(web, f"url{way}", plan, aim)) for way in ways]
    told, read, checked, partly = ({"web": f"{web.name}", **run} for run in runs)
    (table,) = gao2006.all_tables([told, read, checked, partly])

    assert read["address_precision"] < 0.9 < read["address_recall"]
    assert checked["address_precision"] == 1.0 > partly["address_recall"]
    assert read["geo_coverage"] > checked["geo_coverage"] == told["geo_coverage"]
    assert [row[2] for row in table.rows][1:3] == ["read", "read, and looked up"]


def test_pages_of_a_node_are_ordered_by_a_strategy(web, gazetteer):
    plan, aim = SimulationPlan(budget=200), StrategyAim(None, gazetteer)
    orders = ("", ":order=breadth", ":order=inlinks+by=scope+every=20")

    first_come, breadth, scope = (
        gao2006.run(ExperimentTask(web, f"hash{order}", plan, aim)) for order in orders
    )

    assert {run["downloads"] for run in (first_come, breadth, scope)} == {200}
    assert scope["geo_coverage"] > first_come["geo_coverage"]


class PlacedWorld(HandMadeWorld):
    """A world whose pages have an address each, in the place they are given."""

    def __init__(self, *places: Place | None) -> None:
        super().__init__({str(number): [] for number in range(len(places))})
        self._places = places

    def reading(self, page: int) -> Reading:
        return Reading((address(self._places[page]),), (), (), ())

    def fingerprint(self, page: int) -> int:
        return page


def test_part_of_a_city_counts_as_the_city(partition, gazetteer):
    boston = gazetteer.find("Boston, MA")[0].place
    los_angeles = gazetteer.find("Los Angeles, CA")[0].place
    part = gazetteer.place(NORTH_HOLLYWOOD)
    assert part is not None
    world = PlacedWorld(boston, part, None)

    model = GaoWorld(world, partition).train(random.Random(1))

    assert partition.owner(part.id) is not None
    assert sorted(place for place, _ in model.classify("", 9)) == [0, boston.id, los_angeles.id]


@pytest.mark.parametrize(
    "name", ["hash", "url", "anchor", "content", "ip", "classifier:training=3"]
)
def test_experiment_runs_on_a_small_web(web, gazetteer, name):
    task = ExperimentTask(web, name, SimulationPlan(300), StrategyAim(None, gazetteer))

    figures = gao2006.run(task)

    assert figures["collaboration"] == name
    assert sum(figures["pages_by_node"].values()) == figures["downloads"] == 300
