"""Plain text to a `Page`, so that the geoparser sees text files and pages alike.

The text stays as it is, because offsets into it are what callers want back. A blank line ends a
block; the lines of a paragraph or an address stay together.
"""

from __future__ import annotations

import re

from geoscout_places.model import Block, Page, Part

_BLANK_LINES = re.compile(r"[^\S\n]*\n(?:[^\S\n]*\n)+")


def parse_text(text: str, url: str = "") -> Page:
    """The text as a page without title, links or markup."""
    blocks = []
    start = 0
    for border in _BLANK_LINES.finditer(text):
        blocks.append(_block(text, start, border.start()))
        start = border.end()
    blocks.append(_block(text, start, len(text)))
    filled = tuple(block for block in blocks if block.start < block.end)
    return Page(url=url, title="", language="", text=text, blocks=filled)


def _block(text: str, start: int, end: int) -> Block:
    """What is left between the offsets without white space at its edges."""
    inner = text[start:end]
    stripped = inner.lstrip()
    start += len(inner) - len(stripped)
    return Block(start, start + len(stripped.rstrip()), Part.MAIN)
