"""One pass over the tree of a page: text and borders to the tape, anchors to links, head to head.

The walk is a loop with its own stack, because pages nest deeper than Python calls. What is done on
entering an element is looked up by the element's number; an element that is in no table is inline.
An entry answers what to do on leaving, or says that the element's content is skipped.
"""

import re
from collections.abc import Callable
from enum import Enum, auto

from msgspec import Struct, field
from selectolax.lexbor import LexborNode

from geoscout_places.parse.blocks import BORDER, BREAK, SEAM, border_to
from geoscout_places.parse.elements import (
    APART,
    CONTAINERS,
    EMPTY,
    NAMES,
    NUMBERS,
    PLAIN_BLOCKS,
    PREFORMATTED,
    TEXT,
    UNSEEN,
    ElementAttributes,
    Scope,
    scope_inside,
    trait_of,
)
from geoscout_places.parse.links import LONGEST_NAME, LinkRecorder

_REFRESH = re.compile(r"\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE)
_MOST_META = 500
_NAMES = ("name", "property", "http-equiv", "itemprop")


class HtmlHead(Struct):
    """Filled while the page is walked; the first statement of a kind counts."""

    title: str = ""
    language: str = ""
    base: str = ""
    canonical: str = ""
    meta: list[tuple[str, str]] = field(default_factory=list)

    def add_meta(self, attributes: ElementAttributes) -> None:
        """Take down one meta element."""
        name = next((attributes[kind] for kind in _NAMES if attributes.get(kind)), None)
        if name and len(self.meta) < _MOST_META:
            content = attributes.get("content") or ""
            self.meta.append((name.strip().lower(), " ".join(content.split())))

    def add_link(self, attributes: ElementAttributes) -> None:
        """Take down one link element."""
        reference = attributes.get("href")
        if reference and not self.canonical:
            relations = (attributes.get("rel") or "").lower().split()
            if "canonical" in relations:
                self.canonical = reference

    def claimed_language(self) -> str:
        """BCP 47 as the page claims; "" where it does not."""
        named = self.language or self._meta("content-language", "language", "og:locale")
        return named.split(",")[0].strip().replace("_", "-")[:35]

    def _meta(self, *names: str) -> str:
        found = dict(reversed(self.meta))
        return next((found[name] for name in names if found.get(name)), "")


def language_of(root: LexborNode) -> str:
    """What the outermost element says; "" where it does not."""
    return root.attributes.get("lang") or root.attributes.get("xml:lang") or ""


def refresh_target(attributes: ElementAttributes) -> str:
    """Where a meta element sends the reader; "" when it does not, or only reloads.

    >>> refresh_target({"http-equiv": "Refresh", "content": "0; URL='/home'"})
    '/home'
    """
    if (attributes.get("http-equiv") or "").lower() != "refresh":
        return ""
    found = _REFRESH.match(attributes.get("content") or "")
    return found[1].strip() if found else ""


class _Skip(Enum):
    CONTENT = auto()


Leave = str | Callable[[], None]  # what goes on the tape, or what to do; "" for nothing


class Walk:
    """Reads the trees of one page."""

    __slots__ = ("_saved", "add", "head", "hidden", "links", "mark", "path", "scope", "tape")

    def __init__(self) -> None:
        self.tape: list[str] = []
        self.mark = self.tape.append
        self.add: Callable[[str], object] = self.mark  # where text goes
        self.links = LinkRecorder(self.mark)
        self.head = HtmlHead()
        self.hidden: frozenset[int] = frozenset()  # the `mem_id`s of elements that do not show
        self.scope = Scope()
        self.path: list[str] = []
        self._saved: list[tuple[Scope, Callable[[str], object]]] = []

    def read(self, root: LexborNode) -> None:
        """Walk the content of an element."""
        node = root.first_child
        ancestors: list[tuple[LexborNode, Leave]] = []
        path, mark, hidden, enter_of = self.path, self.mark, self.hidden, _ENTER.get
        while node is not None or ancestors:
            if node is None:
                parent, leave = ancestors.pop()
                path.pop()
                if leave:
                    mark(leave) if isinstance(leave, str) else leave()
                node = parent.next
            elif (number := node.tag_id) == TEXT:
                self.add(node.text_content or "")
                node = node.next
            elif number in _UNSEEN:
                node = node.next
            else:
                enter = enter_of(number)
                answer: Leave | _Skip = "" if enter is None else enter(self, node)
                if answer is BORDER:
                    mark(BORDER)
                if answer is _Skip.CONTENT:
                    node = node.next
                else:
                    if hidden and node.mem_id in hidden:
                        answer = self._hide(answer)
                    path.append(NAMES.get(number) or (node.tag or "")[:LONGEST_NAME])
                    ancestors.append((node, answer))
                    node = node.first_child

    def enter_scope(self, scope: Scope) -> None:
        """Begin a part of the page; `leave_scope` ends it."""
        self._saved.append((self.scope, self.add))
        self.scope = scope
        self.mark(border_to(scope.part, sure=scope.sure))

    def leave_scope(self) -> None:
        """Go back to the part before."""
        self.scope, self.add = self._saved.pop()
        self.mark(border_to(self.scope.part, sure=self.scope.sure))

    def _hide(self, leave: Leave) -> Leave:
        shown = self.add
        self.add = self._keep_unseen

        def show() -> None:
            self.add = shown
            if isinstance(leave, str):
                self.mark(leave)
            else:
                leave()

        return show

    def _keep_unseen(self, text: str) -> None:
        """Hidden text is not part of the text, but it may name a link in a folded menu."""
        if self.links.current is not None:
            self.links.current.unseen += text

    def keep_lines(self, text: str) -> None:
        """Take text whose line breaks show."""
        self.mark(text.replace("\n", BREAK))


Enter = Callable[[Walk, LexborNode], Leave | _Skip]


def _enter_block(_walk: Walk, _node: LexborNode) -> Leave:
    return BORDER


def _enter_container(walk: Walk, node: LexborNode) -> Leave:
    trait = trait_of(NAMES[node.tag_id], node.attributes)
    if trait.part is None:
        return BORDER
    walk.enter_scope(scope_inside(walk.scope, trait))
    return walk.leave_scope


def _enter_preformatted(walk: Walk, _node: LexborNode) -> Leave:
    walk.enter_scope(walk.scope)
    if walk.add == walk.mark:
        walk.add = walk.keep_lines
    return walk.leave_scope


def _break_line(walk: Walk, _node: LexborNode) -> _Skip:
    walk.mark(BREAK)
    return _Skip.CONTENT


def _enter_apart(walk: Walk, node: LexborNode) -> Leave:
    """Style sheets set such elements apart: "<span>Main St 1</span><span>Springfield</span>"."""
    last = walk.tape[-1] if walk.tape else BORDER
    if last and not last[-1].isspace() and last != BORDER:
        before = node.prev
        if before is not None and before.tag_id in _APART:
            walk.mark(SEAM)
    return ""


def _enter_link(walk: Walk, node: LexborNode) -> Leave:
    _enter_apart(walk, node)
    attributes = node.attributes
    reference = attributes.get("href")
    if not reference:
        return ""
    walk.path.append("a")
    walk.links.open(reference, attributes, walk.path, walk.scope.part)
    walk.path.pop()
    return walk.links.close


def _read_area(walk: Walk, node: LexborNode) -> _Skip:
    return _read_reference(walk, node, "href")


def _read_frame(walk: Walk, node: LexborNode) -> _Skip:
    return _read_reference(walk, node, "src")


def _read_reference(walk: Walk, node: LexborNode, attribute: str) -> _Skip:
    attributes = node.attributes
    reference = attributes.get(attribute)
    if reference:
        path = [*walk.path, NAMES[node.tag_id]]
        walk.links.open(reference, attributes, path, walk.scope.part)
        if walk.links.current is not None:
            walk.links.current.alternative = attributes.get("alt") or ""
        walk.links.close()
    return _Skip.CONTENT


def _read_image(walk: Walk, node: LexborNode) -> _Skip:
    link = walk.links.current
    if link is not None:
        alternative = node.attributes.get("alt")
        if alternative:
            link.alternative += f" {alternative}"
    return _Skip.CONTENT


def _read_title(walk: Walk, node: LexborNode) -> _Skip:
    if not walk.head.title:
        walk.head.title = " ".join(node.text().split())
    return _Skip.CONTENT


def _read_meta(walk: Walk, node: LexborNode) -> _Skip:
    attributes = node.attributes
    walk.head.add_meta(attributes)
    target = refresh_target(attributes)
    if target:
        walk.links.open(target, {"rel": "refresh"}, [*walk.path, "meta"], walk.scope.part)
        walk.links.close()
    return _Skip.CONTENT


def _read_head_link(walk: Walk, node: LexborNode) -> _Skip:
    walk.head.add_link(node.attributes)
    return _Skip.CONTENT


def _read_base(walk: Walk, node: LexborNode) -> _Skip:
    if not walk.head.base:
        walk.head.base = node.attributes.get("href") or ""
    return _Skip.CONTENT


_UNSEEN = frozenset(NUMBERS[name] for name in UNSEEN | EMPTY)
_APART = frozenset(NUMBERS[name] for name in APART)
_SPECIAL: dict[str, Enter] = {
    "a": _enter_link,
    "area": _read_area,
    "base": _read_base,
    "br": _break_line,
    "frame": _read_frame,
    "iframe": _read_frame,
    "img": _read_image,
    "link": _read_head_link,
    "meta": _read_meta,
    "title": _read_title,
}
_ENTER: dict[int, Enter] = {
    NUMBERS[name]: enter
    for enter, names in (
        (_enter_container, CONTAINERS),
        (_enter_preformatted, PREFORMATTED),
        (_enter_apart, APART),
        (_enter_block, PLAIN_BLOCKS),
    )
    for name in names
} | {NUMBERS[name]: enter for name, enter in _SPECIAL.items()}
