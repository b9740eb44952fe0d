"""The shapes a region is made of: circle, box and polygon.

All are closed sets: a point on the edge is inside. They are ours because distances are kilometres
on the globe and shapes may cross the antimeridian, which geometry libraries of the plane leave to
the caller. One point at a time they are as fast as such a library, except in the largest outlines:
docs/why/libraries.md has the figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import atan, cbrt, cos, degrees, isqrt, radians, sin, tan
from operator import itemgetter
from typing import NamedTuple

from geoscout_places.gazetteer.areas import sphere
from geoscout_places.model import Point


@dataclass(frozen=True)
class Circle:
    """All points within a distance of the centre."""

    center: Point
    radius_km: float

    def contains(self, point: Point) -> bool:
        """Tell whether the point is inside or on the edge."""
        return sphere.distance_km(self.center, point) <= self.radius_km

    def distance_km(self, point: Point) -> float:
        """Measure how far the point is from the shape; 0 inside."""
        return max(0.0, sphere.distance_km(self.center, point) - self.radius_km)

    def outline(self) -> Sequence[Point]:
        """Give points of the edge, close enough together to measure the shape by."""
        return [sphere.destination(self.center, turn, self.radius_km) for turn in range(0, 360, 10)]

    @cached_property
    def bounding_box(self) -> Box:
        return Box(*sphere.bounding_box(self.center, self.radius_km))

    @property
    def diameter_km(self) -> float:
        """The greatest distance between two points of the shape."""
        return min(2 * self.radius_km, sphere.HALF_WAY_ROUND_KM)


@dataclass(frozen=True)
class Box:
    """All points between two meridians and two parallels.

    With west > east it crosses the antimeridian. Longitudes are from -180 to 180.
    """

    west: float
    south: float
    east: float
    north: float

    def contains(self, point: Point) -> bool:
        if not self.south <= point.latitude <= self.north:
            return False
        return self.contains_longitude(point.longitude)

    def contains_longitude(self, longitude: float) -> bool:
        return (longitude - self.west) % 360 <= self.width

    @cached_property
    def width(self) -> float:
        """The span of longitudes in degrees."""
        return self.east - self.west + (360 if self.west > self.east else 0)

    def distance_km(self, point: Point) -> float:
        if self.contains_longitude(point.longitude):
            outside = max(self.south - point.latitude, point.latitude - self.north, 0.0)
            return outside * sphere.KM_PER_DEGREE
        return min(self._distance_to_side(point, side) for side in (self.west, self.east))

    def _distance_to_side(self, point: Point, longitude: float) -> float:
        """Measure to the nearest point of a side, which is an arc of a meridian."""
        latitudes = [self.south, self.north]
        turn = cos(radians(longitude - point.longitude))
        if turn > 0:
            # Napier's rule for the foot of the perpendicular on a meridian.
            foot = degrees(atan(tan(radians(point.latitude)) / turn))
            latitudes.append(min(max(foot, self.south), self.north))
        return min(sphere.distance_km(point, Point(end, longitude)) for end in latitudes)

    def outline(self) -> Sequence[Point]:
        columns = [sphere.wrap_longitude(self.west + self.width * step / 36) for step in range(37)]
        heights = [self.south + (self.north - self.south) * step / 36 for step in range(37)]
        rows = [Point(end, column) for column in columns for end in (self.south, self.north)]
        return rows + [Point(height, end) for height in heights for end in (self.west, self.east)]

    @property
    def bounding_box(self) -> Box:
        return self

    @cached_property
    def diameter_km(self) -> float:
        return measure_diameter(self.outline())


def city_radius_km(population: int) -> float:
    """Estimate how far a populated place reaches from its centre, at least 3 km.

    0.12 km times the cube root of the population: a rule of thumb, not a fit. Towns get denser as
    they grow, so the area grows more slowly than the population, here with its two-thirds power.
    The factor makes it 12 km for a city of a million, such as Cologne.

    >>> [round(city_radius_km(people), 1) for people in (0, 160_000, 3_600_000)]
    [3.0, 6.5, 18.4]
    """
    return max(3.0, 0.12 * cbrt(population))


def measure_diameter(points: Iterable[Point]) -> float:
    """Measure the greatest great-circle distance between any two of the points.

    It goes from a point to the farthest one, and on from there until that gets no longer, from
    several starts. This is exact for nearly every real outline, a lower bound for the rest, and
    linear where comparing all pairs is quadratic.
    """
    known = list(points)
    if not known:
        return 0.0
    vectors = [_unit_vector(point) for point in known]
    starts = {
        vectors.index(pick(vectors, key=lambda v: v[i])) for i in range(3) for pick in (min, max)
    }
    return max(_longest_from(start, known, vectors) for start in sorted(starts))


def _longest_from(
    start: int, points: Sequence[Point], vectors: Sequence[tuple[float, float, float]]
) -> float:
    longest = -1.0
    while True:
        x, y, z = vectors[start]
        products = [x * a + y * b + z * c for a, b, c in vectors]
        farthest = products.index(min(products))
        length = sphere.distance_km(points[start], points[farthest])
        if length <= longest:
            return longest
        start, longest = farthest, length


def _unit_vector(point: Point) -> tuple[float, float, float]:
    north, turn = radians(point.latitude), radians(point.longitude)
    return cos(north) * cos(turn), cos(north) * sin(turn), sin(north)


# An edge of a polygon is a straight line in the plane of longitude and latitude, as GeoJSON has it
# (RFC 7946, section 3.1.1). What is inside follows from the even-odd rule over all rings, so that
# holes and islands need no marking. A country has ten thousand edges and a crawl asks for points by
# the thousand, so each ring is cut into runs of edges with a bounding box: only the few runs near
# the point are looked at edge by edge. That is as fast as an R-tree at these sizes and needs a
# fifth of the code.
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
        longitudes = ([x for x, _ in ring] for ring in self.rings)
        west, east = _enclose_spans([(min(xs), max(xs)) for xs in longitudes])
        return Box(west, south, east, north)

    @cached_property
    def diameter_km(self) -> float:
        return measure_diameter(self.outline())

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


Shape = Circle | Box | Polygon  # a part of the globe; each has the methods of a circle


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
