"""Parquet, for data frames and databases; rows with a point make it GeoParquet.

It collects groups of rows, as the format wants them. Times are timestamps in UTC.
"""

from __future__ import annotations

from datetime import datetime
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import BinaryIO

from geoscout.geoparquet import GEOMETRY, Extent, geo_metadata, point_as_wkb
from geoscout.store.export import ExportFormat, ExportSource
from geoscout.store.export_rows import Row
from geoscout_places.extras import import_extra

_GROUP = 10_000  # rows
_PLACE = (
    "name", "path", "country", "lat", "lon", "precision", "id", "geonameid", "kind", "mentions",
    "site_mentions", "score",
)  # fmt: skip
_TIMES = {"fetched_at", "visited_at"}
_TYPES = {  # of the columns that are not text
    "int64": {
        "n", "status", "depth", "bridge", "size", "id", "geonameid", "mentions", "site_mentions",
        "population", "pages", "sites", "pages_mentioning", "pages_about", "pages_mainly_about",
        "rank",
    },
    "float64": {"relevance", "priority", "lat", "lon", "score"},
    "bool": {"relevant", "of_site"},
}  # fmt: skip


def create() -> ExportFormat:
    """The format `parquet`."""
    return ExportFormat("application/vnd.apache.parquet", "parquet", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write the rows in groups.

    Raises:
        UsageError: the package for it is missing.
    """
    arrow = import_extra("parquet, unlike jsonl and csv,", "parquet", "pyarrow")
    parquet = import_module("pyarrow.parquet")
    has_points = "lat" in source.columns
    columns = (*source.columns, GEOMETRY) if has_points else source.columns
    schema = arrow.schema([(name, _arrow_type(arrow, name)) for name in columns])
    rows, extent = source.rows(), Extent()
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while group := [_typed(row, extent) for row in islice(rows, _GROUP)]:
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))
        if has_points:
            writer.add_key_value_metadata({"geo": geo_metadata(extent)})


def _typed(row: Row, extent: Extent) -> Row:
    """A row with times and points as Parquet has them."""
    for name in _TIMES & row.keys():
        row[name] = datetime.fromisoformat(row[name])
    if row.get("lat") is not None:
        extent.add(row["lat"], row["lon"])
        row[GEOMETRY] = point_as_wkb(row["lat"], row["lon"])
    return row


def _arrow_type(arrow: ModuleType, name: str) -> object:
    """The type of a column; not guessed from the rows, since the first may all be empty."""
    if name == "places":
        return arrow.list_(arrow.struct([(part, _arrow_type(arrow, part)) for part in _PLACE]))
    if name == "path":
        return arrow.list_(arrow.string())
    if name == GEOMETRY:
        return arrow.binary()
    if name in _TIMES:
        return arrow.timestamp("us", tz="UTC")
    type = next((type for type, names in _TYPES.items() if name in names), "string")
    return arrow.type_for_alias(type)
