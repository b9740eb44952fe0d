import csv
import io
import json
import sys
from datetime import UTC, datetime

import pytest
import shapely
from msgspec import structs
from msgspec.structs import replace

from geoscout.store.export import DISTINCT, KINDS, ExportSource, read_since
from geoscout.store.export_tables import write_csv
from geoscout.store.records import date_text
from geoscout.warc import scan
from geoscout_places.errors import UsageError
from geoscout_places.model import (
    Address,
    Kind,
    Mention,
    MentionKind,
    Place,
    Point,
    Precision,
    Reading,
)
from tests.exports import exported
from tests.stores import Store
from tests.unit.store.visits import ADDRESS, AUSTIN, READING, TEXAS, USA, visit

A, B = "http://a.example/", "http://b.example/"


@pytest.fixture
def store(tmp_path):
    """A crawl of one page and one URL that was not found."""
    with Store(tmp_path / "crawl") as opened:
        opened.add(visit(A))
        opened.add(visit(B, b"none", status=404))
        opened.commit()
        yield opened


def lines(store: Store, what: str, **selection: object) -> list[dict[str, object]]:
    data = exported(store, what, "jsonl", **selection)
    return [json.loads(line) for line in data.splitlines()]


def cells(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def as_csv(*rows: dict[str, object]) -> list[dict[str, str]]:
    stream = io.BytesIO()
    write_csv(ExportSource("rows", dict.fromkeys(rows[0], "string"), lambda: iter(rows)), stream)
    return cells(stream.getvalue())


def test_visits_are_every_answer_in_the_order_of_fetching(store):
    first, second = lines(store, "visits")

    assert first == {
        "n": 1, "url": A, "node": "", "status": 200, "relevant": True, "relevance": 0.75,
        "priority": 0.5, "depth": 2, "bridge": 1, "from": A,
        "fetched_at": "2001-09-09T01:46:40.000000Z", "visited_at": "2001-09-09T01:46:40.000000Z",
    }  # fmt: skip
    assert (second["n"], second["url"], second["status"]) == (2, B, 404)


def test_pages_come_with_their_places(store):
    (page,) = lines(store, "pages")

    assert (page["url"], page["title"], page["lat"], page["lon"]) == (A, "A title", 30.27, -97.74)
    assert page["places"][0] == {
        "name": "Austin", "path": ["United States", "Texas", "Austin"], "country": "US",
        "lat": 30.27, "lon": -97.74, "precision": "town", "id": 3, "geonameid": 3, "kind": "city",
        "mentions": 2, "site_mentions": 0, "score": 0.8,
    }  # fmt: skip
    assert page["places"][1]["name"] == "Paris"


def test_addresses_come_with_their_page(store):
    (address,) = lines(store, "addresses")

    assert address == {
        "n": 1, "url": A, "relevant": True, "text": "12 Main St, Austin, TX 78701",
        "house_number": "12", "street": "Main St", "unit": "", "city": "Austin", "region": "TX",
        "postcode": "78701", "country": "US", "lat": 30.268, "lon": -97.742,
        "precision": "postcode", "geonameid": 3, "source": "text", "of_site": False,
    }  # fmt: skip


def test_links_come_with_what_they_say(store):
    (link,) = lines(store, "links")

    assert link == {
        "n": 1, "from": A, "url": "http://a.example/next", "anchor": "Next",
        "title": "The next page", "alt": "an arrow", "rel": "nofollow", "part": "main",
    }  # fmt: skip


def test_places_are_one_row_each_with_the_pages_that_have_them(store):
    austin, paris = lines(store, "places")

    assert austin == {
        "id": 3, "geonameid": 3, "name": "Austin", "kind": "city",
        "path": ["United States", "Texas", "Austin"], "country": "US", "lat": 30.27, "lon": -97.74,
        "precision": "town", "population": 900_000, "pages_mentioning": 1, "pages_about": 1,
        "pages_mainly_about": 1, "mentions": 2,
    }  # fmt: skip
    assert (paris["name"], paris["pages_about"], paris["pages_mentioning"]) == ("Paris", 0, 1)


def test_what_was_replayed_has_both_times(tmp_path):
    found = visit(A)
    old = structs.replace(found.response, captured_at=8e8)
    with Store(tmp_path / "crawl") as store:
        store.add(replace(found, response=old))
        store.commit()
        (page,), (row,) = lines(store, "pages"), lines(store, "visits")

    for one in (page, row):
        assert one["fetched_at"] == "1995-05-09T06:13:20.000000Z"
        assert one["visited_at"] == "2001-09-09T01:46:40.000000Z"


def test_equal_addresses_are_one_row_with_their_pages_and_sites(tmp_path):
    written = structs.replace(ADDRESS, text="12 Main Street, Austin", street="Main Street")
    exact = structs.replace(written, precision=Precision.HOUSE, point=Point(30.1, -97.1))
    other = structs.replace(ADDRESS, house_number="14")
    readings = [
        replace_addresses(ADDRESS, ADDRESS),
        replace_addresses(written, other),
        replace_addresses(exact),
    ]
    with Store(tmp_path / "crawl") as store:
        for url, reading in zip((A, f"{A}2", B), readings, strict=True):
            store.add(replace(visit(url), reading=reading))
        store.commit()
        first, second = lines(store, "addresses", distinct=True)
        every = lines(store, "addresses")

    assert (first["pages"], first["sites"], first["precision"]) == (3, 2, "house")
    assert (first["text"], first["lat"], first["url"]) == ("12 Main Street, Austin", 30.1, B)
    assert (second["house_number"], second["pages"], second["sites"]) == ("14", 1, 1)
    assert len(every) == 5


def replace_addresses(*addresses: Address) -> Reading:
    return structs.replace(READING, addresses=addresses)


@pytest.mark.parametrize("what", KINDS)
@pytest.mark.parametrize("format", ["csv", "jsonl", "geojson", "parquet"])
def test_nothing_new_is_a_whole_file_without_rows(store, what, format):
    if format == "geojson" and "lat" not in KINDS[what].columns:
        pytest.skip("it has no points")

    data = exported(store, what, format, since=4e9)

    if format == "csv":
        assert len(data.splitlines()) == 1
    if format == "geojson":
        assert json.loads(data)["features"] == []
    if format == "parquet":
        table = pytest.importorskip("pyarrow.parquet").read_table(io.BytesIO(data))
        assert (table.num_rows, set(table.column_names) >= set(KINDS[what].columns)) == (0, True)


@pytest.mark.parametrize("what", KINDS)
def test_columns_are_those_of_the_rows(store, what):
    (row, *_) = lines(store, what)

    assert tuple(row) == tuple(KINDS[what].columns)
    if what in DISTINCT:
        (row, *_) = lines(store, what, distinct=True)
        assert tuple(row) == tuple(DISTINCT[what].columns)


@pytest.mark.parametrize("what", [what for what in KINDS if what != "pages"])
def test_csv_has_the_same_columns_and_rows(store, what):
    rows = cells(exported(store, what, "csv"))

    expected = lines(store, what)
    assert len(rows) == len(expected)
    assert list(rows[0]) == list(expected[0])
    assert next(iter(rows[0].values())) == str(next(iter(expected[0].values())))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\uff1d"])
def test_csv_has_no_cell_that_a_spreadsheet_runs(start):
    (row,) = as_csv({"title": f"{start}HYPERLINK(1)", "lat": -9.1, "anchor": "a=b"})

    assert row == {"title": f"'{start}HYPERLINK(1)", "lat": "-9.1", "anchor": "a=b"}


def test_csv_of_pages_is_flat(store):
    (row,) = cells(exported(store, "pages", "csv"))

    assert row["relevant"] == "true"
    assert (row["place"], row["place_path"]) == ("Austin", "United States > Texas > Austin")
    assert (row["place_kind"], row["place_country"], row["place_id"]) == ("city", "US", "3")
    assert (row["place_count"], row["place_names"]) == ("2", "Austin | Paris")
    assert (row["lat"], row["precision"], row["place_score"]) == ("30.27", "town", "0.8")
    assert not any(value.startswith(("[", "{")) for value in row.values())


def test_a_page_about_no_place_has_no_point_and_empty_cells(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    with Store(tmp_path / "crawl") as store:
        store.add(replace(visit(A), reading=None))
        store.commit()
        (cell,) = cells(exported(store, "pages", "csv"))
        (row,) = parquet.read_table(io.BytesIO(exported(store, "pages", "parquet"))).to_pylist()

    assert (cell["place"], cell["place_path"], cell["lat"], cell["place_count"]) == (
        "", "", "", "0",
    )  # fmt: skip
    assert row["fetched_at"] == row["visited_at"] == datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)
    assert (row["geometry"], row["lat"]) == (None, None)


@pytest.mark.parametrize(("what", "expected"), [("pages", -97.74), ("addresses", -97.742)])
def test_geojson_has_a_point_for_everything_that_has_a_place(store, what, expected):
    collection = json.loads(exported(store, what, "geojson"))

    (feature,) = collection["features"]
    assert collection["type"] == "FeatureCollection"
    assert feature["geometry"]["coordinates"][0] == expected
    assert feature["properties"]["url"] == A
    assert "lat" not in feature["properties"]


def test_the_archive_is_exported_up_to_the_last_commit(store, tmp_path):
    store.add(visit("http://c.example/", b"not committed"))
    file = tmp_path / "export.warc.gz"

    file.write_bytes(exported(store, "pages", "warc"))

    assert [found.record.target for found in scan(file)] == ["", A, A, B, B]


@pytest.mark.parametrize("what", KINDS)
def test_parquet_has_the_same_rows(store, what):
    parquet = pytest.importorskip("pyarrow.parquet")

    table = parquet.read_table(io.BytesIO(exported(store, what, "parquet")))

    rows = table.drop_columns({"geometry"} & set(table.column_names)).to_pylist()
    assert [{name: as_text(value) for name, value in row.items()} for row in rows] == lines(
        store, what
    )


def as_text(value: object) -> object:
    return date_text(value.timestamp()) if isinstance(value, datetime) else value


@pytest.mark.parametrize(
    ("what", "box"),
    [
        ("pages", [-97.74, 30.27, -97.74, 30.27]),
        ("addresses", [-97.742, 30.268, -97.742, 30.268]),
        ("places", [-97.74, 30.27, 2.35, 48.86]),
    ],
)
def test_parquet_with_points_is_geoparquet(store, what, box):
    parquet = pytest.importorskip("pyarrow.parquet")

    file = parquet.ParquetFile(io.BytesIO(exported(store, what, "parquet")))

    geo = json.loads(file.metadata.metadata[b"geo"])
    column = geo["columns"][geo["primary_column"]]
    assert (geo["version"], column["encoding"]) == ("1.1.0", "WKB")
    assert (column["geometry_types"], column["bbox"]) == (["Point"], box)
    assert column["crs"]["id"] == {"authority": "OGC", "code": "CRS84"}
    row = file.read().to_pylist()[0]
    point = shapely.from_wkb(row["geometry"])
    assert (point.x, point.y) == (row["lon"], row["lat"])


def test_parquet_without_its_package_says_what_to_do(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(UsageError, match="parquet, unlike jsonl and csv, needs pyarrow: "):
        exported(store, "pages", "parquet")


@pytest.mark.parametrize(
    ("what", "format", "message"),
    [
        ("pictures", "jsonl", "there are pages, addresses, places, links, visits"),
        (
            "pages",
            "xml",
            "there are: atom, cdxj, csv, geojson, jsonl, markdown, owi,",
        ),
        ("links", "geojson", "use jsonl or csv"),
        ("links", "warc", "use jsonl or csv"),
        ("addresses", "wacz", "use jsonl or csv"),
    ],
)
def test_what_cannot_be_exported_is_refused_with_what_can(store, what, format, message):
    with pytest.raises(UsageError, match=message):
        exported(store, what, format)


@pytest.mark.parametrize("format", ["warc", "wacz", "cdxj"])
def test_a_part_of_an_archive_is_refused(store, format):
    with pytest.raises(UsageError, match="exported whole"):
        exported(store, "pages", format, since=1e9)


def test_only_addresses_can_be_distinct(store):
    with pytest.raises(UsageError, match="distinct is for addresses, not for pages"):
        exported(store, "pages", "jsonl", distinct=True)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2001-09-09", 999_993_600),
        ("2001-09-09T01:46:40", 1e9),
        ("2001-09-09T03:46:40+02:00", 1e9),
        ("1w", 2e9 - 604_800),
        ("1.5h", 2e9 - 5400),
        ("30s", 2e9 - 30),
    ],
)
def test_a_time_is_a_date_or_how_long_ago(text, at):
    assert read_since(text, 2e9) == at


@pytest.mark.parametrize("text", ["yesterday", "2 d", "-2d", "2001-13-01", ""])
def test_what_is_not_a_time_is_refused(text):
    with pytest.raises(UsageError, match="is not a time"):
        read_since(text, 2e9)


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
    assert as_csv({"title": text}) == [{"title": written}]
