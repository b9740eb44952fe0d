"""The words of street lines of a language, made ready for reading.

A language lists them in its file (`[streets]`): what a street begins or ends with, doors, boxes,
and numbered things that are not streets. Several languages of one country become one vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct

from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.language import all_languages, load_language

_ONE_NUMBER = r"[0-9]{1,5}(?:\s?[a-zA-Z](?![\w.'’]))?"
# "12", "12 bis", "641/9", "12A/3", "281-S9", "263-267", "12-III"
_NUMBER = (
    rf"{_ONE_NUMBER}(?:\s?(?:bis|ter|quater|rood|hs)(?!\w))?"
    rf"(?:\s?[-–/+&]\s?(?:{_ONE_NUMBER}|[A-Z][0-9]{{0,2}}|[IVX]{{1,4}}|[a-z])(?![\w])){{0,3}}"
)
_NUMBER_MARK = (
    r"(?:(?:n(?:[rº°o]|um|úm|ro)?|č(?:\.\s?p)?|čp|c\.p|br|št|nummer|numero|número|num[eé]ro)"
    r"\.?\s?[º°:]?\s{0,2})?"
)
_WITHOUT_NUMBER = r"s\.?\s?/\s?n\.?|snc|s\.n\.c\.?|s/nº|b\.?\s?b\.?"
NUMBER_ALONE = lazy_pattern(
    rf"{_NUMBER_MARK}(?P<number>{_NUMBER}|{_WITHOUT_NUMBER})\.?", re.IGNORECASE
)
NUMBER_FIRST = lazy_pattern(
    rf"(?:^|(?<=\s)){_NUMBER_MARK}(?P<number>{_NUMBER}),?\s+(?=[^\W\d])", re.IGNORECASE
)
# Numbered things in English, which is met in all countries.
_NUMBERED_IN_ENGLISH = frozenset(
    """phone tel telephone fax mobile cell office room suite floor building page pages chapter
    figure fig table section part volume vol issue no number box code zip version level step unit
    hall address january february march april may june july august september october
    november december monday tuesday wednesday thursday friday saturday sunday copyright since
    until from to in on at by for of and or the about over under form id isbn issn vat""".split()
)


class StreetVocabulary(Struct, frozen=True):
    """The words of one language or several; all patterns ignore case."""

    first: re.Pattern[str]  # in front of the name, where a street begins
    last: frozenset[str]  # words behind the name
    endings: tuple[str, ...]  # of compounds
    number: re.Pattern[str]  # with what stands behind it, at the end of a line
    unit: re.Pattern[str]
    box: re.Pattern[str]
    small: frozenset[str]  # words in lower case inside of a name
    # Only the first word of a name is capitalised ("Dolgi most"), and most streets have no type.
    is_plain: bool


@cache
def vocabulary(codes: Sequence[str]) -> StreetVocabulary:
    """The vocabulary of these languages together."""
    lists = _Lists([load_language(code).streets for code in codes])
    doors = rf"\s?[,/-]?\s?(?:(?:{lists.pattern('units')})(?:\s?[\w.ºª°/-]{{1,6}})?\.?)"
    door = rf"(?:{doors}){{1,3}}|\s?[,/-]?\s?(?:{lists.pattern('unit_forms')})"
    number = rf"{_NUMBER_MARK}(?P<number>{_NUMBER}|{_WITHOUT_NUMBER})"
    box_number = r"(?:[\s:]*[A-Z]?[0-9][0-9 ]{0,9})?(?:\s\w+)?"
    return StreetVocabulary(
        first=_compiled(rf"(?<![^\s(/-])(?:{lists.pattern('street_types')})(?=[\s.]|(?<=[/.]))"),
        last=frozenset(lists.words("last_words")),
        endings=lists.words("endings"),
        number=_compiled(rf"(?<![\w.,/+-]){number}(?P<unit>{door})?\.?$"),
        unit=_compiled(rf"(?:{door})\.?"),
        box=_compiled(rf"(?:{lists.pattern('boxes')}){box_number}"),
        small=frozenset(lists.words("small")),
        is_plain=bool(lists.words("plain_names")),
    )


class _Lists:
    """The lists of several languages, each name once."""

    def __init__(self, languages: Sequence[Mapping[str, tuple[str, ...]]]) -> None:
        self._languages = languages

    def words(self, name: str) -> tuple[str, ...]:
        found = (word for language in self._languages for word in language.get(name, ()))
        return tuple(dict.fromkeys(found))

    def pattern(self, name: str) -> str:
        """One pattern of all in a list, which matches nothing where there is none."""
        return _either(self.words(name))


def _either(patterns: Iterable[str]) -> str:
    return "|".join(patterns) or "(?!)"


def _compiled(pattern: str) -> re.Pattern[str]:
    return lazy_pattern(pattern, re.IGNORECASE)


@cache
def numbered_things() -> frozenset[str]:
    """What has a number and is not a street, in all languages: telephones, pages, months."""
    return _NUMBERED_IN_ENGLISH.union(
        word for language in all_languages() for word in language.streets.get("numbered", ())
    )
