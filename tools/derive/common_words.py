"""English words that are not names: what WordNet writes in lower case."""

import re

from tools.derive.pins import WORDNET
from tools.derive.sources import Library

_FILES = ("data.noun", "data.verb", "data.adj", "data.adv")
_LOWER_CASE = re.compile(r"^\d{8} \d\d [nvasr] [0-9a-f]{2} (.*?) \d{3} ", re.MULTILINE)


def read_common_words(library: Library) -> frozenset[str]:
    """Single words, as they stand in a dictionary."""
    words: set[str] = set()
    for file in _FILES:
        words |= parse_words(library.read(WORDNET, f"database/3.0/{file}").decode())
    return frozenset(words)


def parse_words(text: str) -> set[str]:
    """The lower-case single words of a WordNet data file."""
    found: set[str] = set()
    for line in _LOWER_CASE.findall(text):
        # pairs of a word and the number of its sense
        found.update(word for word in line.split()[::2] if word.isalpha() and word.islower())
    return found
