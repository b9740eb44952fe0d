"""The directory by REST."""

import csv
import io

import httpx
import pytest

from geoscout.web.site import open_site
from geoscout_places.geo import Geoparser
from tests.unit.web.conftest import serving
from tests.unit.web.world import make_crawl

PIZZA = "http://lisbon-nh.example/"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, 2),
        ({"text": "main pizza"}, 1),
        ({"text": "sushi"}, 0),
        ({"category": "fast_food"}, 1),
        ({"within": "New Hampshire"}, 1),
        ({"within": "Portugal"}, 1),
        ({"bbox": "-10,38,-8,39"}, 1),
        ({"since": "2001-09-09"}, 2),
        ({"since": "2002-01-01"}, 0),
        ({"page": PIZZA}, 1),
        ({"page": "http://madrid.example/"}, 0),
        ({"sort": "newest"}, 2),
    ],
)
def test_entries_are_filtered(client, asked, found):
    answer = client.get("/api/directory", params=asked).json()

    assert answer["total"] == len(answer["entries"]) == found
    assert answer["directory"] == {"entries": 2, "pages": 7, "naming_pages": 2}


def test_pages_of_the_list_follow_each_other(client):
    ids = []
    for offset in (0, 1):
        answer = client.get("/api/directory", params={"limit": 1, "offset": offset}).json()
        ids += [entry["id"] for entry in answer["entries"]]
        assert answer["has_more"] == (offset == 0)

    assert len(set(ids)) == 2


def test_entry_says_which_page_said_what(client):
    (listed,) = client.get("/api/directory", params={"text": "main street"}).json()["entries"]

    entry = client.get(f"/api/directory/{listed['id']}").json()

    assert entry["name"] == "Main Street Pizza"
    assert [(said["url"], said["n"]) for said in entry["said"]] == [(PIZZA, 4)]
    assert entry["said"][0]["fetched_at"] == "2001-09-09T01:46:43.000000Z"
    assert (entry["history"], entry["gone"], entry["contradictions"]) == ([], False, {})


def test_unknown_entry_is_not_found(client):
    assert client.get("/api/directory/ffff").status_code == 404


def test_formats_of_other_programs(client):
    written = client.get("/api/directory", params={"format": "csv"})
    rows = list(csv.DictReader(io.StringIO(written.text)))
    features = client.get("/api/directory", params={"format": "geojson", "limit": 1}).json()

    assert written.headers["content-type"].startswith("text/csv")
    assert len(rows) == 2
    assert len(features["features"]) == 1


@pytest.mark.parametrize(
    "asked", [{"category": "spaceport"}, {"since": "soon"}, {"limit": 201}, {"bbox": "1,2"}]
)
def test_what_cannot_be_asked_is_refused(client, asked):
    assert client.get("/api/directory", params=asked).status_code == 400


def test_crawl_without_a_directory_says_so(tmp_path, gazetteer, settings):
    make_crawl(tmp_path / "new", Geoparser(gazetteer))
    with serving(open_site([tmp_path], gazetteer, settings)) as address:
        answer = httpx.get(f"{address}/api/directory").json()
        categories = httpx.get(f"{address}/api/directory/categories").json()

    assert (answer["directory"], answer["total"], answer["entries"]) == (None, 0, [])
    assert categories == {}


def test_cells_count_what_fits(client):
    world = client.get("/api/directory/cells").json()
    pizza = client.get("/api/directory/cells", params={"text": "pizza"}).json()
    sea = client.get("/api/directory/cells", params={"view": "-40,-10,-30,10"}).json()

    assert sum(cell["entries"] for cell in world) == 2
    assert [cell["entries"] for cell in pizza] == [1]
    assert sea == []
