"""Rows of the tables the gazetteer is built from, and how they are read.

A table is a TSV file with a header, compressed. The same format serves what ships with geoscout
(xz, small), what a user imported (gzip, fast) and what an optional package yields, so the builder
knows one sort of input only.
"""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, TypeVar

from geoscout_places.errors import DamagedDataError

DATA_FOLDER = Path(__file__).parent / "data"


class PlaceRow(NamedTuple):
    """A populated place, or with a feature code of another class a natural feature."""

    id: str
    name: str
    latitude: str
    longitude: str
    country: str
    admin1: str
    admin2: str
    population: str
    timezone: str
    feature: str
    names: str  # joined by |


class AreaRow(NamedTuple):
    """A continent, country, region, district or other area."""

    id: str
    code: str
    name: str
    kind: str
    latitude: str
    longitude: str
    country: str
    population: str
    timezone: str
    names: str
    codes: str  # abbreviations that mean the area in upper case only, joined by |


class CountryRow(NamedTuple):
    """Facts about a country that are not places."""

    code: str
    iso3: str
    name: str
    capital: str
    tld: str
    languages: str
    neighbours: str
    postal_regex: str
    continent: str


class PostcodeRow(NamedTuple):
    country: str
    code: str
    place: str
    region: str
    latitude: str  # empty where the source has none: taken from the town then
    longitude: str
    names: str


class LandmarkRow(NamedTuple):
    id: str
    name: str
    kind: str
    latitude: str
    longitude: str
    country: str
    names: str
    translations: str = ""  # its own name in other languages, joined by |


class NameRow(NamedTuple):
    """A further name of a known place."""

    id: str
    language: str
    name: str
    flags: str


class StreetRow(NamedTuple):
    """A street and the narrowest thing around it its source knows; the others are empty.

    Where the source has coordinates, there is a row for each part of the street.
    """

    country: str
    region: str
    district: str  # second-level code without country and region
    city: str
    postcode: str
    latitude: str
    longitude: str
    street: str
    block: str = ""  # of the house numbers at the coordinates; see `names.block_of`


class DemonymRow(NamedTuple):
    demonym: str
    area: str  # GeoNames id


RowType = TypeVar("RowType", bound=NamedTuple)


@contextmanager
def _open(path: Path) -> Iterator[IO[str]]:
    openers: dict[str, Callable[..., IO[str]]] = {".xz": lzma.open, ".gz": gzip.open}
    with openers.get(path.suffix, open)(path, "rt", encoding="utf-8", newline="\n") as stream:
        yield stream


def read_table(path: Path, row_type: type[RowType]) -> Iterator[RowType]:
    """The rows of one table, found by the names in its header.

    A column that has a default may be missing, in the file or at the end of a line; it is "" then.

    Raises:
        DamagedDataError: a column is missing or the file cannot be decompressed.
    """
    try:
        with _open(path) as stream:
            header = stream.readline().rstrip("\n").split("\t")
            header += [name for name in row_type._field_defaults if name not in header]
            try:
                columns = [header.index(name) for name in row_type._fields]
            except ValueError as error:
                raise DamagedDataError(f"{path.name}: column missing: {error}") from error
            spare = [""] * len(row_type._field_defaults)
            for line in stream:
                cells = line.rstrip("\n").split("\t") + spare
                yield row_type._make(cells[column] for column in columns)
    except (OSError, EOFError, lzma.LZMAError, IndexError) as error:
        raise DamagedDataError(f"{path.name} is damaged: {error}") from error
