"""Joins, widens and takes apart outlines; the one place that needs shapely.

A coastline drawn for maps leaves harbours, fjord towns and islets in the sea. What we ask of a
boundary is where an address belongs, and no address belongs to the sea: so every unit is widened
over open water by some kilometres, never over the land of another unit. This also lets go of the
bays and skerries that make coastlines so large.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, radians
from typing import Any

import shapely
from shapely import affinity
from tools.derive.arcs import Line

Geometry = Any  # shapely has no types

WIDENING = 0.05  # degrees of latitude, 5.5 km
_COARSE = 0.01  # a coast may be simplified so far before it is widened
_SMALLEST_PIECE = 1e-4  # square degrees: gaps between neighbours that are not water
_DECIMALS = 3


def read_geometry(geometry: Mapping[str, Any]) -> Geometry:
    """Read the polygons of a GeoJSON geometry, mended where rings cross themselves."""
    return keep_areas(shapely.make_valid(shapely.geometry.shape(geometry)))


def read_topology(topology: Mapping[str, Any], layer: str) -> Iterator[tuple[str, Geometry]]:
    """Read id and polygons of every geometry in a layer of a quantized TopoJSON file."""
    lines = [_read_arc(arc, topology["transform"]) for arc in topology["arcs"]]
    for item in topology["objects"][layer]["geometries"]:
        parts = [item["arcs"]] if item["type"] == "Polygon" else item.get("arcs", [])
        rings = [[_join_arcs(ring, lines) for ring in part] for part in parts]
        closed = [part for part in map(_closed_only, rings) if part]
        yield (
            str(item.get("id", "")),
            read_geometry({"type": "MultiPolygon", "coordinates": closed}),
        )


def _read_arc(
    arc: Sequence[Sequence[int]], transform: Mapping[str, Any]
) -> list[tuple[float, float]]:
    (scale_x, scale_y), (move_x, move_y) = transform["scale"], transform["translate"]
    x = y = 0
    line = []
    for step_x, step_y in arc:
        x, y = x + step_x, y + step_y
        line.append((x * scale_x + move_x, y * scale_y + move_y))
    return line


def _join_arcs(
    indexes: Sequence[int], lines: Sequence[list[tuple[float, float]]]
) -> list[tuple[float, float]]:
    """Chain arcs to a ring; a negative index means the arc backwards (its complement)."""
    ring: list[tuple[float, float]] = []
    for index in indexes:
        line = lines[index] if index >= 0 else lines[~index][::-1]
        ring += line[1:] if ring else line
    return ring


def _closed_only(part: Sequence[list[tuple[float, float]]]) -> list[list[tuple[float, float]]]:
    """Leave out rings that quantization has flattened to a line."""
    return [ring for ring in part if len(ring) > 3]


def keep_areas(geometry: Geometry) -> Geometry:
    """Drop points and lines, which mending leaves behind."""
    # A collection may hold multi-polygons, hence twice.
    parts = shapely.get_parts(shapely.get_parts(geometry))
    return shapely.MultiPolygon([p for p in parts if p.geom_type == "Polygon" and not p.is_empty])


def widen_over_water(units: Sequence[Geometry]) -> list[Geometry]:
    """Widen every unit by `WIDENING` where no other unit is."""
    tree = shapely.STRtree(units)
    return [_widen(i, units, tree) for i in range(len(units))]


def _widen(index: int, units: Sequence[Geometry], tree: Any) -> Geometry:
    unit = units[index]
    if unit.is_empty:
        return unit
    wide = _buffer(unit)
    near = [units[i] for i in sorted(tree.query(wide)) if i != index]
    land = shapely.union_all([shapely.clip_by_rect(other, *wide.bounds) for other in near])
    water = keep_areas(shapely.difference(wide, shapely.union(land, unit)))
    pieces = [piece for piece in water.geoms if piece.area > _SMALLEST_PIECE]
    return keep_areas(shapely.union_all([unit, *pieces]))


def _buffer(unit: Geometry) -> Geometry:
    """Widen by the same length in all directions, and not beyond the map's edges."""
    _, south, _, north = unit.bounds
    scale = max(0.1, cos(radians((south + north) / 2)))
    flat = affinity.scale(unit.simplify(_COARSE), xfact=scale, origin=(0, 0))
    wide = affinity.scale(flat.buffer(WIDENING, quad_segs=2), xfact=1 / scale, origin=(0, 0))
    return shapely.clip_by_rect(wide, -180, -90, 180, 90)


def join(units: Sequence[Geometry]) -> Geometry:
    """Join units to one outline."""
    return keep_areas(shapely.union_all(list(units)))


def rings_of(geometry: Geometry) -> list[Line]:
    """Take an outline apart into rings of rounded positions."""
    rings = []
    for part in geometry.geoms:
        for ring in (part.exterior, *part.interiors):
            rounded = [(round(x, _DECIMALS), round(y, _DECIMALS)) for x, y in ring.coords]
            rings.append(tuple(rounded[:-1]))
    return rings
