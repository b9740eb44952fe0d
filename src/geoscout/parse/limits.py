"""Keeps pages from lexbor that would take it minutes or gigabytes.

Building a tree as the HTML standard says is quadratic in the nesting, and lexbor follows it:
100,000 nested <div> take it 50 s, and 40 KB of unclosed <font> become two million nodes. Browsers
cap the nesting. So do we, on the text before it is parsed, as the parser cannot be told to:

* elements nested deeper than `DEEPEST` are taken out, and their content stays;
* formatting elements are taken out of a page that leaves many of them open;
* an element with more than `MOST_ATTRIBUTES` attributes loses them;
* what comes after `MOST_TAGS` tags is not read.

A page with few tags cannot do harm and is passed on unread. The nesting is estimated, and on
broken markup rather too deep than too flat; all that a wrong alarm costs is some structure far
down. `benchmarks/parse.py` shows what hostile pages cost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from itertools import islice

from geoscout.parse.elements import CONTAINERS, PLAIN_BLOCKS

DEEPEST = 256
MOST_ATTRIBUTES = 500
MOST_TAGS = 400_000  # a page of 10 MB has 250,000
_MOST_FORMATTING = 40
_MOST_ROOTS = 20
# Below these lexbor needs 0.2 s at worst.
_FEW_TAGS = 1000
_LONG_RUN = 4000  # characters

_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{2 * _LONG_RUN},}}")
_ATTRIBUTE = re.compile(r"""[^\s"'=]++(?:\s*=\s*(?:"[^"]*+"|'[^']*+'|[^\s"']++))?+""")
_ANY_TAG = re.compile("<")
_TAG_NAME = re.compile(r"<(/?[a-zA-Z][a-zA-Z0-9-]*)(?=[\s/>])")
_TAG = re.compile(r"<(/?[a-zA-Z][a-zA-Z0-9-]*)(?=[\s/>])[^<>]*+>?")

# The elements that the standard opens again in every block until they are closed; all but <a>,
# of which only one can be open.
_FORMATTING = frozenset(
    ("b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
# Elements without content, and those that the standard keeps from nesting by themselves.
_SHALLOW = frozenset(
    ("a", "area", "base", "br", "caption", "col", "colgroup", "embed", "frame", "hr", "img",
     "input", "link", "meta", "p", "param", "source", "tbody", "td", "tfoot", "th", "thead", "tr",
     "track", "wbr")
)  # fmt: skip
# Elements that close an open one of these, if nothing but `_TRANSPARENT` stands between. Otherwise
# they nest: <li><dt><li><dt> does.
_KIN = {"li": ("li",), "dt": ("dt", "dd"), "dd": ("dt", "dd"), "option": ("option",)}
_TRANSPARENT = frozenset(("div", "address", "span"))
# Repeated, these add their attributes to the one that is there.
_ROOTS = frozenset(("html", "body"))
# An end tag does not reach beyond these.
_FENCES = frozenset(("table", "template", "object", "marquee", "applet"))
_SEARCHED = 64  # of the open elements, for the one that an end tag closes
_BLOCKS = CONTAINERS | PLAIN_BLOCKS


def tame(html: str) -> str:
    """The page itself, or one that reads the same and can be parsed in linear time."""
    if _has_long_run(html):
        html = _LONG_TAG.sub(_without_attributes, html)
    tags = html.count("<")
    if tags <= _FEW_TAGS:
        return html
    if tags > MOST_TAGS:
        html = html[: next(islice(_ANY_TAG.finditer(html), MOST_TAGS, None)).start()]
    nesting = _Nesting()
    enter, leave = nesting.enter, nesting.leave
    for name in _TAG_NAME.findall(html):
        if name[0] == "/":
            leave(name[1:].lower())
        elif name not in _SHALLOW and not enter(name.lower()):
            return flatten(html)
    return html


def _has_long_run(html: str) -> bool:
    """True when some stretch has no tag begin in it; a quick look before the long tags are sought.

    A long tag covers at least one of the windows, wherever it begins.
    """
    windows = range(0, len(html) - _LONG_RUN, _LONG_RUN)
    return any(html.find("<", start, start + _LONG_RUN) < 0 for start in windows)


def flatten(html: str) -> str:
    """The page without formatting elements and without what is nested too deep."""
    nesting = _Nesting(most_formatting=0)
    dropped: Counter[str] = Counter()

    def keep_or_drop(tag: re.Match[str]) -> str:
        name = tag[1].lower()
        if name[0] != "/":
            if nesting.enter(name):
                return tag[0]
            dropped[name] += 1
        else:
            name = name[1:]
            if not dropped[name]:
                nesting.leave(name)
                return tag[0]
            dropped[name] -= 1
        return "<p>" if name in _BLOCKS else ""

    return _TAG.sub(keep_or_drop, html)


def _without_attributes(tag: re.Match[str]) -> str:
    whole = tag[0]
    return whole if len(_ATTRIBUTE.findall(whole)) <= MOST_ATTRIBUTES else whole.split(None, 1)[0]


class _Nesting:
    """An estimate of how deep the tree would be."""

    __slots__ = ("_formatting", "_most_formatting", "_open", "_roots", "_stack")

    def __init__(self, most_formatting: int = _MOST_FORMATTING) -> None:
        self._most_formatting = most_formatting
        self._stack: list[str] = []
        self._open: Counter[str] = Counter()  # formatting elements by name
        self._formatting = 0
        self._roots = 0

    def enter(self, name: str) -> bool:
        """Read a start tag; False, and it is not counted, when it is one too many."""
        if name in _SHALLOW:
            return True
        if name in _FORMATTING:
            if self._formatting >= self._most_formatting:
                return False
            self._formatting += 1
            self._open[name] += 1
            return True
        if name in _ROOTS:
            self._roots += 1
            return self._roots <= _MOST_ROOTS
        if name in _KIN:
            self._close_kin(_KIN[name])
        if len(self._stack) >= DEEPEST:
            return False
        self._stack.append(name)
        return True

    def leave(self, name: str) -> None:
        """Read an end tag."""
        stack = self._stack
        if stack and stack[-1] == name:
            stack.pop()
        elif name in _FORMATTING:
            if self._open[name]:
                self._open[name] -= 1
                self._formatting -= 1
        elif name not in _SHALLOW:
            self._close(name)

    def _close(self, name: str) -> None:
        for index in self._from_the_top():
            if self._stack[index] == name:
                del self._stack[index:]
                return
            if self._stack[index] in _FENCES:
                return

    def _close_kin(self, names: Collection[str]) -> None:
        for index in self._from_the_top():
            if self._stack[index] in names:
                del self._stack[index:]
                return
            if self._stack[index] not in _TRANSPARENT:
                return

    def _from_the_top(self) -> range:
        depth = len(self._stack)
        return range(depth - 1, max(-1, depth - _SEARCHED), -1)
