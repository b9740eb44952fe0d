"""The tape of a page to its text and blocks.

A block is what stands between two borders a reader sees. Blocks are joined by newlines, and a line
break inside one is a newline too, so that the lines of an address stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from geoscout_places.model import Block, Part
from geoscout_places.parse.tape import (
    BORDER,
    BREAK,
    CLOSE,
    MARK,
    OPEN,
    PART_OF_MARK,
    SEAM,
    SURE_MAIN,
)

# Soft hyphens and zero-width characters hide inside names: "Mün\xadchen". The last stands where
# `limits.py` took out a tag.
_INVISIBLE = "\xad\u200b\u2060\ufeff\x00\x7f"
_SHORT_TEXT = 60  # characters
_ODD_SPACES = ("  ", *"\t\r\v\f\x1c\x1d\x1e\x1f")  # all of ASCII that is not a single space
# Space at the edges of a link belongs outside it, and none is doubled by an empty link.
_OPEN_SPACE, _SPACE_CLOSE = f"{OPEN} ", f" {CLOSE}"
_SPACE_OUTWARD = (
    (_OPEN_SPACE, f" {OPEN}"),
    (_SPACE_CLOSE, f"{CLOSE} "),
    (f" {OPEN}{CLOSE} ", f" {OPEN}{CLOSE}"),
)
# The same for line breaks. Two in a row are an empty line, which ends the block.
_BREAK_OUTWARD = (
    (f" {BREAK}", BREAK),
    (f"{BREAK} ", BREAK),
    (f"{OPEN}{BREAK}", f"{BREAK}{OPEN}"),
    (f"{BREAK}{CLOSE}", f"{CLOSE}{BREAK}"),
    (f"{BREAK}{BREAK}", BORDER),
    (BREAK, "\n"),
)
_LINK_MARKS = f"(?:{OPEN}|{CLOSE})*"
_GLUED_SEAM = re.compile(rf"(?<=\w)({_LINK_MARKS}){SEAM}((?:{OPEN}|{CLOSE}|{SEAM})*)(?=\w)")
_OPEN = OPEN[1]
_LONE_LINK = 2  # marks


def collapse(text: str) -> str:
    """The text with single spaces, and none at its edges.

    Cutting into words and joining them is the sure way, but for long text it costs more than all
    the rest of a block. Most paragraphs have single spaces already, which is soon seen.
    """
    if len(text) > _SHORT_TEXT:
        line = text.replace("\n", " ")
        odd = any(space in line for space in _ODD_SPACES)
        if not odd and (line.isascii() or line.isprintable()):
            return line.strip(" ")
    return " ".join(text.split())


def straighten(chunk: str) -> str:
    """What is between two borders with single spaces, newlines for line breaks, and no seams."""
    chunk = collapse(chunk)
    if SEAM in chunk:
        chunk = _GLUED_SEAM.sub(r"\1 \2", chunk).replace(SEAM, "")
    if _OPEN_SPACE in chunk or _SPACE_CLOSE in chunk:
        for wrong, right in _SPACE_OUTWARD:
            chunk = chunk.replace(wrong, right)
        while "  " in chunk:
            chunk = chunk.replace("  ", " ")
    if BREAK in chunk:
        for wrong, right in _BREAK_OUTWARD:
            chunk = chunk.replace(wrong, right)
    return chunk


class MarkedSpan(Protocol):
    """Something marked on the tape as a link; the reader fills in where it stands.

    A serial counts borders: what has the serial of a block is in that block.
    """

    start: int
    end: int
    first_serial: int
    last_serial: int


class BlockReader:
    """Reads one tape.

    What must stay true after each chunk: `_end` is the length of the text so far, so the next block
    begins at `_end + 1`, after a newline. The marks of links alternate on a tape, open and close,
    because the walk closes a link before it opens another; so `_spans_read` is the number of links
    closed so far, and `_spans[_spans_read]` the one that is open or opens next. `_in_link` tells
    which: a link may begin in one block and end in another.
    """

    __slots__ = ("_end", "_in_link", "_part", "_serial", "_spans", "_spans_read", "_sure", "_texts",
                 "blocks", "linked", "serials")  # fmt: skip

    def __init__(self, spans: Sequence[MarkedSpan]) -> None:
        """`spans`: one for each link on the tape, to be filled."""
        self._spans = spans
        self._spans_read = 0
        self._in_link = False
        self._texts: list[str] = []
        self._end = -1  # of the last block; the next one begins after a newline
        self._part = Part.MAIN
        self._sure = False
        self._serial = 0
        self.blocks: list[Block] = []
        self.serials: list[int] = []  # of each block
        # How many characters of each block are in links; -1 in what the page itself calls main.
        self.linked: list[int] = []

    def read(self, tape: str) -> str:
        """The text of the tape; fills the lists and the spans."""
        for character in _INVISIBLE:
            if character in tape:
                tape = tape.replace(character, "")
        for chunk in tape.split(BORDER):
            if chunk:
                self._read_chunk(chunk)
            self._serial += 1
        return "\n".join(self._texts)

    def _read_chunk(self, chunk: str) -> None:
        if chunk[0] in PART_OF_MARK:
            self._part = PART_OF_MARK[chunk[0]]
            self._sure = chunk[0] == SURE_MAIN
            chunk = chunk[1:]
        if MARK not in chunk:
            text = collapse(chunk)
            if text:
                self._add_block(text, len(text) if self._in_link else 0)
            return
        chunk = chunk.strip()
        if chunk.startswith(OPEN) and chunk.endswith(CLOSE) and chunk.count(MARK) == _LONE_LINK:
            self._read_lone_link(chunk)
            return
        for line in straighten(chunk).split(BORDER):
            self._read_marked(line)
            self._serial += 1

    def _read_lone_link(self, chunk: str) -> None:
        """Read a block that is one link, as most entries of lists and menus are."""
        text = " ".join(chunk[len(OPEN) : -len(CLOSE)].split())
        if text:
            self._add_block(text, len(text))
        span = self._spans[self._spans_read]
        span.start, span.end = self._end - len(text), self._end
        span.first_serial = span.last_serial = self._serial
        self._spans_read += 1

    def _read_marked(self, chunk: str) -> None:
        """Read a block with the marks of links in it.

        `shift + at` is the offset into the page's text of what stands at `at` in the chunk: `first`
        is where the block begins there, the white space before it is not in the text, and each
        mark that was passed is not either. Marks within the white space at the edges would lie
        outside the block and are moved to its edge.
        """
        whole = chunk.replace(OPEN, "").replace(CLOSE, "")
        text = whole.strip()
        first = self._end + 1
        last = first + len(text)
        shift = first - (len(whole) - len(whole.lstrip())) if len(text) < len(whole) else first
        opened, linked = first, 0  # a link that is open already has all from the beginning
        at = chunk.find(MARK)
        while at >= 0:
            offset = shift + at
            if not first <= offset <= last:
                offset = first if offset < first else last
            span = self._spans[self._spans_read]
            self._in_link = chunk[at + 1] == _OPEN
            if self._in_link:
                span.start, span.first_serial = offset, self._serial
                opened = offset
            else:
                span.end, span.last_serial = offset, self._serial
                linked += offset - opened
                self._spans_read += 1
            shift -= len(OPEN)
            at = chunk.find(MARK, at + len(OPEN))
        if text:
            self._add_block(text, linked + last - opened if self._in_link else linked)

    def _add_block(self, text: str, linked: int) -> None:
        start = self._end + 1
        self._end = start + len(text)
        self.blocks.append(Block(start, self._end, self._part))
        self.serials.append(self._serial)
        self.linked.append(-1 if self._sure else linked)
        self._texts.append(text)
