"""What makes a Parquet file GeoParquet 1.1: points in a column, and a note on that column.

The points are in WKB, in degrees of WGS 84 with the longitude first. Exports and batches write
such files, and geopandas, DuckDB, QGIS and GDAL open them as maps.
"""

from __future__ import annotations

import json
import struct
from typing import Any

GEOMETRY = "geometry"  # the column with the points
_WKB_POINT = struct.Struct("<BIdd")  # little-endian, the type, longitude, latitude
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
