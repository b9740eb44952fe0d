"""The feeds that a page names: `<link rel="alternate" type="application/rss+xml" href=…>`."""

from __future__ import annotations

import html
import re

from geoscout_places.urls import resolve

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
