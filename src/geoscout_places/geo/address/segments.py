"""Cutting the text around a trigger into the pieces an address is made of.

An address is written on several lines, or on one with commas, bars or bullets; table cells and
list items are lines here. All of these become the same thing, a segment, so that no format has to
know which of them its page uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from geoscout_places.geo.lazy_patterns import lazy_pattern

# A dash separates only between spaces, and not between numbers ("35 - 37"); a colon only before
# a space ("Address: 12 Main St"), and not in "No: 12". The class comes first, and what else must
# hold behind it, so that the engine looks at nothing but separators.
_SEPARATOR = lazy_pattern(
    r"[\n\r\t,;|¦•·∙●▪■◦‣►▸→~☎✆✉©®()\[\]{}<>\"“”„»«:–—-]"
    r"(?:(?<![:–—-])|(?<=:)(?<!\bNo:)(?<!\bno:)(?<!\bNr:)(?=\s)"
    r"|(?<=\s[–—-])(?=\s)(?!(?<=[0-9]\s.)\s[0-9]))"
)
_WORD = lazy_pattern(r"\S+")


class Segment(Struct, frozen=True):
    """A piece of text between two separators."""

    start: int  # code points into the text
    end: int
    text: str
    before: str  # the separator in front of it, "" at the start of the stretch
    after: str  # the separator behind it

    @property
    def is_bracketed(self) -> bool:
        return self.before == "(" and self.after == ")"

    def part(self, start: int, end: int) -> Segment:
        """The segment without what is outside these offsets, which count from its own start."""
        whole = self.text[start:end]
        text = whole.strip()
        first = self.start + start + len(whole) - len(whole.lstrip())
        before = self.before if start == 0 else " "
        after = self.after if end >= len(self.text) else " "
        return Segment(first, first + len(text), text, before, after)


class AddressWord(NamedTuple):
    """A word and its place in its segment; `key` is what it is compared by."""

    start: int
    end: int
    text: str
    key: str


def leftward(text: str, start: int, end: int) -> Iterator[Segment]:
    """The segments of a stretch of text, from right to left.

    >>> [s.text for s in leftward("12 Main St (at 5th), Old Town | Lake-City; IL", 0, 45)]
    ['IL', 'Lake-City', 'Old Town', 'at 5th', '12 Main St']
    """
    after, last = "", end
    for match in reversed(list(_SEPARATOR.finditer(text, start, end))):
        first = match.end()
        if content := text[first:last].strip():
            at = text.index(content, first)
            yield Segment(at, at + len(content), content, _before(text, match, start), after)
            after = match.group()
        elif match.group() != "\n" or not after:
            after = match.group()
        last = match.start()
    if content := text[start:last].strip():
        at = text.index(content, start)
        yield Segment(at, at + len(content), content, "", after)


def _before(text: str, match: re.Match[str], start: int) -> str:
    """The separator before a segment; of several in a row the line break tells most."""
    separator = match.group()
    position = match.start()
    while separator != "\n" and position > start and text[position - 1] in " ,\n":
        position -= 1
        if text[position] == "\n":
            return "\n"
    return separator


@lru_cache(maxsize=4096)
def segment_words(text: str) -> tuple[AddressWord, ...]:
    """The words of a segment, with their lower-case forms free of final punctuation.

    >>> [word.key for word in segment_words("255 Courtland St. N.E.")]
    ['255', 'courtland', 'st', 'ne']
    """
    return tuple(
        [
            AddressWord(match.start(), match.end(), match.group(), _key(match.group()))
            for match in _WORD.finditer(text)
        ]
    )


def _key(word: str) -> str:
    key = word.strip(".,:;'’\"").lower()
    return key.replace(".", "") if len(key) <= 6 else key
