"""The formats of an export for rows: JSON lines, CSV, GeoJSON, Parquet and Atom.

CSV has no lists, but one value in each cell. A page has many places: its main place has columns of
its own, and the names of all of them are one text; those who need more of each take JSON lines or
Parquet. Texts come from pages, and a spreadsheet runs a cell that begins like a formula, with what
the owner of the machine may do. Such a text gets an apostrophe in front, which spreadsheets hide.
Where the decimal sign is a comma, a spreadsheet divides the same file at semicolons, and quotes in
the middle of such a line count for nothing. So what would begin a cell there, after a semicolon,
tab or line end inside a text, gets an apostrophe too.

A Parquet file with points is GeoParquet 1.1: the points are in a column, in WKB, in degrees of
WGS 84 with the longitude first, and a note on that column says so. geopandas, DuckDB, QGIS and GDAL
open such files as maps.
"""

from __future__ import annotations

import csv
import io
import json
import re
import struct
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import Any, BinaryIO
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import orjson

from geoscout.store.export import PLACE, ExportFormat, ExportSource, Row
from geoscout_places.errors import UsageError
from geoscout_places.extras import import_extra

_SIGNS = "=+@＝＋＠－-"  # wide forms count as well in some; the hyphen is last, as in any class
_FORMULA = re.compile(rf"(^[ \"]*|[;\t\r\n][ \"]*)(?=[{_SIGNS}])|^(?=[\t\r\n])")
# What stands for the places of a page: these of its main place, then two about all of them.
_OF_MAIN = {
    "place": "name",
    "place_path": "path",
    "place_kind": "kind",
    "place_country": "country",
    "place_id": "id",
    "place_geonameid": "geonameid",
    "place_score": "score",
}
_OF_ALL = ("place_count", "place_names")
_BETWEEN_NAMES, _BELOW = " | ", " > "
_GROUP = 10_000  # rows that Parquet has together
_HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss">\n'
)
# What XML cannot hold, however it is written.
_FORBIDDEN = dict.fromkeys(
    [*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF]
)


def write_jsonl(source: ExportSource, stream: BinaryIO) -> None:
    lines = (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in source.rows())
    stream.writelines(lines)


def write_csv(source: ExportSource, stream: BinaryIO) -> None:
    """Write the header, also where there are no rows, and one line for each row."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(_flat_columns(source.columns))
    for row in source.rows():
        writer.writerow(map(_cell, _flat_row(row)))
    text.detach()


def _flat_columns(columns: Iterable[str]) -> Iterator[str]:
    for name in columns:
        yield from (*_OF_MAIN, *_OF_ALL) if name == "places" else (name,)


def _flat_row(row: Row) -> Iterator[object]:
    for name, value in row.items():
        yield from _flat(value) if name == "places" else (value,)


def _flat(places: list[Row]) -> Iterator[object]:
    main = places[0] if places and places[0]["score"] else {}
    yield from map(main.get, _OF_MAIN.values())
    yield len(places)
    yield _BETWEEN_NAMES.join(place["name"] for place in places)


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        value = _BELOW.join(map(str, value))
    return _FORMULA.sub(r"\1'", value) if isinstance(value, str) else value


def write_geojson(source: ExportSource, stream: BinaryIO) -> None:
    """Write one feature for each row that has coordinates."""
    if "lat" not in source.columns:
        raise UsageError(f"{source.what} have no coordinates: use jsonl or csv")
    stream.write(b'{"type":"FeatureCollection","features":[')
    separator = b"\n"
    for row in source.rows():
        longitude, latitude = row.pop("lon"), row.pop("lat")
        if longitude is None:
            continue
        point = {"type": "Point", "coordinates": [longitude, latitude]}
        feature = {"type": "Feature", "geometry": point, "properties": row}
        stream.write(separator + orjson.dumps(feature))
        separator = b",\n"
    stream.write(b"\n]}\n")


def write_parquet(source: ExportSource, stream: BinaryIO) -> None:
    """Write the rows in groups."""
    arrow = import_extra("parquet, unlike jsonl and csv,", "parquet", "pyarrow")
    parquet = import_module("pyarrow.parquet")
    has_points = "lat" in source.columns
    columns = {**source.columns, **({GEOMETRY: "binary"} if has_points else {})}
    schema = arrow.schema([(name, _arrow_type(arrow, type)) for name, type in columns.items()])
    times = {name for name, type in columns.items() if type == "time"}
    rows, extent = source.rows(), Extent()
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while group := [_with_types(row, times, extent) for row in islice(rows, _GROUP)]:
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))
        if has_points:
            writer.add_key_value_metadata({"geo": geo_metadata(extent)})


def _with_types(row: Row, times: set[str], extent: Extent) -> Row:
    """A row with times and points as Parquet has them."""
    for name in times & row.keys():
        row[name] = datetime.fromisoformat(row[name])
    if row.get("lat") is not None:
        extent.add(row["lat"], row["lon"])
        row[GEOMETRY] = point_as_wkb(row["lat"], row["lon"])
    return row


def _arrow_type(arrow: ModuleType, type: str) -> object:
    """The type of a column; not guessed from the rows, since the first may all be empty."""
    if type == "places":
        parts = [(name, _arrow_type(arrow, part)) for name, part in PLACE.items()]
        return arrow.list_(arrow.struct(parts))
    if type.startswith("list<"):
        return arrow.list_(arrow.string())
    return arrow.timestamp("us", tz="UTC") if type == "time" else arrow.type_for_alias(type)


def write_atom(source: ExportSource, stream: BinaryIO) -> None:
    """Write an entry for each row that has an address on the web; of pages the relevant ones."""
    if "title" not in source.columns and "name" not in source.columns:
        raise UsageError(f"{source.what} have no titles: use jsonl or csv")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    head = f"<title>geoscout: {source.what}</title>\n<id>urn:geoscout:{source.what}</id>\n"
    stream.write(f"{_HEAD}{head}<updated>{now}</updated>\n".encode())
    for row in source.rows():
        if row.get("relevant", True) and (link := _link(row)):
            stream.write(_entry(row, link, now).encode())
    stream.write(b"</feed>\n")


def _link(row: Row) -> str:
    found = row.get("url") or row.get("website") or row.get("source") or ""
    return str(found)


def _entry(row: Row, link: str, now: str) -> str:
    title = _text(row.get("title") or row.get("name") or link)
    id = _text(f"urn:geoscout:{row['entry']}" if "entry" in row else link)
    updated = _text(row.get("fetched_at") or now)
    lines = [
        f"<entry><title>{title}</title><id>{id}</id><updated>{updated}</updated>",
        f"<link href={quoteattr(_clean(link))}/>",
    ]
    if row.get("lat") is not None:
        lines.append(f"<georss:point>{row['lat']} {row['lon']}</georss:point>")
    if summary := _summary(row):
        lines.append(f"<summary>{_text(summary)}</summary>")
    return "".join(lines) + "</entry>\n"


def _summary(row: Row) -> str:
    """The address of an entry, or the place a page is about."""
    street = " ".join(str(row[part]) for part in ("street", "house_number") if row.get(part))
    town = " ".join(str(row[part]) for part in ("postcode", "city") if row.get(part))
    places = row.get("places") or []
    path = places[0]["path"] if places and isinstance(places[0], dict) else []
    return ", ".join(filter(None, (street, town))) or ", ".join(reversed(path))


def _clean(text: object) -> str:
    return str(text).translate(_FORBIDDEN)


def _text(text: object) -> str:
    return escape(_clean(text))


JSONL = ExportFormat("application/x-ndjson", "jsonl", write_jsonl)
CSV = ExportFormat("text/csv; charset=utf-8", "csv", write_csv)
GEOJSON = ExportFormat("application/geo+json", "geojson", write_geojson)
PARQUET = ExportFormat("application/vnd.apache.parquet", "parquet", write_parquet)
ATOM = ExportFormat("application/atom+xml", "atom", write_atom)


GEOMETRY = "geometry"  # the column with the points
_WKB_POINT = struct.Struct("<BIdd")  # little-endian, the type, longitude, latitude
_WKB_POINTS = np.dtype(  # many of them
    [("order", "u1"), ("type", "<u4"), ("longitude", "<f8"), ("latitude", "<f8")]
)
_POINT = 1
_DEGREE = "degree"
_CRS = {
    "$schema": "https://proj.org/schemas/v0.7/projjson.schema.json",
    "type": "GeographicCRS",
    "name": "WGS 84 (CRS84)",
    "datum": {
        "type": "GeodeticReferenceFrame",
        "name": "World Geodetic System 1984",
        "ellipsoid": {
            "name": "WGS 84",
            "semi_major_axis": 6378137,
            "inverse_flattening": 298.257223563,
        },
    },
    "coordinate_system": {
        "subtype": "ellipsoidal",
        "axis": [
            {
                "name": "Geodetic longitude",
                "abbreviation": "Lon",
                "direction": "east",
                "unit": _DEGREE,
            },
            {
                "name": "Geodetic latitude",
                "abbreviation": "Lat",
                "direction": "north",
                "unit": _DEGREE,
            },
        ],
    },
    "id": {"authority": "OGC", "code": "CRS84"},
}


class Extent:
    """The smallest box around all points that were added."""

    def __init__(self) -> None:
        self._sides: tuple[float, float, float, float] | None = None

    def add(self, latitude: float, longitude: float) -> None:
        west, south, east, north = self._sides or (longitude, latitude, longitude, latitude)
        self._sides = (
            min(west, longitude), min(south, latitude), max(east, longitude), max(north, latitude),
        )  # fmt: skip

    def box(self) -> list[float] | None:
        """West, south, east and north; None where nothing was added."""
        return list(self._sides) if self._sides else None


def with_points(arrow: ModuleType, table: Any, extent: Extent) -> Any:
    """An Arrow table with one column more: the points of `lat` and `lon`, null where they are."""
    latitudes, longitudes = (table[name].to_numpy() for name in ("lat", "lon"))
    known = ~np.isnan(latitudes)
    if known.any():
        extent.add(float(latitudes[known].min()), float(longitudes[known].min()))
        extent.add(float(latitudes[known].max()), float(longitudes[known].max()))
    points = np.empty(len(table), _WKB_POINTS)
    points["order"], points["type"] = 1, _POINT
    points["longitude"], points["latitude"] = longitudes, latitudes
    width = arrow.binary(_WKB_POINT.size)
    buffers = [arrow.array(known).buffers()[1], arrow.py_buffer(points)]
    column = arrow.Array.from_buffers(width, len(table), buffers).cast(arrow.binary())
    return table.append_column(GEOMETRY, column)


def point_as_wkb(latitude: float, longitude: float) -> bytes:
    """A point as well-known binary."""
    return _WKB_POINT.pack(1, _POINT, longitude, latitude)


def geo_metadata(extent: Extent) -> str:
    """The value of the key `geo` in the metadata of the file."""
    column: dict[str, Any] = {"encoding": "WKB", "geometry_types": ["Point"], "crs": _CRS}
    if box := extent.box():
        column["bbox"] = box
    about = {"version": "1.1.0", "primary_column": GEOMETRY, "columns": {GEOMETRY: column}}
    return json.dumps(about, separators=(",", ":"))
