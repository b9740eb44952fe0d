"""The words that street lines are made of, from the files of the languages.

Kept apart from the grammar so that a word is added by adding a word. All are lower-case and without
full stops, as `AddressWord.key` has them. What each list means stands next to it in
`language/en.toml` and `language/de.toml`.
"""

from __future__ import annotations

from msgspec import Struct

from geoscout_places.language import load_language


class EnglishStreetWords(Struct, frozen=True):
    """The lists of addresses in English."""

    street_types: frozenset[str]
    route_types: frozenset[str]
    weak_street_types: frozenset[str]
    leading_types: frozenset[str]
    standing_alone: frozenset[str]
    directions: frozenset[str]
    unit_words: frozenset[str]
    whole_units: frozenset[str]
    number_words: frozenset[str]
    ordinal_words: frozenset[str]
    connectors: frozenset[str]
    function_words: frozenset[str]
    position_words: frozenset[str]
    counted: frozenset[str]


class GermanStreetWords(Struct, frozen=True):
    """The lists of addresses in German; endings are tuples for `str.endswith`."""

    type_endings: tuple[str, ...]
    certain_endings: tuple[str, ...]
    leading: frozenset[str]
    certain_leading: frozenset[str]
    prepositions: frozenset[str]
    small: frozenset[str]
    numbered: frozenset[str]


def _english() -> EnglishStreetWords:
    lists = load_language("en").streets
    return EnglishStreetWords(**{name: frozenset(words) for name, words in lists.items()})


def _german() -> GermanStreetWords:
    lists = dict(load_language("de").streets)
    return GermanStreetWords(
        lists.pop("type_endings"),
        lists.pop("certain_endings"),
        **{name: frozenset(words) for name, words in lists.items()},
    )


def street_types(code: str) -> str:
    """The street words of a language that are patterns, as one pattern."""
    return "|".join(load_language(code).streets["street_types"])


ENGLISH = _english()
GERMAN = _german()
