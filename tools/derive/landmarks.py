"""Landmarks: the packages carry airports and seas; rivers and peaks are in `features`.

Airports count when they have an IATA code and are international by name or serve a large
city; others would only add homonyms of their towns.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tools.derive.common_words import read_common_words
from tools.derive.geometry import distance_km
from tools.derive.names import distinct_names, fold, stable_id
from tools.derive.natural_earth import read_seas
from tools.derive.pins import AIRPORTS
from tools.derive.places import Place
from tools.derive.sources import Library
from tools.derive.tables import read_csv

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
