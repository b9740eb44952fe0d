"""Which parts of a page are written in which language.

A German page has an English paragraph, and a shop has its terms in three languages. A name has to
be judged by the words of the language it stands in: "Lage" is a word in one and a town in the
other. Most pages have one language, and most blocks are too short to tell theirs; these go with the
long blocks around them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from geoscout_places.language import guess_block, guess_language
from geoscout_places.model import Block

_LONG = 160  # characters of a block that tells its language
_READ = 400  # characters of it that are read


class SpokenPart(NamedTuple):
    """A stretch of a text in one language."""

    start: int
    end: int
    language: str  # "" for unknown


def spoken_parts(text: str, claimed: str, blocks: Sequence[Block] | None) -> list[SpokenPart]:
    """The parts of a text in their order, which cover all of it; mostly there is only one."""
    language = guess_language(text, claimed)
    borders = [(0, language), *_changes(text, language, blocks or ())]
    ends = [*(start for start, _ in borders[1:]), len(text)]
    parts = zip(borders, ends, strict=True)
    found = [SpokenPart(start, end, own) for (start, own), end in parts if start < end]
    return found or [SpokenPart(0, len(text), language)]


def _changes(text: str, language: str, blocks: Sequence[Block]) -> Iterator[tuple[int, str]]:
    """Where another language begins: with its first long block, or right behind its last one."""
    now, behind = language, 0
    for block in blocks:
        if block.end - block.start < _LONG:
            continue
        found = guess_block(text, language, block.start, min(block.end, block.start + _READ))
        if found != now:
            # Short blocks in between belong to the page.
            if now != language and found != language and behind < block.start:
                yield behind, language
            yield behind if found == language else block.start, found
            now = found
        behind = min(block.end + 1, len(text))
    if now != language and behind < len(text):
        yield behind, language
