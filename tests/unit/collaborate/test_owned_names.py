"""Who bears a name, and whom it means: the paper's own examples."""

from __future__ import annotations

import pytest

from geoscout.collaborate.owned_names import OwnedNames
from geoscout.collaborate.partition import Partition, shipped_partition
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.model import Kind
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import GAZETTEER, PARTITION, STATES

NAMES = OwnedNames(PARTITION.targets, GAZETTEER)


def test_bare_name_means_its_most_populous_bearer() -> None:
    assert NAMES.meaning("glendale") == worlds.GLENDALE_AZ.id


def test_name_with_a_state_means_the_bearer_there() -> None:
    assert NAMES.meaning("glendale", STATES["California"].id) == worlds.GLENDALE_CA.id


def test_name_with_a_state_whose_bearer_nobody_owns_means_none() -> None:
    assert NAMES.meaning("kansas city") == worlds.KANSAS_CITY_MO.id
    assert NAMES.meaning("kansas city", STATES["Kansas"].id) == 0


def test_name_of_cities_nobody_owns_means_none() -> None:
    assert NAMES.meaning("albany") == 0


def test_share_is_over_all_places_of_the_name() -> None:
    assert NAMES.share(worlds.GLENDALE_AZ.id, "glendale") == pytest.approx(0.5445, abs=5e-5)
    assert NAMES.share(worlds.KANSAS_CITY_MO.id, "kansas city") < 1


def test_share_may_be_over_owned_places_alone() -> None:
    assert NAMES.share(worlds.KANSAS_CITY_MO.id, "kansas city", owned_only=True) == 1


def test_aliases_are_names_too() -> None:
    assert NAMES.meaning("nyc") == NAMES.meaning("new york city") == worlds.NEW_YORK.id


@pytest.fixture(scope="module")
def published(gazetteer: SqliteGazetteer) -> Partition:
    return shipped_partition("gao2006", gazetteer)


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("Glendale", "Arizona"),
        ("Portland", "Oregon"),
        ("Arlington", "Texas"),
        ("Columbus", "Ohio"),
        ("Aurora", "Colorado"),
        ("Kansas City", "Missouri"),
        ("Richmond", "Virginia"),
        ("Rochester", "New York"),
        ("Newark", "New Jersey"),
        ("Madison", "Wisconsin"),
        ("Lincoln", "Nebraska"),
        ("LA", "California"),
        ("NYC", "New York"),
    ],
)
def test_published_reading_of_bare_names(
    published: Partition, gazetteer: SqliteGazetteer, name: str, state: str
) -> None:
    city = gazetteer.place(OwnedNames(published.targets, gazetteer).meaning(name.lower()))

    assert city is not None
    assert next(p.name for p in gazetteer.ancestors(city) if p.kind is Kind.REGION) == state


@pytest.mark.parametrize(("state", "found"), [("california", "California"), ("az", "Arizona")])
def test_state_tells_which_glendale(
    published: Partition, gazetteer: SqliteGazetteer, state: str, found: str
) -> None:
    names = OwnedNames(published.targets, gazetteer)

    city = gazetteer.place(names.meaning("glendale", names.regions[state]))

    assert city is not None
    assert next(p.name for p in gazetteer.ancestors(city) if p.kind is Kind.REGION) == found


def test_albany_is_none_of_the_hundred_cities(
    published: Partition, gazetteer: SqliteGazetteer
) -> None:
    assert OwnedNames(published.targets, gazetteer).meaning("albany") == 0
