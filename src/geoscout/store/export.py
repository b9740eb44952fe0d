"""Writes what a crawl found in formats that other programs read.

Every kind of row is a flat dictionary whose keys are stable. Rows are made and written one by
one, so a crawl of any size can be exported; only Parquet collects groups of rows, as it must.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import Any, BinaryIO

import orjson

from geoscout.errors import UsageError
from geoscout.model import Point
from geoscout.store.base import CrawlReader, StoredVisit
from geoscout.store.records import date_text

Row = dict[str, Any]
_GROUP = 10_000  # rows of a Parquet group
_PLACE = ("name", "path", "country", "lat", "lon", "geonameid", "kind", "mentions", "score")
_TYPES = {  # the columns that are no text
    "int64": {"n", "status", "depth", "bridge", "size", "geonameid", "mentions"},
    "float64": {"priority", "lat", "lon", "score"},
    "bool": {"relevant"},
}


def export(store: CrawlReader, what: str, format: str, stream: BinaryIO) -> None:
    """Write `what` (a key of `ROWS`) to a stream in a format (a key of `WRITERS`, or "warc").

    Raises:
        UsageError: no such rows or format, or a format that these rows or this machine cannot
            have.
    """
    if format == "warc":
        _write_warc(store, what, stream)
        return
    if what not in ROWS:
        raise UsageError(f"cannot export {what!r}; there are {', '.join(ROWS)}")
    if format not in WRITERS:
        raise UsageError(f"no format is called {format!r}; there are {', '.join(WRITERS)}, warc")
    if format == "geojson" and what not in WITH_COORDINATES:
        raise UsageError(
            f"{what} have no coordinates: geojson is for {' and '.join(WITH_COORDINATES)}"
        )
    WRITERS[format](ROWS[what](store), stream)


def visit_rows(store: CrawlReader) -> Iterator[Row]:
    """Every answer, in the order of fetching."""
    for visit in store.visits():
        yield {
            "n": visit.n,
            "url": visit.url,
            "node": visit.node,
            "status": visit.status,
            "relevant": visit.relevant,
            "priority": visit.priority,
            "depth": visit.depth,
            "bridge": visit.distance,
            "from": visit.parent,
            "fetched_at": date_text(visit.fetched_at),
        }


def page_rows(store: CrawlReader) -> Iterator[Row]:
    """Every page as it was last seen, with its places, the main one first."""
    for visit in store.pages():
        places = _places(store, visit)
        main = places[0] if places and places[0]["score"] else {}
        yield {
            "n": visit.n,
            "url": visit.url,
            "title": visit.title,
            "language": visit.language,
            "relevant": visit.relevant,
            "fetched_at": date_text(visit.fetched_at),
            "size": visit.size,
            "digest": f"sha1:{visit.digest.hex()}",
            "lat": main.get("lat"),
            "lon": main.get("lon"),
            "places": places,
        }


def address_rows(store: CrawlReader) -> Iterator[Row]:
    """Every address of every page."""
    for stored in store.addresses():
        address = stored.address
        yield {
            "n": stored.n,
            "url": stored.url,
            "relevant": stored.relevant,
            "text": address.text,
            "house_number": address.house_number,
            "street": address.street,
            "unit": address.unit,
            "city": address.city,
            "region": address.region,
            "postcode": address.postcode,
            "country": address.country,
            **_degrees(address.point),
            "geonameid": stored.place_id or None,
            "source": address.source,
        }


def link_rows(store: CrawlReader) -> Iterator[Row]:
    """Every link of every page, in the order of the page."""
    for stored in store.links():
        link = stored.link
        yield {
            "n": stored.n,
            "from": stored.source,
            "url": link.url,
            "anchor": link.anchor,
            "title": link.title,
            "alt": link.alt,
            "rel": " ".join(link.rel),
            "part": str(link.part),
        }


def _places(store: CrawlReader, visit: StoredVisit) -> list[Row]:
    return [
        {
            "name": found.place.name,
            "path": list(found.path),
            "country": found.place.country,
            **_degrees(found.place.point),
            "geonameid": found.place.id,
            "kind": str(found.place.kind),
            "mentions": found.mentions,
            "score": found.score,
        }
        for found in store.places_of(visit.n)
    ]


def _degrees(point: Point | None) -> Row:
    return {"lat": point and point.latitude, "lon": point and point.longitude}


def _write_jsonl(rows: Iterable[Row], stream: BinaryIO) -> None:
    stream.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)


def _write_csv(rows: Iterable[Row], stream: BinaryIO) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    writer = csv.writer(text)
    for number, row in enumerate(rows):
        if not number:
            writer.writerow(row)
        writer.writerow(map(_cell, row.values()))
    text.detach()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return orjson.dumps(value).decode() if isinstance(value, list) else value


def _write_geojson(rows: Iterable[Row], stream: BinaryIO) -> None:
    """A FeatureCollection (RFC 7946) of the rows that have coordinates."""
    stream.write(b'{"type":"FeatureCollection","features":[')
    separator = b"\n"
    for row in rows:
        longitude, latitude = row.pop("lon"), row.pop("lat")
        if longitude is None:
            continue
        point = {"type": "Point", "coordinates": [longitude, latitude]}
        feature = {"type": "Feature", "geometry": point, "properties": row}
        stream.write(separator + orjson.dumps(feature))
        separator = b",\n"
    stream.write(b"\n]}\n")


def _write_parquet(rows: Iterable[Row], stream: BinaryIO) -> None:
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        message = "parquet needs the package pyarrow: install it, or take jsonl or csv"
        raise UsageError(message) from error
    rows = iter(rows)
    group = list(islice(rows, _GROUP))
    if not group:
        raise UsageError("there is nothing to export yet, and parquet needs a row to start from")
    schema = arrow.schema([(name, _arrow_type(arrow, name)) for name in group[0]])
    with parquet.ParquetWriter(stream, schema) as writer:
        while group:
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))
            group = list(islice(rows, _GROUP))


def _arrow_type(arrow: ModuleType, name: str) -> object:
    """The type of a column; not guessed from the rows, since the first may all be empty."""
    if name == "places":
        return arrow.list_(arrow.struct([(part, _arrow_type(arrow, part)) for part in _PLACE]))
    if name == "path":
        return arrow.list_(arrow.string())
    type = next((type for type, names in _TYPES.items() if name in names), "string")
    return arrow.type_for_alias(type)


def _write_warc(store: CrawlReader, what: str, stream: BinaryIO) -> None:
    """The archive as one file."""
    if what not in ("pages", "visits"):
        raise UsageError(f"an archive holds pages, not {what}: take jsonl or csv")
    stream.writelines(store.archive())


ROWS: dict[str, Callable[[CrawlReader], Iterator[Row]]] = {
    "pages": page_rows,
    "addresses": address_rows,
    "links": link_rows,
    "visits": visit_rows,
}
WRITERS: dict[str, Callable[[Iterable[Row], BinaryIO], None]] = {
    "jsonl": _write_jsonl,
    "csv": _write_csv,
    "geojson": _write_geojson,
    "parquet": _write_parquet,
}
WITH_COORDINATES = ("pages", "addresses")
