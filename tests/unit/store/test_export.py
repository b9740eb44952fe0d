from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import replace

import pytest

from geoscout.errors import UsageError
from geoscout.model import Kind, Mention, MentionKind, Place, Reading
from geoscout.store.export import ROWS, export
from geoscout.store.exporters import csv as csv_format
from geoscout.store.exporters.geojson import WITH_COORDINATES
from geoscout.warc import scan
from tests.stores import Store
from tests.unit.store.visits import AUSTIN, TEXAS, USA, visit

A, B = "http://a.example/", "http://b.example/"


@pytest.fixture
def store(tmp_path):
    """A crawl of one page and one URL that was not found."""
    with Store(tmp_path / "crawl") as opened:
        opened.add(visit(A))
        opened.add(visit(B, b"none", status=404))
        opened.commit()
        yield opened


def exported(store: Store, what: str, format: str) -> bytes:
    stream = io.BytesIO()
    export(store, what, format, stream)
    return stream.getvalue()


def lines(store: Store, what: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in exported(store, what, "jsonl").splitlines()]


def test_visits_are_every_answer_in_the_order_of_fetching(store):
    first, second = lines(store, "visits")

    assert first == {
        "n": 1,
        "url": A,
        "node": "",
        "status": 200,
        "relevant": True,
        "relevance": 0.75,
        "priority": 0.5,
        "depth": 2,
        "bridge": 1,
        "from": A,
        "fetched_at": "2001-09-09T01:46:40.000000Z",
    }
    assert (second["n"], second["url"], second["status"]) == (2, B, 404)


def test_pages_come_with_their_places(store):
    (page,) = lines(store, "pages")

    assert (page["url"], page["title"], page["lat"], page["lon"]) == (A, "A title", 30.27, -97.74)
    assert page["places"][0] == {
        "name": "Austin",
        "path": ["United States", "Texas", "Austin"],
        "country": "US",
        "lat": 30.27,
        "lon": -97.74,
        "precision": "town",
        "id": 3,
        "geonameid": 3,
        "kind": "city",
        "mentions": 2,
        "site_mentions": 0,
        "score": 0.8,
    }
    assert page["places"][1]["name"] == "Paris"


def test_addresses_come_with_their_page(store):
    (address,) = lines(store, "addresses")

    assert address == {
        "n": 1,
        "url": A,
        "relevant": True,
        "text": "12 Main St, Austin, TX 78701",
        "house_number": "12",
        "street": "Main St",
        "unit": "",
        "city": "Austin",
        "region": "TX",
        "postcode": "78701",
        "country": "US",
        "lat": 30.268,
        "lon": -97.742,
        "precision": "postcode",
        "geonameid": 3,
        "source": "text",
        "of_site": False,
    }


def test_links_come_with_what_they_say(store):
    (link,) = lines(store, "links")

    assert link == {
        "n": 1,
        "from": A,
        "url": "http://a.example/next",
        "anchor": "Next",
        "title": "The next page",
        "alt": "an arrow",
        "rel": "nofollow",
        "part": "main",
    }


@pytest.mark.parametrize("what", ROWS)
def test_csv_has_the_same_columns_and_rows(store, what):
    rows = list(csv.DictReader(io.StringIO(exported(store, what, "csv").decode())))

    expected = lines(store, what)
    assert len(rows) == len(expected)
    assert list(rows[0]) == list(expected[0])
    assert rows[0]["n"] == "1"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\uff1d"])
def test_csv_has_no_cell_that_a_spreadsheet_runs(start):
    rows = [{"title": f"{start}HYPERLINK(1)", "lat": -9.1, "anchor": "a=b"}]

    class Source:
        def rows(self):
            return iter(rows)

    stream = io.BytesIO()
    csv_format.write(Source(), stream)
    (row,) = csv.DictReader(io.StringIO(stream.getvalue().decode(), newline=""))

    assert row == {"title": f"'{start}HYPERLINK(1)", "lat": "-9.1", "anchor": "a=b"}


def test_csv_writes_lists_as_json_and_truth_in_words(store):
    (row,) = csv.DictReader(io.StringIO(exported(store, "pages", "csv").decode()))

    assert json.loads(row["places"]) == lines(store, "pages")[0]["places"]
    assert row["relevant"] == "true"


@pytest.mark.parametrize(("what", "expected"), [("pages", -97.74), ("addresses", -97.742)])
def test_geojson_has_a_point_for_everything_that_has_a_place(store, what, expected):
    collection = json.loads(exported(store, what, "geojson"))

    (feature,) = collection["features"]
    assert collection["type"] == "FeatureCollection"
    assert feature["geometry"]["coordinates"][0] == expected
    assert feature["properties"]["url"] == A
    assert "lat" not in feature["properties"]


def test_geojson_of_nothing_is_still_geojson(tmp_path):
    with Store(tmp_path) as empty:
        assert json.loads(exported(empty, "pages", "geojson"))["features"] == []


def test_the_archive_is_exported_up_to_the_last_commit(store, tmp_path):
    store.add(visit("http://c.example/", b"not committed"))
    file = tmp_path / "export.warc.gz"

    file.write_bytes(exported(store, "pages", "warc"))

    assert [found.record.target for found in scan(file)] == ["", A, A, B, B]


@pytest.mark.parametrize("what", ROWS)
def test_parquet_has_the_same_rows(store, what):
    parquet = pytest.importorskip("pyarrow.parquet")

    table = parquet.read_table(io.BytesIO(exported(store, what, "parquet")))

    assert table.to_pylist() == lines(store, what)


def test_parquet_without_its_package_says_what_to_do(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(UsageError, match="install it, or use jsonl or csv"):
        exported(store, "pages", "parquet")


@pytest.mark.parametrize(
    ("what", "format", "message"),
    [
        ("pictures", "jsonl", "there are pages, addresses, links, visits"),
        ("pages", "xml", "there are: csv, geojson, jsonl, parquet, warc"),
        ("links", "geojson", " and ".join(WITH_COORDINATES)),
        ("links", "warc", "use jsonl or csv"),
    ],
)
def test_what_cannot_be_exported_is_refused_with_what_can(store, what, format, message):
    with pytest.raises(UsageError, match=message):
        exported(store, what, format)


def test_place_that_geonames_does_not_have_has_an_id_all_the_same(tmp_path):
    palace = Place(-(2**52) - 7, "Palace", Kind.LANDMARK, AUSTIN.point, "US", parent=AUSTIN.id)
    name = Mention(0, 6, "Palace", MentionKind.LOCAL, palace, confidence=0.5)
    found = Reading((), (name,), (), (), around=(USA, TEXAS, AUSTIN))
    with Store(tmp_path / "crawl") as store:
        store.add(replace(visit(A), reading=found))
        store.commit()
        (place,) = lines(store, "pages")[0]["places"]

    assert (place["id"], place["geonameid"]) == (palace.id, None)
    assert place["path"] == ["United States", "Texas", "Austin", "Palace"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a;=1", "a;'=1"),
        ('a; "@SUM(1)', "a; \"'@SUM(1)"),
        ("a\n+1", "a\n'+1"),
        ("a\t-1", "a\t'-1"),
        (" =1", " '=1"),
        ("a; b=c, 2-3 ; d", "a; b=c, 2-3 ; d"),
    ],
)
def test_a_text_has_no_formula_where_semicolons_divide_cells(text, written):
    class Source:
        def rows(self):
            return iter([{"title": text}])

    stream = io.BytesIO()
    csv_format.write(Source(), stream)
    (row,) = csv.DictReader(io.StringIO(stream.getvalue().decode(), newline=""))

    assert row == {"title": written}
