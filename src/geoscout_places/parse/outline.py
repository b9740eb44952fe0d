"""What else a page says, for those who ask: headings, dialled numbers and mails, and its feeds.

A page is read without these. Only a directory has a use for the outline, and only for that of pages
with an address; it is taken from the tree of the page right after reading. Feeds are those that
`<link rel="alternate" type="application/rss+xml" href=…>` names.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import unquote

from geoscout_places.model import Outline
from geoscout_places.urls import resolve

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_HEADINGS = "h1, h2, h3, h4, h5, h6, dt, caption, th, strong, b, summary"
_DIALLED = 'a[href^="tel:" i], a[href^="mailto:" i]'
_MOST = 2000  # of each, on one page
_LONGEST = 200  # characters of a heading


def outline_of(trees: Iterable[LexborHTMLParser]) -> Outline:
    """The outline of the page whose trees these are."""
    headings: list[tuple[int, str]] = []
    dialled: list[str] = []
    for tree in trees:
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


_HEAD = 100_000  # bytes in which a page names its feeds
_MOST_FEEDS = 3  # of a page; blogs name one for each article's comments, too
_MARK = re.compile(rb"\+(?:xml|XML)")  # in the types of feeds; a third of the time of two searches
_LINK = re.compile(r"<link\b([^<>]{0,1000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]{1,20})\s{0,9}=\s{0,9}(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>]+))")
_TYPES = ("application/rss+xml", "application/atom+xml")


def feeds_of(body: bytes, url: str) -> tuple[str, ...]:
    """The URLs of a page's feeds, in its order, without those of comments."""
    head = body[:_HEAD]
    if _MARK.search(head) is None:
        return ()
    found: dict[str, None] = {}
    for link in _LINK.finditer(head.decode("utf-8", "replace")):
        feed = _feed(link[1])
        target = resolve(feed, url) if feed else None
        if target and "comment" not in target.lower():
            found[target] = None
    return tuple(found)[:_MOST_FEEDS]


def _feed(attributes: str) -> str:
    """The target of a link, if it is a feed; "" otherwise."""
    values = {
        found[1].lower(): html.unescape(found[2] or found[3] or found[4] or "").strip()
        for found in _ATTRIBUTE.finditer(attributes)
    }
    is_feed = values.get("type", "").lower() in _TYPES
    is_other = "alternate" in values.get("rel", "").lower().split()
    return values.get("href", "") if is_feed and is_other else ""
