"""Postal codes with place, region and coordinates, by the best source for each country.

US, CA, CH and DE have packaged coordinates. GB is the mean of the postcodes in an outward
code and in a sector. All others are GeoNames' postal rows without coordinates; those are
found through the names of the places (`postal_names`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from tools.derive.countries import Area, query_sqlite
from tools.derive.names import fold
from tools.derive.pins import CANADIAN_POSTCODES, GERMAN_POSTCODES, SWISS_POSTCODES
from tools.derive.sources import Library
from tools.derive.usps import ZipCode

# An address can name any village of its code, so villages are worth their bytes. Some rural codes
# of Portugal and Poland have hundreds; that many are left to the optional package.
_MOST_NAMES = 12


@dataclass(frozen=True)
class Postcode:
    """One row of the postcodes table; `region` is a GeoNames admin1 code or ''."""

    country: str
    code: str
    place: str
    region: str
    latitude: float
    longitude: float
    names: tuple[str, ...]


class Regions:
    """GeoNames admin1 codes by any name or code of a region."""

    def __init__(self, areas: Iterable[Area]) -> None:
        self._codes: dict[tuple[str, str], str] = {}
        for area in areas:
            if area.kind == "region":
                for name in (area.name, *area.codes, *area.names):
                    self._codes.setdefault((area.country, fold(name)), area.code.split(".")[1])

    def find(self, country: str, *names: str) -> str:
        """The code of the region that bears one of the names, else ''."""
        keys = ((country, fold(name)) for name in names if name)
        return next((self._codes[key] for key in keys if key in self._codes), "")


def american(zip_codes: Iterable[ZipCode]) -> Iterator[Postcode]:
    """US ZIP codes with the acceptable city names."""
    for row in zip_codes:
        yield Postcode(
            country="US",
            code=row.code,
            place=row.city,
            region=row.state,
            latitude=round(row.latitude, 4),
            longitude=round(row.longitude, 4),
            names=tuple(sorted(set(row.acceptable) - {row.city})),
        )


def canadian(library: Library, regions: Regions) -> Iterator[Postcode]:
    """Canadian forward sortation areas; what stands in brackets are neighbourhoods."""
    data = library.read(CANADIAN_POSTCODES, "pypostalcode/postalcodes.db")
    query = "SELECT fsa, city, province, latitude, longitude FROM PostalCodes"
    for code, city, province, latitude, longitude in query_sqlite(data, query):
        place, _, inner = city.partition("(")
        yield Postcode(
            country="CA",
            code=code,
            place=" ".join(place.split()),
            region=regions.find("CA", province),
            latitude=round(float(latitude), 4),
            longitude=round(float(longitude), 4),
            names=tuple(sorted({part.strip() for part in inner.rstrip(")").split(" / ")} - {""})),
        )


def swiss(library: Library) -> Iterator[Postcode]:
    """Swiss codes; the canton's letters are GeoNames' admin1 code."""
    groups: dict[str, list[list[str]]] = defaultdict(list)
    text = library.read(SWISS_POSTCODES, "data/postal-codes.tsv").decode()
    for line in text.splitlines():
        columns = line.split("\t")
        if len(columns) == 5 and columns[3]:
            groups[columns[0]].append(columns)
    for code, group in sorted(groups.items()):
        _, place, canton, latitude, longitude = group[0]
        yield Postcode(
            country="CH",
            code=code,
            place=place,
            region=canton,
            latitude=round(float(latitude), 4),
            longitude=round(float(longitude), 4),
            names=other_names(place, (columns[1] for columns in group)),
        )


def german(library: Library, matched: Iterable[Postcode]) -> list[Postcode]:
    """German codes matched by name, moved to the points of OpenGeoDB, and its further codes."""
    rows = {row.code: row for row in matched}
    for record in library.read_json(GERMAN_POSTCODES, "germany.json"):
        code = record["zip"]
        latitude, longitude = round(float(record["lat"]), 4), round(float(record["lon"]), 4)
        row = rows.get(code) or Postcode(
            "DE", code, record["city"], "", 0.0, longitude=0.0, names=()
        )
        rows[code] = replace(row, latitude=latitude, longitude=longitude)
    return [rows[code] for code in sorted(rows)]


def other_names(place: str, names: Iterable[str]) -> tuple[str, ...]:
    """The first of the other places that share a code, sorted."""
    unique = {fold(name): name for name in names}
    unique.pop(fold(place), None)
    return tuple(sorted(islice(unique.values(), _MOST_NAMES)))
