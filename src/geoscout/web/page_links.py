"""The links of a page with what became of each, and links from other pages to it.

The store has links by the page they stand on. Links to a page are searched for among all pages
for as long as the caller allows; the answer tells how far that went.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import orjson
from typing_extensions import TypedDict

from geoscout.model import Link
from geoscout.store.base import StoredVisit
from geoscout.store.sqlite.reader import ReadOnlyStore, unpack_links
from geoscout.urls import normalise
from geoscout.warc import unpack

_MOST_OUT, _MOST_IN = 500, 100
_LONGEST_ANCHOR = 200
Fate = dict[str, Any]


class LinkJson(TypedDict):
    """A link of a page."""

    url: str
    anchor: str
    part: str
    rel: str
    state: str  # "fetched", "waiting", "given up" or "left out"
    priority: float | None
    relevant: bool | None
    status: int | None


class LinksJson(TypedDict):
    """The links of a page and to it."""

    out: list[LinkJson]
    out_total: int
    into: list[str]
    looked_at: int  # pages searched for links to it
    pages: int  # that could have been


def read_links(store: ReadOnlyStore, visit: StoredVisit, until: float) -> LinksJson:
    """The links of a visit's page; those to it are looked for until a monotonic time."""
    links = store.links_of(visit.n)
    shown = links[:_MOST_OUT]
    fates = _fates(store, [normalise(link.url) or "" for link in shown])
    into, looked_at, pages = _links_to(store, visit, until)
    return {
        "out": [_link(link, fates) for link in shown],
        "out_total": len(links),
        "into": into,
        "looked_at": looked_at,
        "pages": pages,
    }


def _link(link: Link, fates: dict[str, Fate]) -> LinkJson:
    fate = fates.get(normalise(link.url) or "", {})
    return {
        "url": link.url[:2000],
        "anchor": (link.anchor or link.alt or link.title)[:_LONGEST_ANCHOR],
        "part": str(link.part),
        "rel": " ".join(link.rel)[:_LONGEST_ANCHOR],
        "state": fate.get("state", "left out"),
        "priority": fate.get("priority"),
        "relevant": fate.get("relevant"),
        "status": fate.get("status"),
    }


def _fates(store: ReadOnlyStore, urls: Sequence[str]) -> dict[str, Fate]:
    """What became of URLs: fetched, waiting, or given up."""
    wanted = orjson.dumps(sorted({url for url in urls if url}))
    fates: dict[str, Fate] = {}
    # The frontier has no index by URL: one pass over it, for all links together.
    rows = store.connection.execute(
        "SELECT url, -rank FROM frontier_request LEFT JOIN"
        " (SELECT number, rank FROM frontier_queue UNION ALL"
        " SELECT number, rank FROM frontier_later) USING (number)"
        " WHERE url IN (SELECT value FROM json_each(?))",
        (wanted,),
    )
    for url, priority in rows:
        state = "given up" if priority is None else "waiting"
        fates[url] = {"state": state, "priority": priority}
    rows = store.connection.execute(
        "SELECT url, priority, relevant, status FROM visit"
        " WHERE url IN (SELECT value FROM json_each(?)) ORDER BY n",
        (wanted,),
    )
    for url, priority, relevant, status in rows:
        fates[url] = {
            "state": "fetched",
            "priority": priority,
            "relevant": bool(relevant),
            "status": status,
        }
    return fates


def _links_to(store: ReadOnlyStore, visit: StoredVisit, until: float) -> tuple[list[str], int, int]:
    """Pages with a link to this one, how many pages were looked at, and how many there are."""
    (pages,) = store.connection.execute("SELECT count(*) FROM links").fetchone()
    host, _, path = visit.url.partition("://")[2].partition("/")
    needle = (path or host).encode()
    found = [visit.parent] if visit.parent else []
    looked_at = 0
    rows = store.connection.execute("SELECT url, packed FROM links JOIN visit ON visit = n")
    for source, packed in rows:
        if time.monotonic() > until or len(found) >= _MOST_IN:
            break
        looked_at += 1
        if source not in found and needle in unpack(packed) and _leads(packed, visit.url):
            found.append(source)
    return found, looked_at, pages


def _leads(packed: bytes, url: str) -> bool:
    return any(normalise(link.url) == url for link in unpack_links(packed))
