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

from __future__ import annotations

import re
from itertools import islice

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
_PIECE_LENGTH = 250_000

_BLOCK = re.compile(
    r"<(?:p|div|li|tr|h[1-6]|section|article|table|ul|dl|dt)(?=[\s>])", re.IGNORECASE
)
# What must not be torn: its second half would be read as text.
_RAW = (("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->"))
_ROW = re.compile(r"<(?:tr|td|th|tbody)(?=[\s/>])", re.IGNORECASE)


def fits_in_one(page: bytes) -> bool:
    """Whether a page in UTF-8 is surely one piece."""
    return len(page) <= LONG_PAGE and page.count(b"<") <= MANY_TAGS


def pieces_of(html: str) -> list[str]:
    """The page in pieces; itself alone, unless it is very large."""
    if len(html) <= LONG_PAGE and html.count("<") <= MANY_TAGS:
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
    """Where the piece that starts there ends."""
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
    begun = html.rfind("<", middle, end)
    while begun > start:
        if _BLOCK.match(html, begun, end):
            return begun
        begun = html.rfind("<", middle, begun)
    return end


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
