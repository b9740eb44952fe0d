import gzip
import sys
from datetime import UTC, datetime

import pytest
import shapely
from msgspec import json, structs

from geoscout.batch.folder import check_format, writing_rows
from geoscout.batch.rows import PageAddress, PagePlace, PagePoint, PageRow
from geoscout_places.errors import UsageError
from tests.conftest import PROJECT

PLACE = PagePlace(
    "Köln", ("Europe", "Germany", "Köln"), "DE",
    lat=50.9, lon=6.9, id=2886242, geonameid=2886242, kind="city", mentions=3,
    site_mentions=0, score=0.5, precision="town",
)  # fmt: skip
ADDRESS = PageAddress(
    text="Domkloster 4, 50667 Köln", house_number="4", street="Domkloster", unit="", city="Köln",
    region="", postcode="50667", country="DE", lat=None, lon=None, geonameid=None, source="text",
    of_site=False, precision=None,
)  # fmt: skip
FULL = PageRow(
    url="http://a.example/", date="2024-05-03T08:00:00Z", language="de", title="Dom",
    place="Köln", path=PLACE.path, country="DE", lat=50.9, lon=6.9, geonameid=2886242, kind="city",
    score=0.5, precision="town", relevant=True, relevance=0.9, places=(PLACE,),
    addresses=(ADDRESS,),
    points=(PagePoint(50.9, 6.9, "meta", "town"),), offset=5_000_000_000, length=100,
)  # fmt: skip
EMPTY = PageRow(url="http://b.example/", date=None, language=None, title=None)
ROWS = [EMPTY, FULL, EMPTY]


def write(tmp_path, format, rows=ROWS):
    target = tmp_path / "rows"
    with writing_rows(tmp_path / "draft", target, format) as file:
        for row in rows:
            file.write(json.encode(row) + b"\n")
    assert not (tmp_path / "draft").exists()
    return target


def test_json_lines_are_read_back(tmp_path):
    lines = gzip.decompress(write(tmp_path, "jsonl").read_bytes()).splitlines()

    assert [json.decode(line, type=PageRow) for line in lines] == ROWS


def test_parquet_is_read_back_with_types(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")

    found = parquet.read_table(write(tmp_path, "parquet")).to_pylist()

    assert [row["url"] for row in found] == [row.url for row in ROWS]
    assert found[0]["places"] == []
    assert found[0]["place"] is None
    full = found[1]
    assert full["date"] == datetime(2024, 5, 3, 8, tzinfo=UTC)
    assert full["places"][0]["path"] == list(PLACE.path)
    assert full["addresses"][0]["geonameid"] is None
    assert (full["offset"], full["relevant"], full["lat"]) == (5_000_000_000, True, 50.9)


def test_parquet_without_rows_has_its_columns(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")

    table = parquet.read_table(write(tmp_path, "parquet", []))

    assert table.num_rows == 0
    assert tuple(table.column_names) == (*PageRow.__struct_fields__, "geometry")


def test_parquet_is_geoparquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    south = structs.replace(FULL, lat=-33.9, lon=18.4)

    file = parquet.ParquetFile(write(tmp_path, "parquet", [*ROWS, south]))

    column = json.decode(file.metadata.metadata[b"geo"])["columns"]["geometry"]
    assert (column["geometry_types"], column["bbox"]) == (["Point"], [6.9, -33.9, 18.4, 50.9])
    points = [row["geometry"] for row in file.read().to_pylist()]
    assert (points[0], points[2]) == (None, None)
    assert shapely.from_wkb(points[1]) == shapely.Point(6.9, 50.9)
    assert shapely.from_wkb(points[3]) == shapely.Point(18.4, -33.9)


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_failure_leaves_neither_file_nor_draft(tmp_path, format):
    if format == "parquet":
        pytest.importorskip("pyarrow")

    def broken_off():
        yield FULL
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, format, broken_off())

    assert list(tmp_path.iterdir()) == []


def test_parquet_without_its_package_is_an_error_that_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(UsageError, match=r"\[parquet\]"):
        check_format("parquet")


@pytest.mark.parametrize("kind", [PageRow, PagePlace, PageAddress, PagePoint])
def test_every_column_is_documented(kind):
    text = (PROJECT / "docs/batch.md").read_text()

    assert [name for name in kind.__struct_fields__ if f"`{name}`" not in text] == []
