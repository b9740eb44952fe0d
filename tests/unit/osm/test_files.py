"""The same objects from every format in which a user may have them."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from geoscout.osm.files import binary_objects, read_objects
from geoscout.osm.records import OsmAddress, OsmObject
from geoscout_places.errors import ImportFileError, UsageError
from geoscout_places.model import Point

CAFE = {
    "amenity": "cafe", "name": "Café Ü", "website": "www.cafe.example;https://x.example/a",
    "contact:phone": "+49 441 123; 0441/456", "addr:street": "Lange Straße",
    "addr:housenumber": "3", "addr:postcode": "26122", "opening_hours": "Mo-Fr 09:00-18:00",
}  # fmt: skip
SCHOOL = {"amenity": "school", "name": "Schule"}
# A square around 53.14, 8.21.
CORNERS = {11: (8.20, 53.13), 12: (8.22, 53.13), 13: (8.22, 53.15), 14: (8.20, 53.15)}
MIDDLE = Point(53.14, 8.21)


def feature(tags: dict[str, Any], geometry: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"type": "Feature", "properties": tags, "geometry": geometry, **more}


def point(longitude: float, latitude: float) -> dict[str, Any]:
    return {"type": "Point", "coordinates": [longitude, latitude]}


RING = {"type": "Polygon", "coordinates": [[*map(list, CORNERS.values()), [8.20, 53.13]]]}


def read(tmp_path: Path, name: str, text: str) -> list[OsmObject]:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return list(read_objects(file))


def collection(*features: object) -> str:
    return json.dumps({"type": "FeatureCollection", "meta": {"features": 1}, "features": features})


def test_tags_become_name_websites_telephones_and_address(tmp_path):
    (cafe,) = read(tmp_path, "a.geojson", collection(feature(CAFE, point(8.2, 53.1), id="n5")))

    assert (cafe.id, cafe.name, cafe.point) == ("node/5", "Café Ü", Point(53.1, 8.2))
    assert cafe.websites == ("http://www.cafe.example/", "https://x.example/a")
    assert cafe.phones == ("+49 441 123", "0441/456")
    assert cafe.address == OsmAddress("Lange Straße", "3", "26122")
    assert (cafe.hours, cafe.categories) == ("Mo-Fr 09:00-18:00", ("amenity=cafe",))


@pytest.mark.parametrize(
    ("more", "properties", "expected"),
    [
        ({"id": "way/7"}, {}, "way/7"),
        ({"id": "a14"}, {}, "way/7"),
        ({}, {"@id": "relation/9"}, "relation/9"),
        ({}, {"@id": 9, "@type": "way"}, "way/9"),
        ({}, {"osm_id": "3", "osm_type": "ways_poly"}, "way/3"),
        ({}, {"osm_id": None, "osm_way_id": "3"}, "way/3"),
        ({}, {}, ""),
    ],
)
def test_ids_are_read_as_programs_write_them(tmp_path, more, properties, expected):
    (school,) = read(
        tmp_path, "a.json", collection(feature({**SCHOOL, **properties}, RING, **more))
    )

    assert (school.id, school.point, school.tags["name"]) == (expected, MIDDLE, "Schule")


def test_rarer_tags_of_gdal_and_nested_tags_are_read(tmp_path):
    gdal = {"osm_id": "4", "name": "X", "other_tags": '"amenity"=>"bar","phone"=>"+49 \\"1\\""'}
    nested = {"type": "node", "id": 6, "tags": {**SCHOOL}, "meta": {}}

    bar, school = read(
        tmp_path, "a.json", collection(feature(gdal, point(1, 2)), feature(nested, point(1, 2)))
    )

    assert (bar.id, bar.categories, bar.phones) == ("node/4", ("amenity=bar",), ('+49 "1"',))
    assert (school.id, school.tags) == ("node/6", SCHOOL)


@pytest.mark.parametrize("number", ["1" + 400 * "0", "1" + 5000 * "0", "1e400", "NaN"])
def test_what_lies_nowhere_is_left_out(tmp_path, number):
    text = collection(feature(SCHOOL, point(77, 53)), feature(SCHOOL, point(8, 53)))
    nodes = {"type": "node", "lat": 53, "tags": SCHOOL}
    elements = json.dumps({"elements": [{**nodes, "id": n, "lon": n} for n in (77, 8)]})

    places = read(tmp_path, "a.geojson", text.replace("77", number))
    found = read(tmp_path, "b.json", elements.replace("77", number))

    assert [one.point for one in (*places, *found)] == 2 * [Point(53, 8)]


@pytest.mark.parametrize("between", ["\n", "\n\x1e", "\r\n\r\n"])
def test_features_can_be_one_on_a_line(tmp_path, between):
    lines = [json.dumps(feature({**SCHOOL, "id": f"n{n}"}, point(8, 53))) for n in range(3)]

    found = read(tmp_path, "a.geojsonseq", between.join(lines))

    assert [one.id for one in found] == ["node/0", "node/1", "node/2"]


def test_a_file_larger_than_the_window_is_read_whole(tmp_path):
    long = feature({**SCHOOL, "note": "ä" * 300_000}, point(8, 53))
    features = [feature({**SCHOOL, "ref": n}, point(8, 53)) for n in range(4_000)]
    file = tmp_path / "a.geojson.gz"
    file.write_bytes(gzip.compress(collection(*features, long, *features).encode(), 1))

    found = [one.tags.get("ref") for one in read_objects(file)]

    assert found[:4_000] == [str(n) for n in range(4_000)]
    assert (found[4_000], len(found)) == (None, 8_001)


def test_what_says_nothing_of_a_business_or_address_is_left_out(tmp_path):
    features = [
        feature({"highway": "residential", "name": "Weg"}, point(8, 53)),
        feature({"amenity": "bench"}, point(8, 53)),
        feature(SCHOOL, {"type": "Point", "coordinates": [800, 53]}),
        feature({"addr:housenumber": "1", "addr:street": "Weg"}, point(8, 53)),
    ]

    (house,) = read(tmp_path, "a.json", collection(*features))

    assert (house.name, house.address.street) == ("", "Weg")


def elements(*, with_center: bool) -> list[dict[str, Any]]:
    way: dict[str, Any] = {"type": "way", "id": 7, "nodes": [11, 12, 13, 14, 11], "tags": SCHOOL}
    members = [{"type": "way", "ref": 8, "role": "outer"}, {"type": "node", "ref": 1, "role": "x"}]
    relation: dict[str, Any] = {"type": "relation", "id": 9, "members": members, "tags": SCHOOL}
    if with_center:
        way["center"], relation["bounds"] = (
            {"lat": 53.14, "lon": 8.21},
            {"minlat": 53.13, "maxlat": 53.15, "minlon": 8.20, "maxlon": 8.22},
        )
    nodes = [{"type": "node", "id": n, "lat": y, "lon": x} for n, (x, y) in CORNERS.items()]
    cafe = {"type": "node", "id": 5, "lat": 53.1, "lon": 8.2, "tags": CAFE}
    outline = {"type": "way", "id": 8, "nodes": [11, 12, 13, 14, 11]}
    return [relation, way, cafe, *([] if with_center else [outline, *nodes])]


@pytest.mark.parametrize("with_center", [True, False])
def test_ways_of_overpass_get_their_middle(tmp_path, with_center):
    answer = {"version": 0.6, "osm3s": {"x": "y"}, "elements": elements(with_center=with_center)}

    relation, way, cafe = read(tmp_path, "a.json", json.dumps(answer))

    assert (relation.id, way.id, cafe.id) == ("relation/9", "way/7", "node/5")
    for found in (relation, way):
        assert found.point.latitude == pytest.approx(53.14)
        assert found.point.longitude == pytest.approx(8.21)


def xml() -> str:
    def tags(found: dict[str, str]) -> str:
        return "".join(f'<tag k="{k}" v="{v}"/>' for k, v in found.items())

    parts = [f'<node id="{n}" lat="{y}" lon="{x}" version="1"/>' for n, (x, y) in CORNERS.items()]
    parts.append(f'<node id="15" lat="53.1" lon="8.2" version="1">{tags(CAFE)}</node>')
    refs = "".join(f'<nd ref="{n}"/>' for n in (*CORNERS, 11))
    parts.append(f'<way id="7" version="1">{refs}{tags(SCHOOL)}</way>')
    parts.append(f'<way id="8" version="1">{refs}</way>')
    parts.append(f'<way id="10" version="1"><nd ref="99"/>{tags(SCHOOL)}</way>')
    outer = '<member type="way" ref="8" role="outer"/><member type="node" ref="99" role="label"/>'
    parts.append(f'<relation id="9" version="1">{outer}{tags(SCHOOL)}</relation>')
    return f'<osm version="0.6">{"".join(parts)}</osm>'


def pbf(tmp_path: Path) -> Path:
    osmium = pytest.importorskip("osmium")
    source, file = tmp_path / "a.osm", tmp_path / "a.osm.pbf"
    source.write_text(xml())
    with osmium.SimpleWriter(str(file)) as writer:
        for found in osmium.FileProcessor(str(source)):
            writer.add(found)
    return file


@pytest.mark.parametrize("in_memory", [0, 1 << 20])
def test_pbf_gives_nodes_ways_and_relations(tmp_path, in_memory):
    cafe, way, relation = binary_objects(pbf(tmp_path), in_memory)

    assert (cafe.id, cafe.phones) == ("node/15", ("+49 441 123", "0441/456"))
    assert (way.id, relation.id) == ("way/7", "relation/9")
    for found in (relation, way):
        assert found.point.latitude == pytest.approx(53.14)
        assert found.point.longitude == pytest.approx(8.21)


def test_xml_is_read_by_its_name(tmp_path):
    pytest.importorskip("osmium")

    assert [one.id for one in read(tmp_path, "a.osm", xml())] == ["node/15", "way/7", "relation/9"]


@pytest.mark.parametrize("length", [0, 10, 100, 200])
def test_a_pbf_that_is_cut_short_is_told(tmp_path, length):
    file = pbf(tmp_path)
    file.write_bytes(file.read_bytes()[:length])

    with pytest.raises(ImportFileError, match=r"a\.osm\.pbf cannot be read"):
        list(read_objects(file))


def test_a_coordinate_that_is_none_is_told(tmp_path):
    pytest.importorskip("osmium")

    with pytest.raises(ImportFileError, match=r"a\.osm cannot be read"):
        read(tmp_path, "a.osm", xml().replace('lat="53.1"', 'lat="1e9"'))


@pytest.mark.parametrize("text", ["<osm/>", '{"features": [{"a": 1}', '{"features": [{]}', "[1"])
def test_what_is_not_json_is_told(tmp_path, text):
    with pytest.raises(ImportFileError, match=r"a\.json is not GeoJSON"):
        read(tmp_path, "a.json", text)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(ImportFileError, match="there is no file"):
        read_objects(tmp_path / "none.geojson")


def test_without_osmium_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "osmium", None)

    with pytest.raises(UsageError, match=r"/\[osm\]"):
        read(tmp_path, "a.osm", xml())
