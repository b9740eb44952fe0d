"""Reads a response: parses the page, geoparses it, judges its relevance, packs it for the store.

Reading needs no network and writes nothing, so it runs in other processes (`worker_pool`). A
`ReadResult` holds only what the crawl needs afterwards: the links packed as the store keeps them,
and the page without the parts that only the geoparser reads.

A strategy scores links in the one process that decides. The words of anchors and URLs and the names
in them do not depend on what it has learned, so they are read here, on as many cores as there are,
and only the links' URLs and what was noted of them are sent on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING

from msgspec.structs import replace

from geoscout.crawling.read_result import ReaderOptions, ReadResult
from geoscout.fetch.politeness import page_directives
from geoscout.fetch.sitemaps import parse_sitemap
from geoscout.settings import Settings
from geoscout.store.records import ReadPage, pack_exchange, pack_links, pack_page
from geoscout.strategy import StrategyAim, link_reader_of
from geoscout.strategy.filters import LANGUAGE, Filters, filters_for
from geoscout_places.gazetteer import Gazetteer, Region, open_gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.geo import Geoparser
from geoscout_places.geo.address.extract import read_examples
from geoscout_places.geo.address.placing import is_coarse
from geoscout_places.geo.relevance import Judge
from geoscout_places.model import Link, Page, Reading, RequestKind, Response, SiteKnowledge
from geoscout_places.parse import parse_document
from geoscout_places.parse.document import feeds_of
from geoscout_places.parse.likeness import fingerprint, says_missing
from geoscout_places.reading import Document, PageReader, PageReading
from geoscout_places.urls import normalise, trap

if TYPE_CHECKING:
    from geoscout.entries import EntityKeys, PageEntryReader
    from geoscout.geocode import Geocoder

_FIRST = Link("http://first.invalid/texas", "Texas", before="in Texas")


class LinkNotes:
    """Adds to the links of results what the strategy of the crawl notes of them."""

    def __init__(self, options: ReaderOptions, region: Region | None, gazetteer: Gazetteer) -> None:
        aim = StrategyAim(region, gazetteer)
        self._reader = link_reader_of(options.strategy, aim) if options.strategy else None
        self._needs_texts = options.needs_texts

    def add_to(self, result: ReadResult, page: str) -> ReadResult:
        """The result of the page with this URL, with what is noted of its links."""
        if self._reader is None or not result.links:
            return result
        pairs = zip(result.links, self._reader.note(page, result.links), strict=True)
        if self._needs_texts:
            links = tuple(replace(link, features=noted) for link, noted in pairs)
        else:
            links = tuple(Link(link.url, features=noted) for link, noted in pairs)
        return replace(result, links=links, words=self._reader.take_words())

    def warm_up(self) -> None:
        """Load what the first link would load."""
        if self._reader is not None:
            self._reader.note(_FIRST.url, [_FIRST])


NO_FILTERS = Filters(binary=False)
_URLS_REMEMBERED = 4096
_MOST_LINKS = 5_000  # followed from one page
AGENT = "geoscout"  # the name by which pages and robots.txt address us
_FIRST_PAGE = b"<title>The Inn</title><p>We are at 12 Main Street, Austin, TX 78701, in Texas.</p>"


class Reader:
    """Reads pages in this process."""

    def __init__(self, options: ReaderOptions) -> None:
        gazetteer = open_gazetteer(options.settings)
        strict = options.settings.strict_streets
        region = Region.parse(options.region, gazetteer) if options.region else None
        self._keeps_pages = options.settings.keep_pages
        self._reader = PageReader(
            Geoparser(gazetteer, strict_streets=strict),
            Judge(region, options.relevance),
            refine=self._located,
            outlines=self._keeps_pages or options.entities,
            skips_missing=True,
        )
        self._countries = region.countries if region else frozenset[str]()
        self._filters = filters_for(
            self._countries,
            binary=True,
            pdf=options.settings.pdf,
            tlds=options.settings.filter_domains,
            language=options.settings.filter_languages,
        )
        self._link_notes = LinkNotes(options, region, gazetteer)
        self._user_agent = options.user_agent
        self._takes_notes = options.settings.sites_remembered > 0
        self._settings = options.settings
        self._entries = _entry_reader(gazetteer, region) if options.entities else None
        self._has_geocoder = _check_geocoder(options.settings)
        self._geocoder: Geocoder | None = None  # opened with the first address

    def read(
        self,
        response: Response,
        kind: RequestKind = RequestKind.PAGE,
        site: SiteKnowledge | None = None,
    ) -> ReadResult:
        """Parse, geoparse and judge one response.

        `kind` is that of its request, and `site` what is known of the site from other pages.
        """
        exchange = pack_exchange(response, self._user_agent)
        if response.status != HTTPStatus.OK:
            return ReadResult(exchange=exchange)
        if kind == RequestKind.SITEMAP:
            result = self._link_notes.add_to(read_sitemap(response, self._filters), response.url)
            return replace(result, exchange=exchange)
        content_type = response.header("content-type")
        found = self._reader.read(Document(response.url, response.body, content_type), site)
        if found.is_missing:
            return ReadResult(missing=True, exchange=exchange)
        result = self._bounded(with_links(found.page, response, self._filters))
        result = self._link_notes.add_to(result, response.url)
        kept = pack_page(ReadPage(found.page, found.outline)) if self._keeps_pages else b""
        return replace(
            result,
            page=replace(found.page, blocks=(), links=(), items=(), meta=()),
            reading=found.reading,
            relevance=found.relevance,
            exchange=replace(exchange, links=pack_links(found.page.links), page=kept),
            told=self._reader.notes(found) if self._takes_notes else None,
            entities=self._entities(found, noindex=result.noindex),
        )

    def _entities(self, found: PageReading, *, noindex: bool) -> EntityKeys | None:
        """The keys of the businesses that a page names; none of one that asks not to be found."""
        if self._entries is None:
            return None
        return () if noindex else self._entries.keys(found)

    def _bounded(self, result: ReadResult) -> ReadResult:
        """The result with as many links as are followed from one page.

        Each is scored and queued by the loop of the crawl, which does nothing else meanwhile.
        """
        most = _MOST_LINKS
        if len(result.links) <= most:
            return result
        refused = {**result.refused, "too many on a page": len(result.links) - most}
        return replace(result, links=result.links[:most], refused=refused)

    def pack(self, response: Response) -> ReadResult:
        """Nothing but what the archive keeps of a response."""
        return ReadResult(exchange=pack_exchange(response, self._user_agent))

    def warm_up(self) -> None:
        """Load what the first page would load; processes that are forked then share it."""
        self._link_notes.warm_up()
        self._reader.read(Document("http://first.invalid/", _FIRST_PAGE, "text/html"))
        read_examples(self._reader.geoparser.gazetteer, self._countries)

    def _located(self, reading: Reading) -> Reading:
        """The reading with the points of houses, if there is a geocoder and it replies at once."""
        if not self._has_geocoder or not reading.addresses:
            return reading
        from geoscout.geocode import AskingLimits  # noqa: PLC0415 - as below

        if self._geocoder is None:  # its replies are a database, which forks must not share
            self._geocoder = _open_geocoder(self._settings)
        assert self._geocoder is not None
        # It must not hold up the crawl; the index asks about the addresses left over.
        asking = self._geocoder.spend(AskingLimits(seconds=0.1, in_all=1.0))
        addresses = (asking.refine(a) if is_coarse(a) else a for a in reading.addresses)
        return replace(reading, addresses=tuple(addresses))

    async def __call__(
        self,
        response: Response,
        kind: RequestKind = RequestKind.PAGE,
        site: SiteKnowledge | None = None,
    ) -> ReadResult:
        """The same for the crawl loop, which awaits its readers."""
        return self.read(response, kind, site)

    def close(self) -> None:
        """Let go of the geocoder."""
        if self._geocoder is not None:
            self._geocoder.close()


def _entry_reader(gazetteer: Gazetteer, region: Region | None) -> PageEntryReader:
    from geoscout.entries import directory  # noqa: PLC0415 - slow, rarely used

    return directory().page_reader(gazetteer, region)


def _check_geocoder(settings: Settings) -> bool:
    """Whether there is a geocoder."""
    geocoder = _open_geocoder(settings)
    if geocoder is not None:
        geocoder.close()
    return geocoder is not None


def _open_geocoder(settings: Settings) -> Geocoder | None:
    if not settings.geocoder:
        return None
    from geoscout.geocode import open_geocoder  # noqa: PLC0415 - few crawls have one

    return open_geocoder(settings, home_folder(settings))


def read_page(response: Response) -> ReadResult:
    """Parse a response and sort its links, without looking for places."""
    page = parse_document(response.body, response.url, response.header("content-type"))
    return ReadResult(missing=True) if says_missing(page) else with_links(page, response)


def with_links(page: Page, response: Response, filters: Filters = NO_FILTERS) -> ReadResult:
    directives = page_directives(AGENT, response.headers, page.meta)
    links: tuple[Link, ...] = ()
    refused: Mapping[str, int]
    if not directives.follow:
        refused = {"nofollow page": len(page.links)}
    elif filters.is_foreign(page.language):
        refused = {LANGUAGE: len(page.links)}
    else:
        links, refused = sort_links(page.links, filters)
    return ReadResult(
        page,
        links=links,
        refused=refused,
        simhash=fingerprint(page),
        noindex=not directives.index,
        sitemaps=feeds_of(response.body, response.url),
    )


def read_sitemap(response: Response, filters: Filters = NO_FILTERS) -> ReadResult:
    """The pages of a sitemap, as links without any text."""
    sitemap = parse_sitemap(response.body, response.url)
    links, refused = sort_links(
        tuple(Link(e.url, tag_path="sitemap") for e in sitemap.pages), filters
    )
    further = tuple(filter(None, map(normalise, sitemap.sitemaps)))
    return ReadResult(links=links, refused=refused, sitemaps=further)


def sort_links(
    links: tuple[Link, ...], filters: Filters = NO_FILTERS
) -> tuple[tuple[Link, ...], Mapping[str, int]]:
    """The links that may be followed, each target once, and how many others by rule."""
    kept: dict[str, Link] = {}
    refused: Counter[str] = Counter()
    judged = _url_judge(filters)
    for link in links:
        url, rule = judged(link.url)
        if url is not None and "nofollow" in link.rel:
            rule = "nofollow"
        if url is None or rule is not None:
            refused[rule or "not http"] += 1
        elif url not in kept:
            kept[url] = link if url == link.url else replace(link, url=url)
    return tuple(kept.values()), refused


@lru_cache(maxsize=4)
def _url_judge(filters: Filters) -> Callable[[str], tuple[str | None, str | None]]:
    """What tells the normal form of a URL, and the rule that leaves it out.

    The pages of a site share their menus, so most links have been judged a moment ago.
    """

    @lru_cache(maxsize=_URLS_REMEMBERED)
    def judged(url: str) -> tuple[str | None, str | None]:
        normal = normalise(url)
        return normal, None if normal is None else filters.refusal(normal) or trap(normal)

    return judged
