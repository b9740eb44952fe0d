"""How often the names of places are used as words, language by language.

"Lage" and "Regen" are towns in Germany, and words of every German day. The table is derived by
tools/derive/word_frequencies.py from counts of lower-cased words, in which a name counts too. So a
count alone says little: "Hamburg" is as frequent as "Lage". But how often a language speaks of a
place follows from its importance, and what goes beyond that is use as a word.

A count is an order of magnitude among a thousand million words: 6 is each thousandth word. The
table keeps one digit of it.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.tables import DATA_FOLDER

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
    """The table: for each word a digit for each language, and one for German nouns."""

    columns: Mapping[str, int]  # by the code of a language
    offsets: Mapping[str, float]  # how much more often a language names its own towns
    digits: Mapping[str, str]  # by word in lower case, as `sight` shows it

    def use(self, word: str, language: str) -> float | None:
        """How often a language uses a word; None where it does hardly ever, or nobody counted."""
        found = self.digits.get(word)
        column = self.columns.get(language)
        if found is None or column is None or found[column] == "0":
            return None
        return _LOWEST + (int(found[column]) + 0.5) / _STEPS

    def excess(self, word: str, language: str, importance: float, *, is_home: bool) -> float:
        """How far a word is more frequent than a place of that importance explains.

        In orders of magnitude; below 0 where it is less frequent. A language without a column, and
        a word that is not in the table, has nothing in excess.
        """
        count = self.use(word, language)
        if count is None:
            return -1.0
        offset = self.offsets[language] if is_home else 0.0
        return count - expected_frequency(importance, is_home=is_home) - offset

    def has(self, word: str, language: str) -> bool | None:
        """Whether the language uses the word; None for a language without a column."""
        column = self.columns.get(language)
        return None if column is None else word in self.digits and self.digits[word][column] != "0"

    def noun(self, word: str) -> str:
        """Whether the word is a German noun: `NOT_NOUN`, `NOUN` or `NOUN_AND_PLACE`.

        The last is one of which a dictionary knows a place too, such as "Essen".
        """
        found = self.digits.get(word)
        return found[-1] if found else NOT_NOUN

    def is_german_word(self, word: str) -> bool:
        """Whether the word is a frequent German noun, and less frequent in all other languages."""
        found = self.digits.get(word, "")
        if not found.endswith(NOUN):
            return False
        return found[self.columns["de"]] == max(found[:-1]) >= _FREQUENT


def expected_frequency(importance: float, *, is_home: bool) -> float:
    """How often a language speaks of a place; at home is one in a country that speaks it.

    >>> round(expected_frequency(6.3, is_home=True), 1)
    3.7
    """
    if is_home:
        return _HOME_COUNT + max(0.0, importance - _HOME_START)
    return _AWAY_COUNT + max(0.0, importance - _AWAY_START) * _AWAY_RISE


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
    return _read(folder)  # a cache of its own, which has one key whether the folder is named or not


@cache
def _read(folder: Path) -> WordFrequencies:
    try:
        packed = (folder / "word_frequencies.txt.xz").read_bytes()
        heading, _, table = lzma.decompress(packed).decode().partition("\n")
        offsets = dict(cell.split("=") for cell in heading.split())
        cells = table.removesuffix("\n").replace("\n", "\t").split("\t")
        return WordFrequencies(
            {code: column for column, code in enumerate(offsets)},
            {code: float(offset) for code, offset in offsets.items()},
            dict(zip(cells[::2], cells[1::2], strict=True)),
        )
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise DamagedDataError(f"word_frequencies.txt.xz is damaged: {error}") from error
