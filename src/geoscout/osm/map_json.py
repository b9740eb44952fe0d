"""Objects of OpenStreetMap from JSON of any size: GeoJSON, and what Overpass answers with.

GeoJSON has its objects in the list `features`, Overpass in `elements`; both are at the top of a
file of any size. `json.loads` would need several times the size of the file. The decoder of the
standard library can read one value from within a text, so that a window over the file is enough,
and no library for streams of JSON is needed.

There is no rule for how GeoJSON writes tags and ids. osmium and Overpass Turbo write tags as
properties, with the id as `@id`, `id` or the id of the feature (`n123`, `node/123`); osmtogeojson
can have them below `tags`; GDAL writes the rarer ones as one text, `other_tags`.

In the answer of Overpass, ways and relations have a point where the query asked for one (`out
center`, `out geom`, `out bb`). The usual query of Overpass Turbo does not: there the file has the
nodes of the ways, often behind them. Such a file is read up to four times, and only what the
objects need is kept.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from geoscout.osm.records import (
    NO_OUTLINE,
    OsmObject,
    Position,
    geometry_point,
    is_taken,
    middle_point,
    possible_point,
)
from geoscout_places.errors import ImportFileError
from geoscout_places.model import Point

_WINDOW = 1 << 20  # bytes read at a time
_LONGEST = 1 << 26  # characters of one value; the outline of a country has some millions
_MOST_DIGITS = 20
_BLANK = " \t\r\n\x1e\ufeff"  # also what begins a record of RFC 8142
_LISTS = ("features", "elements")


def json_members(stream: BinaryIO) -> Iterator[Any]:
    """The objects of the lists `features` and `elements`; of a file with many objects, each.

    Raises:
        ImportFileError: it is not JSON, or is cut short.
    """
    window = _Window(stream)
    while mark := window.peek():
        if mark == "[":
            yield from window.items()
        elif mark == "{":
            yield from _object_or_members(window)
        else:
            raise window.malformed("a list or an object was expected")
        window.skip(",")  # some programs write one after every line


def _object_or_members(window: _Window) -> Iterator[Any]:
    """An object; or in its place the members of its list, if it has one."""
    whole: dict[str, Any] = {}
    has_list = False
    for key in window.members():
        if key in _LISTS and window.peek() == "[":
            has_list = True
            yield from window.items()
        else:
            whole[key] = window.value()
    if not has_list:
        yield whole


def _whole_number(digits: str) -> int | float:
    """An id, or else a float, which may be infinite: longer ones overflow where they are used."""
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


class _Window:
    """A part of the text of a file that moves forward."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._text, self._at, self._is_whole = "", 0, False
        self._before = 0  # characters that have left the window
        self._parse = json.JSONDecoder(parse_int=_whole_number).raw_decode

    def peek(self) -> str:
        """The next character that is not blank; "" at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _BLANK:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def skip(self, mark: str) -> bool:
        """Go on behind a mark if it comes next."""
        if self.peek() != mark:
            return False
        self._at += 1
        return True

    def _expect(self, mark: str) -> None:
        if not self.skip(mark):
            raise self.malformed(f"{mark!r} was expected")

    def members(self) -> Iterator[str]:
        """The keys of the object that begins here; the caller reads each value."""
        self._expect("{")
        if self.skip("}"):
            return
        while True:
            key = self.value()
            self._expect(":")
            yield key if isinstance(key, str) else ""
            if not self.skip(","):
                self._expect("}")
                return

    def items(self) -> Iterator[Any]:
        """The items of the list that begins here."""
        self._expect("[")
        if self.skip("]"):
            return
        while True:
            yield self.value()
            if not self.skip(","):
                self._expect("]")
                return

    def value(self) -> Any:
        """The value that begins here."""
        self.peek()
        while True:
            try:
                found, end = self._parse(self._text, self._at)
            except (ValueError, RecursionError) as error:
                if len(self._text) - self._at > _LONGEST or not self._more():
                    raise self.malformed(str(error)) from error
                continue
            # What ends with the window may go on behind it: 12 of 1234.
            if end < len(self._text) or not self._more():
                self._at = end
                return found

    def _more(self) -> bool:
        """Read on, as much again as is waiting, so that a long value is not tried too often."""
        if self._is_whole:
            return False
        kept = self._text[self._at :]
        self._before += self._at
        read = self._stream.read(max(_WINDOW, len(kept)))
        self._is_whole = not read
        self._text, self._at = kept + self._decode(read, self._is_whole), 0
        return True

    def malformed(self, what: str) -> ImportFileError:
        place = self._before + self._at
        return ImportFileError(f"it is not JSON at character {place:,}, or is cut short: {what}")


_TYPES = {
    "n": "node", "node": "node", "nodes": "node", "w": "way", "way": "way", "ways": "way",
    "ways_line": "way", "ways_poly": "way", "r": "relation", "relation": "relation",
    "relations": "relation",
}  # fmt: skip
_ID = re.compile(r"(node|way|relation|[nwra])/?(-?\d+)\Z")
_PAIR = re.compile(r'"((?:[^"\\]|\\.)*)"=>"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_IDS = ("@id", "id", "osm_id", "osm_way_id", "feature_id", "full_id")
_KIND_KEYS = ("@type", "type", "osm_type")


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
    if isinstance(sites := source.get("websites"), list) and sites:  # of Overture
        names = source.get("names")
        yield "website", str(sites[0])
        yield "name", str(names.get("primary") or "") if isinstance(names, dict) else ""
    for key, value in source.items():
        if key in _IDS or key.startswith("@") or isinstance(value, bool):
            continue
        if isinstance(value, str | int | float) and value != "":
            yield key, str(value)


def _id(feature: Mapping[str, Any], properties: Mapping[str, Any]) -> str:
    kind = next((_TYPES[p] for k in _KIND_KEYS if (p := str(properties.get(k))) in _TYPES), "")
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


Members = Callable[[], Iterable[Any]]  # the elements of a file, from its beginning
_KINDS = ("node", "way", "relation")


def is_element(member: Any) -> bool:
    """Whether a member of a file is an element of Overpass, not a feature of GeoJSON."""
    return isinstance(member, dict) and member.get("type") in _KINDS and "id" in member


def objects_of_elements(members: Members) -> Iterator[OsmObject]:
    """The objects of a file that say something of a business or an address."""
    shapes = _Shapes(members)
    for element in members():
        tags = _taken_tags(element)
        if tags is None:
            continue
        point = own_point(element) or shapes.point(element)
        if point is not None:
            yield OsmObject(id=f"{element['type']}/{element['id']}", tags=tags, point=point)


def _taken_tags(element: Any) -> dict[str, str] | None:
    if not is_element(element) or not isinstance(element.get("tags"), dict):
        return None
    tags = {str(key): str(value) for key, value in element["tags"].items()}
    return tags if is_taken(tags) else None


def own_point(element: Mapping[str, Any]) -> Point | None:
    """The point that an element says itself; None if it names nodes or members in its place."""
    for where in (element, element.get("center")):
        if isinstance(where, dict) and {"lat", "lon"} <= where.keys():
            return possible_point(*_position(where))
    bounds = element.get("bounds")
    if isinstance(bounds, dict) and {"minlat", "maxlat", "minlon", "maxlon"} <= bounds.keys():
        low = _position({"lat": bounds["minlat"], "lon": bounds["minlon"]})
        high = _position({"lat": bounds["maxlat"], "lon": bounds["maxlon"]})
        return middle_point([low, high, low])
    geometry = element.get("geometry")
    if isinstance(geometry, list):
        return middle_point([_position(corner) for corner in geometry if corner])
    return None


def _position(where: Mapping[str, Any]) -> Position:
    try:
        return float(where["lon"]), float(where["lat"])
    except (KeyError, TypeError, ValueError):
        return float("nan"), float("nan")


class _Shapes:
    """Where the nodes of ways and relations are, of those objects that need it."""

    def __init__(self, members: Members) -> None:
        self._ways: dict[int, list[int]] = {}
        self._nodes: dict[int, Position] = {}
        taken = (e for e in members() if _taken_tags(e) is not None)
        needing = [_parts(element) for element in taken if own_point(element) is None]
        if not needing:
            return
        nodes = {n for found, _ in needing for n in found}
        wanted = {way for _, ways in needing for way in ways}
        for element in members() if wanted else ():
            if is_element(element) and element["type"] == "way" and element["id"] in wanted:
                self._ways[element["id"]] = list(element.get("nodes") or ())
        nodes.update(n for refs in self._ways.values() for n in refs)
        for element in members():
            if is_element(element) and element["id"] in nodes and element["type"] == "node":
                self._nodes[element["id"]] = _position(element)

    def point(self, element: Mapping[str, Any]) -> Point | None:
        """The point of a way or relation by its parts; None if the file does not have them."""
        nodes, ways = _parts(element)
        corners = [self._nodes[n] for n in nodes if n in self._nodes]
        if element["type"] == "way":
            return middle_point(corners)
        corners += [self._nodes[n] for w in ways for n in self._ways.get(w, ()) if n in self._nodes]
        return middle_point([*corners, corners[0]] if corners else [])


def _parts(element: Mapping[str, Any]) -> tuple[list[int], list[int]]:
    """The ids of the nodes and ways that make the outline of an object."""
    if element["type"] == "way":
        return list(element.get("nodes") or ()), []
    parts: dict[str, list[int]] = {"node": [], "way": []}
    for member in element.get("members") or ():
        if member.get("type") in parts and member.get("role") not in NO_OUTLINE:
            parts[member["type"]].append(member["ref"])
    return parts["node"], parts["way"]
