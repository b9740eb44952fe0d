"""Exports with the texts of pages, for the Open Web Index."""

import io

import pyarrow.parquet as pq
import pytest

from geoscout_places.errors import UsageError
from tests.exports import exported
from tests.stores import Store
from tests.unit.store.visits import READING, visit

A, B = "http://www.a.de/shop?x=1", f"http://b.example/{'long/' * 200}"


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "crawl") as opened:
        opened.add(visit(A, b"<title>Inn</title><p>Main Street <a href='/b'>B</a>"))
        opened.add(visit(B, b"<meta name=robots content=noindex><p>Second text"))
        opened.commit()
        yield opened


def test_export_of_nothing_is_empty(tmp_path):
    with Store(tmp_path / "none") as store:
        table = pq.read_table(io.BytesIO(exported(store, "pages", "owi")))
    assert table.num_rows == 0


def test_shard_of_the_open_web_index_has_its_columns(store):
    table = pq.read_table(io.BytesIO(exported(store, "pages", "owi")))
    first, second = table.to_pylist()

    assert (first["url"], first["url_subdomain"], first["url_domain"]) == (A, "www", "a")
    assert (first["url_path"], first["url_query"]) == ("/shop", "x=1")
    assert "Main Street" in first["plain_text"]
    assert first["outgoing_links"] == ["http://www.a.de/b"]
    assert (first["ows_index"], second["ows_index"]) == (True, False)
    assert first["geoscout_places"][0]["lat"] == READING.scope[0].place.point.latitude
    assert str(table.schema.field("content_type_other").type).startswith("map<string, string")


def test_only_pages_are_a_shard(store):
    with pytest.raises(UsageError, match="not places"):
        exported(store, "places", "owi")
