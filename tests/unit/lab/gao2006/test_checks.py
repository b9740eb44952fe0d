"""The measures of whole crawls, simulated and on disk, and the verdicts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from geoscout.collaborate import Node, Partition
from geoscout.store.base import Topic, Visit
from geoscout_lab.gao2006.checks import (
    PAPER,
    checks_table,
    entity_of,
    figures_of,
    figures_of_crawl,
    sensitivity_table,
)
from geoscout_lab.gao2006.measures import GeoEntity
from geoscout_lab.gao2006.tables import SIX
from geoscout_lab.simulation.simulate import CollaborativeTrace, Fetch
from geoscout_places.model import Address, Place
from tests.fakes import FakeGazetteer
from tests.stores import Store, open_folder
from tests.unit.lab.simulation.test_collaborative import EAST, PARTITION, WEST
from tests.unit.lab.small_worlds import HandMadeWorld
from tests.unit.store.visits import AUSTIN, PARIS, TEXAS, USA, respond, visit

if TYPE_CHECKING:
    from geoscout_lab.experiments import Cell

KEYS = ("geo_centrality", "overlap", "diversity", "communication")


def as_published(web: str = "1") -> list[dict[str, Any]]:
    """The paper's own numbers as if they were a run of ours."""
    runs = []
    for name in SIX:
        figures: dict[str, Any] = {"collaboration": name, "web": web, "random_seed": 0}
        figures |= {key: PAPER["single"][key][name] for key in KEYS}
        figures["geo_coverage"] = PAPER["geo_coverage"][name][6]
        figures["geo_focus_where_measured"] = PAPER["geo_focus"].get(name, [0.2])[-1]
        figures["unique_entities"] = PAPER["unique_entities"][name][-1]
        if name in PAPER["locality"]:
            figures["locality_linked"] = PAPER["locality"][name]["linked"]
            figures["locality_unlinked"] = PAPER["locality"][name]["unlinked"]
        runs.append(figures)
    return runs


def rows_of(runs: list[dict[str, Any]]) -> dict[Cell, tuple[Cell, ...]]:
    return {row[0]: row[1:] for row in checks_table(runs).rows}


def test_the_papers_own_numbers_pass_every_check():
    table = checks_table([*as_published(), *as_published("2")])

    assert len(table.rows) == 39
    assert {row[3:] for row in table.rows} == {("2/2", "yes")}
    assert table.note.startswith("39 of 39 hold for the means over webs, 39 with the whole")


def test_webs_on_which_a_check_holds_are_counted():
    other = as_published("2")
    other[0]["geo_coverage"] = 0.5  # hash

    rows = rows_of([*as_published(), *other])

    assert rows["3 coverage: classifier > hash"][2:] == ("1/2", "open")
    assert rows["3 coverage: url > content"][2:] == ("2/2", "yes")


def test_ratio_is_that_of_the_means():
    """On the second web hash finds next to nothing, which makes its own ratio 109."""
    other = as_published("2")
    other[0]["geo_coverage"] = 0.0001

    printed, ours, *_ = rows_of([*as_published(), *other])["3 coverage: classifier > hash"]

    assert printed == pytest.approx(1.27, abs=0.01)
    assert str(ours).startswith("2.51 (1.27–109")


def test_a_printed_zero_is_a_sentence():
    runs = as_published()
    runs[-1]["overlap"] = 0.1  # ip

    rows = rows_of(runs)

    assert rows["7 overlap: ip = 0"] == (0.0, "0.100", "0/1", "no")
    assert rows["7 overlap: url = 0"][2:] == ("1/1", "yes")


def test_orders_that_flip_with_the_profile_are_named():
    webs = ("gao2006-1", "gao2006-2", "gao2006:same_city=0.2-1", "gao2006:same_city=0.2-2")
    runs = [as_published(web) for web in (*webs, "gao2006:dead=0.1-1", "gao2006:dead=0.1-2")]
    for changed in runs[2:5]:  # the number of the last profile on one web only
        changed[1]["diversity"] = 0.06  # url, above the classifier

    table = sensitivity_table([run for of_web in runs for run in of_web])

    assert table.rows == (("8 diversity: classifier > url", "yes", 1, "same_city=0.2"),)
    assert table.note.startswith("38 of 39 orders flip with none of the 2 changes.")
    assert table.note.endswith("Unchanged, 39 hold; changed, 38 to 38.")


GAZETTEER = FakeGazetteer([USA, TEXAS, AUSTIN, PARIS])
TWO_CITIES = Partition(
    [Node("general"), Node("south", (AUSTIN,)), Node("abroad", (PARIS,))], GAZETTEER
)


def by(node: str, found: Visit) -> Visit:
    return replace(found, request=replace(found.request, node=node))


def test_figures_are_those_of_the_facts(tmp_path):
    with Store(tmp_path) as store:
        store.add(by("south", visit("http://a.example/")))
        store.add(by("abroad", visit("http://a.example/next", b"<p>Other")))
        store.add(by("south", visit("http://a.example/next", b"<p>Other")))
        empty = replace(visit("http://b.example/"), reading=None, relevant=False)
        store.add(by("general", empty))
        store.add(by("general", Visit(empty.request, respond("http://b.example/x", b"", 404))))
        store.count_all(Topic.EXCHANGED, {"south": 3, "general": 5})
        store.commit()

    with open_folder(tmp_path) as stored:
        figures = figures_of_crawl(stored, TWO_CITIES)

    assert figures["downloads"] == 4
    assert figures["geo_coverage"] == 0.75
    assert figures["geo_focus_by_node"] == {"general": 0, "south": 1, "abroad": 0}
    assert figures["overlap"] == 0.25
    assert figures["communication"] == 2
    assert figures["unique_entities"] == pytest.approx(1 / 3)
    assert figures["locality_linked"] == 0.5  # of two links, one is from a page about nothing


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
def test_figure(name, value):
    assert FIGURES[name] == value


def address(place: Place | None, street: str = "Elm St") -> Address:
    nothing = dict.fromkeys(("unit", "city", "region", "postcode"), "")
    more = {**nothing, "country": "US", "point": None, "place": place, "source": "text"}
    return Address(0, 0, "", "1", street, **more)


def test_address_in_an_owned_place_is_an_entity():
    assert entity_of(address(EAST), PARTITION) == GeoEntity("1 elmst 1 us", "1")


@pytest.mark.parametrize("other", [address(None), address(WEST, ""), address(EAST, "Alumni Hall")])
def test_other_address_is_none(other):
    assert entity_of(other, PARTITION) is None
