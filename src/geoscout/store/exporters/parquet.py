"""Parquet, for data frames; it collects groups of rows, as the format wants them."""

from __future__ import annotations

from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import BinaryIO

from geoscout.errors import UsageError
from geoscout.store.export import ExportFormat, ExportSource

_GROUP = 10_000  # rows
_PLACE = (
    "name", "path", "country", "lat", "lon", "precision", "id", "geonameid", "kind", "mentions",
    "site_mentions", "score",
)  # fmt: skip
_TYPES = {  # of the columns that are not text
    "int64": {
        "n",
        "status",
        "depth",
        "bridge",
        "size",
        "id",
        "geonameid",
        "mentions",
        "site_mentions",
    },
    "float64": {"relevance", "priority", "lat", "lon", "score"},
    "bool": {"relevant", "of_site"},
}


def create() -> ExportFormat:
    """The format `parquet`."""
    return ExportFormat("application/vnd.apache.parquet", "parquet", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write the rows in groups.

    Raises:
        UsageError: the package for it is missing, or there are no rows.
    """
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        message = "parquet needs the package pyarrow: install it, or use jsonl or csv"
        raise UsageError(message) from error
    rows = source.rows()
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
