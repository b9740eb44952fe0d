"""The doors in an address in English: suites, apartments, floors.

They stand behind the street, before it, or on a line of their own, so both the reading of streets
and the walk from the town to the street have to know them.
"""

from __future__ import annotations

import re

from geoscout.geo.address.segments import Segment, Word, words_of
from geoscout.geo.address.street_words import ENGLISH

_ORDINAL = re.compile(r"[0-9]{1,3}(?:st|nd|rd|th)", re.IGNORECASE)
_UNIT_SEGMENT = re.compile(
    r"(?:#\s?[\w-]{1,8}|(?:[0-9]{1,3}(?:st|nd|rd|th|er|e)|first|second|third|fourth|fifth|top"
    r"|ground|main|lower|upper|mezzanine|garden)\s(?:floor|fl|flr|level|lvl|étage)"
    r"|[a-z]{1,2}[-]?[0-9]{1,4}[a-z]?|[a-z]-[a-z])\.?",
    re.IGNORECASE,
)
_LEVELS = frozenset(("floor", "fl", "flr", "level", "lvl"))
_STOREYS = frozenset(("lower", "upper", "main", "ground", "top", "garden", "street"))


def is_unit(segment: Segment) -> bool:
    """Whether the segment is nothing but a door: "Suite 5", "#160", "2nd floor".

    >>> [is_unit(Segment(0, 9, t, "", "")) for t in ("Suite 5-B", "2nd Fl.", "Old Town")]
    [True, True, False]
    """
    if _UNIT_SEGMENT.fullmatch(segment.text):
        return True
    words = words_of(segment.text)
    return len(words) <= 6 and unit_length(words, 0) == len(words)


def is_named_unit(segment: Segment) -> bool:
    """Whether the segment is a door that says so: "Flat 2", "3rd Floor", but not "B-2"."""
    words = words_of(segment.text.rstrip(" -–"))
    is_long_enough = 2 <= len(words) <= 4
    is_door_before_number = segment.text[0] == "#" and segment.text[-1] in "-–"
    return is_door_before_number or (is_long_enough and unit_length(words, 0) == len(words))


def unit_length(words: tuple[Word, ...], index: int) -> int:
    """How many words from this one on name a door; 0 when none does."""
    length = 0
    while index + length < len(words):
        step = one_unit(words, index + length)
        if not step:
            break
        length += step
    return length


def is_ordinal(word: Word) -> bool:
    return bool(_ORDINAL.fullmatch(word.key)) or word.key in ENGLISH.ordinal_words


def one_unit(words: tuple[Word, ...], index: int) -> int:
    word = words[index]
    following = words[index + 1] if index + 1 < len(words) else None
    if word.text[0] == "#" and len(word.text) > 1:
        return 1
    if following and following.key in _LEVELS and (is_ordinal(word) or word.key in _STOREYS):
        return 2
    if word.key in ENGLISH.unit_words or word.text == "#":
        if following and _is_identifier(following):
            return 2
        return 1 if word.key in ENGLISH.whole_units and following is None else 0
    return 0


def _is_identifier(word: Word) -> bool:
    """Whether the word can name a door: "5", "B", "12-C", "#4", not "Avenue"."""
    text = word.text.strip("#.,")
    if word.key in ENGLISH.street_types:
        return False
    is_short = len(text) <= 2 and (text.isupper() or len(text) == 1)
    return is_short or any(c.isdigit() for c in text) or (len(text) <= 4 and "-" in text)
