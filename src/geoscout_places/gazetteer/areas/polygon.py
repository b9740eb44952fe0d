"""Polygons with holes and several parts, in the plane of longitude and latitude.

An edge is a straight line in that plane, as GeoJSON has it (RFC 7946, section 3.1.1). What is
inside follows from the even-odd rule over all rings, so that holes and islands need no marking.

A country has ten thousand edges and a crawl asks for points by the thousand. So each ring is cut
into runs of edges with a bounding box: only the few runs near the point are looked at edge by
edge. That is as fast as an R-tree at these sizes and needs a fifth of the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import cos, isqrt, radians
from operator import itemgetter
from typing import NamedTuple

from geoscout_places.gazetteer.areas import sphere
from geoscout_places.gazetteer.areas.shapes import Box, measure_diameter
from geoscout_places.model import Point

Ring = tuple[tuple[float, float], ...]  # (longitude, latitude), the first point not repeated

# On the globe a long edge, straight on the map, may swing out farther than its ends lie.
_BULGE = 1.1


class EdgeRun(NamedTuple):
    """Consecutive edges of a ring with their bounding box."""

    west: float
    south: float
    east: float
    north: float
    points: Ring


@dataclass(frozen=True)
class Polygon:
    """An area bounded by rings: its parts and the holes in them, in any order.

    Longitudes may go beyond 180 for what crosses the antimeridian; points are found either way.
    """

    rings: tuple[Ring, ...]

    def contains(self, point: Point) -> bool:
        west, south, east, north = self.extent
        if not south <= point.latitude <= north:
            return False
        # The same meridian may be 179 for the point and -181 for the polygon.
        return any(
            self._contains_position(longitude, point.latitude)
            for longitude in (point.longitude, point.longitude - 360, point.longitude + 360)
            if west <= longitude <= east
        )

    def _contains_position(self, x: float, y: float) -> bool:
        inside = False
        for run in self.runs:
            if y < run.south or y > run.north or x > run.east:
                continue
            if x < run.west:  # all of it lies to the east: only its ends matter
                inside ^= (run.points[0][1] > y) != (run.points[-1][1] > y)
                continue
            crossings = _count_crossings(run.points, x, y)
            if crossings is None:
                return True
            inside ^= crossings % 2 == 1
        return inside

    def distance_km(self, point: Point) -> float:
        if self.contains(point):
            return 0.0
        best = sphere.HALF_WAY_ROUND_KM
        away = [sphere.distance_km(point, center) - reach for center, reach in self._rounds]
        for bound, run in sorted(zip(away, self.runs, strict=True), key=itemgetter(0)):
            if bound >= best:
                break
            best = min(best, _distance_to_line(run.points, point))
        return best

    def outline(self) -> Sequence[Point]:
        return [Point(y, sphere.wrap_longitude(x)) for ring in self.rings for x, y in ring]

    @cached_property
    def bounding_box(self) -> Box:
        """The smallest box; that of Fiji crosses the antimeridian."""
        _, south, _, north = self.extent
        west, east = _enclose_spans([(min(xs), max(xs)) for xs in self._longitudes()])
        return Box(west, south, east, north)

    @cached_property
    def diameter_km(self) -> float:
        return measure_diameter(self.outline())

    def _longitudes(self) -> Iterator[list[float]]:
        return ([x for x, _ in ring] for ring in self.rings)

    @cached_property
    def extent(self) -> tuple[float, float, float, float]:
        """West, south, east and north as the numbers stand."""
        xs = [x for ring in self.rings for x, _ in ring]
        ys = [y for ring in self.rings for _, y in ring]
        if not xs:
            return 1.0, 1.0, -1.0, -1.0
        return min(xs), min(ys), max(xs), max(ys)

    @cached_property
    def runs(self) -> tuple[EdgeRun, ...]:
        length = max(8, isqrt(sum(map(len, self.rings))) // 2)
        return tuple(run for ring in self.rings for run in _cut(ring, length))

    @cached_property
    def _rounds(self) -> tuple[tuple[Point, float], ...]:
        """For every run a point and how far at most its edges are from there."""
        return tuple(map(_enclose, self.runs))


def _cut(ring: Ring, length: int) -> Iterator[EdgeRun]:
    closed = (*ring, ring[0])
    for start in range(0, len(ring), length):
        points = closed[start : start + length + 1]
        xs, ys = zip(*points, strict=True)
        yield EdgeRun(min(xs), min(ys), max(xs), max(ys), points)


def _count_crossings(points: Ring, x: float, y: float) -> int | None:
    """Count how often a ray to the east meets the line; None when the point lies on it."""
    crossings = 0
    x1, y1 = points[0]
    for x2, y2 in points[1:]:
        if (y1 > y) != (y2 > y):
            meets = x1 + (y - y1) * (x2 - x1) / (y2 - y1)
            if meets == x:
                return None
            crossings += meets > x
        elif y1 == y and (x1 == x or (y2 == y and (x1 > x) != (x2 > x))):
            return None
        x1, y1 = x2, y2
    return None if (x1, y1) == (x, y) else crossings


def _enclose(run: EdgeRun) -> tuple[Point, float]:
    center = Point((run.south + run.north) / 2, (run.west + run.east) / 2)
    reach = max(sphere.distance_km(center, Point(y, x)) for x, y in run.points)
    return center, reach * _BULGE


def _distance_to_line(points: Ring, point: Point) -> float:
    """Measure to the nearest point of the edges, found in a plane that touches at the point."""
    scale = cos(radians(point.latitude))
    best = (float("inf"), 0.0, 0.0)
    for (x1, y1), (x2, y2) in pairwise(points):
        x, y = (x1 - point.longitude + 180) % 360 - 180, y1 - point.latitude
        best = min(best, _nearest_on_edge(x, y, x2 - x1, y2 - y1, scale))
    _, x, y = best
    return sphere.distance_km(point, Point(point.latitude + y, point.longitude + x))


def _nearest_on_edge(
    x: float, y: float, along_x: float, along_y: float, scale: float
) -> tuple[float, float, float]:
    """Give the squared distance of the origin from an edge, and the edge's point nearest to it."""
    square = (along_x * scale) ** 2 + along_y * along_y
    share = -(x * scale * along_x * scale + y * along_y) / square if square else 0.0
    share = min(max(share, 0.0), 1.0)
    x, y = x + share * along_x, y + share * along_y
    return (x * scale) ** 2 + y * y, x, y


def _enclose_spans(spans: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Find the west and east of the shortest stretch of the equator that holds all spans.

    >>> _enclose_spans([(177.0, 180.0), (-180.0, -178.0)])
    (177.0, -178.0)
    """
    if not spans:
        return 0.0, 0.0
    ordered = sorted(((west + 180) % 360 - 180, east - west) for west, east in spans)
    if any(width >= 360 for _, width in ordered):
        return -180.0, 180.0
    ordered += [(west + 360, width) for west, width in ordered]
    reach, widest = ordered[0][0], (-1.0, 0.0, 0.0)
    for west, width in ordered:
        widest = max(widest, (west - reach, west, reach))
        reach = max(reach, west + width)
    gap, west, east = widest
    if gap <= 0:
        return -180.0, 180.0
    return sphere.wrap_longitude(west), sphere.wrap_longitude(east)
