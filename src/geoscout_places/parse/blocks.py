"""The tape of a page to its text and blocks.

The tape is what a reader meets, in order, in one string: the walk over the tree only appends to it,
and all joining, splitting and collapsing of white space is then done on whole runs, by the
interpreter in C. That is twice as fast as settling each text node as it comes.

A block is what stands between two borders a reader sees. Blocks are joined by newlines, and a line
break inside one is a newline too, so that the lines of an address stay apart. Last come the menus
that no markup tells: runs of short blocks that are nothing but links.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from geoscout_places.model import Block, Part

# Marks are control characters that pages have no use for; `drop_marks` takes them out of a page, so
# that none can be forged.
BORDER = "\x01"  # a block ends here
MARK = "\x02"  # begins a mark inside a block; the next character says which
BREAK = f"{MARK}\x03"  # a line ends here
SEAM = f"{MARK}\x04"  # two words meet here that style sheets set apart
OPEN = f"{MARK}\x05"  # a link begins
CLOSE = f"{MARK}\x06"  # and ends

# After a border: the part that begins there. The main text has two marks, one for what the page
# itself calls main and one for what is main for want of anything else.
_FIRST_PART = 0x0E
_MARK_OF_PART = {part: chr(_FIRST_PART + number) for number, part in enumerate(Part)}
SURE_MAIN = chr(_FIRST_PART + len(Part))
PART_OF_MARK = {mark: part for part, mark in _MARK_OF_PART.items()} | {SURE_MAIN: Part.MAIN}
_MARKS = (BORDER, MARK, *PART_OF_MARK)


def border_to(part: Part, *, sure: bool) -> str:
    """A border at which a part begins."""
    return BORDER + (SURE_MAIN if sure and part is Part.MAIN else _MARK_OF_PART[part])


# The same characters written as references: 1, 2 and 14 to 20.
_REFERENCE = re.compile(
    r"&#(?:0*+(?:[12]|1[4-9]|20)(?![0-9])|[xX]0*+(?:[12eEfF]|1[0-4])(?![0-9a-fA-F]));?"
)


def drop_marks(html: str) -> str:
    """The page without the characters that are marks, in whatever way they are written."""
    for mark in _MARKS:
        if mark in html:
            html = html.replace(mark, "")
    return _REFERENCE.sub("\ufffd", html) if "&#" in html else html


# Soft hyphens and zero-width characters hide inside names: "Mün\xadchen". The last stands where
# `limits.py` took out a tag.
_INVISIBLE = "\xad\u200b\u2060\ufeff\x00\x7f"
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


def straighten(chunk: str) -> str:
    """What is between two borders with single spaces, newlines for line breaks, and no seams."""
    chunk = " ".join(chunk.split())
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
            text = " ".join(chunk.split())
            if text:
                self._add_block(text, len(text) if self._in_link else 0)
            return
        for line in straighten(chunk).split(BORDER):
            self._read_marked(line)
            self._serial += 1

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


# A block is dense when this share of its characters is in links. Separators such as "|" are not.
DENSE_SHARE = 0.8
LONG_BLOCK = 120  # a linked headline or sentence is not a menu entry
SHORTEST_RUN = 5  # blocks
# Where dense blocks hold this share of the main text, links are what the page is about: it is an
# index, and its lists stay main.
INDEX_SHARE = 0.6


def mark_menus(blocks: Sequence[Block], linked: Sequence[int]) -> Sequence[Block]:
    """The blocks, with those that are navigation by the look of them marked so.

    `linked`: how many characters of each block are in links; negative for a block that is known
    to be no menu.
    """
    menus = find_menus(blocks, linked)
    if not menus:
        return blocks
    return [
        Block(block.start, block.end, Part.NAVIGATION) if index in menus else block
        for index, block in enumerate(blocks)
    ]


def find_menus(blocks: Sequence[Block], linked: Sequence[int]) -> set[int]:
    """The indices of the main blocks that are navigation by the look of them."""
    dense = [
        index
        for index, (block, count) in enumerate(zip(blocks, linked, strict=True))
        if count > 0 and block.part is Part.MAIN and _is_dense(block.end - block.start, count)
    ]
    if len(dense) < SHORTEST_RUN:
        return set()
    main = [index for index, block in enumerate(blocks) if block.part is Part.MAIN]
    if _characters(blocks, dense) > INDEX_SHARE * _characters(blocks, main):
        return set()
    return {index for run in _runs(dense) if len(run) >= SHORTEST_RUN for index in run}


def _is_dense(length: int, linked: int) -> bool:
    return length <= LONG_BLOCK and linked >= DENSE_SHARE * length


def _characters(blocks: Sequence[Block], indices: Iterable[int]) -> int:
    return sum(blocks[index].end - blocks[index].start for index in indices)


def _runs(indices: Iterable[int]) -> list[list[int]]:
    """Rising indices in runs without a gap."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and runs[-1][-1] == index - 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs
