"""Headings of a page, and the telephone numbers and mail addresses that its links dial.

The crawl has no use for these, and a page is read without them. Who makes a directory asks for
them, of pages with an address only.
"""

from __future__ import annotations

from urllib.parse import unquote

from msgspec import Struct
from selectolax.lexbor import LexborNode

from geoscout_places.parse.document import is_html
from geoscout_places.parse.trees import markup_of, tree_of

_HEADINGS = "h1, h2, h3, h4, h5, h6, dt, caption, th, strong, b, summary"
_DIALLED = 'a[href^="tel:" i], a[href^="mailto:" i]'
_MOST = 2000  # of each, on one page
_LONGEST = 200  # characters of a heading


class Outline(Struct, frozen=True, gc=False):
    """What stands out on a page."""

    headings: tuple[tuple[int, str], ...] = ()  # level 1 to 6 and text; 7 for bold text and terms
    phones: tuple[str, ...] = ()  # as the links write them
    mails: tuple[str, ...] = ()


def outline_of(body: bytes, url: str, content_type: str = "") -> Outline:
    """The outline of a page; any bytes are a page. The arguments are those of `parse_html`."""
    if not is_html(body, content_type):
        return Outline()
    headings: list[tuple[int, str]] = []
    dialled: list[str] = []
    for tree in map(tree_of, markup_of(body, url, content_type)):
        headings += [(_level(node), _text(node)) for node in tree.css(_HEADINGS)[:_MOST]]
        dialled += [node.attributes.get("href") or "" for node in tree.css(_DIALLED)[:_MOST]]
    return Outline(
        tuple((level, text) for level, text in headings if text),
        _targets(dialled, "tel:"),
        _targets(dialled, "mailto:"),
    )


def _level(node: LexborNode) -> int:
    tag = node.tag or ""
    return int(tag[1]) if tag[:1] == "h" and tag[1:].isdigit() else 7


def _text(node: LexborNode) -> str:
    text = " ".join(node.text(separator=" ").split())
    return text if len(text) <= _LONGEST else ""


def _targets(references: list[str], scheme: str) -> tuple[str, ...]:
    found = (
        unquote(reference[len(scheme) :].partition("?")[0]).strip()
        for reference in references
        if reference.lower().startswith(scheme)
    )
    return tuple(dict.fromkeys(filter(None, found)))
