"""Distances and directions on the globe.

The earth is taken as a sphere of its mean radius: at most 0.5 % off the ellipsoid, far below what
a page says about where it is, and a tenth of the work. Standard library only, so that asking for a
place does not load numpy.
"""

from math import asin, atan2, cos, degrees, pi, radians, sin, sqrt

from geoscout_places.model import Point

EARTH_RADIUS_KM = 6371.0088  # mean radius of WGS 84 (IUGG)
KM_PER_DEGREE = EARTH_RADIUS_KM * pi / 180  # along a meridian
HALF_WAY_ROUND_KM = EARTH_RADIUS_KM * pi


def distance_km(start: Point, end: Point) -> float:
    """Measure the great-circle distance by the haversine formula.

    >>> round(distance_km(Point(38.7167, -9.1333), Point(41.1496, -8.611)))
    274
    """
    north, other_north = radians(start.latitude), radians(end.latitude)
    half_turn = radians(end.longitude - start.longitude) / 2
    haversine = (
        sin((other_north - north) / 2) ** 2 + cos(north) * cos(other_north) * sin(half_turn) ** 2
    )
    return 2 * EARTH_RADIUS_KM * asin(sqrt(min(1.0, haversine)))


def destination(start: Point, bearing_degrees: float, length_km: float) -> Point:
    """Find where one arrives going straight on from `start`; bearing 0 is north, 90 east."""
    north, bearing, arc = radians(start.latitude), radians(bearing_degrees), _arc(length_km)
    height = sin(north) * cos(arc) + cos(north) * sin(arc) * cos(bearing)
    height = max(-1.0, min(1.0, height))
    turn = atan2(sin(bearing) * sin(arc) * cos(north), cos(arc) - sin(north) * height)
    return Point(degrees(asin(height)), wrap_longitude(start.longitude + degrees(turn)))


def bounding_box(center: Point, radius_km: float) -> tuple[float, float, float, float]:
    """Give west, south, east and north of a circle; west > east across the antimeridian.

    A circle round a pole has every longitude.

    >>> [round(edge, 2) for edge in bounding_box(Point(-17.0, 179.5), 111.2)]
    [178.45, -18.0, -179.45, -16.0]
    """
    height = degrees(_arc(radius_km))
    south, north = center.latitude - height, center.latitude + height
    if south <= -90 or north >= 90:
        return -180.0, max(-90.0, south), 180.0, min(90.0, north)
    width = degrees(asin(min(1.0, sin(_arc(radius_km)) / cos(radians(center.latitude)))))
    return (
        wrap_longitude(center.longitude - width),
        south,
        wrap_longitude(center.longitude + width),
        north,
    )


def wrap_longitude(longitude: float) -> float:
    """Name the same meridian by a number from -180 to 180; these two are left as they are.

    >>> wrap_longitude(190.0), wrap_longitude(180.0), wrap_longitude(-180.0)
    (-170.0, 180.0, -180.0)
    """
    if -180 <= longitude <= 180:
        return longitude
    return (longitude + 180) % 360 - 180


def _arc(length_km: float) -> float:
    """Give the angle at the centre of the earth in radians, at most half way round."""
    return min(length_km, HALF_WAY_ROUND_KM) / EARTH_RADIUS_KM
