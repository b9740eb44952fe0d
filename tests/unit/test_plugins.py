"""Plug-ins written here are found and used; no module of geoscout knows of them."""

import pytest

from geoscout.cli.main import main
from geoscout.store.export import GROUP as EXPORTERS
from geoscout.strategy import GROUP as STRATEGIES
from geoscout.strategy import StrategyAim, create_strategy, strategy_names
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_places.errors import UsageError
from geoscout_places.geo.address import extract_addresses, known_formats
from geoscout_places.geo.address.formats import GROUP as ADDRESS_FORMATS
from geoscout_places.geo.address.formats import countries_read
from geoscout_places.plugins import load_plugin, load_plugins, plugin_names
from tests.conftest import PROJECT
from tests.stores import Store
from tests.unit.lab.small_worlds import HandMadeWorld
from tests.unit.places.geo.address.worlds import small_world
from tests.unit.store.visits import visit

BACKWARDS = """
from geoscout.strategy import Scored

class Backwards:
    def score(self, source, links):
        return [Scored(float(number)) for number in range(len(links))]

def create(aim):
    return Backwards()
"""
ATLANTIS = """
from geoscout_places.geo.address.base import AddressFormat, Finding, Street, StreetEvidence, Trigger

def read(sighting):
    start, end = sighting.start, sighting.end
    number = sighting.trigger.split()[0]
    street = Street(start, end, number, "Trident Way", "", StreetEvidence.TYPED)
    return Finding(start, end, street, None, postcode="A7")

def create():
    return AddressFormat(country="XA", triggers=(Trigger(r"[0-9]{1,3} Trident Way, A7", read),))
"""


@pytest.fixture
def plugins(plugins):
    yield plugins
    known_formats.cache_clear()


def test_strategy_with_score_alone_is_found_and_crawls(plugins):
    plugins.add(STRATEGIES, "backwards", BACKWARDS)
    world = HandMadeWorld({"s": ["a", "b", "c"]})

    strategy = create_strategy("backwards", StrategyAim())
    trace = simulate(world, strategy, SimulationPlan(10))

    assert "backwards" in strategy_names()
    assert [world.names[page] for page in trace.pages] == ["s", "c", "b", "a"]


def test_address_country_is_found_and_reads(plugins):
    plugins.add(ADDRESS_FORMATS, "atlantis", ATLANTIS)
    known_formats.cache_clear()

    found = extract_addresses("Come to 12 Trident Way, A7 today", small_world())

    assert [(a.house_number, a.street, a.country) for a in found] == [("12", "Trident Way", "XA")]
    assert "XA" in countries_read()


def test_exporter_is_found_and_writes(plugins, tmp_path, capsysbinary):
    page = (PROJECT / "docs" / "extend" / "plugins.md").read_text()
    (code,) = (code for code in page.split("```python\n") if "ExportFormat(" in code)
    plugins.add(EXPORTERS, "urls", code.split("```")[0])
    with Store(tmp_path / "crawl") as store:
        store.add(visit("http://a.example/"))
        store.commit()

    status = main(["export", str(tmp_path / "crawl"), "--format", "urls"])

    assert status == 0
    assert capsysbinary.readouterr().out == b"http://a.example/\n"


def test_plugins_of_a_group_come_in_the_order_of_their_names(plugins):
    for name in ("second", "first"):
        plugins.add("geoscout.test", name, f"def create(): return {name!r}")

    assert plugin_names("geoscout.test") == ("first", "second")
    assert [module.create() for module in load_plugins("geoscout.test").values()] == [
        "first",
        "second",
    ]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import there_is_no_such_module", "of geoscout.test cannot be loaded: No module"),
        ("", "must name a module with a function `create`"),
    ],
)
def test_plugin_that_cannot_be_loaded_is_named(plugins, code, said):
    plugins.add("geoscout.test", "broken", code)
    with pytest.raises(UsageError, match=rf"'broken'.*{said}"):
        load_plugin("geoscout.test", "broken", "thing")


def test_empty_group_says_that_the_installation_is_not_complete():
    with pytest.raises(UsageError, match=r"not installed completely: run `pip install -e \.`"):
        load_plugin("geoscout.test", "sqlite", "place for crawls")


def test_unknown_plugin_is_refused_with_the_known_ones(plugins):
    plugins.add("geoscout.test", "only", "")

    with pytest.raises(UsageError, match="no thing is called 'other'; there are: only"):
        load_plugin("geoscout.test", "other", "thing")
