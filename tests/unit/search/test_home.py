"""The region of the crawl speaks for the places in it."""

import pytest

from geoscout.search.base import Question
from geoscout.search.engine import SearchEngine
from geoscout.search.home import HomeRegion
from geoscout_places.gazetteer import Region, SqliteGazetteer
from tests.unit.search.worlds import MakeEngine


def label(engine: SearchEngine, gazetteer: SqliteGazetteer, region: str, text: str) -> str:
    """How a question is understood in a crawl for a region; "" for no region."""
    home = Region.parse([region], gazetteer) if region else None
    return SearchEngine(engine.reader, gazetteer, home=home).read(Question(text)).label


@pytest.fixture(scope="module")
def empty(make_engine: MakeEngine) -> SearchEngine:
    return make_engine({})


@pytest.mark.parametrize(
    ("region", "text", "found"),
    [
        ("", "wineries Pasadena", "Pasadena, Texas, United States"),
        ("California", "wineries Pasadena", "Pasadena, California, United States"),
        ("California", "hotels in Dublin", "Dublin, California, United States"),
        ("California", "hotels in London", "London, England, United Kingdom"),
        ("Munich", "jazz München heute", "Munich, Bavaria, Germany"),
        ("Munich", "Stadtteil Au-Haidhausen", "Haidhausen, Bavaria, Germany"),
        ("Munich", "Kita Neuhausen", "Neuhausen-Nymphenburg, Bavaria, Germany"),
        (
            "California",
            "State Street Santa Barbara",
            "State Street, Santa Barbara, California, United States",
        ),
        ("California", "high street fashion Berkeley", "Berkeley, California, United States"),
        ("California", "Melrose Avenue vintage shops", ""),
        ("Berlin, Germany", "Bar in Kreuzberg", "Kreuzberg, State of Berlin, Germany"),
    ],
)
def test_namesake_in_the_region_is_meant(
    empty: SearchEngine, gazetteer: SqliteGazetteer, region: str, text: str, found: str
) -> None:
    assert label(empty, gazetteer, region, text) == found


def test_namesake_elsewhere_is_offered(empty: SearchEngine, gazetteer: SqliteGazetteer) -> None:
    home = Region.parse(["California"], gazetteer)

    read = SearchEngine(empty.reader, gazetteer, home=home).read(Question("wineries Pasadena"))

    assert "Pasadena, Texas, United States" in [other.label for other in read.alternatives]


def test_what_bears_the_name_of_the_city_is_known_without_it(gazetteer: SqliteGazetteer) -> None:
    home = HomeRegion(Region.parse(["Munich"], gazetteer))

    assert [found.place.name for found in home.parts("Hauptbahnhof")] == ["München Hauptbahnhof"]
