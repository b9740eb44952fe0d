"""House numbers in English: "12", "12-14", "55 1/2", "32-15", "W148 N9748", "One".

Most numbers on a page are no house numbers; here only those are told apart that cannot be one by
their own form or by the word in front of them.
"""

from __future__ import annotations

import re

from geoscout.geo.address.english_units import is_ordinal
from geoscout.geo.address.segments import Word
from geoscout.geo.address.street_words import ENGLISH

NUMBER = re.compile(
    r"#?(?:[0-9]{1,6}(?:-?[A-Za-z])?[½¼¾]?|[0-9]{1,6}[½¼¾]"
    r"|([0-9]{1,5})[-–]([0-9]{1,5})[A-Za-z]?|[NSEW][0-9]{1,5}[NSEW][0-9]{1,5})"
)
_GRID_HALF = re.compile(r"[NSEW][0-9]{1,5}")  # "W148 N9748 Tree Tops Dr"
_FRACTION = re.compile(r"[1-9]/[1-9][0-9]?|[½¼¾]")


def is_number(words: tuple[Word, ...], index: int) -> bool:
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


def _is_door_number(words: tuple[Word, ...], index: int) -> bool:
    """Whether the number belongs to the word before it: "Suite 900", but not "4th Floor 900"."""
    if index == 0 or words[index - 1].key not in ENGLISH.unit_words:
        return False
    return index == 1 or not is_ordinal(words[index - 2])


def is_doubtful_number(word: Word) -> bool:
    """Whether it takes a street word to believe it: "One", or what may be a telephone number."""
    match = NUMBER.fullmatch(word.text)
    low, high = match.groups() if match else ("", "")
    # Ranges, Queens ("32-15") and Hawaii ("75-5776") are house numbers for sure.
    is_odd_pair = bool(low) and not (len(high) == 2 or len(low) in (2, len(high)))
    return is_odd_pair or word.key in ENGLISH.number_words


def number_end(words: tuple[Word, ...], index: int) -> int:
    """The word behind the house number that begins at the index."""
    end = index + 1
    if end < len(words) - 1 and _GRID_HALF.fullmatch(words[index].text):
        return end + 1 if _GRID_HALF.fullmatch(words[end].text) else end
    if end < len(words) - 1 and _FRACTION.fullmatch(words[end].text):
        return end + 1
    if end < len(words) - 2 and words[end].text in "-–&" and words[end + 1].text.isdigit():
        return end + 2
    return end
