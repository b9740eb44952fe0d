"""Searching a crawl: the published examples, and every way to name a place."""

import json
import shutil

import pytest

from geoscout.cli.commands.status import related_lines
from geoscout.cli.main import main
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


@pytest.fixture(autouse=True)
def at_home(monkeypatch, settings):
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)


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


def test_command_prints_reading_hits_and_facets(crawl, capsys):
    status = main(["search", str(crawl), "pizza in Lisbon", "--json", "--explain"])

    answer = json.loads(capsys.readouterr().out)
    assert status == 0
    assert answer["reading"]["place"]["path"][-1] == "Lisbon"
    assert answer["hits"][0]["explanation"]["reason"]
    assert answer["facets"]["country"][0]["name"] == "Portugal"


def test_command_prints_a_list(crawl, capsys):
    main(["search", str(crawl), "pizza", "--near", "38.71,-9.14,20"])

    shown = capsys.readouterr().out
    assert "pizza near 38.7100, -9.1400" in shown
    assert "http://forno.example/" in shown
    assert "lisbon-nh" not in shown


def test_hits_are_exported_with_their_points(crawl, tmp_path, capsys):
    file = tmp_path / "hits.geojson"

    main(["search", str(crawl), "pizza", "--json", "--limit", "1000"])
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert main(["search", str(crawl), "pizza", "--format", "geojson", "--out", str(file)]) == 0
    assert main(["search", str(crawl), "pizza", "--format", "jsonl", "--set", "offset=1"]) == 0

    features = json.loads(file.read_text())["features"]
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    placed = [hit["url"] for hit in hits if hit["points"] or hit["places"]]
    assert [one["properties"]["url"] for one in features] == placed
    assert [(row["rank"], row["url"]) for row in rows] == [
        (rank, hit["url"]) for rank, hit in enumerate(hits[1:], 2)
    ]
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
def test_hits_that_cannot_be_exported_are_told(flags, message, crawl, capsys):
    status = main(["search", str(crawl), "pizza", *flags])

    assert (status, message in capsys.readouterr().err) == (2, True)


def test_deleted_index_is_made_again(crawl, gazetteer, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(crawl, copy, ignore=shutil.ignore_patterns("index"))

    followed = follow_crawl(copy, gazetteer)

    assert followed.added == len(PAGES)
    assert len(hosts(open_engine(copy, gazetteer), "pizza in Lisbon")) == 2


def test_command_makes_a_damaged_index_again(crawl, tmp_path, capsys):
    copy = tmp_path / "crawl"
    shutil.copytree(crawl, copy)
    main(["search", str(copy), "pizza", "--json"])
    whole = json.loads(capsys.readouterr().out)
    heads = copy / "index" / "columns" / "heads.bin"
    heads.write_bytes(bytes(heads.stat().st_size))

    status = main(["search", str(copy), "pizza", "--json"])
    printed = capsys.readouterr()

    assert status == 0
    assert json.loads(printed.out)["hits"] == whole["hits"]
    assert "is damaged" in printed.err


def test_places_are_browsed_and_a_page_has_others_near_it(engine, crawl, capsys):
    assert main(["browse", str(crawl)]) == 0
    assert "Europe (continent)" in capsys.readouterr().out
    assert main(["browse", str(crawl), "Portugal"]) == 0
    assert capsys.readouterr().out.startswith("Europe › Portugal  2 pages")
    assert main(["browse", str(crawl), "Portugal", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["place"]["name"] == "Portugal"

    lines = list(related_lines(str(crawl), "http://pizzaria.example/", load_settings()))
    assert "near it" in lines[0]
    assert "http://forno.example/" in lines[1]
    assert list(related_lines(str(crawl), "http://nowhere.example/", load_settings())) == []
