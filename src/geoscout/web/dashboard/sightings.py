"""Pages as they appear on the map: the surest point of each page, in the order of fetching."""

from __future__ import annotations

from typing_extensions import TypedDict

from geoscout.store.counting import CrawlFigures
from geoscout.store.figures import Cursor, MappedPage
from geoscout.web.outward import LONGEST_TITLE


class SightingJson(TypedDict):
    """A page on the map."""

    n: int
    url: str
    title: str
    relevant: bool
    lat: float
    lon: float


class SightingsJson(TypedDict):
    """The pages on the map after some position in the crawl."""

    last: str  # the position to ask after next
    more: bool
    pages: list[SightingJson]


def read_sightings(crawl: CrawlFigures, after: Cursor, limit: int) -> SightingsJson:
    """The pages with a point among the next `limit` pages after a position."""
    found = crawl.sightings(after, limit)
    pages = [sighting_json(page) for page in found.pages]
    return {"last": found.cursor, "more": found.more, "pages": pages}


def sighting_json(page: MappedPage) -> SightingJson:
    return {
        "n": page.n,
        "url": page.url,
        "title": page.title[:LONGEST_TITLE],
        "relevant": page.relevant,
        "lat": page.point.latitude,
        "lon": page.point.longitude,
    }
