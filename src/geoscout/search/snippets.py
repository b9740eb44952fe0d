"""Cuts the piece of a page's text that shows why it was found, and marks words and places in it.

Marks are offsets, never HTML: whoever shows them escapes first. Words are looked for in the text
with every letter replaced by its plain form, one for one, so that offsets stay those of the text.
Plain searching, since compiling a regular expression takes longer than all the rest of a hit.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from geoscout.search.base import Highlight, Snippet
from geoscout_places.caches import BoundedCache

LENGTH = 240  # characters: three lines of a list of hits
_BEFORE = 40  # characters before the first mark
_SCANNED = 20_000  # characters of a page that are looked at
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_MOST_REPLACED = 40  # different letters
_NAMES_REMEMBERED = 5000  # words and names, in plain letters
_WORD, _PLACE = "word", "place"  # what a mark shows
_Mark = tuple[int, int, str]  # from, minus to (so that the longer of two comes first), what it is
_BOTH_KINDS = 2.0  # what a window with words and places has over one of either


def make_snippet(
    text: str,
    words: Sequence[str],
    places: Sequence[str],
    addresses: Sequence[tuple[int, int]] = (),
) -> Snippet:
    """The best piece of the text; `words` are folded, `places` names as they are written."""
    scanned = text[:_SCANNED]
    plain = plain_letters(scanned)
    marks: list[_Mark] = [(start, -end, _PLACE) for start, end in addresses if end <= len(scanned)]
    _find(plain, words, _WORD, marks)
    _find(plain, places, _PLACE, marks)
    chosen = _without_overlaps(marks)
    start, end = _widen(scanned, _best_start(chosen))
    inside = [mark for mark in chosen if start <= mark[0] and -mark[1] <= end]
    # A line break is a block's end; one character for one keeps the offsets.
    cut = scanned[start:end].replace("\n", " ")
    return Snippet(cut, tuple(Highlight(a - start, -b - start, kind) for a, b, kind in inside))


def _find(plain: str, names: Sequence[str], kind: str, marks: list[_Mark]) -> None:
    """Mark every place where one of the names stands as a whole word."""
    for name in dict.fromkeys(_NAMES[name] for name in names):
        start = plain.find(name) if name else -1
        while start >= 0:
            end = start + len(name)
            if not (plain[max(start - 1, 0) : start].isalnum() or plain[end : end + 1].isalnum()):
                marks.append((start, -end, kind))
            start = plain.find(name, end)


def plain_letters(text: str) -> str:
    """The text in small letters without accents, of the same length.

    >>> plain_letters("Café ÉVORA, İzmir")
    'cafe evora, izmir'
    """
    if text.isascii():
        return text.lower()
    others = set(_NOT_ASCII.findall(text))
    if len(others) > _MOST_REPLACED:
        return text.translate(_PLAIN)
    # Most texts have a few such letters, and replacing them one by one takes a third of the time.
    for other in others:
        text = text.replace(other, _PLAIN[ord(other)])
    return text.lower()


class _PlainLetters(dict[int, str]):
    """The plain form of each character, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        plain = unicodedata.normalize("NFKD", chr(code)).lower()[:1] or chr(code)
        self[code] = plain
        return plain


_PLAIN = _PlainLetters()
_NAMES = BoundedCache(plain_letters, _NAMES_REMEMBERED)


def _without_overlaps(marks: list[_Mark]) -> list[_Mark]:
    """The marks in order; of overlapping ones the first, of those that begin together the longest.

    A place wins over a word of the same length, since the word is then a part of its name.
    """
    kept: list[_Mark] = []
    free = 0  # where the last one ends
    for mark in sorted(marks):
        if mark[0] >= free:
            kept.append(mark)
            free = -mark[1]
    return kept


def _best_start(marks: Sequence[_Mark]) -> int:
    """Where the window with the most marks begins; different words and kinds count, not repeats."""
    starts = [start for start, _, _ in marks]
    places = [0, *accumulate(kind == _PLACE for _, _, kind in marks)]
    best, best_value = 0, 0.0
    for first, start in enumerate(starts):
        last = bisect_right(starts, start + LENGTH - _BEFORE)
        count = last - first
        has_both = 0 < places[last] - places[first] < count
        value = min(count, 6) + (_BOTH_KINDS if has_both else 0.0)
        if value > best_value:
            best, best_value = start, value
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
