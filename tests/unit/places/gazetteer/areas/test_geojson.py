"""Reading GeoJSON, and saying what is wrong with it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from geoscout_places.errors import RegionError
from geoscout_places.gazetteer.areas.geojson import read_geojson

RING = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]
HOLE = [[1, 1], [1, 2], [2, 2], [2, 1], [1, 1]]
POLYGON = {"type": "Polygon", "coordinates": [RING, HOLE]}
MULTIPOLYGON = {"type": "MultiPolygon", "coordinates": [[RING], [HOLE]]}
POINT = {"type": "Point", "coordinates": [1, 2]}


def feature(geometry: Any, **properties: object) -> dict[str, Any]:
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def collection(*features: Any) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": list(features)}


@pytest.mark.parametrize(
    ("document", "names", "rings"),
    [
        (POLYGON, [""], [2]),
        (MULTIPOLYGON, ["", ""], [1, 1]),
        (feature(POLYGON, name="Altstadt"), ["Altstadt"], [2]),
        (feature(POLYGON, NAME=" Altstadt "), ["Altstadt"], [2]),
        (feature(POLYGON, name=7), [""], [2]),
        ({"type": "Feature", "geometry": POLYGON, "properties": None}, [""], [2]),
        (collection(feature(POLYGON, name="A"), feature(MULTIPOLYGON)), ["A", "", ""], [2, 1, 1]),
        (collection(feature(None), feature(POINT), feature(POLYGON)), [""], [2]),
        ({"type": "GeometryCollection", "geometries": [POINT, POLYGON]}, [""], [2]),
        (
            feature({"type": "GeometryCollection", "geometries": [POLYGON]}, name="B"),
            ["B"],
            [2],
        ),
        ({"type": "Polygon", "coordinates": [[[*at, 12.5] for at in RING]]}, [""], [1]),
        ({**POLYGON, "crs": {"type": "name", "properties": {"name": "EPSG:4326"}}}, [""], [2]),
    ],
)
def test_every_polygon_is_read(document: object, names: list[str], rings: list[int]) -> None:
    found = read_geojson(json.dumps(document))

    assert [name for name, _ in found] == names
    assert [len(polygon.rings) for _, polygon in found] == rings


def test_last_position_of_a_ring_is_not_repeated() -> None:
    [(_, polygon)] = read_geojson(json.dumps(POLYGON))

    assert polygon.rings[0] == ((0, 0), (4, 0), (4, 4), (0, 4))


def polygon_with(ring: object) -> dict[str, Any]:
    return {"type": "Polygon", "coordinates": [ring]}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (POINT, "no area: a polygon is needed, not Point"),
        (collection(feature({"type": "LineString", "coordinates": RING})), "not LineString"),
        (collection(), "not an empty collection"),
        (collection(feature(None)), "not an empty collection"),
        ([POLYGON], "the file: not a GeoJSON object"),
        ({}, "not a GeoJSON object"),
        ({"type": "Topology"}, "no type 'Topology'"),
        (collection(POLYGON, {"type": "Circle"}), r"features\[1\]: GeoJSON has no type 'Circle'"),
        ({"type": "FeatureCollection"}, "features: a list is needed"),
        (collection(7), r"features\[0\]: not a GeoJSON object"),
        ({"type": "Polygon"}, "coordinates: a list is needed"),
        ({"type": "Polygon", "coordinates": []}, "coordinates: a polygon without a ring"),
        ({"type": "MultiPolygon", "coordinates": [RING]}, r"coordinates\[0\]\[0\]\[0\]: a list"),
        (polygon_with(RING[:3]), r"coordinates\[0\]: a ring needs four positions.*has 3"),
        (polygon_with(RING[:4]), r"coordinates\[0\]: the ring is not closed"),
        (polygon_with([[0, 0], [1], [2, 2], [0, 0]]), r"coordinates\[0\]\[1\]: a position is"),
        (polygon_with([[0, 0], [1, "2"], [2, 2], [0, 0]]), "two numbers"),
        (polygon_with([[0, 0], [1, True], [2, 2], [0, 0]]), "two numbers"),
        (polygon_with([[0, 0], [1, float("nan")], [2, 2], [0, 0]]), "two numbers"),
        (polygon_with([[0, 0], [1, 10**400], [2, 2], [0, 0]]), "two numbers"),
        (polygon_with([[0, 0], [8.2, 153.1], [2, 2], [0, 0]]), r"\[longitude, latitude\]"),
        (polygon_with([[440720, 80], [1, 2], [2, 2], [440720, 80]]), "longitude 440720"),
        (
            {**POLYGON, "crs": {"type": "name", "properties": {"name": "EPSG:25832"}}},
            "in EPSG:25832; GeoJSON is in WGS 84",
        ),
    ],
)
def test_error_says_what_is_wrong_and_where(document: object, message: str) -> None:
    with pytest.raises(RegionError, match=message):
        read_geojson(json.dumps(document))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type": ', "not JSON: .* in line 1"),
        ("[" * 100_000, "too deeply"),
        ("1" + 5000 * "0", "not a GeoJSON object"),
    ],
)
def test_text_that_is_not_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(RegionError, match=message):
        read_geojson(text)
