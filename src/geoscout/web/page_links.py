"""The links of a page with what became of each, and links from other pages to it.

The store has links by the page they stand on. Links to a page are searched for among all pages
for as long as the caller allows; the answer tells how far that went.
"""

from __future__ import annotations

from typing_extensions import TypedDict

from geoscout.state.base import CrawlView, Fate, KnownUrl
from geoscout.store.base import StoredVisit
from geoscout_places.model import Link
from geoscout_places.urls import normalise

_MOST_OUT, _MOST_IN = 500, 100
_LONGEST_ANCHOR = 200
_LEFT_OUT = "left out"  # the state of a link that the crawl never took


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


def read_links(crawl: CrawlView, visit: StoredVisit, until: float) -> LinksJson:
    """The links of a visit's page; those to it are looked for until a monotonic time."""
    links = crawl.reader.links_of(visit.n)
    shown = links[:_MOST_OUT]
    known = crawl.find({url for link in shown if (url := normalise(link.url))})
    into = crawl.reader.links_to(visit.url, _MOST_IN, until)
    found_on = [visit.parent] if visit.parent else []
    return {
        "out": [_link(link, known.get(normalise(link.url) or "")) for link in shown],
        "out_total": len(links),
        "into": list(dict.fromkeys((*found_on, *into.sources)))[:_MOST_IN],
        "looked_at": into.looked_at,
        "pages": into.pages,
    }


def _link(link: Link, known: KnownUrl | None) -> LinkJson:
    visit = known.visit if known else None
    return {
        "url": link.url[:2000],
        "anchor": (link.anchor or link.alt or link.title)[:_LONGEST_ANCHOR],
        "part": str(link.part),
        "rel": " ".join(link.rel)[:_LONGEST_ANCHOR],
        "state": known.fate if known else _LEFT_OUT,
        "priority": known.request.priority if known and known.fate != Fate.GIVEN_UP else None,
        "relevant": visit.relevant if visit else None,
        "status": visit.status if visit else None,
    }
