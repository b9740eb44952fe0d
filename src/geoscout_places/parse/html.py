"""A page of HTML, in whatever state, to a `Page`.

`docs/why/html-parser.md` says why lexbor builds the tree and what keeps hostile pages from it.
lexbor can be given nearly every page as it came. Decoding it to text, looking at it and encoding it
again takes longer than building the tree, so a kernel reads the bytes once and says of most pages
that all of it would change nothing: they are UTF-8, they hold no marks of the tape, and
`limits.tame` would leave them alone. It says so only where it is sure; for all other pages, and
without the kernel, the long way decides.
"""

import codecs
from collections.abc import Iterable, Iterator, Sequence

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, SelectolaxError

from geoscout_places._native import kernel
from geoscout_places.model import Item, Page
from geoscout_places.parse import limits
from geoscout_places.parse.blocks import BlockReader, drop_marks, mark_menus
from geoscout_places.parse.charset import decode, may_be_utf8
from geoscout_places.parse.compiled import read_compiled
from geoscout_places.parse.elements import hides
from geoscout_places.parse.limits import cut, fits_in_one, pieces_of, tame
from geoscout_places.parse.links import links_of, resolver_for
from geoscout_places.parse.structured import MOST_ITEMS, items_of
from geoscout_places.parse.walk import Walk, language_of

_compiled = kernel("plain")
_ASCII, _SURE_UTF8 = 1, 3
_LARGEST = 1 << 28  # bytes; the numbers that the kernel multiplies stay small
_MOST_KEPT = 1_000_000  # bytes of a page whose tree is kept


def plain_page(body: bytes, content_type: str) -> tuple[bytes, int] | None:
    """The page in UTF-8 and how many tags begin in it; None where it has to be changed first."""
    if _compiled is None:
        return None
    page = body.removeprefix(codecs.BOM_UTF8)
    kind, tags = _compiled.plainness(
        page,
        most_bytes=_LARGEST,
        most_tags=limits.MOST_TAGS,
        most_roots=limits.MOST_ROOTS,
        most_tag_bytes=limits.LONG_TAG,
        most_reopened=limits.MOST_REOPENED,
    )
    if kind == _ASCII or (kind and len(page) < len(body)):
        return page, tags
    return (
        (page, tags) if kind and may_be_utf8(body, content_type, sure=kind == _SURE_UTF8) else None
    )


def markup_of(body: bytes, url: str, content_type: str) -> Sequence[bytes]:
    """What lexbor is given: the page itself, or the harmless pieces that are made of it."""
    plain = plain_page(body, content_type)
    if plain is not None:
        page, tags = plain
        return (page,) if fits_in_one(page, tags) else cut(page)
    return pieces_of(tame(drop_marks(decode(body, content_type, url))))


class HtmlTrees:
    """The trees of a page, one after the other; the arguments are those of `parse_html`.

    A single one is kept for who goes over it again, such as for the outline: to build it is most of
    that work. Of a page in several pieces none is kept, since each may be large.
    """

    def __init__(self, body: bytes, url: str, content_type: str) -> None:
        self._source = body, url, content_type
        self._kept: LexborHTMLParser | None = None

    def __iter__(self) -> Iterator[LexborHTMLParser]:
        if self._kept is not None:
            yield self._kept
            return
        pieces = markup_of(*self._source)
        for piece in pieces:
            tree = tree_of(piece)
            if len(pieces) == 1 and len(piece) <= _MOST_KEPT:
                self._kept = tree
            yield tree


def tree_of(piece: bytes) -> LexborHTMLParser:
    """The tree of a text in UTF-8.

    Raises:
        MemoryError: there is not enough. Lexbor fails for no other reason: it takes any text.
    """
    try:
        return LexborHTMLParser(piece, options=LexborDocumentOptions.WO_EVENTS)
    except SelectolaxError as error:
        raise MemoryError from error


_HIDING = "[hidden], [style*=none i], [style*=hidden i], dialog"


def parse_html(body: bytes, url: str, content_type: str = "") -> Page:
    """Read a page; any bytes are a page.

    Args:
        body: as it came, after decompression.
        url: absolute; references are resolved against it unless the page names a base.
        content_type: value of the HTTP header, "" where there was none.
    """
    return page_of(HtmlTrees(body, url, content_type), url)


def page_of(trees: HtmlTrees, url: str) -> Page:
    """The page whose trees these are, read by the kernel wherever it can."""
    return read_compiled(trees, url) or walked_page(trees, url)


def walked_page(trees: Iterable[LexborHTMLParser], url: str) -> Page:
    """The page whose trees these are, by the walk in Python."""
    walk = Walk()
    items: list[Item] = []
    for tree in trees:
        notes, names = len(walk.links.notes), len(walk.head.meta)
        _read_tree(tree, walk)
        references = [note.reference for note in walk.links.notes[notes:]]
        items += items_of(tree, walk.head.meta[names:], references)
    return _page(walk, url, tuple(items[:MOST_ITEMS]))


def _read_tree(tree: LexborHTMLParser, walk: Walk) -> None:
    root = tree.root
    if root is None:
        return
    head = walk.head
    head.language = head.language or language_of(root)
    walk.hidden = hidden_elements(tree)
    walk.read(root)
    if tree.body is None:
        _read_without_frames(tree, walk)


def _read_without_frames(tree: LexborHTMLParser, walk: Walk) -> None:
    """Walk what a page of frames has for readers without frames; to lexbor it is plain text."""
    instead = tree.css_first("noframes")
    for piece in pieces_of(instead.text()) if instead is not None else ():
        inner = tree_of(piece)
        if inner.body is not None:
            walk.read(inner.body)


def hidden_elements(tree: LexborHTMLParser) -> frozenset[int]:
    """The ids of the elements that do not show."""
    found = tree.css(_HIDING)
    return frozenset([node.mem_id for node in found if hides(node.tag or "", node.attributes)])


def _page(walk: Walk, url: str, items: tuple[Item, ...]) -> Page:
    head, notes = walk.head, walk.links.notes
    reader = BlockReader(notes)
    text = reader.read("".join(walk.tape))
    blocks = mark_menus(reader.blocks, reader.linked)
    resolver = resolver_for(url, head.base)
    return Page(
        url=url,
        title=head.title,
        language=head.claimed_language(),
        text=text,
        blocks=tuple(blocks),
        links=links_of(notes, text, dict(zip(reader.serials, blocks, strict=True)), resolver),
        items=items,
        meta=tuple(head.meta),
        canonical=resolver.resolve(head.canonical),
    )
