"""A page of HTML, in whatever state, to a `Page`.

`docs/why/html-parser.md` says why lexbor builds the tree and what keeps hostile pages from it.
"""

from __future__ import annotations

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from geoscout.model import Item, Page
from geoscout.parse.blocks import BlockReader
from geoscout.parse.charset import decode
from geoscout.parse.density import mark_menus
from geoscout.parse.limits import tame
from geoscout.parse.links import links_of
from geoscout.parse.parts import hides
from geoscout.parse.resolve import Resolver
from geoscout.parse.structured import items_of
from geoscout.parse.tape import clean
from geoscout.parse.walk import Walk

_HIDING = "[hidden], [style*=none i], [style*=hidden i], dialog"


def parse_html(body: bytes, url: str, content_type: str = "") -> Page:
    """Read a page; any bytes are a page.

    Args:
        body: as it came, after decompression.
        url: absolute; references are resolved against it unless the page names a base.
        content_type: value of the HTTP header, "" where there was none.
    """
    tree = _tree(clean(decode(body, content_type, url)))
    walk = Walk(_hidden_elements(tree))
    root = tree.root
    if root is not None:
        walk.head.language = root.attributes.get("lang") or root.attributes.get("xml:lang") or ""
        walk.read(root)
        if tree.body is None:
            _read_without_frames(tree, walk)
    references = [note.reference for note in walk.links.notes]
    return _page(walk, url, items_of(tree, walk.head.meta, references))


def _tree(html: str) -> LexborHTMLParser:
    return LexborHTMLParser(tame(html), options=LexborDocumentOptions.WO_EVENTS)


def _read_without_frames(tree: LexborHTMLParser, walk: Walk) -> None:
    """Walk what a page of frames has for readers without frames; to lexbor it is plain text."""
    instead = tree.css_first("noframes")
    if instead is not None:
        inner = _tree(instead.text())
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
    resolver = Resolver(Resolver(url).resolve(head.base) or url)
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
