"""The measures of a whole crawl, on a web one can count by hand."""

from __future__ import annotations

import pytest

from geoscout_lab.gao2006.checks import entity_of, figures_of
from geoscout_lab.gao2006.measures import GeoEntity
from geoscout_lab.simulation.simulate import CollaborativeTrace, Fetch
from geoscout_places.model import Address, Place
from tests.unit.lab.simulation.test_collaborative import EAST, PARTITION, WEST
from tests.unit.lab.small_worlds import HandMadeWorld

WORLD = HandMadeWorld({"s": ["e1", "w1"], "e1": ["w1"], "w1": []})
ENTITIES = {"e1": [GeoEntity("1 elm st east", "1")], "w1": [GeoEntity("1 elm st east", "1")]}
# The web page w1 is fetched by both nodes; it has an address in the east.
TRACE = CollaborativeTrace(
    [
        Fetch("general", 0, sent=2, label=0),
        Fetch("east", 1, sent=1, label=1),
        Fetch("east", 2, sent=0, label=1),
        Fetch("west", 2, sent=0, label=1),
    ],
    visits=5,
    idle=7,
)
FIGURES = figures_of(WORLD, TRACE, PARTITION, lambda page: ENTITIES.get(WORLD.names[page], []))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("downloads", 4),
        ("visits", 5),
        ("idle_ticks", 7),
        ("geo_coverage", 0.75),
        ("geo_coverage_without_general", 1),
        ("geo_coverage_of_distinct", pytest.approx(2 / 3)),
        ("geo_coverage_by_node", {"general": 0, "east": 1, "west": 1}),
        ("geo_focus", 0.5),
        ("geo_focus_by_node", {"general": 0, "east": 1, "west": 0}),
        ("geo_focus_where_measured", 0.5),
        ("unique_entities", pytest.approx(1 / 3)),
        ("overlap", 0.25),
        ("diversity", 0.75),
        ("communication", 0.75),
        ("geo_centrality", pytest.approx((0.2 + 1.1 + 1) / 3)),
        ("pages_by_node", {"general": 1, "east": 2, "west": 1}),
        ("locality_linked", pytest.approx(1 / 3)),
    ],
)
def test_figure(name: str, value: object) -> None:
    assert FIGURES[name] == value


def address(place: Place | None, street: str = "Elm St") -> Address:
    return Address(
        0,
        0,
        "",
        "1",
        street,
        unit="",
        city="",
        region="",
        postcode="",
        country="US",
        point=None,
        place=place,
        source="text",
    )


def test_address_in_an_owned_place_is_an_entity() -> None:
    assert entity_of(address(EAST), PARTITION) == GeoEntity("1 elmst 1 us", "1")


@pytest.mark.parametrize("other", [address(None), address(WEST, ""), address(EAST, "Alumni Hall")])
def test_other_address_is_none(other: Address) -> None:
    assert entity_of(other, PARTITION) is None
