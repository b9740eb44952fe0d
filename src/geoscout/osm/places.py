"""A point that stands for a way or an area: the middle of the box around it.

For a house that is within some metres of its middle. A line, such as a shopping street, is
represented by the middle one of its points, since its box may have the middle far from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from geoscout_places.model import Point

Position = tuple[float, float]  # longitude, latitude
_FURTHEST_EAST, _FURTHEST_NORTH = 180.0, 90.0


def middle_point(positions: Sequence[Position]) -> Point | None:
    """The point that stands for a shape with these corners; None for none, or impossible ones."""
    if not positions:
        return None
    if len(positions) > 1 and positions[0] != positions[-1]:
        return possible_point(*positions[len(positions) // 2])
    east, north = zip(*positions, strict=True)
    return possible_point((min(east) + max(east)) / 2, (min(north) + max(north)) / 2)


def possible_point(longitude: float, latitude: float) -> Point | None:
    """A point; None if there is no such place on the globe."""
    if not (isfinite(longitude) and isfinite(latitude)):
        return None
    if abs(longitude) > _FURTHEST_EAST or abs(latitude) > _FURTHEST_NORTH:
        return None
    return Point(latitude, longitude)


def geometry_point(geometry: Any) -> Point | None:
    """The point that stands for a geometry of GeoJSON; None for what is not one."""
    if not isinstance(geometry, dict):
        return None
    if geometry.get("type") == "GeometryCollection":
        parts = geometry.get("geometries")
        found = map(geometry_point, parts) if isinstance(parts, list) else ()
        return next((point for point in found if point), None)
    return middle_point(_outline(geometry.get("coordinates")))


def _outline(coordinates: Any) -> list[Position]:
    """The positions of a geometry; of several rings or parts those of the first, the outer one."""
    while _is_list(coordinates) and _is_list(coordinates[0]) and _is_list(coordinates[0][0]):
        coordinates = coordinates[0]
    if not _is_list(coordinates):
        return []
    return list(_positions(coordinates if _is_list(coordinates[0]) else [coordinates]))


def _positions(coordinates: list[Any]) -> Iterator[Position]:
    for position in coordinates:
        if _is_list(position) and len(position) > 1:
            east, north = position[:2]
            if isinstance(east, int | float) and isinstance(north, int | float):
                yield float(east), float(north)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)
