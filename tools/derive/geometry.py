"""Distances, means and centroids on the globe, as far as deriving tables needs them."""

from collections.abc import Iterable, Sequence
from math import asin, atan2, cos, degrees, hypot, radians, sin, sqrt

EARTH_RADIUS_KM = 6371.0088

Point = tuple[float, float]


def distance_km(
    latitude: float, longitude: float, other_latitude: float, other_longitude: float
) -> float:
    """The great-circle distance."""
    north, other_north = radians(latitude), radians(other_latitude)
    half_east = radians(other_longitude - longitude) / 2
    chord = (
        sin((other_north - north) / 2) ** 2 + cos(north) * cos(other_north) * sin(half_east) ** 2
    )
    return 2 * EARTH_RADIUS_KM * asin(sqrt(min(1.0, chord)))


def weighted_mean(points: Iterable[tuple[float, float, float]]) -> Point:
    """The mean of (latitude, longitude, weight), taken on the sphere.

    On the sphere, because a mean of longitudes fails at the date line (Fiji, Chukotka).
    """
    east = across = up = 0.0
    for latitude, longitude, weight in points:
        north, turn = radians(latitude), radians(longitude)
        east += weight * cos(north) * cos(turn)
        across += weight * cos(north) * sin(turn)
        up += weight * sin(north)
    return (
        round(degrees(atan2(up, hypot(east, across))), 4),
        round(degrees(atan2(across, east)), 4),
    )


def contains(ring: Sequence[Point], x: float, y: float) -> bool:
    """Whether a closed ring of (x, y) holds the point, by the even-odd rule."""
    inside = False
    before_x, before_y = ring[-1]
    for after_x, after_y in ring:
        if (after_y > y) != (before_y > y):
            crossing = after_x + (y - after_y) * (before_x - after_x) / (before_y - after_y)
            inside ^= x < crossing
        before_x, before_y = after_x, after_y
    return inside


def area(ring: Sequence[Point]) -> float:
    """The area of a ring of (x, y) in square units, whatever its direction."""
    pairs = zip(ring, (*ring[1:], ring[0]), strict=True)
    return abs(sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairs)) / 2
