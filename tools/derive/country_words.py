"""Tells which further names of countries are rather ordinary words.

GeoNames has the names of a country in some three hundred languages, without saying which: "Ende"
is India, "Some" Finland, "Gene" Guinea in languages that few web pages are written in. A single
word in Latin letters that a large language uses often is therefore not taken, unless it is the
country's name in a language that matters here. Unicode's CLDR tells these names: in the languages
that geoscout knows, and in those spoken in the country. In languages with cases a form of the name
is taken too ("Japonii"). What else people call a country ("Persia") is in `curated/area_names.tsv`.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tools.derive.names import fold
from tools.derive.pins import LOCALE_NAMES
from tools.derive.scripts import is_latin
from tools.derive.sources import Library
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
