"""Cuts the piece of a page's text that shows why it was found, and marks words and places in it.

Marks are offsets, never HTML: whoever shows them escapes first. Words are found in the text as it
stands, by a pattern that ignores case and accents, so that the offsets are those of the text.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache

from geoscout.search.base import Highlight, Snippet

LENGTH = 240  # characters: three lines of a list of hits
_BEFORE = 40  # characters before the first mark
_SCANNED = 20_000  # characters of a page that are looked at
_BOTH_KINDS = 2.0  # what a window with words and places has over one of either
_DECOMPOSED = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"}


def make_snippet(
    text: str,
    words: Sequence[str],
    places: Sequence[str],
    addresses: Sequence[tuple[int, int]] = (),
) -> Snippet:
    """The best piece of the text; `words` are folded, `places` names as they are written."""
    scanned = text[:_SCANNED]
    marks = [*_find(scanned, words, "word"), *_find(scanned, places, "place")]
    marks += [Highlight(start, end, "place") for start, end in addresses if end <= len(scanned)]
    chosen = _without_overlaps(marks)
    start, end = _widen(scanned, _best_start(chosen))
    inside = [mark for mark in chosen if start <= mark.start and mark.end <= end]
    # A line break is a block's end; one character for one keeps the offsets.
    cut = scanned[start:end].replace("\n", " ")
    return Snippet(cut, tuple(Highlight(m.start - start, m.end - start, m.kind) for m in inside))


def _find(text: str, names: Sequence[str], kind: str) -> list[Highlight]:
    if not names:
        return []
    found = _pattern(tuple(names)).finditer(text)
    return [Highlight(*match.span(), kind) for match in found]


@lru_cache(maxsize=1024)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    alternatives = "|".join("".join(map(_letter, name)) for name in longest_first)
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _letter(letter: str) -> str:
    """A pattern for a letter with any accent."""
    plain = unicodedata.normalize("NFKD", letter)[0]
    return _accented().get(plain.lower(), re.escape(letter))


@lru_cache(maxsize=1)
def _accented() -> dict[str, str]:
    """For every plain Latin letter a class of the letters that are it with an accent."""
    classes: dict[str, str] = {}
    for code in (*range(ord("a"), ord("z") + 1), *range(0xDF, 0x250), *range(0x1E00, 0x1F00)):
        letter = chr(code)
        plain = _DECOMPOSED.get(letter) or unicodedata.normalize("NFKD", letter)[0]
        if len(plain) == 1 and plain.isascii() and plain.isalpha() and letter.islower():
            classes[plain] = classes.get(plain, "") + letter
    return {plain: f"[{letters}]" for plain, letters in classes.items()}


def _without_overlaps(marks: Iterable[Highlight]) -> list[Highlight]:
    """The marks in order; of overlapping ones the first, of those that begin together the longest.

    A place wins over a word of the same length, since the word is then a part of its name.
    """
    ordered = sorted(marks, key=lambda mark: (mark.start, -mark.end, mark.kind))
    kept: list[Highlight] = []
    for mark in ordered:
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


def _best_start(marks: Sequence[Highlight]) -> int:
    """Where the window with the most marks begins; different words and kinds count, not repeats."""
    starts = [mark.start for mark in marks]
    best, best_value = 0, 0.0
    for first, mark in enumerate(marks):
        last = bisect_right(starts, mark.start + LENGTH - _BEFORE)
        inside = marks[first:last]
        kinds = {other.kind for other in inside}
        value = min(len(inside), 6) + (_BOTH_KINDS if len(kinds) > 1 else 0.0)
        if value > best_value:
            best, best_value = mark.start, value
    return best


def _widen(text: str, first: int) -> tuple[int, int]:
    """The window around a first mark, from word to word."""
    start = max(0, first - _BEFORE)
    if start:
        space = text.find(" ", start, first)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + LENGTH)
    if end < len(text):
        space = text.rfind(" ", max(first + 1, end - _BEFORE), end)
        end = space if space >= 0 else end
    return start, end
