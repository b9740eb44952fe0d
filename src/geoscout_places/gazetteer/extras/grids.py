"""Turns coordinates on the national grids of the United Kingdom into WGS 84 degrees.

The Ordnance Survey's own procedure: undo the transverse Mercator projection, then shift the datum
by seven parameters, which is right to about five metres. Its grid of corrections would make that
ten centimetres, for fifteen megabytes; a postcode is wider than that. Postcodes in Northern Ireland
are on the Irish grid, though they stand in the same columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, radians, sin, sqrt, tan
from typing import NamedTuple

_CELL_METRES = 2_000
_WGS84_MAJOR, _WGS84_MINOR = 6_378_137.0, 6_356_752.3142


@dataclass(frozen=True, slots=True)
class Grid:
    """A national grid: its ellipsoid, its projection and the shift of its datum."""

    major: float  # semi-axes of the ellipsoid, in metres
    minor: float
    scale: float  # on the central meridian
    latitude: float  # of the true origin, in degrees
    longitude: float
    easting: float  # of the true origin, in metres
    northing: float
    shift: tuple[float, float, float]  # to WGS 84, in metres
    rotation: tuple[float, float, float]  # in seconds of arc
    growth: float  # in parts per million


# A guide to coordinate systems in Great Britain, Ordnance Survey, sections 6.6 and A.1.
BRITISH = Grid(
    major=6_377_563.396,
    minor=6_356_256.909,
    scale=0.9996012717,
    latitude=49.0,
    longitude=-2.0,
    easting=400_000.0,
    northing=-100_000.0,
    shift=(446.448, -125.157, 542.060),
    rotation=(0.1502, 0.2470, 0.8421),
    growth=-20.4894,
)
# Making maps compatible with GPS, Ordnance Survey Ireland and of Northern Ireland, 1999.
IRISH = Grid(
    major=6_377_340.189,
    minor=6_356_034.447,
    scale=1.000035,
    latitude=53.5,
    longitude=-8.0,
    easting=200_000.0,
    northing=250_000.0,
    shift=(482.530, -130.596, 564.557),
    rotation=(-1.042, -0.214, -0.631),
    growth=8.150,
)


class Degrees(NamedTuple):
    """A spot in degrees, on whatever ellipsoid."""

    latitude: float
    longitude: float


class GridTable:
    """Converts many spots fast: exactly at the corners of squares, by proportion inside them.

    Inside a square of two kilometres the proportion is wrong by less than a foot, and a country
    has two million postcodes but few squares.
    """

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._corners: dict[tuple[int, int], Degrees] = {}

    def to_wgs84(self, easting: float, northing: float) -> Degrees:
        column, east = divmod(easting, _CELL_METRES)
        row, north = divmod(northing, _CELL_METRES)
        column, row = int(column), int(row)
        east, north = east / _CELL_METRES, north / _CELL_METRES
        latitude = longitude = 0.0
        for corner, weight in (
            ((column, row), (1 - east) * (1 - north)),
            ((column + 1, row), east * (1 - north)),
            ((column, row + 1), (1 - east) * north),
            ((column + 1, row + 1), east * north),
        ):
            found = self._corners.get(corner) or self._convert(corner)
            latitude += weight * found.latitude
            longitude += weight * found.longitude
        return Degrees(latitude, longitude)

    def _convert(self, corner: tuple[int, int]) -> Degrees:
        column, row = corner
        self._corners[corner] = found = to_wgs84(
            self._grid, column * _CELL_METRES, row * _CELL_METRES
        )
        return found


def to_wgs84(grid: Grid, easting: float, northing: float) -> Degrees:
    """Where a spot of the grid is."""
    return shift_datum(grid, undo_projection(grid, easting, northing))


def undo_projection(grid: Grid, easting: float, northing: float) -> Degrees:
    """Where a spot of the grid is on the grid's own ellipsoid.

    The names of the terms are those of the Ordnance Survey's guide, section C.2.
    """
    squared = 1 - (grid.minor / grid.major) ** 2
    foot = _foot_latitude(grid, northing)
    curve = 1 - squared * sin(foot) ** 2
    nu = grid.major * grid.scale / sqrt(curve)
    rho = nu * (1 - squared) / curve
    eta = nu / rho - 1
    slope, slope2, slope4 = tan(foot), tan(foot) ** 2, tan(foot) ** 4
    east = easting - grid.easting
    seven = slope / (2 * rho * nu)
    eight = slope / (24 * rho * nu**3) * (5 + 3 * slope2 + eta - 9 * slope2 * eta)
    nine = slope / (720 * rho * nu**5) * (61 + 90 * slope2 + 45 * slope4)
    ten = 1 / (cos(foot) * nu)
    eleven = 1 / (6 * cos(foot) * nu**3) * (nu / rho + 2 * slope2)
    twelve = 1 / (120 * cos(foot) * nu**5) * (5 + 28 * slope2 + 24 * slope4)
    return Degrees(
        degrees(foot - seven * east**2 + eight * east**4 - nine * east**6),
        grid.longitude + degrees(ten * east - eleven * east**3 + twelve * east**5),
    )


def shift_datum(grid: Grid, spot: Degrees) -> Degrees:
    """The spot of the grid's datum in WGS 84."""
    latitude, longitude = radians(spot.latitude), radians(spot.longitude)
    squared = 1 - (grid.minor / grid.major) ** 2
    nu = grid.major / sqrt(1 - squared * sin(latitude) ** 2)
    x = nu * cos(latitude) * cos(longitude)
    y = nu * cos(latitude) * sin(longitude)
    z = (1 - squared) * nu * sin(latitude)
    turn_x, turn_y, turn_z = (radians(seconds / 3600) for seconds in grid.rotation)
    growth = 1 + grid.growth / 1e6
    return _from_cartesian(
        grid.shift[0] + growth * x - turn_z * y + turn_y * z,
        grid.shift[1] + turn_z * x + growth * y - turn_x * z,
        grid.shift[2] - turn_y * x + turn_x * y + growth * z,
    )


def _foot_latitude(grid: Grid, northing: float) -> float:
    latitude = radians(grid.latitude)
    missing = northing - grid.northing
    while abs(missing) >= 1e-5:  # metres
        latitude += missing / (grid.major * grid.scale)
        missing = northing - grid.northing - _meridian_arc(grid, latitude)
    return latitude


def _meridian_arc(grid: Grid, latitude: float) -> float:
    """Metres along the central meridian from the true origin."""
    n = (grid.major - grid.minor) / (grid.major + grid.minor)
    less, more = latitude - radians(grid.latitude), latitude + radians(grid.latitude)
    return (
        grid.minor
        * grid.scale
        * (
            (1 + n + 5 / 4 * n**2 + 5 / 4 * n**3) * less
            - (3 * n + 3 * n**2 + 21 / 8 * n**3) * sin(less) * cos(more)
            + (15 / 8 * n**2 + 15 / 8 * n**3) * sin(2 * less) * cos(2 * more)
            - 35 / 24 * n**3 * sin(3 * less) * cos(3 * more)
        )
    )


def _from_cartesian(x: float, y: float, z: float) -> Degrees:
    squared = 1 - (_WGS84_MINOR / _WGS84_MAJOR) ** 2
    flat = hypot(x, y)
    latitude = atan2(z, flat * (1 - squared))
    for _ in range(4):  # each step wins three digits
        nu = _WGS84_MAJOR / sqrt(1 - squared * sin(latitude) ** 2)
        latitude = atan2(z + squared * nu * sin(latitude), flat)
    return Degrees(degrees(latitude), degrees(atan2(y, x)))
