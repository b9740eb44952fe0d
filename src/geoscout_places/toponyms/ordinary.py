"""Which names of places are ordinary words, so that a query most likely means the word.

Pool is a region of the Congo, Christmas a village in Florida, and Regen a town in Bavaria, but
"swimming pool", "christmas market" and "museum bei Regen" ask for something else. How far a name is
used as a word is counted in orders of magnitude beyond what the size of its place explains
(`geoscout_places.toponyms.frequencies`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from geoscout_places.gazetteer.automaton import sight
from geoscout_places.gazetteer.schema import importance
from geoscout_places.language import all_languages
from geoscout_places.model import Kind, NameRole, Place
from geoscout_places.toponyms.frequencies import (
    NOUN,
    NOUN_AND_PLACE,
    WordFrequencies,
    read_word_frequencies,
)
from geoscout_places.toponyms.words import ORDINARY, UNKNOWN, read_words

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
    digits = read_word_frequencies().digits.get(sight(word.lower()), "")
    return any(digit >= "7" for digit in digits[:-1])


def is_known_word(word: str) -> bool:
    """Whether the tables of words have it, spelt just so; they have those that are names too."""
    digits = read_word_frequencies().digits.get(word, "")
    return word in read_words() or any(digit >= "3" for digit in digits[:-1])


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
