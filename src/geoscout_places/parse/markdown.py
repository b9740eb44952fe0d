"""A document as Markdown: headings, lists, tables and links, without what every page of a site has.

The tree is walked once, with a stack of our own, as `walk` does. What is written is collected block
by block, because only the whole page tells which runs of links are menus. A table is written as one
only where it is a table of data: rows of the same few cells with short texts. Any other arranges
the page, and its cells are paragraphs.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from geoscout_places.model import Block, Page, Part
from geoscout_places.parse.blocks import find_menus
from geoscout_places.parse.elements import (
    CONTAINERS,
    EMPTY,
    NAMES,
    PLAIN,
    PLAIN_BLOCKS,
    PREFORMATTED,
    TEXT,
    UNSEEN,
    Scope,
    Trait,
    scope_inside,
    trait_of,
)
from geoscout_places.parse.html import hidden_elements
from geoscout_places.urls import resolve

_SHOWN = frozenset({Part.MAIN, Part.ADDRESS})
_BLOCKS = PLAIN_BLOCKS | CONTAINERS
_SKIPPED = UNSEEN | EMPTY | {"head", "title", "iframe", "frame", "area", "img", "button"}
_EMPHASIS = {"b": "**", "strong": "**", "em": "*", "i": "*", "code": "`"}
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_HEADING = re.compile("h[1-6]")
_SPECIAL = re.compile(r"[\\`*\[\]<]")
_AT_START = re.compile(r"^(#{1,6}(?= )|>|[-+](?= )|\d{1,9}(?=[.)] )|=+$|-+$)")
_MOST_CELLS, _LONGEST_CELL = 12, 200
_DEEPEST = 5  # lists and quotations within each other that are shown as such
_LONGEST_LINK = 2000
_PARAGRAPH = 80  # bytes
_NEARLY_ALL = 0.8  # of the running text
# Words in names of elements beside the text, those that Readability.js has besides our parts.
_BESIDE = frozenset(
    "combx comment comments community disqus remark replies rss shoutbox related social sponsor"
    " sponsored supplemental popup share sharing sharedaddy outbrain taboola promo recommended"
    " tags".split()
)
_CONTACT = re.compile(r"\d{1,2}[:.]\d\d|@|\+?\d[\d /.-]{6,}|\b\d{5}\b")
_GOOD_SHARE = 0.5
_LONG_TEXT = 1000


class _Piece(Struct):
    """A block of Markdown and what is known of it."""

    text: str
    part: Part
    sure: bool
    linked: int = 0  # characters of its text in links
    length: int = 0  # without marks
    first: str = ""  # what stands before its first line
    others: str = ""  # and before each further one
    group: int = 0  # pieces of one list have the same number, and no empty line between them


def to_markdown(body: bytes | str, url: str = "", content_type: str = "") -> str:
    """The text of a document as Markdown, without menus, headers, footers and side columns.

    A page that has nothing else keeps them. The arguments are those of `parse_document`; any bytes
    are a document.
    """
    from geoscout_places.parse.document import OpenDocument  # noqa: PLC0415 - imports this room

    opened = OpenDocument(body, url, content_type)
    if opened.trees is None:
        return page_to_markdown(opened.page)
    writer = _Writer(url)
    for tree in opened.trees:
        writer.read(tree)
    return "\n".join(_joined(_main(writer.pieces, writer.spans)))


def page_to_markdown(page: Page) -> str:
    """The text of a page without a tree, such as one of a PDF, paragraph by paragraph."""
    paragraphs = (page.text[block.start : block.end] for block in page.blocks)
    return "\n\n".join(escaped(text) for text in paragraphs) + "\n" * bool(page.blocks)


def escaped(text: str) -> str:
    r"""The text so that nothing in it is taken for Markdown.

    >>> escaped("* 5 [sic] 1. x"), escaped("# 1")
    ('\\* 5 \\[sic\\] 1. x', '\\# 1')
    """
    return _AT_START.sub(_with_backslash, _SPECIAL.sub(r"\\\g<0>", text))


def _with_backslash(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _main(pieces: list[_Piece], spans: list[tuple[int, int]]) -> list[_Piece]:
    """Those that are what the page is about; all where there are none.

    Where the page itself calls a good part of its running text main, it is believed. Where nearly
    all of that stands in what only a class calls something else, the class is not.
    """
    blocks, at = [], 0
    for piece in pieces:
        blocks.append(Block(at, at + piece.length, piece.part))
        at += piece.length + 1
    menus = find_menus(blocks, [-1 if piece.sure else piece.linked for piece in pieces])
    rest = [piece for n, piece in enumerate(pieces) if n not in menus]
    main = [piece for piece in rest if piece.part in _SHOWN]
    called = [piece for piece in main if piece.sure]
    if _running(called) > _GOOD_SHARE * _running(main):
        main = called
    aside = [p for p in rest if p.part not in _SHOWN and not p.sure]
    if _running(main) < _GOOD_SHARE * _running(aside):
        main = [p for p in rest if p.part in _SHOWN or not p.sure]
    if _running(main) > _LONG_TEXT:  # links to other articles are not part of one
        main = [piece for piece in main if 2 * piece.linked < piece.length]
        main = _inside(main, pieces, spans)
        last = max(n for n, piece in enumerate(main) if _bytes_of_text(piece))
        main = [piece for n, piece in enumerate(main) if n <= last or _is_contact(piece)]
    return main or pieces


def _inside(main: list[_Piece], pieces: list[_Piece], spans: list[tuple[int, int]]) -> list[_Piece]:
    """Those in the smallest element with nearly all of the running text, titles and contacts."""
    wanted = set(map(id, main))
    sums = [0, *accumulate(_bytes_of_text(p) if id(p) in wanted else 0 for p in pieces)]
    whole = [
        (end - begin, begin, end)
        for begin, end in spans
        if sums[end] - sums[begin] >= _NEARLY_ALL * sums[-1]
    ]
    if not whole:
        return main
    _, begin, end = min(whole)
    inside = set(map(id, pieces[begin:end]))
    return [p for p in main if id(p) in inside or p.text.startswith("# ") or _is_contact(p)]


def _is_contact(piece: _Piece) -> bool:
    """Whether it may say where something is, how to reach it or when: that is no mere ending."""
    return piece.part is Part.ADDRESS or bool(_CONTACT.search(piece.text))


def _bytes_of_text(piece: _Piece) -> int:
    """The size of a paragraph that is not links; 0 of any other piece."""
    size = len(piece.text.encode()) if 2 * piece.linked < piece.length else 0
    return size if size >= _PARAGRAPH else 0


@lru_cache(maxsize=4096)
def _is_beside(identifier: str, classes: str) -> bool:
    """Whether a name says that something stands beside the text: comments, what else to read."""
    tokens = (identifier, *classes.split()[:8])
    words = {word for token in tokens for word in re.findall("[a-z]+", token[:60].lower())}
    return not words.isdisjoint(_BESIDE)


def _running(pieces: Iterable[_Piece]) -> int:
    """The bytes of paragraphs that are not links; a sentence of Chinese has few characters."""
    return sum(map(_bytes_of_text, pieces))


def _joined(pieces: Iterable[_Piece]) -> Iterator[str]:
    before = None
    for piece in pieces:
        if before is not None and not (piece.group and piece.group == before.group):
            yield ""
        head = piece.first
        for line in piece.text.split("\n"):
            yield f"{head}{line}".rstrip()
            head = piece.others
        before = piece
    if before is not None:
        yield ""


class _Writer:
    """Collects the pieces of a page."""

    def __init__(self, url: str, *, is_cell: bool = False) -> None:
        """With `is_cell`, everything is written in one line."""
        self._base = url
        self._is_cell = is_cell
        self.pieces: list[_Piece] = []
        self.spans: list[tuple[int, int]] = []  # of pieces inside one element
        self._scope = Scope()
        self._inline: list[str] = []  # of the block that is open, with marks
        self._linked = 0
        self._length = 0
        self._link = ""  # the target of the link that is open
        self._link_at = 0  # where it begins in `_inline`
        self._heading = 0
        self._lists: list[int] = []  # the next number of each open list; 0 for bullets
        self._item = ""  # the mark of an item that has no text yet
        self._quotes = 0
        self._group = 0
        self._hidden: frozenset[int] = frozenset()  # the ids of elements that do not show

    def read(self, tree: LexborHTMLParser) -> None:
        """Walk a tree."""
        self._hidden = hidden_elements(tree)
        base = tree.css_first("base[href]")
        if base is not None:
            self._base = resolve(base.attributes.get("href") or "", self._base) or self._base
        if tree.body is not None:
            self._walk(tree.body)
        self._end_block()

    def cell(self, node: LexborNode) -> tuple[str, int, int]:
        """The content of a cell, its length, and how much of that is in links."""
        self._walk(node)
        text = " ".join("".join(self._inline).split()).replace("|", "\\|")
        return text, self._length, self._linked

    def _walk(self, root: LexborNode) -> None:
        node = root.first_child
        ancestors: list[tuple[LexborNode, Callable[[], None] | None]] = []
        while node is not None or ancestors:
            if node is None:
                parent, leave = ancestors.pop()
                if leave is not None:
                    leave()
                node = parent.next
            elif node.tag_id == TEXT:
                self._add(node.text_content or "")
                node = node.next
            else:
                skipped, leave = self._enter(node)
                if skipped:
                    node = node.next
                else:
                    ancestors.append((node, leave))
                    node = node.first_child

    def _enter(self, node: LexborNode) -> tuple[bool, Callable[[], None] | None]:
        """Whether the content is skipped, and what is done after it."""
        name = NAMES.get(node.tag_id) or node.tag or ""
        if name in _SKIPPED or node.mem_id in self._hidden or self._is_whole(name, node):
            return True, None
        if name not in _BLOCKS:
            return False, self._enter_inline(name, node)
        if self._is_cell:
            self._inline.append(" ")
            return False, lambda: self._inline.append(" ")
        return False, self._enter_block(name, node)

    def _is_whole(self, name: str, node: LexborNode) -> bool:
        """Write what is written at once."""
        if name == "br":
            self._inline.append("\n")
        elif name in PREFORMATTED and not self._is_cell:
            self._write_code(node)
        elif name == "table" and not self._is_cell and (rows := _rows(node)):
            self._write_table(rows)
        else:
            return False
        return True

    def _enter_block(self, name: str, node: LexborNode) -> Callable[[], None]:
        self._end_block()
        saved = self._scope, self._heading, self._quotes, len(self._lists)
        if name in CONTAINERS:
            attributes = node.attributes
            trait = trait_of(name, attributes)
            if trait is PLAIN and _is_beside(
                attributes.get("id") or "", attributes.get("class") or ""
            ):
                trait = Trait(Part.ASIDE)
            self._scope = scope_inside(self._scope, trait)
        if name in _LISTS:
            self._group += not self._lists
            self._lists.append(1 if name == "ol" else 0)
        elif name == "li" and self._lists:
            number = self._lists[-1]
            self._lists[-1] += number > 0
            self._item = f"{number}. " if number else "- "
        elif name == "blockquote":
            self._quotes += 1
        elif _HEADING.fullmatch(name):
            self._heading = int(name[1])

        begins = len(self.pieces)

        def leave() -> None:
            self._end_block()
            if name in CONTAINERS and len(self.pieces) > begins:
                self.spans.append((begins, len(self.pieces)))
            self._scope, self._heading, self._quotes, lists = saved
            del self._lists[lists:]
            if name == "li":
                self._item = ""

        return leave

    def _enter_inline(self, name: str, node: LexborNode) -> Callable[[], None] | None:
        if name == "a":
            target = resolve(node.attributes.get("href") or "", self._base)
            if self._link or not target or len(target) > _LONGEST_LINK:
                return None
            self._link, self._link_at = target, len(self._inline)
            return self._end_link
        mark = _EMPHASIS.get(name)
        if mark is None or self._heading:
            return None
        at = len(self._inline)

        def leave() -> None:
            inner = "".join(self._inline[at:])
            if inner.strip() and mark not in inner and "\n" not in inner:
                self._inline[at:] = [_around(inner, mark, mark)]

        return leave

    def _end_link(self) -> None:
        target, self._link = self._link, ""
        inner = "".join(self._inline[self._link_at :])
        if inner.strip():
            words = " ".join(inner.split())
            end = f"](<{target}>)" if re.search(r"[()\s]", target) else f"]({target})"
            self._inline[self._link_at :] = [_around(inner.replace(inner.strip(), words), "[", end)]

    def _add(self, text: str) -> None:
        if not text:
            return
        length = len(text.strip())
        self._length += length
        self._linked += length if self._link else 0
        self._inline.append(_SPECIAL.sub(r"\\\g<0>", re.sub(r"\s+", " ", text)))

    def _end_block(self) -> None:
        """What was collected as a piece; a link that is open goes on in the next block."""
        link = self._link
        if link:
            self._end_link()
        lines = [" ".join(line.split()) for line in "".join(self._inline).split("\n")]
        text = "\n".join(_AT_START.sub(_with_backslash, line) for line in lines if line)
        if text:
            if self._heading:
                text = f"{'#' * self._heading} {' '.join(text.split())}"
            self._append(text, self._length, self._linked)
        self._inline.clear()
        self._length = self._linked = self._link_at = 0
        self._link = link

    def _append(self, text: str, length: int, linked: int = 0) -> None:
        quote = "> " * min(self._quotes, _DEEPEST)
        inside = "  " * min(len(self._lists) - 1, _DEEPEST) if self._lists else ""
        mark, self._item = self._item, ""
        others = f"{quote}{inside}{'  ' if self._lists else ''}"
        first = f"{quote}{inside}{mark}" if mark else others
        self.pieces.append(
            _Piece(
                text,
                part=self._scope.part,
                sure=self._scope.sure,
                linked=linked,
                length=length,
                first=first,
                others=others,
                group=self._group if self._lists else 0,
            )
        )

    def _write_code(self, node: LexborNode) -> None:
        self._end_block()
        text = node.text().strip("\n").rstrip()
        if text:
            fence = "```" if "```" not in text else "~~~~"
            self._append(f"{fence}\n{text}\n{fence}", len(text))

    def _write_table(self, rows: list[list[LexborNode]]) -> None:
        self._end_block()
        lines, length, linked = [], 0, 0
        for row in rows:
            cells = []
            for cell in row:
                text, long, links = _Writer(self._base, is_cell=True).cell(cell)
                cells.append(text)
                length, linked = length + long, linked + links
            lines.append(f"| {' | '.join(cells)} |")
        lines.insert(1, f"|{' --- |' * len(rows[0])}")
        self._append("\n".join(lines), length, linked)


def _around(text: str, before: str, after: str) -> str:
    """Marks at the edges of the words, with the white space outside."""
    inner = text.strip()
    at = text.index(inner)
    return f"{text[:at]}{before}{inner}{after}{text[at + len(inner) :]}"


def _rows(table: LexborNode) -> list[list[LexborNode]]:
    """The cells of a table of data; none of a table that arranges the page."""
    if table.css_first("table table, h1, h2, h3, ul, ol, form, iframe, p + p") is not None:
        return []
    rows = [[cell for cell in row.iter() if cell.tag in {"td", "th"}] for row in table.css("tr")]
    rows = [row for row in rows if row]
    width = len(rows[0]) if rows else 0
    if len(rows) < 2 or not 2 <= width <= _MOST_CELLS or any(len(row) != width for row in rows):
        return []
    texts = [len(cell.text().strip()) for row in rows for cell in row]
    return rows if max(texts) <= _LONGEST_CELL and sum(map(bool, texts)) * 2 > len(texts) else []
