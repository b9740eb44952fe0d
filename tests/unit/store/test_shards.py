"""Exports with the texts of pages: OpenSearch and the Open Web Index."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from geoscout.errors import UsageError
from tests.exports import exported
from tests.stores import Store
from tests.unit.store.visits import READING, visit

A, B = "http://www.a.de/shop?x=1", f"http://b.example/{'long/' * 200}"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "crawl") as opened:
        opened.add(visit(A, b"<title>Inn</title><p>Main Street <a href='/b'>B</a>"))
        opened.add(visit(B, b"<meta name=robots content=noindex><p>Second text"))
        opened.commit()
        yield opened


def bulk(store: Store, what: str) -> list[dict]:
    return [json.loads(line) for line in exported(store, what, "opensearch").splitlines()]


def mapping(store: Store, what: str) -> dict:
    return json.loads(exported(store, what, "opensearch-mapping"))["mappings"]["properties"]


def test_pages_are_bulk_lines_with_text_and_points(store: Store) -> None:
    first, page, second, _ = bulk(store, "pages")

    assert first == {"index": {"_id": A}}
    assert second["index"]["_id"].startswith("sha256:")
    assert "Main Street" in page["text"]
    main = READING.scope[0].place.point
    assert page["location"] == {"lat": main.latitude, "lon": main.longitude}
    assert all("location" in place and "lat" not in place for place in page["places"])


@pytest.mark.parametrize("what", ["pages", "addresses", "places", "links", "visits"])
def test_mappings_have_every_field_of_the_lines(store: Store, what: str) -> None:
    found = mapping(store, what)
    names = {name for line in bulk(store, what)[1::2] for name in line}

    assert names <= set(found)
    if "location" in names:
        assert found["location"] == {"type": "geo_point"}


def test_places_of_a_page_are_nested_with_points(store: Store) -> None:
    places = mapping(store, "pages")["places"]

    assert places["type"] == "nested"
    assert places["properties"]["location"] == {"type": "geo_point"}
    assert mapping(store, "pages")["text"] == {"type": "text"}


def test_export_of_nothing_is_empty(tmp_path: Path) -> None:
    with Store(tmp_path / "none") as store:
        assert exported(store, "pages", "opensearch") == b""
        table = pq.read_table(io.BytesIO(exported(store, "pages", "owi")))
    assert table.num_rows == 0


def test_shard_of_the_open_web_index_has_its_columns(store: Store) -> None:
    table = pq.read_table(io.BytesIO(exported(store, "pages", "owi")))
    first, second = table.to_pylist()

    assert (first["url"], first["url_subdomain"], first["url_domain"]) == (A, "www", "a")
    assert (first["url_path"], first["url_query"]) == ("/shop", "x=1")
    assert "Main Street" in first["plain_text"]
    assert first["outgoing_links"] == ["http://www.a.de/b"]
    assert (first["ows_index"], second["ows_index"]) == (True, False)
    assert first["geoscout_places"][0]["lat"] == READING.scope[0].place.point.latitude
    assert str(table.schema.field("content_type_other").type).startswith("map<string, string")


def test_only_pages_are_a_shard(store: Store) -> None:
    with pytest.raises(UsageError, match="not places"):
        exported(store, "places", "owi")
