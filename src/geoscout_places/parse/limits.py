"""Keeps pages from lexbor that would take it minutes or gigabytes.

Building a tree as the HTML standard says is quadratic in places, and lexbor follows it: 100,000
nested <div> take it 50 s, 40 KB of unclosed <font> become two million nodes, 20,000 attributes of
one element take 1.5 s. It cannot be told to stop, so the text is made harmless before:

* an element with more than `MOST_ATTRIBUTES` attributes loses them, and <html> and <body> are read
  only so often, because each adds its attributes to the first;
* formatting elements, which the standard opens again in every block until they are closed, are
  taken out of a page that has many of them and many tags;
* a page with many tags or much text is parsed piece by piece, so that what is quadratic is so only
  within a piece (`pieces_of`);
* what comes after `MOST_TAGS` tags is not read.

This holds for any markup, as only "<" are counted. To estimate the nesting instead was tried, and
there was always one more way to nest unseen.
"""

import re
from bisect import bisect_right
from itertools import islice

import numpy as np
from numpy.typing import NDArray

MOST_ATTRIBUTES = 500
MOST_TAGS = 400_000  # a page of 10 MB has 250,000
MOST_ROOTS = 8
# Nodes that formatting elements can make: each of them again at each tag. 0.3 s for lexbor.
MOST_REOPENED = 500_000
LONG_TAG = 8000  # characters; shorter ones have fewer attributes than are too many
_LONG_RUN = LONG_TAG // 2

_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{LONG_TAG},}}")
_ATTRIBUTE = re.compile(r"""[^\s"'=]++(?:\s*=\s*(?:"[^"]*+"|'[^']*+'|[^\s"']++))?+""")
_ANY_TAG = re.compile("<")
# Put where a tag was: it does not show, and "<" and "b>" around it do not become a tag.
NOTHING = "\x7f"


def _in_any_case(*names: str) -> str:
    """A pattern for these names; three times as fast as to ignore case."""
    spelt = ("".join(f"[{letter}{letter.upper()}]" for letter in name) for name in names)
    return f"(?:{'|'.join(spelt)})"


_ROOT = re.compile(rf"<{_in_any_case('html', 'body')}(?=[\s/>])")
# All but <a>, of which only one can be open.
_FORMATTING_NAMES = _in_any_case(
    "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"
)
_FORMATTING_START = re.compile(rf"<{_FORMATTING_NAMES}(?=[\s/>])")
_FORMATTING = re.compile(rf"</?{_FORMATTING_NAMES}(?=[\s/>])[^<>]*+>?")


def tame(html: str) -> str:
    """The page itself, or one that reads the same and does no harm in pieces."""
    tags = html.count("<")
    if tags > MOST_TAGS:
        html = html[: next(islice(_ANY_TAG.finditer(html), MOST_TAGS, None)).start()]
    if _has_long_run(html):
        html = _LONG_TAG.sub(_without_attributes, html)
    if _may_have_many_roots(html) and len(_ROOT.findall(html)) > MOST_ROOTS:
        first, *others = _ROOT.split(html)
        html = f"{first}<body{NOTHING.join(others)}"
    # Most pages have too few tags for it to matter, and counting is quicker than taking out.
    few = tags * tags <= MOST_REOPENED
    if not few and tags * len(_FORMATTING_START.findall(html)) > MOST_REOPENED:
        html = _FORMATTING.sub(NOTHING, html)
    return html


def _may_have_many_roots(html: str) -> bool:
    """A quick look before the expression, which takes ten times as long.

    In bytes, as making a text with other letters than those of ASCII lower takes most of the time.
    """
    lower = html.encode("utf-8", "surrogatepass").lower()
    return lower.count(b"<html") + lower.count(b"<body") > MOST_ROOTS


def _has_long_run(html: str) -> bool:
    """True when some stretch has no tag begin in it; a quick look before the long tags are sought.

    A long tag covers at least one of the windows, wherever it begins.
    """
    windows = range(0, len(html) - _LONG_RUN, _LONG_RUN)
    return any(html.find("<", start, start + _LONG_RUN) < 0 for start in windows)


def _without_attributes(tag: re.Match[str]) -> str:
    whole = tag[0]
    return whole if len(_ATTRIBUTE.findall(whole)) <= MOST_ATTRIBUTES else whole.split(None, 1)[0]


# A page in pieces: in each, nesting and the length of a text are bounded, so the time for a page is
# bounded by its length, whatever it is made of. A cut costs what the parser knew: that a menu, a
# table or a link was open. So only the largest pages are cut, one in a hundred, and where a new
# block begins. Up to here a page is one piece; lexbor needs 0.3 s at worst.
MANY_TAGS = 10_000
LONG_PAGE = 1_000_000  # characters
# The pieces of a larger one are smaller, as it may well be hostile: 20 ms each at worst.
PIECE_TAGS = 2500
_PIECE_LENGTH = 250_000  # characters

_BLOCK = re.compile(
    rb"<(?:p|div|li|tr|h[1-6]|section|article|table|ul|dl|dt)(?=[\s>])", re.IGNORECASE
)
# What must not be torn: its second half would be read as text.
_RAW = ((b"<script", b"</script>"), (b"<style", b"</style>"), (b"<!--", b"-->"))
_ROW = re.compile(rb"<(?:tr|td|th|tbody)(?=[\s/>])", re.IGNORECASE)


def fits_in_one(page: bytes, tags: int) -> bool:
    """Whether a page in UTF-8 with that many tags is one piece."""
    if tags > MANY_TAGS:
        return False
    return len(page) <= LONG_PAGE or _skip(_bytes(page), 0, LONG_PAGE) >= len(page)


def pieces_of(html: str | bytes) -> list[bytes]:
    """The page in pieces of UTF-8, as bytes are already; one alone, unless it is very large."""
    page = html if isinstance(html, bytes) else html.encode("utf-8", "ignore")
    return [page] if fits_in_one(page, page.count(b"<")) else cut(page)


def cut(page: bytes) -> list[bytes]:
    """The pieces of a page that does not fit in one."""
    tags = _Tags(page)
    pieces = []
    start = 0
    while start < len(page):
        end = tags.end(start)
        piece = page[start:end]
        pieces.append(b"<table>" + piece if _ROW.match(piece) else piece)
        start = end
    return pieces


def _bytes(page: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(page, np.uint8)


def _skip(text: NDArray[np.uint8], start: int, characters: int) -> int:
    """Where that number of characters has begun, in UTF-8; at the end for a shorter text."""
    while characters and start < len(text):
        passed = text[start : start + characters]  # that many bytes are not more characters
        characters -= int(np.count_nonzero((passed & 0xC0) != 0x80))
        start += len(passed)
    return start


class _Tags:
    """The tags of a page, by which it is cut."""

    def __init__(self, page: bytes) -> None:
        self._page, self._bytes = page, _bytes(page)
        self._starts = np.flatnonzero(self._bytes == ord("<"))
        second, third = (self._bytes[np.minimum(self._starts + by, len(page) - 1)] for by in (1, 2))
        is_name = (second == ord("s")) & ((third == ord("c")) | (third == ord("t")))
        may_be_raw = self._starts[is_name | (second == ord("!"))].tolist()
        self._raw = [
            ([at for at in may_be_raw if page.startswith(opening, at)], len(opening), closing)
            for opening, closing in _RAW
        ]

    def end(self, start: int) -> int:
        """Where the piece that starts there ends."""
        last = int(np.searchsorted(self._starts, start)) + PIECE_TAGS
        whole = len(self._page)
        end = int(self._starts[last]) if last < len(self._starts) else whole
        if end - start > _PIECE_LENGTH:
            found = self._page.find(b"<", _skip(self._bytes, start, _PIECE_LENGTH))
            end = min(end, found) if found >= 0 else end
        return end if end == whole else self._past_raw(start, self._block_before(start, end))

    def _block_before(self, start: int, end: int) -> int:
        """The last beginning of a block in the second half of a piece; the end for none."""
        page, middle = self._page, (start + end) // 2
        begun = page.rfind(b"<", middle, end)
        while begun > start:
            if _BLOCK.match(page, begun, end):
                return begun
            begun = page.rfind(b"<", middle, begun)
        return end

    def _past_raw(self, start: int, end: int) -> int:
        """An end that does not tear a script, a style sheet or a comment."""
        for openings, length, closing in self._raw:
            index = bisect_right(openings, end - length) - 1
            opened = openings[index] if index >= 0 else -1
            if opened >= start and self._page.find(closing, opened, end) < 0:
                if opened > start:
                    return opened
                closed = self._page.find(closing, end)
                return closed + len(closing) if closed >= 0 else len(self._page)
        return end
