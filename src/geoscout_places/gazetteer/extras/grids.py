"""Turns coordinates on the national grids of the United Kingdom into WGS 84 degrees.

The Ordnance Survey's own procedure: undo the transverse Mercator projection, then shift the datum
by seven parameters, which is right to about five metres. Its grid of corrections would make that
ten centimetres, for fifteen megabytes; a postcode is wider than that. Postcodes in Northern Ireland
are on the Irish grid, though they stand in the same columns. Numbers may be single ones or arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Numbers = NDArray[np.float64]
_WGS84 = 6_378_137.0, 6_356_752.3142  # semi-axes in metres
_ROUNDS = 7  # each wins two digits and more of the foot's latitude, the last of them a micrometre


class Grid(NamedTuple):
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


def to_wgs84(grid: Grid, easting: ArrayLike, northing: ArrayLike) -> tuple[_Numbers, _Numbers]:
    """Latitude and longitude in WGS 84 degrees of spots of the grid."""
    latitude, longitude = undo_projection(grid, easting, northing)
    x, y, z = _shifted(grid, np.radians(latitude), np.radians(longitude))
    major, minor = _WGS84
    squared = 1 - (minor / major) ** 2
    flat = np.hypot(x, y)
    north = np.arctan2(z, flat * (1 - squared))
    for _ in range(4):  # each step wins three digits
        nu = major / np.sqrt(1 - squared * np.sin(north) ** 2)
        north = np.arctan2(z + squared * nu * np.sin(north), flat)
    return np.degrees(north), np.degrees(np.arctan2(y, x))


def undo_projection(
    grid: Grid, easting: ArrayLike, northing: ArrayLike
) -> tuple[_Numbers, _Numbers]:
    """Latitude and longitude in degrees on the grid's own ellipsoid.

    The names of the terms are those of the Ordnance Survey's guide, section C.2.
    """
    squared = 1 - (grid.minor / grid.major) ** 2
    foot = _foot_latitude(grid, np.asarray(northing, float))
    curve = 1 - squared * np.sin(foot) ** 2
    nu = grid.major * grid.scale / np.sqrt(curve)
    rho = nu * (1 - squared) / curve
    eta = nu / rho - 1
    slope = np.tan(foot)
    slope2, slope4 = slope**2, slope**4
    east = np.asarray(easting, float) - grid.easting
    seven = slope / (2 * rho * nu)
    eight = slope / (24 * rho * nu**3) * (5 + 3 * slope2 + eta - 9 * slope2 * eta)
    nine = slope / (720 * rho * nu**5) * (61 + 90 * slope2 + 45 * slope4)
    ten = 1 / (np.cos(foot) * nu)
    eleven = 1 / (6 * np.cos(foot) * nu**3) * (nu / rho + 2 * slope2)
    twelve = 1 / (120 * np.cos(foot) * nu**5) * (5 + 28 * slope2 + 24 * slope4)
    return (
        np.degrees(foot - seven * east**2 + eight * east**4 - nine * east**6),
        grid.longitude + np.degrees(ten * east - eleven * east**3 + twelve * east**5),
    )


def _foot_latitude(grid: Grid, northing: _Numbers) -> _Numbers:
    """The latitude at which the central meridian has a northing; in radians."""
    origin = np.radians(grid.latitude)
    n = (grid.major - grid.minor) / (grid.major + grid.minor)
    wanted, latitude = northing - grid.northing, np.full_like(northing, origin)
    arc = np.zeros_like(northing)  # metres along the meridian from the origin to `latitude`
    for _ in range(_ROUNDS):
        latitude = latitude + (wanted - arc) / (grid.major * grid.scale)
        less, more = latitude - origin, latitude + origin
        arc = (
            (1 + n + 5 / 4 * n**2 + 5 / 4 * n**3) * less
            - (3 * n + 3 * n**2 + 21 / 8 * n**3) * np.sin(less) * np.cos(more)
            + (15 / 8 * n**2 + 15 / 8 * n**3) * np.sin(2 * less) * np.cos(2 * more)
            - 35 / 24 * n**3 * np.sin(3 * less) * np.cos(3 * more)
        ) * (grid.minor * grid.scale)
    return latitude


def _shifted(grid: Grid, latitude: _Numbers, longitude: _Numbers) -> list[_Numbers]:
    """Metres from the middle of the earth in the datum of WGS 84, on its three axes."""
    squared = 1 - (grid.minor / grid.major) ** 2
    nu = grid.major / np.sqrt(1 - squared * np.sin(latitude) ** 2)
    x = nu * np.cos(latitude) * np.cos(longitude)
    y = nu * np.cos(latitude) * np.sin(longitude)
    z = (1 - squared) * nu * np.sin(latitude)
    turn_x, turn_y, turn_z = np.radians(np.array(grid.rotation) / 3600)
    growth = 1 + grid.growth / 1e6
    return [
        grid.shift[0] + growth * x - turn_z * y + turn_y * z,
        grid.shift[1] + turn_z * x + growth * y - turn_x * z,
        grid.shift[2] - turn_y * x + turn_x * y + growth * z,
    ]
