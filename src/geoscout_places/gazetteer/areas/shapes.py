"""The shapes a region is made of: circle, box and (from `polygon`) polygon.

All are closed sets: a point on the edge is inside. They are ours because distances are kilometres
on the globe and shapes may cross the antimeridian, which geometry libraries of the plane leave to
the caller. One point at a time they are as fast as such a library, except in the largest outlines:
docs/why/libraries.md has the figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atan, cbrt, cos, degrees, radians, sin, tan
from typing import Protocol

from geoscout_places.gazetteer.areas import sphere
from geoscout_places.model import Point


class Shape(Protocol):
    """A part of the globe."""

    def contains(self, point: Point) -> bool:
        """Tell whether the point is inside or on the edge."""
        ...

    def distance_km(self, point: Point) -> float:
        """Measure how far the point is from the shape; 0 inside."""
        ...

    def outline(self) -> Sequence[Point]:
        """Give points of the edge, close enough together to measure the shape by."""
        ...

    @property
    def bounding_box(self) -> Box:
        """The smallest box around the shape."""
        ...

    @property
    def diameter_km(self) -> float:
        """The greatest distance between two points of the shape."""
        ...


@dataclass(frozen=True)
class Circle:
    """All points within a distance of the centre."""

    center: Point
    radius_km: float

    def contains(self, point: Point) -> bool:
        return sphere.distance_km(self.center, point) <= self.radius_km

    def distance_km(self, point: Point) -> float:
        return max(0.0, sphere.distance_km(self.center, point) - self.radius_km)

    def outline(self) -> Sequence[Point]:
        return [sphere.destination(self.center, turn, self.radius_km) for turn in range(0, 360, 10)]

    @cached_property
    def bounding_box(self) -> Box:
        return Box(*sphere.bounding_box(self.center, self.radius_km))

    @property
    def diameter_km(self) -> float:
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
