"""Searching a crawl: the published examples, and every way to name a place."""

import json
import shutil

import pytest

from geoscout.cli.commands.status import related_lines
from geoscout.search import Question, open_engine
from geoscout.search.engine import SearchEngine
from geoscout.search.updating import follow_crawl
from geoscout.settings import load_settings
from geoscout_places.geo import Geoparser
from geoscout_places.model import Point
from tests.unit.search.worlds import PAGES, make_crawl

NEW_HAMPSHIRE = Point(43.7, -72.0)
RING = [[-10, 38], [-8, 38], [-8, 40], [-10, 40], [-10, 38]]
POLYGON = json.dumps({"type": "Polygon", "coordinates": [RING]})


@pytest.fixture(scope="module")
def crawl(tmp_path_factory, gazetteer):
    folder = tmp_path_factory.mktemp("crawl")
    make_crawl(folder, PAGES.items(), Geoparser(gazetteer))
    return folder


pytestmark = pytest.mark.usefixtures("at_home")


@pytest.fixture(scope="module")
def engine(crawl, gazetteer):
    follow_crawl(crawl, gazetteer)
    return open_engine(crawl, gazetteer)


def hosts(engine: SearchEngine, text: str, **more: object) -> list[str]:
    """The hosts of the hits, without `.example`."""
    answer = engine.answer(Question(text, **more))
    return [hit.url.split("/")[2].removesuffix(".example") for hit in answer.hits]


def test_lisbon_is_in_portugal(engine):
    answer = engine.answer(Question("pizza restaurant in Lisbon"))

    assert answer.interpretation.label == "Lisbon, Portugal"
    assert {hit.url for hit in answer.hits} == {"http://pizzaria.example/", "http://forno.example/"}
    assert answer.interpretation.alternatives[0].label == "Lisbon, New Hampshire, United States"


@pytest.mark.parametrize(
    "text",
    ["pizza restaurant in Lisbon, New Hampshire", "pizza Lisbon NH", "Lisbon, NH: pizza"],
)
def test_query_says_which_lisbon(engine, text):
    assert hosts(engine, text) == ["lisbon-nh"]


def test_place_of_the_user_says_which_lisbon(engine):
    assert hosts(engine, "pizza in Lisbon", near=NEW_HAMPSHIRE) == ["lisbon-nh"]


def test_caller_says_which_lisbon(engine):
    others = engine.read(Question("pizza in Lisbon")).alternatives
    id = next(o.place.id for o in others if o.place and "New Hampshire" in o.label)

    assert hosts(engine, "pizza in Lisbon", place_id=id) == ["lisbon-nh"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Athens city public schools", "acropolis"),
        ("public schools in Athens", "acropolis"),
        ("Athens, Alabama public schools", "acs"),
        ("public schools Athens Alabama", "acs"),
    ],
)
def test_athens_is_in_greece_unless_alabama_is_named(engine, text, first):
    assert hosts(engine, text) == [first]


@pytest.mark.parametrize(
    "text",
    [
        "pizza near Lisbon",
        "pizza around Lisbon",
        "Pizza in der Nähe von Lissabon",
        "pizza près de Lisbonne",
        "pizza cerca de Lisboa",
        "pizza vicino a Lisbona",
        "pizza perto de Lisboa",
        "pizza near 38.71,-9.14",
        "pizza in Lisbn",
        "pizza lisbn",
        "lisbon pizza",
    ],
)
def test_place_is_read_in_many_ways(engine, text):
    assert sorted(hosts(engine, text)) == ["forno", "pizzaria"]


def test_question_without_a_place_is_asked_of_all_pages(engine):
    answer = engine.answer(Question("pizza"))

    assert answer.interpretation.relation == ""
    assert answer.total == 5


def test_nothing_in_the_place_shows_what_is_near(engine):
    answer = engine.answer(Question("pizza in Amadora"))

    assert {hit.url for hit in answer.hits} == {"http://pizzaria.example/", "http://forno.example/"}
    assert "near it" in answer.interpretation.notes[0]


@pytest.mark.parametrize("within", ["Portugal", "-10,38,-8,40", "38.7,-9.1,50", POLYGON])
def test_hits_lie_within(engine, within):
    assert sorted(hosts(engine, "pizza", within=within)) == ["forno", "pizzaria"]


def test_facets_count_pages_by_level(engine):
    facets = engine.answer(Question("pizza")).facets

    countries = {f.place.name: f.pages for f in facets if f.place.kind == "country"}
    assert countries == {"Portugal": 2, "United States": 1, "Spain": 1}


def test_cosine_finds_the_same_pages(engine):
    question = Question("pizza restaurant", model="cosine", explain=True)

    hits = engine.answer(question).hits

    assert {hit.url for hit in hits} == {hit.url for hit in engine.answer(Question("pizza")).hits}
    assert all(hit.explanation and 0 < hit.explanation.text_score <= 1 for hit in hits)


def test_next_page_goes_on(engine):
    whole = hosts(engine, "pizza")

    assert hosts(engine, "pizza", limit=2) == whole[:2]
    assert hosts(engine, "pizza", limit=2, offset=2) == whole[2:4]
    assert engine.answer(Question("pizza", limit=2)).has_more


def test_command_prints_reading_hits_and_facets(crawl, typed):
    answer = typed("search", crawl, "pizza in Lisbon", "--json", "--explain").facts

    assert answer["reading"]["place"]["path"][-1] == "Lisbon"
    assert answer["hits"][0]["explanation"]["reason"]
    assert answer["facets"]["country"][0]["name"] == "Portugal"


def test_command_prints_a_list(crawl, typed):
    shown = typed("search", crawl, "pizza", "--near", "38.71,-9.14,20").out

    assert "pizza near 38.7100, -9.1400" in shown
    assert "http://forno.example/" in shown
    assert "lisbon-nh" not in shown


def test_hits_are_exported_with_their_points(crawl, tmp_path, typed):
    file = tmp_path / "hits.geojson"
    hits = typed("search", crawl, "pizza", "--json", "--limit", "1000").facts["hits"]
    assert typed("search", crawl, "pizza", "--format", "geojson", "--out", file).status == 0

    rows = typed("search", crawl, "pizza", "--format", "jsonl", "--set", "offset=1").rows

    features = json.loads(file.read_text())["features"]
    placed = [hit["url"] for hit in hits if hit["points"] or hit["places"]]
    assert [one["properties"]["url"] for one in features] == placed
    expected = [(rank, hit["url"]) for rank, hit in enumerate(hits[1:], 2)]
    assert [(row["rank"], row["url"]) for row in rows] == expected
    first, hit = features[0], hits[0]
    assert first["geometry"]["coordinates"] == [hit["points"][0]["lon"], hit["points"][0]["lat"]]
    assert first["properties"]["precision"] == hit["points"][0]["precision"]
    assert first["properties"]["path"] == hit["places"][0]["path"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--format", "warc"], "an archive has pages, not hits"),
        (["--format", "xml"], "no format is called 'xml'"),
        (["--out", "x"], "--out needs --format"),
        (["--format", "csv", "--json"], "not allowed with"),
        (["--format", "csv", "--limit", "10001"], "--limit is from 1 to 10000"),
    ],
)
def test_hits_that_cannot_be_exported_are_told(flags, message, crawl, typed):
    done = typed("search", crawl, "pizza", *flags)

    assert (done.status, message in done.err) == (2, True)


def test_deleted_or_damaged_index_is_made_again(crawl, gazetteer, tmp_path, typed):
    copy = tmp_path / "crawl"
    shutil.copytree(crawl, copy, ignore=shutil.ignore_patterns("index"))
    assert follow_crawl(copy, gazetteer).added == len(PAGES)
    whole = typed("search", copy, "pizza", "--json").facts
    heads = copy / "index" / "columns" / "heads.bin"
    heads.write_bytes(bytes(heads.stat().st_size))

    again = typed("search", copy, "pizza", "--json")

    assert again.facts["hits"] == whole["hits"]
    assert len(whole["hits"]) == 5
    assert "is damaged" in again.err


def test_places_are_browsed_and_a_page_has_others_near_it(engine, crawl, typed):
    assert "Europe (continent)" in typed("browse", crawl).out
    assert typed("browse", crawl, "Portugal").out.startswith("Europe › Portugal  2 pages")
    assert typed("browse", crawl, "Portugal", "--json").facts["place"]["name"] == "Portugal"
    lines = list(related_lines(str(crawl), "http://pizzaria.example/", load_settings()))
    assert "near it" in lines[0]
