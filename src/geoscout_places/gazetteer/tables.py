"""The tables a gazetteer is built from, the layout of its two files, and the order of namesakes.

A table is a TSV file with a header, compressed. The same format serves what ships with geoscout
(xz, small), what a user imported (gzip, fast) and what an optional package yields, so the builder
knows one sort of input only.

What is built is SQLite because one read-only file, opened in a millisecond and mapped by the
system, answers every question here in microseconds; see docs/why/gazetteer-file.md. The file beside
it is mapped arrays, for what the geoparser asks of each name: `build/arrays.py` writes them,
`arrays.py` reads them.
"""

import gzip
import lzma
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import Struct
from typing import IO, NamedTuple, TypeVar

from geoscout_places.errors import DamagedDataError
from geoscout_places.model import Kind, NameRole

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
    """Facts about a country that are not places; its table has more."""

    code: str
    tld: str
    languages: str
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


TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE place (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL,
    latitude REAL NOT NULL, longitude REAL NOT NULL, country TEXT NOT NULL,
    population INTEGER NOT NULL, timezone TEXT NOT NULL, parent INTEGER NOT NULL,
    feature TEXT NOT NULL, code TEXT NOT NULL, cell INTEGER NOT NULL);
CREATE TABLE name (
    folded TEXT NOT NULL, place INTEGER NOT NULL, role TEXT NOT NULL, score REAL NOT NULL,
    PRIMARY KEY (folded, place)) WITHOUT ROWID;
CREATE TABLE postcode (
    country TEXT NOT NULL, code TEXT NOT NULL, town TEXT NOT NULL, region TEXT NOT NULL,
    latitude REAL NOT NULL, longitude REAL NOT NULL, names TEXT NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (country, code, town)) WITHOUT ROWID;
CREATE TABLE street (
    city INTEGER NOT NULL, folded TEXT NOT NULL, PRIMARY KEY (city, folded)) WITHOUT ROWID;
CREATE TABLE street_spot (
    city INTEGER NOT NULL, folded TEXT NOT NULL, block INTEGER,
    latitude REAL NOT NULL, longitude REAL NOT NULL);
CREATE TABLE boundary (place INTEGER PRIMARY KEY, rings BLOB NOT NULL);
"""

INDEXES = """
CREATE INDEX place_parent ON place (parent);
CREATE INDEX place_code ON place (code) WHERE code != '';
CREATE INDEX place_cell ON place (cell) WHERE kind = 'city';
CREATE INDEX postcode_place ON postcode (place);
CREATE INDEX street_spot_street ON street_spot (city, folded);
"""

# The mapped file: named parts one after the other, then a directory of them, its length, this mark.
MAGIC = b"geoscout arrays 1\n"
LENGTH_BYTES = 4  # of the directory's length
ArrayDirectory = dict[str, tuple[int, int]]  # the first byte of a part, and how many it has
# id, latitude, longitude, population, parent · where its name begins and how long it is · the
# numbers of its country, time zone and feature in the list of terms · the number of its kind
PLACE_RECORD = Struct("<qddqqIHHHHB")
BEARER_RECORD = Struct("<dIB")  # the score, the number of the place, the number of the role
# latitude, longitude, id of the place · where its texts begin and how long they are
POSTCODE_RECORD = Struct("<ddqII")
KINDS, ROLES = tuple(Kind), tuple(NameRole)
TERM_END, TEXT_END = "\n", "\0"

# What a place of some kind has over a populated place with as many inhabitants, in powers of ten.
# Countries are meant more often than cities (Georgia, Mexico); the city more often than the region
# around it that has its name (New York, Lisbon); districts and sections hardly ever.
_KIND_BONUS = {
    Kind.CONTINENT: 4.0,
    Kind.AREA: 0.0,
    Kind.COUNTRY: 3.0,
    Kind.REGION: 0.0,
    Kind.DISTRICT: -1.5,
    Kind.CITY: 0.7,
    Kind.NEIGHBOURHOOD: -1.0,
    Kind.WATER: 0.0,
    Kind.LANDMARK: -0.5,
}
_FEATURE_BONUS = {"PPLC": 1.0, "PPLA": 0.2, "PPLA2": 0.1}
# Features of our own list were chosen because they are well known. How much was measured: see
# docs/why/gazetteer-data.md.
_FEATURE_BONUS |= dict.fromkeys(("sea", "river", "lake", "region", "range", "island", "park"), 1.0)
_FEATURE_BONUS |= dict.fromkeys(("peak", "sight", "station", "university"), 4.5)
_FEATURE_BONUS["quarter"] = 5.0
_ASSUMED_POPULATION = {Kind.CONTINENT: 10**9, Kind.WATER: 10**5, Kind.AREA: 10**5}
# An alias counts as much as the name of a place ten times smaller; abbreviations even less.
_ROLE_MALUS = {NameRole.NAME: 0.0, NameRole.ALIAS: 1.0, NameRole.CODE: 1.5, NameRole.DEMONYM: 2.5}
# Added when a question has the very spelling of a place's name: "St. Louis" is not "Saint-Louis".
SAME_SPELLING_BONUS = 0.3


def arrays_of(gazetteer: Path) -> Path:
    """The mapped file that belongs to the SQLite file of a gazetteer."""
    return gazetteer.with_suffix(".arrays")


def importance(kind: Kind, population: int, feature: str = "") -> float:
    """How likely a bare name means this place, in powers of ten of inhabitants.

    >>> importance(Kind.CITY, 500_000, "PPLC") > importance(Kind.REGION, 2_000_000)
    True
    """
    people = population or _ASSUMED_POPULATION.get(kind, 0)
    return math.log10(people + 1) + _KIND_BONUS[kind] + _FEATURE_BONUS.get(feature, 0.0)


def name_score(place_importance: float, kind: Kind, role: NameRole) -> float:
    """The score of a place under one of its names.

    A country's code has none of the bonus of its name: "LA" is Los Angeles before Laos.
    """
    bonus = max(_KIND_BONUS[kind], 0.0) if role == NameRole.CODE else 0.0
    return place_importance - bonus - _ROLE_MALUS[role]


def cell_of(latitude: float, longitude: float) -> int:
    """The one-degree square a point lies in, as one number.

    >>> cell_of(-90, -180), cell_of(90, 180), cell_of(53.1, 8.2)
    (0, 64800, 51668)
    """
    return int(latitude + 90) * 360 + int(longitude + 180) % 360
