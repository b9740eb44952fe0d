import pytest

from geoscout.collaborate import Node, Partition
from geoscout.collaborate.owned_names import OwnedNames
from geoscout.collaborate.partition import (
    by_distance,
    by_population,
    by_timezone,
    divide,
    read_partition,
    shipped_partition,
    shipped_partitions,
    write_partition,
)
from geoscout_places.errors import UnknownPlaceError, UsageError
from geoscout_places.gazetteer.areas.sphere import distance_km
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import CITIES, GAZETTEER, NODES, PARTITION, STATES, USA


def test_place_belongs_to_its_node():
    assert PARTITION.owner(worlds.MESA.id) == "mountain"
    assert PARTITION.owner(worlds.ALBANY_NY.id) is None


@pytest.mark.parametrize(
    "name", ["Brooklyn, NY", "The Bronx", "Queens, NY", "Staten Island", "Astoria, NY"]
)
def test_borough_and_what_lies_in_it_belong_to_new_york(gazetteer, name):
    partition = read_partition('[nodes]\neast = ["New York, NY"]', gazetteer)
    part, outside = (gazetteer.find(one)[0].place.id for one in (name, "Yonkers, NY"))

    assert (partition.owner(part), partition.owner(outside)) == ("east", None)
    assert partition.target_of(part) == gazetteer.find("New York, NY")[0].place.id
    assert partition.target_of(outside) == 0


def test_borough_may_have_a_node_of_its_own(gazetteer):
    text = '[nodes]\neast = ["New York, NY"]\nkings = ["Brooklyn, NY"]'
    partition = read_partition(text, gazetteer)
    names = OwnedNames(partition.targets, gazetteer)

    brooklyn = gazetteer.find("Brooklyn, NY")[0].place.id
    assert partition.owner(brooklyn) == "kings"
    assert names.meaning("brooklyn") == brooklyn


def test_place_belongs_to_the_owner_of_what_it_lies_in():
    partition = Partition([Node("west", (STATES["California"],))], GAZETTEER)

    assert partition.owner(worlds.SAN_FRANCISCO.id) == "west"
    assert set(partition.targets) == {worlds.SAN_FRANCISCO.id, worlds.GLENDALE_CA.id}


def test_narrower_place_has_its_own_owner():
    nodes = [Node("all", (USA,)), Node("west", (STATES["California"],))]

    partition = Partition(nodes, GAZETTEER)

    assert partition.owner(worlds.SAN_FRANCISCO.id) == "west"
    assert partition.owner(worlds.MESA.id) == "all"


def test_general_node_is_added_where_there_is_none():
    partition = Partition(NODES[1:], GAZETTEER)

    assert partition.general == ("general",)
    assert partition.unclaimed("http://any.example/") == "general"


def test_several_general_nodes_share_the_hosts():
    partition = Partition([Node("a"), Node("b"), *NODES[1:]], GAZETTEER)
    urls = [f"http://host{number}.example/" for number in range(50)]

    assert {partition.unclaimed(url) for url in urls} == {"a", "b"}
    assert partition.unclaimed(urls[0]) == partition.unclaimed(urls[0] + "page")


def test_place_of_two_nodes_is_refused():
    with pytest.raises(UsageError, match="Mesa belongs to both"):
        Partition([Node("a", (worlds.MESA,)), Node("b", (worlds.MESA,))], GAZETTEER)


def test_file_is_read_and_written():
    text = '[nodes]\nrest = []\n"far west" = ["San Francisco, California"]\n'

    partition = read_partition(text, GAZETTEER)

    assert partition.names == ("rest", "far west")
    again = read_partition(write_partition(PARTITION, GAZETTEER), GAZETTEER)
    assert again.nodes == PARTITION.nodes


@pytest.mark.parametrize("text", ["", "nodes = 3", "[nodes]", "[nodes]\na = [1]", "[nodes", "a=[]"])
def test_file_of_another_kind_is_refused(text):
    with pytest.raises(UsageError):
        read_partition(text, GAZETTEER)


def test_file_with_an_unknown_place_is_refused():
    with pytest.raises(UnknownPlaceError):
        read_partition('[nodes]\na = ["Nowhere"]', GAZETTEER)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [("gao2006", [0, 33, 22, 10, 33, 2]), ("gao2006-corrected", [0, 35, 22, 11, 30, 2])],
)
def test_shipped_partitions_have_the_hundred_cities(gazetteer, name, sizes):
    partition = shipped_partition(name, gazetteer)

    assert [len(node.places) for node in partition.nodes] == sizes
    assert len(partition.targets) == 100


def test_unknown_shipped_partition_names_the_known():
    with pytest.raises(UsageError, match="gao2006"):
        shipped_partition("no such", GAZETTEER)
    assert shipped_partitions() == ("gao2006", "gao2006-corrected")


@pytest.fixture(scope="module")
def places(gazetteer):
    return list(shipped_partition("gao2006", gazetteer).targets.values())


def test_population_is_balanced(places):
    people = [sum(place.population for place in node.places) for node in by_population(places, 5)]

    assert max(people) < 1.05 * min(people)


def test_every_place_has_one_node_whatever_the_way(places):
    for way in ("population=7", "distance=7", "country", "timezone"):
        owned = [place.id for node in divide(way, places) for place in node.places]

        assert sorted(owned) == sorted(place.id for place in places)


def test_time_zones_are_those_of_winter(places):
    nodes = {node.name: {place.name for place in node.places} for node in by_timezone(places)}

    assert {"Phoenix", "Denver", "El Paso"} <= nodes["utc-7"]
    assert {"Indianapolis", "Boston"} <= nodes["utc-5"]
    assert set(nodes) == {"utc-5", "utc-6", "utc-7", "utc-8", "utc-9", "utc-10"}


def test_places_of_a_node_by_distance_lie_together(places):
    nodes = by_distance(places, 5)

    for place in nodes[0].places:
        far = max(distance_km(place.point, other.point) for other in nodes[0].places)
        assert far < 3500


@pytest.mark.parametrize(
    "text", ["population", "timezone=3", "magic=3", "distance=0", "distance=99"]
)
def test_impossible_division_is_refused(text):
    with pytest.raises(UsageError):
        divide(text, CITIES)
