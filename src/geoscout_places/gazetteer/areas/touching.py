"""Finds which countries a drawn shape touches.

Asked once for a region, so it may take some milliseconds, but it must not miss a country: sampling
points would. It is as exact as the outlines are, a kilometre or so.
"""

from __future__ import annotations

from itertools import pairwise

from geoscout_places.gazetteer.areas.boundaries import country_boundaries
from geoscout_places.gazetteer.areas.polygon import EdgeRun, Polygon, Ring
from geoscout_places.gazetteer.areas.shapes import Box, Circle, Shape
from geoscout_places.model import Point


def touched_countries(shape: Shape) -> frozenset[str]:
    """Name the countries the shape has a point in common with, by ISO code."""
    return frozenset(
        code for code, country in country_boundaries().items() if _touches(country, shape)
    )


def _touches(country: Polygon, shape: Shape) -> bool:
    if not boxes_touch(country.bounding_box, shape.bounding_box):
        return False
    if isinstance(shape, Circle):
        return country.distance_km(shape.center) <= shape.radius_km
    polygon = shape if isinstance(shape, Polygon) else box_polygon(shape.bounding_box)
    return polygons_touch(country, polygon)


def boxes_touch(box: Box, other: Box) -> bool:
    if box.south > other.north or other.south > box.north:
        return False
    return box.contains_longitude(other.west) or other.contains_longitude(box.west)


def box_polygon(box: Box) -> Polygon:
    """Draw a box as a polygon, beyond 180 degrees where it crosses the antimeridian."""
    west, east = box.west, box.west + box.width
    ring = (west, box.south), (east, box.south), (east, box.north), (west, box.north)
    return Polygon((ring,))


def polygons_touch(polygon: Polygon, other: Polygon) -> bool:
    """Tell whether two polygons have a point in common.

    Without an edge that crosses, a ring lies inside the other polygon with all its points or none.
    """
    return (
        any(other.contains(_first_point(ring)) for ring in polygon.rings)
        or any(polygon.contains(_first_point(ring)) for ring in other.rings)
        or any(_edges_cross(polygon, other, shift) for shift in (0.0, 360.0, -360.0))
    )


def _first_point(ring: Ring) -> Point:
    longitude, latitude = ring[0]
    return Point(latitude, longitude)


def _edges_cross(polygon: Polygon, other: Polygon, shift: float) -> bool:
    near = [run for run in other.runs if _boxes_meet(run[:4], polygon.extent, shift)]
    return any(
        _boxes_meet(run[:4], near_run[:4], -shift) and _lines_cross(run, near_run, shift)
        for run in polygon.runs
        if near and _boxes_meet(run[:4], other.extent, -shift)
        for near_run in near
    )


_Extent = tuple[float, float, float, float]
_Position = tuple[float, float]


def _boxes_meet(box: _Extent, other: _Extent, shift: float) -> bool:
    """Tell whether two boxes overlap when the other is moved east by `shift`."""
    return (
        box[0] <= other[2] + shift
        and other[0] + shift <= box[2]
        and box[1] <= other[3]
        and other[1] <= box[3]
    )


def _lines_cross(run: EdgeRun, other: EdgeRun, shift: float) -> bool:
    moved = [(x + shift, y) for x, y in run.points]
    return any(
        _segments_cross(start, end, other_start, other_end)
        for start, end in pairwise(moved)
        for other_start, other_end in pairwise(other.points)
    )


def _segments_cross(a: _Position, b: _Position, c: _Position, d: _Position) -> bool:
    return (
        # On one line, all four products are 0 and only this tells whether they meet.
        _boxes_meet(_extent_of(a, b), _extent_of(c, d), 0.0)
        and _side(a, b, c) * _side(a, b, d) <= 0
        and _side(c, d, a) * _side(c, d, b) <= 0
    )


def _extent_of(a: _Position, b: _Position) -> _Extent:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])


def _side(start: _Position, end: _Position, point: _Position) -> float:
    """Tell by its sign on which side of the line from start to end the point lies."""
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    return along_x * (point[1] - start[1]) - along_y * (point[0] - start[0])
