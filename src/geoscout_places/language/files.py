"""What the file of a language may have, table by table, and how the files are found and read.

Every list may be missing. A list is written as a text of words, or as an array where an entry has
several words. Texts read better, and `tomllib` reads them much faster: all files take 2 ms.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from geoscout_places.errors import DamagedDataError
from geoscout_places.plugins import load_plugins

Words = tuple[str, ...]


class QueryWords(Struct, frozen=True):
    """Words of a question to the search."""

    stop_words: Words = ()  # say nothing next to other words
    articles: Words = ()  # may stand between a preposition and a place
    # Prepositions of places. A place follows the sure ones; the doubtful ones ("a", "by") begin
    # other things as well.
    sure_in: Words = ()
    sure_near: Words = ()
    doubtful_in: Words = ()
    doubtful_near: Words = ()
    here: Words = ()  # phrases for where the user is: "near me"


class NameWords(Struct, frozen=True):
    """Words in and between the names of places."""

    small_words: Words = ()  # keep their lower case inside a name: "Frankfurt am Main"
    first_words: Words = ()  # short words that a name begins with: "EL PASO"
    # Common nouns that a name begins with, in lower case: "mer Égée". Compiled as the heads below.
    lower_heads: Words = ()
    # Words that make a place of the name before them: "Copacabana Palace". They are compiled into
    # the gazetteer, so they count only in the files of this folder, not in those of plug-ins.
    heads: Words = ()
    unplaced_heads: Words = ()  # of these, the ones that do not tell where they are: "River"
    directions: Words = ()  # before a name they mean a part of the place: "North Dallas"
    listing: Words = ()  # between two places of one list
    explaining: Words = ()  # between a place and what it lies in
    defining: Words = ()  # after a place of which is said what it is: "Toledo is a city in Ohio"
    # Words next to a name that say what kind of place it is: "Washington state".
    town_words: Words = ()
    district_words: Words = ()
    region_words: Words = ()
    # Words before a name that only places have, in lower case, or behind it: "Gemeinde", "kommun".
    called: Words = ()
    called_behind: Words = ()
    street_endings: Words = ()  # of street names that are one word, in running text
    not_streets: Words = ()  # what words begin with that end like streets and are not streets
    # Words behind several names, and what each has behind its own: "counties>County".
    shared_heads: Words = ()
    case_endings: Words = ()  # that names have in other cases: "Münchens"
    place_endings: Words = ()  # of these, the ones that say where: "Helsingissä" is in Helsinki
    case_swaps: Words = ()  # endings in other cases that replace the last letters: "ze>ha" (Praze)
    # How a name ends before an ending, and how it ends alone: "ngi>nki" (Helsingi-ssä).
    stem_swaps: Words = ()
    # Names of countries that are words for people elsewhere, or here in lower case: "Argentine".
    country_names: Words = ()
    # Names that mean a place in this language only, although others know them: "Monaco>Munich".
    own_names: Words = ()
    # What short words behind a town stand for: "a. d.>an der", "M.>Main" of "Frankfurt a. M.".
    short_links: Words = ()
    short_parts: Words = ()
    articles: Words = ()  # also joined with a preposition ("am"): a noun follows, never a town
    parts: Words = ()  # behind a hyphen they mean a part of the town: "Wetzlar-Süd"
    # Words that begin the name of a feature, in lower case ("lago di Garda"), and what may stand
    # between them and the name.
    leading_heads: Words = ()
    leading_links: Words = ()


class FieldWords(Struct, frozen=True):
    """Words that announce a place."""

    labels: Words = ()  # of a field: "Location: Herndon VA"
    label_starts: Words = ()  # may stand before a label: "Job location"
    months: Words = ()  # in a dateline, without their endings: "LISBON, Sept. 5 -"


class Inflection(Struct, frozen=True):
    """Guesses at the other forms of a word."""

    endings: Words = ()  # may be added or taken away
    swaps: Words = ()  # endings that turn into others: "ies>y"


class Language(Struct, frozen=True):
    """What is known of one language."""

    code: str  # ISO 639-1
    name: str  # in English
    countries: Words = ()  # where most people speak it, as ISO codes
    frequent_words: Words = ()  # stand in every text, and tell its language
    own_letters: Words = ()  # tell it from languages that share many of these words
    capital_nouns: bool = False  # whether every noun has a capital, which then says little
    missing_page: Words = ()  # patterns, in lower case, of what a page says that is missing
    query: QueryWords = QueryWords()
    asks: Mapping[str, Words] = field(default_factory=dict)  # what is asked of a thing, by kind
    names: NameWords = NameWords()
    fields: FieldWords = FieldWords()
    inflection: Inflection = Inflection()
    # By the class of a word that stands before or after a name. The classes are those that the
    # geoparser's model of belief has weights for.
    before: Mapping[str, Words] = field(default_factory=dict)
    after: Mapping[str, Words] = field(default_factory=dict)
    streets: Mapping[str, Words] = field(default_factory=dict)  # lists of `geo.address`
    hours: Mapping[str, Words] = field(default_factory=dict)  # lists of the directory


GROUP = "geoscout.languages"  # of entry points to modules whose `create` gives a `Language`
_FOLDER = Path(__file__).parent
_FIRST = "en"  # most pages are in English: where two languages differ, its list comes first
_PLAIN = ("name", "capital_nouns")  # the values that are not lists
_RECORDS: Mapping[str, Callable[..., object]] = {
    "query": QueryWords,
    "asks": dict,
    "names": NameWords,
    "fields": FieldWords,
    "inflection": Inflection,
    "before": dict,
    "after": dict,
    "streets": dict,
    "hours": dict,
}


def read_language(path: Path) -> Language:
    """The language in a file, whose name is its code.

    Raises:
        DamagedDataError: the file is not TOML or has a table, list or value that is not known.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        return Language(path.stem, **{key: _value(key, content[key]) for key in content})
    except (OSError, ValueError, TypeError) as error:
        raise DamagedDataError(f"language file {path.name} cannot be read: {error}") from error


def _value(key: str, value: Any) -> Any:
    """A list of the file as words, a table as its record."""
    if isinstance(value, dict):
        if key not in _RECORDS:
            raise TypeError(f"there is no table {key!r}")
        return _RECORDS[key](**{name: _words(listed) for name, listed in value.items()})
    return value if key in _PLAIN else _words(value)


def _words(value: Any) -> Words:
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return tuple(value)
    raise TypeError(f"{value!r} should be a text or an array of texts")


@cache
def shipped_languages() -> tuple[Language, ...]:
    """Those that have a file in this folder, English first, then by code."""
    paths = sorted(_FOLDER.glob("*.toml"), key=lambda path: (path.stem != _FIRST, path.stem))
    return tuple(read_language(path) for path in paths)


@cache
def all_languages() -> tuple[Language, ...]:
    """Those that are shipped, then those of other packages by name."""
    modules = load_plugins(GROUP).values()
    return (*shipped_languages(), *(module.create() for module in modules))


def languages() -> tuple[str, ...]:
    """The codes of all languages."""
    return tuple(language.code for language in all_languages())


def load_language(code: str) -> Language:
    """One language by its code.

    Raises:
        KeyError: there is no such language.
    """
    return _by_code()[code]


@cache
def _by_code() -> Mapping[str, Language]:
    return {language.code: language for language in all_languages()}


def merge(choose: Callable[[Language], Iterable[str]]) -> Words:
    """One list over all languages, each entry once, in the order of the languages."""
    found = (word for language in all_languages() for word in choose(language))
    return tuple(dict.fromkeys(found))
