"""What sort of thing an entry is, as OpenStreetMap tags it: "amenity=restaurant".

`data/categories.tsv` gives for each tag the types of schema.org and the words that mean it. A type
says it surely. A word says it in the name of the entry or in a line next to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

_SHORTEST_ENDING = 5  # letters of a word that may end another: Gemüserestaurant, Heimatmuseum
# Where something is says nothing of what it is: "Pharmacy at the station", "Gasthaus am Dom".
_WHERE = re.compile(
    r"\b(?:am|an der|beim|bei der|im|in der|zum|zur|at the|near|by the)\s+[\w-]+",
    re.IGNORECASE,
)
# What also gives quarters and streets their names, and says nothing unless it is in the name.
_LANDMARKS = frozenset(
    ("railway=station", "amenity=university", "leisure=park", "historic=castle",
     "aeroway=aerodrome", "amenity=place_of_worship", "amenity=school", "leisure=stadium",
     "amenity=townhall")
)  # fmt: skip
_WORD = re.compile(r"\w+")
_MOST = 3  # categories of one entry


@cache
def _table() -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    text = (files("geoscout.directory") / "data/categories.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return [(tag, tuple(types.split(",")), tuple(words.split(","))) for tag, types, words in rows]


@cache
def _by_type() -> dict[str, str]:
    return {type: tag for tag, types, _ in _table() for type in types if type}


@cache
def _by_word() -> dict[str, str]:
    return {word: tag for tag, _, words in _table() for word in words if word}


@cache
def _ending() -> re.Pattern[str]:
    """A word that ends in one of ours, as German compounds do."""
    longest_first = sorted(_by_word(), key=len, reverse=True)
    words = "|".join(re.escape(word) for word in longest_first if len(word) >= _SHORTEST_ENDING)
    return re.compile(rf"\w+({words})")


def tags() -> tuple[str, ...]:
    """Every category that there is."""
    return tuple(tag for tag, _, _ in _table())


def categories_of(types: Iterable[str], name: str, nearby: Iterable[str] = ()) -> tuple[str, ...]:
    """The categories of an entry, the surest first.

    Args:
        types: of its markup.
        name: its own, which tells more than what stands around.
        nearby: further texts, in the order of trust; the first that tells something counts.

    >>> categories_of((), "Heimatmuseum Aubing"), categories_of(("Bakery",), "Corner Shop")
    (('tourism=museum',), ('shop=bakery',))
    >>> categories_of((), "Am Bahnhof", ["Apotheke München"])
    ('amenity=pharmacy',)
    """
    by_type = _by_type()
    found: Sequence[str] = [by_type[type] for type in types if type in by_type]
    if not found:
        found = _named(name)
    for text in nearby:
        if found:
            break
        found = [tag for tag in _named(text) if tag not in _LANDMARKS]
    return tuple(dict.fromkeys(found))[:_MOST]


@lru_cache(maxsize=8192)
def _named(text: str) -> Sequence[str]:
    by_word = _by_word()
    found = []
    for word in _WORD.findall(_WHERE.sub(" ", text).lower()):
        if word in by_word:
            found.append(by_word[word])
        elif match := _ending().fullmatch(word):
            found.append(by_word[match[1]])
    return tuple(found)


def category_words() -> Mapping[str, str]:
    """Every word that names a category, in lower case, with the category."""
    return _by_word()


def is_category_word(word: str) -> bool:
    """Whether a word in lower case names a category by itself."""
    return word in _by_word()
