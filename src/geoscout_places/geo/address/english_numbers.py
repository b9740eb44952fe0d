"""The numbers of houses and doors in English: "12", "12-14", "55 1/2", "W148 N9748"; "Suite 5".

Most numbers on a page are not house numbers; here only those are told apart that cannot be one by
their own form or by the word in front of them. Doors (suites, apartments, floors) stand behind the
street, before it, or on a line of their own, so both the reading of streets and the walk from the
town to the street have to know them.
"""

from __future__ import annotations

import re

from geoscout_places.geo.address.segments import AddressWord, Segment, segment_words
from geoscout_places.geo.address.street_words import ENGLISH
from geoscout_places.geo.lazy_patterns import lazy_pattern

NUMBER = lazy_pattern(
    r"#?(?:[0-9]{1,6}(?:-?[A-Za-z])?[½¼¾]?|[0-9]{1,6}[½¼¾]"
    r"|([0-9]{1,5})[-–]([0-9]{1,5})[A-Za-z]?|[NSEW][0-9]{1,5}[NSEW][0-9]{1,5})"
)
_GRID_HALF = lazy_pattern(r"[NSEW][0-9]{1,5}")  # "W148 N9748 Tree Tops Dr"
_FRACTION = lazy_pattern(r"[1-9]/[1-9][0-9]?|[½¼¾]")


def is_number(words: tuple[AddressWord, ...], index: int) -> bool:
    """Whether the word can begin a house number; the street behind it decides."""
    word = words[index]
    if word.key in ENGLISH.number_words:
        return word.text[0].isupper() or words[0].text[0].islower()
    is_grid = _GRID_HALF.fullmatch(word.text) and number_end(words, index) > index + 1
    if word.text[-1] in ".:" or not (is_grid or NUMBER.fullmatch(word.text.rstrip(","))):
        return False
    if word.text[0] == "#" and index + 1 < len(words) and words[index + 1].text in "-–":
        return False  # the door of "#200 - 1055 Hastings Street"
    return not _is_door_number(words, index)


def _is_door_number(words: tuple[AddressWord, ...], index: int) -> bool:
    """Whether the number belongs to the word before it: "Suite 900", but not "4th Floor 900"."""
    if index == 0 or words[index - 1].key not in ENGLISH.unit_words:
        return False
    return index == 1 or not is_ordinal(words[index - 2])


def is_doubtful_number(word: AddressWord) -> bool:
    """Whether it takes a street word to believe it: "One", or what may be a telephone number."""
    match = NUMBER.fullmatch(word.text)
    low, high = match.groups() if match else ("", "")
    # Ranges, Queens ("32-15") and Hawaii ("75-5776") are house numbers for sure.
    is_odd_pair = bool(low) and not (len(high) == 2 or len(low) in (2, len(high)))
    return is_odd_pair or word.key in ENGLISH.number_words


def number_end(words: tuple[AddressWord, ...], index: int) -> int:
    """The word behind the house number that begins at the index."""
    end = index + 1
    if end < len(words) - 1 and _GRID_HALF.fullmatch(words[index].text):
        return end + 1 if _GRID_HALF.fullmatch(words[end].text) else end
    if end < len(words) - 1 and _FRACTION.fullmatch(words[end].text):
        return end + 1
    if end < len(words) - 2 and words[end].text in "-–&" and words[end + 1].text.isdigit():
        return end + 2
    return end


_ORDINAL = lazy_pattern(r"[0-9]{1,3}(?:st|nd|rd|th)", re.IGNORECASE)
_UNIT_SEGMENT = lazy_pattern(
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
    words = segment_words(segment.text)
    return len(words) <= 6 and unit_length(words, 0) == len(words)


def is_named_unit(segment: Segment) -> bool:
    """Whether the segment is a door that says so: "Flat 2", "3rd Floor", but not "B-2"."""
    words = segment_words(segment.text.rstrip(" -–"))
    is_long_enough = 2 <= len(words) <= 4
    is_door_before_number = segment.text[0] == "#" and segment.text[-1] in "-–"
    return is_door_before_number or (is_long_enough and unit_length(words, 0) == len(words))


def unit_length(words: tuple[AddressWord, ...], index: int) -> int:
    """How many words from this one on name a door; 0 when none does."""
    length = 0
    while index + length < len(words):
        step = one_unit(words, index + length)
        if not step:
            break
        length += step
    return length


def is_ordinal(word: AddressWord) -> bool:
    return bool(_ORDINAL.fullmatch(word.key)) or word.key in ENGLISH.ordinal_words


def one_unit(words: tuple[AddressWord, ...], index: int) -> int:
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


def _is_identifier(word: AddressWord) -> bool:
    """Whether the word can name a door: "5", "B", "12-C", "#4", not "Avenue"."""
    text = word.text.strip("#.,")
    if word.key in ENGLISH.street_types:
        return False
    is_short = len(text) <= 2 and (text.isupper() or len(text) == 1)
    return is_short or any(map(str.isdigit, text)) or (len(text) <= 4 and "-" in text)
