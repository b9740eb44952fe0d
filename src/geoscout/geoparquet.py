"""What makes a Parquet file GeoParquet 1.1: points in a column, and a note on that column.

The points are in WKB, in degrees of WGS 84 with the longitude first. Exports and batches write
such files, and geopandas, DuckDB, QGIS and GDAL open them as maps.
"""

from __future__ import annotations

import json
import struct
from types import ModuleType
from typing import Any

import numpy as np

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
