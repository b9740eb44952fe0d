"""British postcodes: outward codes ("SW1A") at the mean of their postcodes."""

import importlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import isnan
from statistics import fmean, median
from typing import Any

from tools.derive.geometry import Point, distance_km
from tools.derive.names import fold
from tools.derive.pins import UK_POSTCODES
from tools.derive.places import Place
from tools.derive.postal_names import read_postal_rows
from tools.derive.postcodes import Postcode
from tools.derive.sources import Library, SourceError

from geoscout_places.gazetteer.extras.rows import BRITISH, to_wgs84

# By the first letter of the local authority's code. Northern Ireland is left out: the Open
# Government Licence of the directory does not cover its postcodes.
_NATIONS = {"E": "ENG", "S": "SCT", "W": "WLS"}
# The postal districts of London, where neighbourhoods are not post towns.
_LONDON = frozenset({"E", "EC", "N", "NW", "SE", "SW", "W", "WC"})
_TOWN_FROM = 2_000
# A post town farther away than this is a homonym.
_TOWN_WITHIN_KM = 25.0
_CITY_RADIUS_KM = 5.0


@dataclass(frozen=True)
class GridPostcode:
    """One postcode: its outward part ("SW1A"), its nation, its metres on the national grid."""

    outward: str
    nation: str
    easting: float
    northing: float


def british(library: Library, places: Iterable[Place]) -> Iterator[Postcode]:
    """The outward codes of Great Britain with their likely post town.

    Sectors ("N1 1") are not given: without the space they read as other outward codes.
    """
    towns = PostTowns(library, places)
    groups: dict[str, list[GridPostcode]] = defaultdict(list)
    for row in read_grid_postcodes(library):
        groups[row.outward].append(row)
    for outward, group in sorted(groups.items()):
        point = mean_point(group)
        near = towns.near(outward, point)
        names = [place.name for place in near[:1]]
        if _area(outward) in _LONDON:
            names = ["London"]
        yield Postcode(
            country="GB",
            code=outward,
            place=names[0] if names else "",
            region=Counter(row.nation for row in group).most_common(1)[0][0],
            latitude=point[0],
            longitude=point[1],
            names=tuple(sorted(towns.listed(outward, near) - {*names})),
        )


def mean_point(group: list[GridPostcode]) -> Point:
    """The middle of postcodes; far outliers (large users' boxes) do not count."""
    middle = median(row.easting for row in group), median(row.northing for row in group)
    near = [
        row
        for row in group
        if abs(row.easting - middle[0]) + abs(row.northing - middle[1]) < 50_000
    ]
    latitude, longitude = to_wgs84(
        BRITISH, fmean(row.easting for row in near), fmean(row.northing for row in near)
    )
    return round(float(latitude), 4), round(float(longitude), 4)


def read_grid_postcodes(library: Library) -> Iterator[GridPostcode]:
    """The postcodes of Great Britain that have a position."""
    for member in library.members(UK_POSTCODES):
        if not member.endswith(".msgpack.br"):
            continue
        data = _unpack(library.read(UK_POSTCODES, member))["data"]
        columns = (data["pcd"], data["laua"], data["oseast1m"], data["osnrth1m"])
        for code, authority, easting, northing in zip(*columns, strict=True):
            nation = _NATIONS.get(str(authority)[0])
            if nation and easting and not isnan(easting):
                yield GridPostcode(code[:-3].strip(), nation, float(easting), float(northing))


def _unpack(data: bytes) -> Any:
    """Unpacks with two packages that nothing else in the project needs."""
    try:
        brotli, msgpack = map(importlib.import_module, ("brotli", "msgpack"))
    except ImportError as error:
        raise SourceError("UK postcodes need msgpack, which `make data` installs") from error
    return msgpack.unpackb(brotli.decompress(data))


class PostTowns:
    """Guesses post towns, which no source gives, from the places listed for outward codes."""

    def __init__(self, library: Library, places: Iterable[Place]) -> None:
        by_name: dict[str, list[Place]] = defaultdict(list)
        for place in places:
            if place.country == "GB" and place.feature != "PPLX":
                for name in {fold(name) for name in (place.name, *place.names)}:
                    by_name[name].append(place)
        self._listed: dict[str, dict[int, Place]] = defaultdict(dict)
        for row in read_postal_rows(library, "GB"):
            if " " not in row.code:
                self._listed[row.code] |= {found.id: found for found in by_name[fold(row.place)]}

    def near(self, outward: str, point: Point) -> list[Place]:
        """The listed places that are not homonyms elsewhere, the likeliest post town first.

        A large city counts from farther away, and the chief city of the postcode area
        ("B" for Birmingham) counts even where it is not listed.
        """
        listed = dict(self._listed.get(outward, {}))
        chief = self._chief(_area(outward), point)
        if chief:
            listed[chief.id] = chief
        near = [place for place in listed.values() if _distance(place, point) < _TOWN_WITHIN_KM]
        return sorted(near, key=lambda place: (-attraction(place, point), place.id))

    def listed(self, outward: str, near: Iterable[Place]) -> set[str]:
        """The names of those near places that are towns and listed for the code."""
        ids = self._listed.get(outward, {})
        return {place.name for place in near if place.id in ids and place.population >= _TOWN_FROM}

    def _chief(self, area: str, point: Point) -> Place | None:
        near = (place for place in self._largest(area) if _distance(place, point) < _TOWN_WITHIN_KM)
        return next(near, None)

    @cache  # noqa: B019 - lives as long as the one run of the tool
    def _largest(self, area: str) -> list[Place]:
        codes = [code for code in self._listed if _area(code) == area]
        cities = {place.id: place for code in codes for place in self._listed[code].values()}
        return sorted(cities.values(), key=lambda place: -place.population)


def attraction(place: Place, point: Point) -> float:
    """How likely a place is the post town of a code at a point: by size and nearness."""
    return place.population / (1 + (_distance(place, point) / _CITY_RADIUS_KM) ** 3)


def _area(outward: str) -> str:
    """The letters a code begins with."""
    return outward[:2] if outward[1:2].isalpha() else outward[:1]


def _distance(place: Place, point: Point) -> float:
    return distance_km(place.latitude, place.longitude, *point)
