"""Objects of OpenStreetMap from GeoJSON, as the programs that make it write tags and ids.

There is no rule for it. osmium and Overpass Turbo write tags as properties, with the id as `@id`,
`id` or the id of the feature (`n123`, `node/123`); osmtogeojson can have them below `tags`; GDAL
writes the rarer ones as one text, `other_tags`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from geoscout.osm.places import geometry_point
from geoscout.osm.records import OsmObject, is_taken

_TYPES = {
    "n": "node", "node": "node", "nodes": "node", "w": "way", "way": "way", "ways": "way",
    "ways_line": "way", "ways_poly": "way", "r": "relation", "relation": "relation",
    "relations": "relation",
}  # fmt: skip
_ID = re.compile(r"(node|way|relation|[nwra])/?(-?\d+)\Z")
_PAIR = re.compile(r'"((?:[^"\\]|\\.)*)"=>"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_IDS = ("@id", "id", "osm_id", "osm_way_id", "feature_id", "full_id")
_KINDS = ("@type", "type", "osm_type")


def object_of_feature(feature: Any) -> OsmObject | None:
    """The object of a feature; None if it has no point, or says nothing of a business or address.

    One whose id is not known has the id "".
    """
    if not isinstance(feature, dict) or not isinstance(feature.get("properties"), dict):
        return None
    properties = feature["properties"]
    tags = _tags(properties)
    if not is_taken(tags):
        return None
    point = geometry_point(feature.get("geometry"))
    if point is None:
        return None
    return OsmObject(id=_id(feature, properties), tags=tags, point=point)


def _tags(properties: Mapping[str, Any]) -> dict[str, str]:
    inside = properties.get("tags")
    source = inside if isinstance(inside, dict) else properties
    tags = dict(_plain(source))
    for key, value in _PAIR.findall(tags.pop("other_tags", "")):
        tags.setdefault(_ESCAPED.sub(r"\1", key), _ESCAPED.sub(r"\1", value))
    return tags


def _plain(source: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Texts and numbers; GDAL writes a null for every column that a feature does not have."""
    for key, value in source.items():
        if key in _IDS or key.startswith("@") or isinstance(value, bool):
            continue
        if isinstance(value, str | int | float) and value != "":
            yield key, str(value)


def _id(feature: Mapping[str, Any], properties: Mapping[str, Any]) -> str:
    kind = next((_TYPES[p] for k in _KINDS if (p := str(properties.get(k))) in _TYPES), "")
    given = [feature.get("id"), *(properties.get(key) for key in _IDS)]
    for text in (str(value) for value in given if value not in (None, "")):
        if found := _ID.match(text):
            return osm_id(found[1], int(found[2]))
        if kind and text.lstrip("-").isdigit():
            return osm_id(kind, int(text))
    way, node = properties.get("osm_way_id"), properties.get("osm_id")
    if way:
        return f"way/{way}"  # GDAL: polygons that are ways; other polygons are relations
    is_point = str((feature.get("geometry") or {}).get("type")) == "Point"
    return f"{'node' if is_point else 'relation'}/{node}" if node else ""


def osm_id(kind: str, number: int) -> str:
    """An id as in the URLs of openstreetmap.org.

    osmium counts areas: twice the id of a way, or twice that of a relation and one.

    >>> osm_id("n", 12), osm_id("way", 7), osm_id("a", 14), osm_id("a", 15)
    ('node/12', 'way/7', 'way/7', 'relation/7')
    """
    if kind == "a":
        return f"{'relation' if number % 2 else 'way'}/{number // 2}"
    return f"{_TYPES[kind]}/{number}"
