"""What is known of words that are not places: common words, names of people.

Names of places are also words ("Reading", "Nice") and names of people ("Florence"). The one table
that says so is derived by tools/derive/words.py; each count in it is one digit, an order of
magnitude. It is read once in a process, for all who ask.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.automaton import sight
from geoscout_places.gazetteer.tables import DATA_FOLDER

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
