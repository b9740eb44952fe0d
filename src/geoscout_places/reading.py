"""A document in, what it says of places out. READ THIS FIRST.

The crawl, batches of archives, Scrapy, the API, the commands and the laboratory all read documents
here, so that none of them forgets what the others know: that a PDF is a document too, that only
the beginning of a huge page is looked at, what the site of a page tells of it. Reading is pure: it
uses no network, disk or clock but what is handed in as `refine`. At the end stands what was found
as plain data for JSON, the same for `geoscout geoparse` and the API.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from geoscout_places.geo import Geoparser
from geoscout_places.geo.relevance import Judge
from geoscout_places.geo.site import with_region
from geoscout_places.model import (
    Address,
    Mention,
    MentionKind,
    Outline,
    Page,
    Reading,
    Relevance,
    ScopePlace,
    SiteKnowledge,
    SiteNotes,
    point_as_json,
)
from geoscout_places.parse.document import OpenDocument


class Document(Struct, frozen=True, gc=False):
    """Something to read: a page, a PDF, or a text."""

    url: str  # absolute; "" for what has none
    body: bytes | str  # without transfer and content codings; a string is plain text as it stands
    content_type: str = ""  # value of the HTTP header; "" where there was none


class PageReading(Struct, frozen=True, gc=False):
    """What was read in a document."""

    page: Page
    seen: Page  # as much of the page as was looked at, nearly always itself
    reading: Reading = Reading((), (), (), ())
    relevance: Relevance = Relevance()  # of a reader with a judge
    outline: Outline = Outline()  # of a reader that takes them, where the page has an address
    is_missing: bool = False  # it only says that there is no such page, so nothing else was read


class PageReader:
    """Reads documents of any type; loads what it needs once."""

    def __init__(
        self,
        geoparser: Geoparser,
        judge: Judge | None = None,
        *,
        refine: Callable[[Reading], Reading] | None = None,
        outlines: bool = False,
        skips_missing: bool = False,
    ) -> None:
        """`refine` improves a reading once it is judged, such as by points of houses.

        With `outlines`, headings and dialled numbers are taken of pages that have an address.
        `skips_missing` looks for nothing in pages that only say that there is no such page.
        """
        self.geoparser, self.judge = geoparser, judge
        region = judge.region if judge is not None else None
        self._home = geoparser.knowledge_of(region) if region else None
        self._refine = refine
        self._outlines = outlines
        self._skips_missing = skips_missing

    def read(self, document: Document, site: SiteKnowledge | None = None) -> PageReading:
        """Parse, geoparse and judge a document; `site` is what other pages tell of its site.

        A document is judged by what it says itself. What its site tells depends on which pages
        were read before, and whether a page is relevant must not. Any bytes are a document: none
        raises an error.
        """
        opened = OpenDocument(document.body, document.url, document.content_type)
        page = opened.page
        if self._skips_missing:
            from geoscout_places.parse.likeness import says_missing  # noqa: PLC0415 - loads numpy

            if says_missing(page):
                return PageReading(page, page, is_missing=True)
        seen = self.geoparser.cut(page)
        relevance = Relevance()
        if self.judge is None:
            reading = self.geoparser.read(seen, site)
        else:
            known = with_region(site, self._home) if self._home else site
            alone, reading = self.geoparser.read_twice(seen, known)
            relevance = self.judge.judge(seen, alone)
        if self._refine is not None:
            reading = self._refine(reading)
        outline = opened.outline() if self._outlines and reading.addresses else Outline()
        return PageReading(page, seen, reading, relevance, outline)

    def notes(self, found: PageReading) -> SiteNotes:
        """What a page tells of its site, for whoever gathers `SiteKnowledge`."""
        return self.geoparser.notes(found.seen, found.reading)


Json = dict[str, Any]


def mention_as_json(mention: Mention) -> Json:
    """A place name of a text."""
    place = mention.place
    return {
        "start": mention.start,
        "end": mention.end,
        "name": mention.text,
        "kind": place.kind if place and mention.kind == MentionKind.PLACE else mention.kind,
        **point_as_json(place.point if place else None),
        "precision": place.precision if place else None,
        "id": place.id if place else None,
        "geonameid": place.geonames_id if place else None,
        "country": place.country if place else None,
        "confidence": round(mention.confidence, 3),
        "name_confidence": round(mention.name_confidence, 3),
        **({"of_site": True} if mention.of_site else {}),
    }


def address_as_json(address: Address) -> Json:
    """An address; without offsets where it is not in the text."""
    return {
        "start": address.start if address.end else None,
        "end": address.end or None,
        "text": address.text,
        **address.parts(),
        **point_as_json(address.point),
        "precision": address.precision,
        "source": address.source,
        **({"of_site": True} if address.of_site else {}),
    }


def scope_as_json(scope: ScopePlace) -> Json:
    """A place that a page is about."""
    names = [place.name for place in scope.path]
    return {
        "name": scope.place.name,
        "path": [name for n, name in enumerate(names) if n == 0 or name != names[n - 1]],
        "country": scope.place.country,
        **point_as_json(scope.place.point),
        "precision": scope.place.precision,
        "score": round(scope.score, 4),
    }


def reading_as_json(reading: Reading) -> Json:
    """All that was found in a page; `points` only where the markup states some."""
    found: Json = {
        "toponyms": [mention_as_json(mention) for mention in reading.mentions],
        "addresses": [address_as_json(address) for address in reading.addresses],
        "scope": [scope_as_json(place) for place in reading.scope],
    }
    if reading.points:
        found["points"] = [{**point_as_json(p), "source": source} for p, source in reading.points]
    return found
