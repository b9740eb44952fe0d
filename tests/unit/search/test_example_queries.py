"""The example queries of the papers, on a small web of places that share their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.search import open_engine, update_index
from geoscout.search.base import Question
from geoscout.search.engine import SearchEngine
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo import Geoparser
from tests.unit.search.worlds import make_crawl, page

_PIZZA, _PLUMBER = "A pizza restaurant in {}, open every day.", "Good plumbers in {} since 1980."
_SCHOOL, _HOTEL = "Public schools of the city of {}.", "A romantic hotel in {} for two."
# Name of the host, text with the place, address of the page.
WEB = [
    ("lisbon-pt", _PIZZA, "Lisbon, Portugal", "Rua Augusta 1, 1100-053 Lisboa, Portugal"),
    ("lisbon-nh", _PIZZA, "Lisbon, New Hampshire", "1 Main Street, Lisbon, NH 03585"),
    ("lisbon-oh", _PIZZA, "Lisbon, Ohio", "1 Market Street, Lisbon, OH 44432"),
    ("lisbon-me", _PIZZA, "Lisbon, Maine", "1 Main Street, Lisbon, ME 04250"),
    ("athens-gr", _SCHOOL, "Athens, Greece", "Ermou 1, 105 63 Athens, Greece"),
    ("athens-ga", _SCHOOL, "Athens, Georgia", "1 Broad Street, Athens, GA 30601"),
    ("athens-al", _SCHOOL, "Athens, Alabama", "1 Market Street, Athens, AL 35611"),
    ("vegas-nv", _HOTEL, "Las Vegas, Nevada", "1 Fremont Street, Las Vegas, NV 89101"),
    ("vegas-nm", _HOTEL, "Las Vegas, New Mexico", "1 Plaza Street, Las Vegas, NM 87701"),
    ("paris-fr", _HOTEL, "Paris, France", "1 rue de Rivoli, 75001 Paris, France"),
    ("milam-mobile", _PLUMBER, "Mobile, Alabama", "100 Milam Street, Mobile, AL 36602"),
    ("milam-houston", _PLUMBER, "Houston, Texas", "120 Milam Street, Houston, TX 77002"),
    ("main-houston", _PLUMBER, "Houston, Texas", "900 Main Street, Houston, TX 77002"),
    ("elm-dallas", _PLUMBER, "Dallas, Texas", "100 Elm Street, Dallas, TX 75202"),
]
IN_HOUSTON = ("http://100.example/", "Houston, Texas", "100 Milam Street, Houston, TX 77002")


def _pages(*more: tuple[str, str, str]) -> list[tuple[str, str]]:
    pages = [(f"http://{name}.example/", text.format(of), at) for name, text, of, at in WEB]
    pages += [(url, _PLUMBER.format(of), at) for url, of, at in more]
    return [(url, page(text, text, at)) for url, text, at in pages]


def _engine(folder: Path, gazetteer: SqliteGazetteer, *more: tuple[str, str, str]) -> SearchEngine:
    make_crawl(folder, _pages(*more), Geoparser(gazetteer))
    update_index(folder, gazetteer)
    return open_engine(folder, gazetteer)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory, gazetteer: SqliteGazetteer) -> SearchEngine:
    return _engine(tmp_path_factory.mktemp("web"), gazetteer)


def hosts(engine: SearchEngine, text: str) -> list[str]:
    return [
        hit.url.split("/")[2].removesuffix(".example") for hit in engine.answer(Question(text)).hits
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pizza restaurant in Lisbon", ["lisbon-pt"]),
        ("pizza restaurant in Lisbon, Ohio", ["lisbon-oh"]),
        ("Athens city public schools", ["athens-gr"]),
        ("romantic hotels in Las Vegas, NV", ["vegas-nv"]),
    ],
)
def test_the_place_that_is_meant_comes_first(
    web: SearchEngine, text: str, found: list[str]
) -> None:
    assert hosts(web, text)[:1] == found


@pytest.mark.parametrize(
    "text",
    [
        "good plumbers near 100 milam street, Houston, TX",
        "plumbers near 120 Milam Street, Houston, TX",
        "plumbers near Milam Street, Houston, TX",
    ],
)
def test_a_street_of_another_town_is_not_that_of_this_one(web: SearchEngine, text: str) -> None:
    found = hosts(web, text)

    assert found[0] == "milam-houston"
    assert "milam-mobile" not in found


def test_the_house_itself_comes_before_its_street(
    tmp_path: Path, gazetteer: SqliteGazetteer
) -> None:
    engine = _engine(tmp_path, gazetteer, IN_HOUSTON)

    found = hosts(engine, "good plumbers near 100 milam street, Houston, TX")

    assert found[0] == "100"
    assert "milam-mobile" not in found
