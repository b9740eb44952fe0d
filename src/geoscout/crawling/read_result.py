"""What reading a response gives, and what a reader is told: records between two processes.

Apart from `read.py`, which brings parser and geoparser: the loop of a crawl needs neither, and
would fetch its first page half a second later.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec import Struct

from geoscout.settings import Settings
from geoscout.store.base import Visit
from geoscout.store.records import Exchange
from geoscout_places.model import (
    Link,
    Page,
    Reading,
    Relevance,
    RelevanceRule,
    Request,
    Response,
    SiteNotes,
)


class ReadResult(Struct, frozen=True, gc=False):
    """What was read in a response; a sitemap has links and no page, other things are empty."""

    page: Page | None = None  # a `Reader` leaves out blocks, links, items and meta
    reading: Reading | None = None
    relevance: Relevance = Relevance()
    exchange: Exchange | None = None  # its archive records and all its links, packed
    links: tuple[Link, ...] = ()  # those that may be followed, their URLs in normal form
    words: tuple[str, ...] = ()  # that the strategy's reader of links has met first here
    refused: Mapping[str, int] = {}  # links left out, by rule
    simhash: int = 0  # the fingerprint of a page; 0 where there is none
    noindex: bool = False  # it asks not to be found
    missing: bool = False  # it only says that there is no such page
    sitemaps: tuple[str, ...] = ()  # further ones that a sitemap lists, or the feeds of a page
    told: SiteNotes | None = None  # what a page tells of its site
    # The businesses of the region that it names, by their keys; None: nobody looked.
    entities: tuple[tuple[int, ...], ...] | None = None
    unread: str = ""  # what there was too little of to read it: "time" or "memory"

    @property
    def relevant(self) -> bool:
        """Whether the page counts as relevant."""
        return self.relevance.relevant

    def visit(self, request: Request, response: Response) -> Visit:
        """The response as the store keeps it."""
        return Visit(
            request, response, self.page, self.reading, self.relevant,
            simhash=self.simhash, noindex=self.noindex, degree=self.relevance.degree,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReaderOptions:
    """What every reader of a crawl has to know."""

    settings: Settings
    region: tuple[str, ...]  # as the user wrote it; empty: every page with an address is relevant
    user_agent: str
    relevance: RelevanceRule
    strategy: str = ""  # for which links are read, too; "": it reads them itself
    entities: bool = False  # whether the businesses that pages name are counted
    needs_texts: bool = True  # False: who follows links needs no texts of theirs
