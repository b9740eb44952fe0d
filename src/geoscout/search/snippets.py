"""Cuts the piece of a page's text that shows why it was found, and marks words and places in it.

Marks are offsets, never HTML: whoever shows them escapes first. Words are looked for in the text
with every letter replaced by its plain form, one for one, so that offsets stay those of the text.
Plain searching, since compiling a regular expression takes longer than all the rest of a hit.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from geoscout.search.base import Highlight, Snippet

LENGTH = 240  # characters: three lines of a list of hits
_BEFORE = 40  # characters before the first mark
_SCANNED = 20_000  # characters of a page that are looked at
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_MOST_REPLACED = 40  # different letters
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
    marks = [*_find(plain, words, "word"), *_find(plain, places, "place")]
    marks += [Highlight(start, end, "place") for start, end in addresses if end <= len(scanned)]
    chosen = _without_overlaps(marks)
    start, end = _widen(scanned, _best_start(chosen))
    inside = [mark for mark in chosen if start <= mark.start and mark.end <= end]
    # A line break is a block's end; one character for one keeps the offsets.
    cut = scanned[start:end].replace("\n", " ")
    return Snippet(cut, tuple(Highlight(m.start - start, m.end - start, m.kind) for m in inside))


def _find(plain: str, names: Sequence[str], kind: str) -> Iterator[Highlight]:
    """Every place where one of the names stands as a whole word."""
    for name in dict.fromkeys(map(plain_letters, names)):
        start = plain.find(name) if name else -1
        while start >= 0:
            end = start + len(name)
            if not (plain[max(start - 1, 0) : start].isalnum() or plain[end : end + 1].isalnum()):
                yield Highlight(start, end, kind)
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
