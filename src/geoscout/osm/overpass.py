"""Objects of OpenStreetMap from the JSON that Overpass answers with.

Ways and relations have a point where the query asked for one (`out center`, `out geom`, `out bb`).
The usual query of Overpass Turbo does not: there the file has the nodes of the ways, often behind
them. Such a file is read up to four times, and only what the objects need is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from geoscout.osm.places import Position, middle_point, possible_point
from geoscout.osm.records import OsmObject, is_taken
from geoscout_places.model import Point

Members = Callable[[], Iterable[Any]]  # the elements of a file, from its beginning
_KINDS = ("node", "way", "relation")
_INSIDE = ("inner", "label", "admin_centre", "entrance")


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
        needing = [_parts(e) for e in members() if _needs_parts(e)]
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


def _needs_parts(element: Any) -> bool:
    return _taken_tags(element) is not None and own_point(element) is None


def _parts(element: Mapping[str, Any]) -> tuple[list[int], list[int]]:
    """The ids of the nodes and ways that make the outline of an object."""
    if element["type"] == "way":
        return list(element.get("nodes") or ()), []
    parts: dict[str, list[int]] = {"node": [], "way": []}
    for member in element.get("members") or ():
        if member.get("type") in parts and member.get("role") not in _INSIDE:
            parts[member["type"]].append(member["ref"])
    return parts["node"], parts["way"]
