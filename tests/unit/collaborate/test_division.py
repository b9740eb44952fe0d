from __future__ import annotations

import pytest

from geoscout.collaborate.partition import (
    by_distance,
    by_population,
    by_timezone,
    divide,
    shipped_partition,
)
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Place
from tests.unit.collaborate.worlds import CITIES


@pytest.fixture(scope="module")
def places(gazetteer: SqliteGazetteer) -> list[Place]:
    return list(shipped_partition("gao2006", gazetteer).targets.values())


def test_population_is_balanced(places: list[Place]) -> None:
    people = [sum(place.population for place in node.places) for node in by_population(places, 5)]

    assert max(people) < 1.05 * min(people)


def test_every_place_has_one_node_whatever_the_way(places: list[Place]) -> None:
    for way in ("population=7", "distance=7", "country", "timezone"):
        owned = [place.id for node in divide(way, places) for place in node.places]

        assert sorted(owned) == sorted(place.id for place in places)


def test_time_zones_are_those_of_winter(places: list[Place]) -> None:
    nodes = {node.name: {place.name for place in node.places} for node in by_timezone(places)}

    assert {"Phoenix", "Denver", "El Paso"} <= nodes["utc-7"]
    assert {"Indianapolis", "Boston"} <= nodes["utc-5"]
    assert set(nodes) == {"utc-5", "utc-6", "utc-7", "utc-8", "utc-9", "utc-10"}


def test_places_of_a_node_by_distance_lie_together(places: list[Place]) -> None:
    nodes = by_distance(places, 5)

    for place in nodes[0].places:
        far = max(distance_km(place.point, other.point) for other in nodes[0].places)
        assert far < 3500


def test_divisions_are_always_the_same() -> None:
    assert by_distance(CITIES, 3) == by_distance(CITIES, 3)


@pytest.mark.parametrize(
    "text", ["population", "timezone=3", "magic=3", "distance=0", "distance=99"]
)
def test_impossible_division_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        divide(text, CITIES)
