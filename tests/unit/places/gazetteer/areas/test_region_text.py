"""The ways a user may write a region."""

import json
from typing import Any

import pytest

from geoscout_places.errors import RegionError, UnknownPlaceError
from geoscout_places.gazetteer.areas.region_areas import DrawnArea, NamedArea
from geoscout_places.gazetteer.areas.region_text import read_areas, read_geojson
from geoscout_places.gazetteer.areas.shapes import Box, Circle, Polygon, Shape
from geoscout_places.model import Place, Point
from tests.unit.places.gazetteer.worlds import (
    BERLIN,
    GAZETTEER,
    GERMANY,
    OLDENBURG,
    OLDENBURG_HOLSTEIN,
    RASTEDE,
)

TRIANGLE = {"type": "Polygon", "coordinates": [[[8, 53], [9, 53], [9, 54], [8, 53]]]}


def places_of(*texts: str) -> list[Place]:
    return [area.place for area in read_areas(texts, GAZETTEER) if isinstance(area, NamedArea)]


def shapes_of(*texts: str) -> list[Shape]:
    return [area.shape for area in read_areas(texts, GAZETTEER) if isinstance(area, DrawnArea)]


@pytest.mark.parametrize(
    ("texts", "places"),
    [
        (["Oldenburg"], [OLDENBURG]),
        (["Oldenburg, Germany"], [OLDENBURG]),
        (["Oldenburg, Schleswig-Holstein"], [OLDENBURG_HOLSTEIN]),
        (["berlin", "Rastede"], [BERLIN, RASTEDE]),
        ([" Berlin ; Oldenburg, Germany;"], [BERLIN, OLDENBURG]),
        (["Germany\n"], [GERMANY]),
    ],
)
def test_name_is_looked_up(texts, places):
    assert places_of(*texts) == places


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("53.14,8.21,30", Circle(Point(53.14, 8.21), 30)),
        (" 53.14, +8.21 , 30.5 km", Circle(Point(53.14, 8.21), 30.5)),
        ("-17.7,182,5", Circle(Point(-17.7, -178), 5)),
        ("8,53,9,54", Box(8, 53, 9, 54)),
        ("177,-20,-178,-15", Box(177, -20, -178, -15)),
        ("177,-20,182,-15", Box(177, -20, -178, -15)),
        ("-180,-90,180,90", Box(-180, -90, 180, 90)),
        ("0,-10,360,10", Box(-180, -10, 180, 10)),
    ],
)
def test_three_numbers_are_a_circle_and_four_a_box(text, shape):
    assert shapes_of(text) == [shape]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("53.14,8.21", "2 numbers are not a region"),
        ("1,2,3,4,5", "5 numbers are not a region"),
        ("153.14,8.21,30", "latitude 153.14 is not between -90 and 90; a circle is latitude,"),
        ("53.14,508,30", "longitude 508"),
        ("53.14,8.21,0", "radius 0 is not above 0"),
        ("8,54,9,53", "south 54 is north of 53"),
        ("8,53,9,154", "latitude 154 .* a box is west,south,east,north"),
        ("nowhere.geojson", "there is no file nowhere.geojson"),
        ("nowhere/names.txt", "there is no file"),
        ('{"type": "Point", "coordinates": [1, 2]}', "region: it has no area"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_right_form(text, message):
    with pytest.raises(RegionError, match=message):
        shapes_of(text)


def test_unknown_name_is_an_unknown_place():
    with pytest.raises(UnknownPlaceError):
        places_of("Atlantis")


@pytest.mark.parametrize("name", ["Atlantis/Main", "St. Atlantis", "x" * 5000 + ".", "a\0.b"])
def test_name_with_a_slash_or_dot_is_no_missing_file(name):
    with pytest.raises(UnknownPlaceError):
        places_of(name)


def test_file_of_names_is_read_line_by_line(tmp_path):
    file = tmp_path / "region.txt"
    file.write_text(
        "\ufeff# where we look\nOldenburg, Germany\n\nBerlin # the capital\n8,53,9,54\n"
    )

    assert places_of(str(file)) == [OLDENBURG, BERLIN]
    assert shapes_of(str(file)) == [Box(8, 53, 9, 54)]


def test_error_in_a_file_names_the_line(tmp_path):
    file = tmp_path / "region.txt"
    file.write_text("Berlin\n53.14,8.21\n")

    with pytest.raises(RegionError, match=r"region\.txt, line 2: 2 numbers"):
        places_of(str(file))


def test_geojson_file_is_drawn_and_named_by_its_features(tmp_path):
    file = tmp_path / "Weser.geojson"
    named = {"type": "Feature", "geometry": TRIANGLE, "properties": {"name": "Wesermarsch"}}
    nameless = {"type": "Feature", "geometry": TRIANGLE, "properties": {}}
    file.write_text(json.dumps({"type": "FeatureCollection", "features": [named, nameless]}))

    areas = list(read_areas([str(file)], GAZETTEER))

    assert [area.name for area in areas] == ["Wesermarsch", "Weser"]
    assert all(isinstance(shape, Polygon) for area in areas for shape in area.shapes)


def test_geojson_text_is_read_without_a_file():
    assert shapes_of(json.dumps(TRIANGLE)) == [Polygon((((8, 53), (9, 53), (9, 54)),))]


def test_error_in_a_geojson_file_names_the_file(tmp_path):
    file = tmp_path / "bad.json"
    file.write_text("[1, 2]")

    with pytest.raises(RegionError, match=r"bad\.json: the file: not a GeoJSON object"):
        shapes_of(str(file))


def test_file_that_is_no_text_is_refused(tmp_path):
    file = tmp_path / "image.txt"
    file.write_bytes(b"\x89PNG\xff\xfe")

    with pytest.raises(RegionError, match="cannot be read"):
        places_of(str(file))


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
def test_every_polygon_is_read(document, names, rings):
    found = read_geojson(json.dumps(document))

    assert [name for name, _ in found] == names
    assert [len(polygon.rings) for _, polygon in found] == rings


def test_last_position_of_a_ring_is_not_repeated():
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
def test_error_says_what_is_wrong_and_where(document, message):
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
def test_text_that_is_not_json_is_refused(text, message):
    with pytest.raises(RegionError, match=message):
        read_geojson(text)
