"""GeoJSON (RFC 7946): a FeatureCollection of the rows that have coordinates."""

from __future__ import annotations

from typing import BinaryIO

import orjson

from geoscout.store.export import ExportFormat, ExportSource
from geoscout_places.errors import UsageError


def create() -> ExportFormat:
    """The format `geojson`."""
    return ExportFormat("application/geo+json", "geojson", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write one feature for each row that has coordinates.

    Raises:
        UsageError: these rows never have any.
    """
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
