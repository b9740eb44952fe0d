"""Coordinates on the British national grid turned into WGS 84 degrees.

The Ordnance Survey's transformation with a seven-parameter Helmert shift, good to about
five metres; the OSTN15 grid, good to ten centimetres, would be 15 MB for no gain in the
mean of a postcode district.
"""

from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, radians, sin, sqrt, tan

from tools.derive.geometry import Point


@dataclass(frozen=True)
class Ellipsoid:
    """Semi-axes in metres."""

    major: float
    minor: float

    @property
    def eccentricity_squared(self) -> float:
        """The first eccentricity, squared."""
        return 1 - (self.minor / self.major) ** 2


@dataclass(frozen=True)
class Helmert:
    """A shift in metres, a scale in parts per million, rotations in seconds of arc."""

    shift: tuple[float, float, float]
    scale: float
    rotation: tuple[float, float, float]


@dataclass(frozen=True)
class Grid:
    """A transverse Mercator grid: scale on the central meridian, true origin, false origin."""

    ellipsoid: Ellipsoid
    scale: float
    latitude: float
    longitude: float
    easting: float
    northing: float
    to_wgs84: Helmert


_WGS84 = Ellipsoid(6378137.0, 6356752.314245)

# "A guide to coordinate systems in Great Britain", Ordnance Survey, annexes A and C.
BRITISH = Grid(
    ellipsoid=Ellipsoid(6377563.396, 6356256.909),
    scale=0.9996012717,
    latitude=49.0,
    longitude=-2.0,
    easting=400_000.0,
    northing=-100_000.0,
    to_wgs84=Helmert((446.448, -125.157, 542.060), -20.4894, (0.1502, 0.2470, 0.8421)),
)


def to_wgs84(grid: Grid, easting: float, northing: float) -> Point:
    """Latitude and longitude in WGS 84 degrees."""
    latitude, longitude = _unproject(grid, easting, northing)
    x, y, z = _to_cartesian(grid.ellipsoid, latitude, longitude)
    latitude, longitude = _from_cartesian(_WGS84, *_shift(grid.to_wgs84, x, y, z))
    return round(degrees(latitude), 6), round(degrees(longitude), 6)


def _meridian_arc(grid: Grid, latitude: float) -> float:
    major, minor = grid.ellipsoid.major, grid.ellipsoid.minor
    n = (major - minor) / (major + minor)
    difference = latitude - radians(grid.latitude)
    total = latitude + radians(grid.latitude)
    return (
        minor
        * grid.scale
        * (
            (1 + n + 5 / 4 * n**2 + 5 / 4 * n**3) * difference
            - (3 * n + 3 * n**2 + 21 / 8 * n**3) * sin(difference) * cos(total)
            + (15 / 8 * n**2 + 15 / 8 * n**3) * sin(2 * difference) * cos(2 * total)
            - 35 / 24 * n**3 * sin(3 * difference) * cos(3 * total)
        )
    )


def _foot_latitude(grid: Grid, northing: float) -> float:
    radius = grid.ellipsoid.major * grid.scale
    latitude = radians(grid.latitude)
    missing = northing - grid.northing
    while abs(missing) > 1e-5:
        latitude += missing / radius
        missing = northing - grid.northing - _meridian_arc(grid, latitude)
    return latitude


def _unproject(grid: Grid, easting: float, northing: float) -> Point:
    """Latitude and longitude in radians on the grid's own ellipsoid."""
    foot = _foot_latitude(grid, northing)
    squared = grid.ellipsoid.eccentricity_squared
    slope = tan(foot)
    bulge = 1 - squared * sin(foot) ** 2
    nu = grid.ellipsoid.major * grid.scale / sqrt(bulge)
    rho = nu * (1 - squared) / bulge
    eta = nu / rho - 1
    east = (easting - grid.easting) / nu
    latitude = foot - slope * nu / rho * (
        east**2 / 2
        - east**4 / 24 * (5 + 3 * slope**2 + eta - 9 * slope**2 * eta)
        + east**6 / 720 * (61 + 90 * slope**2 + 45 * slope**4)
    )
    longitude = radians(grid.longitude) + (
        east
        - east**3 / 6 * (nu / rho + 2 * slope**2)
        + east**5 / 120 * (5 + 28 * slope**2 + 24 * slope**4)
    ) / cos(foot)
    return latitude, longitude


def _to_cartesian(
    ellipsoid: Ellipsoid, latitude: float, longitude: float
) -> tuple[float, float, float]:
    squared = ellipsoid.eccentricity_squared
    nu = ellipsoid.major / sqrt(1 - squared * sin(latitude) ** 2)
    return (
        nu * cos(latitude) * cos(longitude),
        nu * cos(latitude) * sin(longitude),
        (1 - squared) * nu * sin(latitude),
    )


def _shift(helmert: Helmert, x: float, y: float, z: float) -> tuple[float, float, float]:
    grow = 1 + helmert.scale * 1e-6
    turn_x, turn_y, turn_z = (radians(seconds / 3600) for seconds in helmert.rotation)
    return (
        helmert.shift[0] + grow * x - turn_z * y + turn_y * z,
        helmert.shift[1] + turn_z * x + grow * y - turn_x * z,
        helmert.shift[2] - turn_y * x + turn_x * y + grow * z,
    )


def _from_cartesian(ellipsoid: Ellipsoid, x: float, y: float, z: float) -> Point:
    squared = ellipsoid.eccentricity_squared
    flat = hypot(x, y)
    latitude = atan2(z, flat * (1 - squared))
    for _ in range(6):
        nu = ellipsoid.major / sqrt(1 - squared * sin(latitude) ** 2)
        latitude = atan2(z + squared * nu * sin(latitude), flat)
    return latitude, atan2(y, x)
