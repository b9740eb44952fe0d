"""What is known of names as words: common words, names of people, and how far a name is a word.

Names of places are also words ("Reading", "Nice") and names of people ("Florence"). One table says
so for English, derived by tools/derive/words.py; each count in it is one digit, an order of
magnitude. Both tables are read once in a process, for all who ask.

"Lage" and "Regen" are towns in Germany, and words of every German day. The other table comes from
tools/derive/word_frequencies.py from counts of lower-cased words, in which a name counts too. So a
count alone says little: "Hamburg" is as frequent as "Lage". But how often a language speaks of a
place follows from its importance, and what goes beyond that is use as a word. A count is an order
of magnitude among a thousand million words: 6 is each thousandth word. The table keeps one digit.

Pool is a region of the Congo, Christmas a village in Florida, but "swimming pool" and "christmas
market" ask for something else: the same excess tells which word of a query is most likely no place.
"""

import lzma
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.automaton import sight
from geoscout_places.gazetteer.tables import DATA_FOLDER, importance
from geoscout_places.language import all_languages
from geoscout_places.model import Kind, NameRole, Place

_COLUMNS = 4  # word, uses, first, last
ORDINARY = 2  # the digit from which a word is in daily use


class WordUse(NamedTuple):
    """How usual a word is: 0 not at all, 1 rare, 8 very; 9 marks a function word."""

    uses: int = 0
    first: int = 0  # as a first name
    last: int = 0  # as a surname


UNKNOWN = WordUse()


def lower_case(text: str) -> str:
    """The text in lower case, where every character keeps its place.

    >>> lower_case("ÖREBRO"), len(lower_case("İZMİR"))
    ('örebro', 5)
    """
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join([c.lower()[:1] for c in text])


def read_words(folder: Path = DATA_FOLDER) -> Mapping[str, WordUse]:
    """The table `words.tsv.xz` of a folder, by word in lower case as `sight` shows it.

    Of words that look alike then ("sara" and "sará") each digit is the highest.

    Raises:
        DamagedDataError: the table cannot be read.
    """
    return _read(folder)  # a cache of its own, which has one key whether the folder is named or not


@cache
def _read(folder: Path) -> Mapping[str, WordUse]:
    try:
        text = lzma.decompress((folder / "words.tsv.xz").read_bytes()).decode()
        cells = text.removesuffix("\n").replace("\n", "\t").split("\t")[_COLUMNS:]
        uses = map(_use, *(cells[column::_COLUMNS] for column in (1, 2, 3)))
        found = dict(zip(cells[::_COLUMNS], uses, strict=True))
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise DamagedDataError(f"words.tsv.xz is damaged: {error}") from error
    for word in [word for word in found if not word.isascii()]:
        seen, use = sight(word), found.pop(word)
        found[seen] = use if seen not in found else WordUse(*map(max, use, found[seen]))
    return found


@cache  # a few hundred triples of digits make up all rows
def _use(uses: str, first: str, last: str) -> WordUse:
    return WordUse(int(uses or 0), int(first or 0), int(last or 0))


_LOWEST = 2.0  # a count below this and a half is not kept
_FREQUENT = "5"  # digit of a word of every day
_STEPS = 2  # digits for each order of magnitude
TOWN_IMPORTANCE = 0.7  # of a town beyond the order of magnitude of its population
# The middle of what is counted for places of an importance, fitted to the names of all languages:
# a language speaks of its own towns ten times as often as of others that are as large.
_HOME_START, _HOME_COUNT = 4.3, 1.7
_AWAY_START, _AWAY_COUNT, _AWAY_RISE = 5.0, 1.3, 0.45


NOT_NOUN, NOUN, NOUN_AND_PLACE = "012"  # whether a dictionary has a German noun


class WordFrequencies(NamedTuple):
    """The table: for each language, and for German nouns, a digit for each word."""

    columns: Mapping[str, str]  # by the code of a language
    # How much more often a language names its own towns, and cities elsewhere, than is expected.
    offsets: Mapping[str, tuple[float, float]]
    rows: Mapping[str, int]  # by word in lower case, as `sight` shows it
    nouns: str

    def digit(self, word: str, language: str) -> str:
        """How often a language uses a word; "0" where that tells nothing about it."""
        row, column = self.rows.get(word), self.columns.get(language)
        return "0" if row is None or column is None else column[row]

    def use(self, word: str, language: str) -> float | None:
        """How often a language uses a word; None where it does hardly ever, or nobody counted."""
        digit = self.digit(word, language)
        return None if digit == "0" else digit_count(int(digit))

    def most(self, word: str) -> str:
        """The highest digit of a word in any language."""
        row = self.rows.get(word)
        return "0" if row is None else max([column[row] for column in self.columns.values()])

    def excess(self, word: str, language: str, importance: float, *, is_home: bool) -> float:
        """How far a word is more frequent than a place of that importance explains.

        In orders of magnitude; below 0 where it is less frequent. A language without a column, and
        a word that is not in the table, has nothing in excess.
        """
        count = self.use(word, language)
        if count is None:
            return -1.0
        offset = self.offsets[language][not is_home]
        return count - expected_frequency(importance, is_home=is_home) - offset

    def has(self, word: str, language: str) -> bool | None:
        """Whether the language uses the word; None for a language without a column."""
        return None if language not in self.columns else self.digit(word, language) != "0"

    def noun(self, word: str) -> str:
        """Whether the word is a German noun: `NOT_NOUN`, `NOUN` or `NOUN_AND_PLACE`.

        The last is one of which a dictionary knows a place too, such as "Essen".
        """
        row = self.rows.get(word)
        return NOT_NOUN if row is None else self.nouns[row]

    def is_german_word(self, word: str) -> bool:
        """Whether the word is a frequent German noun, and less frequent in all other languages."""
        if self.noun(word) != NOUN:
            return False
        return self.digit(word, "de") == self.most(word) >= _FREQUENT


def expected_frequency(importance: float, *, is_home: bool) -> float:
    """How often a language speaks of a place; at home is one in a country that speaks it.

    >>> round(expected_frequency(6.3, is_home=True), 1)
    3.7
    """
    if is_home:
        return _HOME_COUNT + max(0.0, importance - _HOME_START)
    return _AWAY_COUNT + max(0.0, importance - _AWAY_START) * _AWAY_RISE


def digit_count(digit: int) -> float:
    """The count that a digit stands for."""
    return _LOWEST + (digit + 0.5) / _STEPS


def frequency_digit(count: float) -> int:
    """The digit that the table has for a count.

    >>> frequency_digit(0.0), frequency_digit(2.6), frequency_digit(5.2), frequency_digit(7.5)
    (0, 1, 6, 9)
    """
    return max(0, min(9, int((count - _LOWEST) * _STEPS)))


def read_word_frequencies(folder: Path = DATA_FOLDER) -> WordFrequencies:
    """The table `word_frequencies.txt.xz` of a folder.

    Raises:
        DamagedDataError: the table cannot be read.
    """
    return _read_frequencies(
        folder
    )  # a cache of its own, which has one key whether the folder is named or not


def _home_and_away(cell: str) -> tuple[float, float]:
    home, _, away = cell.partition(",")
    return float(home), float(away)


@cache
def _read_frequencies(folder: Path) -> WordFrequencies:
    try:
        packed = (folder / "word_frequencies.txt.xz").read_bytes()
        heading, listed, *columns, nouns = lzma.decompress(packed).decode().split("\n")
        offsets = dict(cell.split("=") for cell in heading.split())
        words = listed.split(" ")
        if any(len(column) != len(words) for column in (*columns, nouns)):
            raise ValueError("a column has another length")  # noqa: TRY301 - damage, as below
        return WordFrequencies(
            dict(zip(offsets, columns, strict=True)),
            {code: _home_and_away(cell) for code, cell in offsets.items()},
            dict(zip(words, range(len(words)), strict=True)),
            nouns,
        )
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise DamagedDataError(f"word_frequencies.txt.xz is damaged: {error}") from error


BARE_EXCESS = 0.9  # from which a name that stands alone is a word
EXPLICIT_EXCESS = 1.8  # the same behind a preposition
_UNKNOWN_WORD = 2.5  # a word that no dictionary has must be that much in excess
_WELL_KNOWN = 100_000  # inhabitants of a town that is meant behind any preposition
_LARGE = frozenset({Kind.CONTINENT, Kind.COUNTRY})


def word_excess(name: str, place: Place, role: NameRole) -> float:
    """How far a name is a word rather than this place, in the language where it is most of all.

    Of a name of several words the one that is least a word counts; below 0 for no word at all.
    """
    words = sight(name.lower()).replace("-", " ").split()
    if not words or place.kind in _LARGE or (len(words) > 1 and is_well_known(place, role)):
        return -1.0
    return min(max(_excesses(word, place, role), default=-1.0) for word in words)


def is_well_known(place: Place, role: NameRole) -> bool:
    """Whether a place is so large that a preposition before its name means it."""
    is_city = place.kind is Kind.CITY and role == NameRole.NAME
    return place.kind in _LARGE or (is_city and place.population >= _WELL_KNOWN)


def is_everyday_word(word: str) -> bool:
    """Whether some language uses a short word so often that it is not the code of a place."""
    return read_word_frequencies().most(sight(word.lower())) >= "7"


def is_known_word(word: str) -> bool:
    """Whether the tables of words have it, spelt just so; they have those that are names too."""
    return word in read_words() or read_word_frequencies().most(word) >= "3"


def is_german_noun(word: str) -> bool:
    """Whether a capital says nothing of the word."""
    return read_word_frequencies().noun(sight(word.lower())) in (NOUN, NOUN_AND_PLACE)


def _excesses(word: str, place: Place, role: NameRole) -> Iterator[float]:
    frequencies = read_word_frequencies()
    weight = importance(place.kind, place.population)
    is_small = place.population < _WELL_KNOWN
    for language in frequencies.columns:
        is_home = place.country in _countries(language)
        excess = frequencies.excess(word, language, weight, is_home=is_home)
        is_clear = excess >= _UNKNOWN_WORD and role == NameRole.NAME and is_small
        if is_clear or _is_in_dictionary(
            word, language, frequencies, may_be_place=is_small or is_home
        ):
            yield excess


def _is_in_dictionary(
    word: str, language: str, frequencies: WordFrequencies, *, may_be_place: bool
) -> bool:
    """Whether a word of the language is known that is spelt so.

    German dictionaries have places too: "Paris" is in them, and "Essen" both ways.
    """
    if language == "de":
        noun = frequencies.noun(word)
        return noun == NOUN or (noun == NOUN_AND_PLACE and may_be_place)
    return language == "en" and read_words().get(word, UNKNOWN).uses >= ORDINARY


@cache
def _countries(language: str) -> frozenset[str]:
    found = (known.countries for known in all_languages() if known.code == language)
    return frozenset(next(found, ()))
