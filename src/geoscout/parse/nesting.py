"""An estimate of how deep lexbor's tree of a page would be, from its tags alone.

It follows the rules of the HTML standard for which tag closes what (section 13.2.6.4.7) as far as
they decide about depth, and where it simplifies it takes the tree for deeper than it is: a wrong
alarm costs some structure far down, a missed one costs minutes. Formatting elements are few when
it comes to this, and not counted: see `limits.py`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from geoscout.parse.elements import CONTAINERS, PLAIN_BLOCKS

DEEPEST = 256
_SEARCHED = DEEPEST  # of the open elements, for the one that an end tag closes

_TAG = re.compile(
    r"""<(?:
    (/?)([a-zA-Z][^\s/>]*+)
        ([^>"']*+(?:(?<=[=\s])(?:"[^"]*+"|'[^']*+')[^>"']*+|["'][^>"']*+)*+)(?:>|\Z)
    |!--(?:-?>|[^-]*+(?:-(?!-!?>)[^-]*+)*+(?:--!?>|\Z))
    |[!?/][^>]*+(?:>|\Z)
    )""",
    re.VERBOSE,
)
# In these nothing is a tag but their own end.
_RAW_ENDS = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}

# Elements without content, and those that the standard keeps from nesting by themselves.
_SHALLOW = frozenset(
    ("a", "area", "base", "body", "br", "caption", "col", "colgroup", "embed", "frame", "hr",
     "html", "img", "input", "link", "meta", "p", "param", "source", "tbody", "td", "tfoot", "th",
     "thead", "tr", "track", "wbr")
)  # fmt: skip
# Elements that close an open one of these, if nothing but `_TRANSPARENT` stands between; otherwise
# they nest, as in <li><dt><li><dt>.
_KIN = {"li": ("li",), "dt": ("dt", "dd"), "dd": ("dt", "dd"), "option": ("option",)}
_TRANSPARENT = frozenset(("div", "address", "span"))
_FOREIGN = frozenset(("svg", "math"))
# An end tag does not reach beyond these.
_FENCES = _FOREIGN | {"table", "template", "object", "marquee", "applet", "select", "frameset"}
# The end tag of an element that is not among these does not reach beyond one that is.
_SPECIAL = (CONTAINERS | PLAIN_BLOCKS | _FENCES | {"listing", "pre", "noscript", "head"}) - {
    "option", "optgroup"
}  # fmt: skip


class Tag(NamedTuple):
    """A start or end tag and where it stands in the text."""

    name: str  # lower case
    is_end: bool
    closes_itself: bool
    start: int
    end: int


def tags_of(html: str) -> Iterator[Tag]:
    """The tags as lexbor would see them, without those in comments, scripts and the like."""
    position = 0
    while position < len(html):
        for found in _TAG.finditer(html, position):
            if found[2] is None:
                continue
            name = found[2].lower()
            yield Tag(name, found[1] == "/", found[3].endswith("/"), found.start(), found.end())
            if name in _RAW_ENDS and not found[1]:
                end = _RAW_ENDS[name].search(html, found.end())
                position = end.start() if end else len(html)
                break
        else:
            return


class Nesting:
    """Follows the tags of one page."""

    __slots__ = ("_fences", "_foreign", "_stack")

    def __init__(self) -> None:
        self._stack: list[str] = []
        self._fences = 0  # in the stack
        self._foreign = 0  # in the stack

    def read(self, tag: Tag) -> bool:
        """Follow one tag; False, and it is not counted, when it is one too many."""
        name = tag.name
        if tag.is_end:
            self._leave(name)
            return True
        if self._foreign or name in _FOREIGN:
            if tag.closes_itself:
                return True
        elif name in _SHALLOW:
            return True
        if name in _KIN:
            self._close_kin(name)
        return self._push(name)

    def _push(self, name: str) -> bool:
        if len(self._stack) >= DEEPEST:
            return False
        self._stack.append(name)
        if name in _FENCES:
            self._fences += 1
            self._foreign += name in _FOREIGN
        return True

    def _cut(self, depth: int) -> None:
        if self._fences:
            gone = self._stack[depth:]
            self._fences -= sum(name in _FENCES for name in gone)
            self._foreign -= sum(name in _FOREIGN for name in gone)
        del self._stack[depth:]

    def _leave(self, name: str) -> None:
        stack = self._stack
        if stack and stack[-1] == name:
            self._cut(len(stack) - 1)
        elif self._foreign or name not in _SHALLOW:
            self._close(name)

    def _close(self, name: str) -> None:
        barriers: Collection[str] = _FENCES if name in _SPECIAL else _SPECIAL
        for index in range(len(self._stack) - 1, max(-1, len(self._stack) - _SEARCHED), -1):
            if self._stack[index] == name:
                if name == "form":  # the elements in it stay open
                    del self._stack[index]
                else:
                    self._cut(index)
                return
            if self._stack[index] in barriers:
                return

    def _close_kin(self, name: str) -> None:
        kin = _KIN[name]
        between: Collection[str] = _TRANSPARENT if name != "option" else ()
        for index in range(len(self._stack) - 1, max(-1, len(self._stack) - _SEARCHED), -1):
            if self._stack[index] in kin:
                self._cut(index)
                return
            if self._stack[index] not in between:
                return
