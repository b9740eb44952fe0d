"""Writes places and names into a gazetteer that is built, ties rows to towns, and makes villages.

GeoNames does not say which city a neighbourhood is in, and postal tables name towns without ids;
both are found here by name, containment and distance. GeoNames' cities end at 500 inhabitants, but
postal tables name every village that has letters. They have no coordinates for most of them, so a
village is put where its postal code is: some kilometres off at most, in the right district. Names
that a town near by has already are left out.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from math import cos, radians
from typing import NamedTuple

from geoscout_places.gazetteer.areas.shapes import city_radius_km
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.names import fold, forms, stored_form
from geoscout_places.gazetteer.tables import PostcodeRow, StreetRow, cell_of, importance, name_score
from geoscout_places.model import Kind, NameRole, Place, Point

# From the edge of a town to the point of its postal code. So near, a town is taken as it is named;
# else it may be the seat of a district, or a namesake, and the code's other names are asked too.
_NEAR_KM = 10.0
# Farther than this it is another town of that name. Codes of Alaska or the Highlands spread that
# wide; those of central Europe do not, and there towns so far off were namesakes or seats.
FARTHEST_TOWN_KM = 60.0
_FARTHEST_IN_KM = {"AT": 20.0, "CH": 20.0, "DE": 20.0}
_CITY_THAT_SPREADS = 20_000  # inhabitants; smaller ones have no sections of their own

_AROUND = 0.3  # degrees within which the nearest place of a landmark is looked for
_CACHED = 50_000

Named = tuple[str, NameRole]  # a spelling and its role
PostcodeValues = tuple[str, str, str, str, float, float, str, int]


class Writer:
    """The open file, and every spelling written to it so far."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.spellings: set[str] = set()

    def add_place(self, place: Place, names: Iterable[Named] = (), code: str = "") -> None:
        """A place with its own name and further ones; one with a known id replaces it."""
        point = place.point
        self._connection.execute(
            "INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                place.id, place.name, place.kind, point.latitude, point.longitude, place.country,
                place.population, place.timezone, place.parent, place.feature, code,
                cell_of(point.latitude, point.longitude),
            ),
        )  # fmt: skip
        self.add_names(place, [(place.name, NameRole.NAME), *names])

    def add_names(self, place: Place, names: Iterable[Named]) -> None:
        """Names of a place; the first role of a name stays."""
        weight = importance(place.kind, place.population, place.feature)
        for spelling, role in names:
            if folded := fold(spelling):
                self._connection.execute(
                    "INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)",
                    (folded, place.id, role, name_score(weight, place.kind, role)),
                )
                self.spellings.add(spelling)

    def area(self, code: str) -> Place | None:
        """The area written before under a code, such as "DE" or "DE.02"."""
        row = self._connection.execute(
            # The index has only places with a code, and is used only where that is said.
            "SELECT id FROM place WHERE code = ? AND code != '' AND kind != ?",
            (code, Kind.CONTINENT),
        ).fetchone()
        return self.place(row[0]) if row else None

    def place(self, id: int) -> Place | None:
        """A place written before."""
        row = self._connection.execute(
            "SELECT id, name, kind, latitude, longitude, country, population, timezone, parent,"
            " feature FROM place WHERE id = ?",
            (id,),
        ).fetchone()
        return Place.from_row(row) if row else None


class CityGrid:
    """The larger cities by one-degree square, for asking which one spreads over a point."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._cells: dict[tuple[int, int], list[tuple[float, int, Point]]] = defaultdict(list)
        for id, latitude, longitude, population in connection.execute(
            "SELECT id, latitude, longitude, population FROM place"
            " WHERE kind = 'city' AND population >= ?",
            (_CITY_THAT_SPREADS,),
        ):
            city = (city_radius_km(population), id, Point(latitude, longitude))
            self._cells[int(latitude), int(longitude)].append(city)

    def around(self, point: Point) -> int:
        """The id of the largest city whose estimated extent holds the point; 0 for none."""
        row, column = int(point.latitude), int(point.longitude)
        near = [
            city
            for north in (-1, 0, 1)
            for east in (-1, 0, 1)
            for city in self._cells.get((row + north, column + east), ())
        ]
        spread = [city for city in near if distance_km(point, city[2]) <= city[0]]
        return max(spread, key=lambda city: city[0], default=(0.0, 0, point))[1]


def adopt_neighbourhoods(connection: sqlite3.Connection) -> None:
    """Make the city that spreads over a neighbourhood its parent, instead of the district.

    Also of what is built: that has only its country until then, and where no city spreads over it,
    it comes into the district or region of the nearest place.
    """
    cities = CityGrid(connection)
    sections = connection.execute(
        "SELECT id, latitude, longitude, country, kind FROM place WHERE kind = 'neighbourhood'"
        " OR feature IN ('station', 'university', 'sight', 'airport')"
    ).fetchall()
    for id, latitude, longitude, country, kind in sections:
        parent = cities.around(Point(latitude, longitude))
        if not parent and kind == Kind.LANDMARK:
            parent = _parent_of_nearest(connection, latitude, longitude, country)
        if parent:
            connection.execute("UPDATE place SET parent = ? WHERE id = ?", (parent, id))


# GeoNames has New York beside the counties that it consists of.
_COUNTIES = {5128581: (5110253, 6941775, 5128594, 5133268, 5139559)}
_LARGE_CITY = 300_000
_NEARLY_ALL = 0.9  # of the people of a district or region


def adopt_parts(connection: sqlite3.Connection) -> None:
    """Make a city the parent of what it consists of: Brooklyn, Islington, Montmartre, Kadıköy.

    GeoNames has the parts of a city beside it, in the district or region that is the same as the
    city. It is the same if it has the name of the city and hardly more people.
    """
    found = connection.execute(
        "SELECT around.id, around.name, city.id, city.name FROM place AS city"
        " JOIN place AS around ON around.id = city.parent"
        " WHERE city.kind = 'city' AND around.kind IN ('district', 'region')"
        " AND city.population >= ? AND city.population >= ? * around.population"
        " ORDER BY city.population",
        (_LARGE_CITY, _NEARLY_ALL),
    )
    largest = {around: city for around, name, city, own in found if _is_named_for(name, own)}
    for around, city in largest.items():
        connection.execute(
            "UPDATE place SET parent = ? WHERE parent = ? AND id != ?"
            " AND kind IN ('city', 'district', 'neighbourhood')",
            (city, around, city),
        )
    for city, counties in _COUNTIES.items():
        for county in counties:
            connection.execute("UPDATE place SET parent = ? WHERE id = ?", (city, county))


# Where the names of the tables are those of the people there, and an alias is a former name.
_ENGLISH = "('US', 'GB', 'CA', 'AU', 'NZ', 'IE')"
_OLD_NAME_MALUS = 1.5
_PEOPLED = 2.0  # importance of a namesake that counts; that of a hamlet is below
_COMPARABLE = 1.0  # importance that a namesake may lack
_HIGHEST = 4  # steps from a town to its region


def prefer_own_names(connection: sqlite3.Connection) -> None:
    """Put a place before others that once had its name, or have it in another language.

    Hartford was once called Newtown, and Mauritius "Île-de-France".
    """
    connection.create_function("folded", 1, fold, deterministic=True)
    regions = _regions(connection)
    found = connection.execute(
        "SELECT alias.folded, old.id, old.parent, alias.score, namesake.parent, own.score"  # noqa: S608
        " FROM name AS own JOIN place AS namesake ON namesake.id = own.place"
        f" AND namesake.kind = 'city' AND namesake.country IN {_ENGLISH}"
        " JOIN name AS alias ON alias.folded = own.folded AND alias.role = 'alias'"
        " JOIN place AS old ON old.id = alias.place AND old.country = namesake.country"
        " AND old.kind = 'city' AND instr(folded(old.name), alias.folded) = 0"
        " WHERE own.role = 'name'"
    )
    former = {
        (name, old): score - _OLD_NAME_MALUS
        for name, old, around, score, other, own in found
        if own >= _PEOPLED
        and (own >= score - _COMPARABLE or (regions(around) or -1) == regions(other))
    }
    countries = connection.execute(
        "SELECT alias.folded, old.id, own.score FROM place AS namesake"
        " JOIN name AS own ON own.place = namesake.id AND own.role = 'name'"
        " JOIN name AS alias ON alias.folded = own.folded AND alias.role = 'alias'"
        " JOIN place AS old ON old.id = alias.place AND old.kind = 'country'"
        " WHERE namesake.kind = 'region' AND namesake.population > old.population"
    )
    former |= {(name, old): score - _OLD_NAME_MALUS for name, old, score in countries}
    connection.executemany(
        "UPDATE name SET score = ? WHERE folded = ? AND place = ?",
        [(score, name, old) for (name, old), score in former.items()],
    )


def _regions(connection: sqlite3.Connection) -> Callable[[int], int]:
    """Tells the region that an area lies in or is, 0 for none."""
    areas = {
        id: (kind, parent)
        for id, kind, parent in connection.execute(
            "SELECT id, kind, parent FROM place WHERE kind IN ('region', 'district', 'city')"
        )
    }

    @cache
    def region_of(id: int) -> int:
        for _ in range(_HIGHEST):
            kind, parent = areas.get(id, ("", 0))
            if kind == Kind.REGION:
                return id
            id = parent
        return 0

    return region_of


def _is_named_for(area: str, city: str) -> bool:
    """Whether an area has the name of its city, such as Greater London."""
    return fold(city) in fold(area) or fold(area) in fold(city)


def _parent_of_nearest(
    connection: sqlite3.Connection, latitude: float, longitude: float, country: str
) -> int:
    """The district or region of the nearest place of the same country; 0 for none around."""
    corners = [
        (latitude + north, longitude + east)
        for north in (-_AROUND, _AROUND)
        for east in (-_AROUND, _AROUND)
    ]
    found = connection.execute(
        "SELECT parent FROM place WHERE kind = 'city' AND cell IN (?, ?, ?, ?) AND country = ?"
        " ORDER BY (latitude - ?) * (latitude - ?) + ? * (longitude - ?) * (longitude - ?) LIMIT 1",
        (*(cell_of(*corner) for corner in corners), country,
         latitude, latitude, cos(radians(latitude)) ** 2, longitude, longitude),
    ).fetchone()  # fmt: skip
    return int(found[0]) if found else 0


@dataclass(frozen=True, slots=True)
class _Town:
    """A place of a name that was looked for."""

    id: int
    code: str  # of the region it is in
    point: Point
    radius_km: float


class TownFinder:
    """Finds the place a postal or street table means by a town's name."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._cities = CityGrid(connection)
        # Tables name the same towns again and again.
        self._towns = lru_cache(_CACHED)(self._find_towns)
        self._cities_with = lru_cache(_CACHED)(self._find_cities_with)
        self._areas_with = lru_cache(_CACHED)(self._find_areas_with)

    def locate(self, row: PostcodeRow) -> PostcodeValues | None:
        """The row with the town's place and coordinates; None when it has no coordinates."""
        if row.latitude:
            point = Point(float(row.latitude), float(row.longitude))
            town = self._town_near(row, point)
        elif towns := self._towns(row.country, row.place):
            town, point = towns[0].id, towns[0].point
        else:
            return None
        code = stored_form(row.country, row.code)
        where = (round(point.latitude, 4), round(point.longitude, 4))
        return (row.country, code, row.place, row.region, *where, row.names, town)

    def is_near(self, village: Village, most_km: float) -> bool:
        """Whether a town of that name is within this distance."""
        towns = self._towns(village.country, village.name)
        return any(distance_km(village.point, town.point) <= most_km for town in towns)

    def places_of(self, row: StreetRow) -> Sequence[int]:
        """The places a street may be in: cities, or where none is known the area around them."""
        if row.city:
            return self._cities_named(row.country, row.region, row.city)
        if row.postcode:
            return self._cities_with(row.country, row.postcode)
        found: list[int] = []
        if row.latitude:
            city = self._cities.around(Point(float(row.latitude), float(row.longitude)))
            found = [city] if city else []
        if row.latitude and not row.district:
            return found
        codes = [code for code in (row.country, row.region, row.district) if code]
        return [*found, *self._areas_with(".".join(codes))]

    def _cities_named(self, country: str, region: str, name: str) -> list[int]:
        towns = self._towns(country, name)
        inside = [town.id for town in towns if town.code == f"{country}.{region}"]
        return inside or [town.id for town in towns[:1]]

    def _find_cities_with(self, country: str, postcode: str) -> list[int]:
        found = self._connection.execute(
            "SELECT DISTINCT place FROM postcode WHERE country = ? AND code = ? AND place != 0",
            (country, stored_form(country, postcode)),
        )
        return [id for (id,) in found]

    def _find_areas_with(self, code: str) -> list[int]:
        found = self._connection.execute(
            "SELECT id FROM place WHERE code = ? AND code != ''", (code,)
        )
        return [id for (id,) in found]

    def _town_near(self, row: PostcodeRow, point: Point) -> int:
        """The first of its names that has a town there, else the nearest, else the city around."""
        names = filter(None, (row.place, *row.names.split("|")))
        known = [towns for name in names if (towns := self._towns(row.country, name))]
        nearest = [_nearest(towns, point) for towns in known]
        for beyond, id in nearest:
            if beyond <= _NEAR_KM:
                return id
        farthest = _FARTHEST_IN_KM.get(row.country, FARTHEST_TOWN_KM)
        beyond, id = min(nearest, default=(farthest, 0))
        return id if beyond < farthest else self._cities.around(point)

    def _find_towns(self, country: str, name: str) -> list[_Town]:
        found = self._connection.execute(
            "SELECT place.id, place.latitude, place.longitude, place.population,"
            "  CASE around.kind WHEN 'district' THEN"
            "    (SELECT code FROM place AS above WHERE above.id = around.parent)"
            "  ELSE around.code END"
            " FROM name JOIN place ON place.id = name.place"
            " LEFT JOIN place AS around ON around.id = place.parent"
            " WHERE folded = ? AND place.country = ? AND place.kind IN ('city', 'neighbourhood')"
            " ORDER BY score DESC",
            (fold(name), country),
        )
        return [
            _Town(id, code or "", Point(latitude, longitude), city_radius_km(population))
            for id, latitude, longitude, population, code in found
        ]


def _nearest(towns: Sequence[_Town], point: Point) -> tuple[float, int]:
    """How far the point is beyond the edge of all these towns, and which has the nearest centre.

    The centre, because that is how an address in the City of London is told from one in London.
    """
    distances = [distance_km(point, town.point) for town in towns]
    beyond = min(far - town.radius_km for far, town in zip(distances, towns, strict=True))
    return beyond, towns[distances.index(min(distances))].id


# Where the names in postal tables are villages. Elsewhere they are post offices, wards of cities or
# housing estates, hundreds of thousands of them, or post towns that are places already.
COUNTRIES = frozenset(
    "AT AU BE CH CZ DE DK EE ES FI FR GB HR HU IT LI LT LU LV NL NO NZ PL PT SE SI SK".split()
)
FEATURE = "PPLL"  # GeoNames' code of a populated locality
_SAME_KM = 30.0  # a town of the name within this distance is the village itself
_FIRST_ID = 20_000_000_000  # ids of the shipped tables are above
_ID_BYTES = 5
_NAME = re.compile(r"[^\W\d_][^\d_()/,;:*\"]{2,50}")


class Village(NamedTuple):
    """A village of a postal table, at the point of its code."""

    name: str
    country: str
    region: str  # its code without the country; "" where that is not known
    point: Point
    town: int  # id of the town of its code; 0 where that is not known


class VillageRows:
    """Collects the rows of a postal table that have neither coordinates nor a known town."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str, str], str] = {}

    def add(self, row: PostcodeRow) -> None:
        if row.country in COUNTRIES:
            # A village with many codes is at one of them.
            self._rows.setdefault((row.country, row.region, row.place), row.code)

    def villages(self, connection: sqlite3.Connection) -> Iterator[Village]:
        """Those whose code is known from another row."""
        for (country, region, name), code in self._rows.items():
            for form in forms(country, code):
                found = connection.execute(
                    "SELECT latitude, longitude, place FROM postcode"
                    " WHERE country = ? AND code = ? LIMIT 1",
                    (country, form),
                ).fetchone()
                if found:
                    yield Village(name, country, region, Point(*found[:2]), found[2])
                    break


def villages_of_codes(connection: sqlite3.Connection) -> Iterator[Village]:
    """The places that share a code with the town it is known for."""
    rows = connection.execute(
        "SELECT names, country, region, latitude, longitude, place FROM postcode WHERE names != ''"
    ).fetchall()
    for names, country, region, latitude, longitude, town in rows:
        for name in names.split("|") if country in COUNTRIES else ():
            yield Village(name, country, region, Point(latitude, longitude), town)


def add_villages(connection: sqlite3.Connection, writer: Writer, found: Iterable[Village]) -> None:
    """Write the villages that no place near by is."""
    towns = TownFinder(connection)
    written: set[int] = set()
    for village in found:
        id = _id_of(village)
        if id in written or not is_village_name(village.name) or towns.is_near(village, _SAME_KM):
            continue
        written.add(id)
        writer.add_place(_as_place(id, village, writer))


def is_village_name(name: str) -> bool:
    """Whether a text of a postal table is a name and nothing else.

    >>> [is_village_name(name) for name in ("Gaindorf", "Lyon CEDEX 03", "Zona Industrial (Sul)")]
    [True, False, False]
    """
    return _NAME.fullmatch(name) is not None and not name.isupper()


def _as_place(id: int, village: Village, writer: Writer) -> Place:
    """The village, in the district that its town is in, else in its region or country."""
    if known := writer.place(village.town):
        parent = known.parent
    else:
        known = writer.area(f"{village.country}.{village.region}") or writer.area(village.country)
        parent = known.id if known else 0
    return Place(
        id,
        village.name,
        Kind.CITY,
        village.point,
        village.country,
        timezone=known.timezone if known else "",
        parent=parent,
        feature=FEATURE,
    )


def _id_of(village: Village) -> int:
    """Made from name and whereabouts, so that it is the same with other packages installed."""
    where = f"{round(village.point.latitude)}|{round(village.point.longitude)}"
    key = f"{village.country}|{fold(village.name)}|{where}"
    number = int.from_bytes(blake2b(key.encode(), digest_size=_ID_BYTES).digest(), "big")
    return -(_FIRST_ID + number)
