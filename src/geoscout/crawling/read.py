"""The work on one page: parse, geoparse, judge, pack. Pure, so that it can go to other processes.

`Reader` does it in place; `WorkerPool` keeps as many processes with a reader each. What travels
between them is the response there and a `Work` back, which has only what is asked of it later:
facts as the rows they will be, and the page without what the geoparser alone looks at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from geoscout.crawling.processes import Answer, Processes
from geoscout.crawling.transit import from_bytes, to_bytes
from geoscout.errors import NeverAgainError, TryLaterError
from geoscout.fetch.politeness import page_directives
from geoscout.fetch.sitemaps import parse_sitemap
from geoscout.gazetteer import Region, open_gazetteer
from geoscout.geo import Geoparser
from geoscout.geo.judge import Evidence, is_relevant
from geoscout.model import Link, Page, Reading, RequestKind, Response
from geoscout.parse import parse_html
from geoscout.parse.likeness import says_missing, simhash
from geoscout.settings import Settings
from geoscout.store.records import Exchange, pack_exchange, pack_links
from geoscout.strategy.filters import LANGUAGE, Filters, filters_for
from geoscout.urls import normalise, trap

NO_FILTERS = Filters(binary=False)
MOST_UNREAD = 10  # answers in a row; then it is not the pages that are to blame
AGENT = "geoscout"  # the name by which pages and robots.txt address us


class Work(Struct, frozen=True, gc=False):
    """What was made of a response; empty for what is no page."""

    page: Page | None = None  # of a `Reader` without blocks, links, items and meta
    reading: Reading | None = None
    relevant: bool = False
    exchange: Exchange | None = None  # its archive records and all its links, packed
    links: tuple[Link, ...] = ()  # those that may be followed, their URLs in normal form
    refused: Mapping[str, int] = {}  # links left out, by rule
    simhash: int = 0
    noindex: bool = False  # it asks not to be found
    missing: bool = False  # it only says that there is no such page
    sitemaps: tuple[str, ...] = ()  # further ones that a sitemap lists


@dataclass(frozen=True, slots=True)
class Task:
    """What a reader has to know besides the page."""

    settings: Settings
    region: tuple[str, ...]  # as the user wrote it; empty: every page with an address is relevant
    user_agent: str
    relevance: str = "address"  # an `Evidence`


class Reader:
    """Reads pages in this process."""

    def __init__(self, task: Task) -> None:
        gazetteer = open_gazetteer(task.settings)
        self._geoparser = Geoparser(gazetteer)
        self._region = Region.parse(task.region, gazetteer) if task.region else None
        self._evidence = Evidence(task.relevance)
        self._filters = filters_for(
            self._region.countries if self._region else (),
            binary=task.settings.filter_files,
            tlds=task.settings.filter_domains,
            language=task.settings.filter_languages,
        )
        self._user_agent = task.user_agent

    def read(self, response: Response, kind: RequestKind = RequestKind.PAGE) -> Work:
        """Parse, geoparse and judge one answer; `kind` is that of its request."""
        exchange = pack_exchange(response, self._user_agent)
        if kind == RequestKind.SITEMAP:
            return replace(read_sitemap(response, self._filters), exchange=exchange)
        work = read_page(response, self._filters)
        if work.page is None:
            return replace(work, exchange=exchange)
        reading = self._geoparser.read(work.page)
        relevant = bool(reading.addresses)
        if self._region is not None:
            relevant = is_relevant(reading, self._region, self._evidence)
        exchange = replace(exchange, links=pack_links(work.page.links))
        page = replace(work.page, blocks=(), links=(), items=(), meta=())
        return replace(work, page=page, reading=reading, relevant=relevant, exchange=exchange)

    async def __call__(self, response: Response, kind: RequestKind = RequestKind.PAGE) -> Work:
        """The same for the loop, which waits for it."""
        return self.read(response, kind)

    def close(self) -> None:
        """Nothing to give back."""


def read_page(response: Response, filters: Filters = NO_FILTERS) -> Work:
    """Parse an answer and sort its links, without looking for places."""
    content_type = response.header("content-type")
    page = parse_html(response.body, response.url, content_type)
    if says_missing(page):
        return Work(missing=True)
    directives = page_directives(AGENT, response.headers, page.meta)
    links: tuple[Link, ...] = ()
    refused: Mapping[str, int]
    if not directives.follow:
        refused = {"nofollow page": len(page.links)}
    elif filters.is_foreign(page.language):
        refused = {LANGUAGE: len(page.links)}
    else:
        links, refused = sort_links(page.links, filters)
    return Work(
        page,
        links=links,
        refused=refused,
        simhash=simhash(page.text),
        noindex=not directives.index,
    )


def read_sitemap(response: Response, filters: Filters = NO_FILTERS) -> Work:
    """The pages of a sitemap, as links without any text."""
    sitemap = parse_sitemap(response.body, response.url)
    links, refused = sort_links(
        tuple(Link(e.url, tag_path="sitemap") for e in sitemap.pages),
        filters,
    )
    page = Page(response.url, "", "", "", (), links=links)
    further = tuple(filter(None, map(normalise, sitemap.sitemaps)))
    return Work(page, links=links, refused=refused, sitemaps=further)


def sort_links(
    links: tuple[Link, ...], filters: Filters = NO_FILTERS
) -> tuple[tuple[Link, ...], Mapping[str, int]]:
    """The links that may be followed, each target once, and how many others by rule."""
    kept: dict[str, Link] = {}
    refused: Counter[str] = Counter()
    for link in links:
        url = normalise(link.url)
        rule = _refusal(link, url, filters)
        if url is None or rule is not None:
            refused[rule or "not http"] += 1
        elif url not in kept:
            kept[url] = link if url == link.url else replace(link, url=url)
    return tuple(kept.values()), refused


def _refusal(link: Link, url: str | None, filters: Filters) -> str | None:
    """The name of the rule that leaves a link out; None when none does."""
    if url is None:
        return "not http"
    if "nofollow" in link.rel:
        return "nofollow"
    return filters.refusal(url) or trap(url)


def _answer_with(task: Task) -> Answer:
    """What reads packed responses in another process."""
    reader = Reader(task)

    def answer(question: bytes) -> bytes:
        return to_bytes(reader.read(*from_bytes(question)))

    return answer


class WorkerPool:
    """Reads pages in other processes."""

    def __init__(self, task: Task, workers: int) -> None:
        self._processes = Processes(partial(_answer_with, task), workers)

    async def __call__(self, response: Response, kind: RequestKind = RequestKind.PAGE) -> Work:
        """Read one answer in whichever process is free.

        Raises:
            ConnectionError: the process ended twice, be it by this page or another.
        """
        work: Work = from_bytes(await self._processes.ask(to_bytes((response, kind))))
        return work

    def close(self) -> None:
        """End the processes."""
        self._processes.close()


class SafeReader:
    """Reads with another reader; a page it fails on is that page's failure, and no more."""

    def __init__(self, reader: Reader | WorkerPool) -> None:
        self._reader = reader
        self._unread = 0  # answers in a row

    async def __call__(self, response: Response, kind: RequestKind = RequestKind.PAGE) -> Work:
        """Read one answer.

        Raises:
            FetchError: kind "unread"; this answer cannot be read.
            Exception: nor can many others, so the fault is not theirs.
        """
        try:
            work = await self._reader(response, kind)
        except Exception as error:  # whatever a page can do to a parser
            self._unread += 1
            if self._unread > MOST_UNREAD:
                raise
            if isinstance(error, ConnectionError):
                raise TryLaterError("unread", response.url) from error
            raise NeverAgainError("unread", f"{response.url}: {_last_line(error)}") from error
        self._unread = 0
        return work

    def close(self) -> None:
        """Give back what the reader holds."""
        self._reader.close()


def _last_line(error: Exception) -> str:
    """What went wrong, in a line; an error of another process brings its whole traceback."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[-1] if lines else ''}"


def open_reader(task: Task, workers: int) -> SafeReader:
    """A reader in this process for no or one worker, else a pool."""
    return SafeReader(WorkerPool(task, workers) if workers > 1 else Reader(task))
