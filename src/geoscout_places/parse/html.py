"""A page of HTML, in whatever state, to a `Page`.

`docs/why/html-parser.md` says why lexbor builds the tree and what keeps hostile pages from it.
"""

from __future__ import annotations

from collections.abc import Iterable

from selectolax.lexbor import LexborHTMLParser

from geoscout_places.model import Item, Page
from geoscout_places.parse.blocks import BlockReader
from geoscout_places.parse.compiled import CompiledContent, read_compiled
from geoscout_places.parse.density import mark_menus
from geoscout_places.parse.head import language_of
from geoscout_places.parse.limits import pieces_of
from geoscout_places.parse.links import links_of, resolver_for
from geoscout_places.parse.parts import hides
from geoscout_places.parse.structured import MOST_ITEMS, items_of
from geoscout_places.parse.trees import markup_of, tree_of
from geoscout_places.parse.walk import Walk

_HIDING = "[hidden], [style*=none i], [style*=hidden i], dialog"


def parse_html(body: bytes, url: str, content_type: str = "") -> Page:
    """Read a page; any bytes are a page.

    Args:
        body: as it came, after decompression.
        url: absolute; references are resolved against it unless the page names a base.
        content_type: value of the HTTP header, "" where there was none.
    """
    pieces = markup_of(body, url, content_type)
    content = read_compiled(map(tree_of, pieces), url)
    if content is None:
        return walked_page(map(tree_of, pieces), url)
    return _compiled_page(content, url)


def _compiled_page(content: CompiledContent, url: str) -> Page:
    head = content.head
    return Page(
        url=url,
        title=head.title,
        language=head.claimed_language(),
        text=content.text,
        blocks=content.blocks,
        links=content.links,
        items=tuple(content.items),
        meta=tuple(head.meta),
        canonical=content.canonical,
    )


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
    walk.hidden = _hidden_elements(tree)
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


def _hidden_elements(tree: LexborHTMLParser) -> frozenset[int]:
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
