"""A very large page in pieces that are parsed one by one.

lexbor is quadratic in how deep elements nest and in how often a long text is added to. In a piece
both are bounded, so the time for a page is bounded by its length, whatever it is made of.

A cut costs what the parser knew: that a menu, a table or a link was open. So only the largest
pages are cut, one in a hundred, and where a new block begins.
"""

from __future__ import annotations

import re

# Up to here a page is one piece; lexbor needs 0.3 s at worst.
_MANY_TAGS = 10_000
_LONG_PAGE = 1_000_000  # characters
# The pieces of a larger one are smaller, as it may well be hostile: 20 ms each at worst.
PIECE_TAGS = 2500
_PIECE_LENGTH = 250_000

_ANY_TAG = re.compile("<")
_BLOCK = re.compile(
    r"<(?:p|div|li|tr|h[1-6]|section|article|table|ul|dl|dt)(?=[\s>])", re.IGNORECASE
)
# What must not be torn: its second half would be read as text.
_RAW = (("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->"))
_ROW = re.compile(r"<(?:tr|td|th|tbody)(?=[\s/>])", re.IGNORECASE)


def pieces_of(html: str) -> list[str]:
    """The page in pieces; itself alone, unless it is very large."""
    if len(html) <= _LONG_PAGE and html.count("<") <= _MANY_TAGS:
        return [html]
    tags = [found.start() for found in _ANY_TAG.finditer(html)]
    pieces = []
    start = 0
    index = 0  # of the first tag that is not before the start
    while start < len(html):
        end = _end(html, tags, start, index)
        piece = html[start:end]
        pieces.append(f"<table>{piece}" if _ROW.match(piece) else piece)
        while index < len(tags) and tags[index] < end:
            index += 1
        start = end
    return pieces


def _end(html: str, tags: list[int], start: int, index: int) -> int:
    """Where the piece that starts there shall end."""
    last = index + PIECE_TAGS
    end = tags[last] if last < len(tags) else len(html)
    if end - start > _PIECE_LENGTH:
        found = html.find("<", start + _PIECE_LENGTH)
        end = min(end, found) if found >= 0 else end
    if end == len(html):
        return end
    return _past_raw(html, start, _block_before(html, start, end))


def _block_before(html: str, start: int, end: int) -> int:
    """The last beginning of a block in the second half of the piece; the end when there is none."""
    middle = (start + end) // 2
    begun = [found.start() for found in _BLOCK.finditer(html, middle, end)]
    return begun[-1] if begun and begun[-1] > start else end


def _past_raw(html: str, start: int, end: int) -> int:
    """An end that does not tear a script, a style sheet or a comment."""
    for opening, closing in _RAW:
        opened = html.rfind(opening, start, end)
        if opened > html.rfind(closing, start, end):
            if opened > start:
                return opened
            closed = html.find(closing, end)
            return closed + len(closing) if closed >= 0 else len(html)
    return end
