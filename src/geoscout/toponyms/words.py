"""What is known of words that are not places: common words, names of people.

The table is derived by tools/derive/words.py; each count is one digit, an order of magnitude.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from geoscout.gazetteer.automaton import sight


class Word(NamedTuple):
    """How usual a word is: 0 not at all, 1 rare, 8 very; 9 marks a function word."""

    uses: int = 0
    first: int = 0  # as a first name
    last: int = 0  # as a surname


UNKNOWN = Word()


def read_words(folder: Path) -> Mapping[str, Word]:
    """The table `words.tsv.xz` of a folder, by word in lower case as `sight` shows it."""
    with lzma.open(folder / "words.tsv.xz", "rt", encoding="utf-8") as lines:
        next(lines)
        rows = (line.rstrip("\n").split("\t") for line in lines)
        return {
            word if word.isascii() else sight(word): Word(
                int(uses or 0), int(first or 0), int(last or 0)
            )
            for word, uses, first, last in rows
        }
