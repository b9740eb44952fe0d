"""What one run of a spider needs of geoscout: a strategy, a geoparser, and what they remember.

Everything is made once for a crawler, from Scrapy's settings, and shared by the middlewares, the
queue, the pipeline and the mixin. Pages are read in Scrapy's own process, between two of its turns:
that keeps this thin, and costs the reading time of each page.

Scrapy calls the middlewares, the pipeline, the mixin of spiders and the add-on behind it.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple, Self
from weakref import WeakKeyDictionary

import msgspec
from itemadapter import ItemAdapter
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.http import Response, TextResponse
from scrapy.settings import BaseSettings
from scrapy.utils.job import job_dir

from geoscout.batch.documents import ArchivedDocument
from geoscout.batch.rows import PageRow, RowReader, batch_options
from geoscout.crawling.copies import SeenTexts
from geoscout.crawling.options import relevance_rule
from geoscout.crawling.requests import SEED_PRIORITY, Followed, requests_from
from geoscout.settings import load_settings
from geoscout.strategy import LinkOutcome, Source, StrategyAim, abilities_of, create_strategy
from geoscout_places import model
from geoscout_places.model import Link, Page, Reading
from geoscout_places.parse.likeness import fingerprint
from geoscout_places.urls import normalise

META = "geoscout"  # the key of what a request carries
_MODEL_FILE = "geoscout.model"
_KEEP_MODEL_EVERY = 1_000  # responses; a crash forgets no more of what the strategy learned
_READINGS_REMEMBERED = 1_000  # for items that come after their page

_known: WeakKeyDictionary[Crawler, Focus] = WeakKeyDictionary()


class LinkNote(msgspec.Struct, frozen=True):
    """What a request carries for the strategy, in its meta, as plain values that can be kept."""

    score: float = SEED_PRIORITY
    depth: int = 0
    distance: int = 0
    parent: str = ""
    features: bytes = b""

    @classmethod
    def of(cls, request: Request) -> LinkNote:
        """That of a request; the defaults for one that was not scored, such as a start request."""
        return cls(*request.meta.get(META, ()))

    def waiting(self, url: str) -> model.Request:
        return model.Request(
            url, self.score, self.depth, self.distance, self.parent, features=self.features
        )


class PageFound(NamedTuple):
    page: Page
    reading: Reading
    row: PageRow


class Focus:
    """A strategy and a geoparser for one crawler. Get it with `Focus.of`."""

    def __init__(self, crawler: Crawler) -> None:
        """Read the settings of Scrapy that begin with GEOSCOUT_.

        Raises:
            NotConfigured: there is no region.
            UsageError: one of the settings is wrong.
        """
        found = crawler.settings
        region = (
            tuple(found.getlist("GEOSCOUT_REGION"))
            if isinstance(found.get("GEOSCOUT_REGION"), list | tuple)
            else ()
        )
        region = region or tuple(filter(None, [found.get("GEOSCOUT_REGION")]))
        if not region:
            raise NotConfigured("set GEOSCOUT_REGION to the region that the spider looks for")
        settings = load_settings(flags=found.getdict("GEOSCOUT_SETTINGS"))
        rule = relevance_rule(found.get("GEOSCOUT_RELEVANCE", settings.relevance))
        self._reader = RowReader(
            batch_options(settings, format="jsonl", region=region, relevance=rule), settings
        )
        aim = StrategyAim(self._reader.region, self._reader.gazetteer, chance=random.Random(0))
        strategy = create_strategy(found.get("GEOSCOUT_STRATEGY", "hybrid"), aim)
        self.strategy = abilities_of(strategy)
        self.rescored: list[Callable[..., None]] = []  # `StrategyQueue.rescore` of each queue
        self._stats = crawler.stats
        self._texts = SeenTexts()
        self._responses = 0
        self._by_response: WeakKeyDictionary[Response, PageFound] = WeakKeyDictionary()
        self._by_url: OrderedDict[str, PageFound] = OrderedDict()
        folder = job_dir(found)
        self._model = Path(folder) / _MODEL_FILE if folder else None
        if self._model and self._model.is_file():
            self.strategy.load(self._model.read_bytes())
        crawler.signals.connect(self.keep, signals.spider_closed)

    @classmethod
    def of(cls, crawler: Crawler) -> Focus:
        """That of a crawler; made when it is first asked for."""
        if crawler not in _known:
            _known[crawler] = cls(crawler)
        return _known[crawler]

    def found_in(self, response: Response) -> PageFound | None:
        """What a page says; None for what is not a text. A page is read once."""
        if not isinstance(response, TextResponse):
            return None
        if response not in self._by_response:
            found = self._read(response)
            self._by_response[response] = found
            self._by_url[response.url] = found
            if len(self._by_url) > _READINGS_REMEMBERED:
                self._by_url.popitem(last=False)
        return self._by_response[response]

    def _found_in_page(self, response: Response) -> PageFound | None:
        return self.found_in(response) if response.status == HTTPStatus.OK else None

    def found_at(self, url: str) -> PageFound | None:
        """What the page of a URL said, if it was one of the last thousand."""
        return self._by_url.get(url)

    def learn(self, response: Response) -> None:
        """Let the strategy learn from a response, and score again what waits when it wants to."""
        request = response.request
        if request is None:
            return
        note, url = LinkNote.of(request), normalise(response.url) or response.url
        found = self._found_in_page(response)
        relevant = bool(found and found.row.relevant)
        mark = fingerprint(found.page) if found else 0
        copy = self._texts.add(url, mark, note.parent).is_copy
        reading, waited = found.reading if found else None, note.waiting(url)
        self.strategy.learn(LinkOutcome(waited, response.status, relevant, copy, reading))
        self._count("geoscout/responses")
        self._count("geoscout/relevant", int(relevant))
        self._responses += 1
        if most := self.strategy.due(self._responses):
            for rescore in self.rescored:
                rescore(most, self.strategy.rescore)
        if self._responses % _KEEP_MODEL_EVERY == 0:
            self.keep()

    def give_up(self, request: Request) -> None:
        """A request that will never be answered."""
        url = normalise(request.url) or request.url
        self.strategy.learn(LinkOutcome(LinkNote.of(request).waiting(url), 0))

    def scored(self, response: Response, requests: list[Request]) -> Iterable[Request]:
        """The requests that a page led to, with their scores; without those that are dropped."""
        found = self._found_in_page(response)
        url = normalise(response.url) or response.url
        note = LinkNote.of(response.request) if response.request else LinkNote()
        page = found.page if found else Page.empty(url)
        relevant = bool(found and found.row.relevant)
        source = Source(note.waiting(url), page, relevant, found.reading if found else None)
        links = _links(page, requests)
        scores = self.strategy.score(source, links)
        followed = Followed(url, note.depth, note.distance, relevant)
        kept = requests_from(followed, requests, scores, _noted)
        self._count("geoscout/dropped", len(requests) - len(kept))
        return kept

    def keep(self) -> None:
        """Keep what the strategy has learned in the folder of the job, if there is one."""
        if self._model:
            self._model.parent.mkdir(parents=True, exist_ok=True)
            new = self._model.with_suffix(".new")
            new.write_bytes(self.strategy.save())
            new.replace(self._model)

    def _read(self, response: TextResponse) -> PageFound:
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        document = ArchivedDocument(
            response.url, "", content_type, "", offset=0, length=0, body=response.body
        )
        found, row = self._reader.read(document)
        return PageFound(found.page, found.reading, row)

    def _count(self, name: str, number: int = 1) -> None:
        if self._stats is not None and number:
            self._stats.inc_value(name, number)


def _links(page: Page, requests: Iterable[Request]) -> list[Link]:
    """The link of the page behind each request; one without any words where it has none."""
    known = {normalise(link.url): link for link in reversed(page.links)}
    urls = [normalise(request.url) or request.url for request in requests]
    return [msgspec.structs.replace(known.get(url, Link.to(url)), url=url) for url in urls]


def _noted(  # noqa: PLR0913, PLR0917 - a record, field by field
    request: Request, score: float, features: bytes, depth: int, distance: int, parent: str
) -> Request:
    note: tuple[Any, ...] = (score, depth, distance, parent, features)
    return request.replace(meta={**request.meta, META: list(note)})


_ROOM = "geoscout.scrapy"
# Before HttpErrorMiddleware (50), so that strategies hear of pages that are missing, too.
_SPIDER_ORDER = 40
# Nearer to the engine than RetryMiddleware (550): it hears of requests that were given up.
_DOWNLOADER_ORDER = 90
_PIPELINE_ORDER = 100


class GeoscoutAddon:
    """Turns on the order of requests, the reading of pages and the pipeline for items."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Called by Scrapy; what a project sets itself counts more."""
        _add(settings, "SPIDER_MIDDLEWARES", "GeoSpiderMiddleware", _SPIDER_ORDER)
        _add(settings, "DOWNLOADER_MIDDLEWARES", "GeoDownloaderMiddleware", _DOWNLOADER_ORDER)
        _add(settings, "ITEM_PIPELINES", "GeoPipeline", _PIPELINE_ORDER)
        settings.set("SCHEDULER_PRIORITY_QUEUE", f"{_ROOM}.StrategyQueue", priority="addon")


def _add(settings: BaseSettings, name: str, part: str, order: int) -> None:
    if not any(str(key).endswith(part) for key in settings.getwithbase(name)):
        settings[name][f"{_ROOM}.{part}"] = order


_OF_ARCHIVES = ("date", "offset", "length", "url")  # columns that say nothing of a live page


class GeoSpiderMixin:
    """Adds `geo` and `is_relevant` to a spider: `class MySpider(GeoSpiderMixin, Spider)`."""

    crawler: Crawler  # set by Scrapy

    def geo(self, response: Response) -> PageRow | None:
        """Places, addresses, main place and relevance of a page; None for what is not a text."""
        found = Focus.of(self.crawler).found_in(response)
        return found.row if found else None

    def is_relevant(self, response: Response) -> bool:
        """Whether a page is about the region."""
        row = self.geo(response)
        return bool(row and row.relevant)


class GeoPipeline:
    """Gives each item what its page says of places, by the URL in the item.

    An item without such a URL, or with a `geo` of its own, is left as it is.
    """

    def __init__(self, focus: Focus, url: str, geo: str, *, drops: bool) -> None:
        """`url` and `geo` are names of fields; `drops`: items of other pages are dropped."""
        self._focus, self._url, self._geo, self._drops = focus, url, geo, drops

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        return cls(
            Focus.of(crawler),
            settings.get("GEOSCOUT_URL_FIELD", "url"),
            settings.get("GEOSCOUT_GEO_FIELD", "geo"),
            drops=settings.getbool("GEOSCOUT_DROP_OTHERS"),
        )

    def process_item(self, item: Any, spider: object = None) -> Any:  # noqa: ARG002
        """Add the field.

        Raises:
            DropItem: its page is not about the region, and such items are not wanted.
        """
        adapter = ItemAdapter(item)
        found = self._focus.found_at(str(adapter.get(self._url) or ""))
        if found is None:
            return item
        if self._drops and not found.row.relevant:
            raise DropItem("its page is not about the region")
        if not adapter.get(self._geo):
            adapter[self._geo] = geo_fields(found.row)
        return item


def geo_fields(row: PageRow) -> dict[str, Any]:
    """The columns of `geoscout geoparse --warc` as plain values, without those of archives."""
    fields: dict[str, Any] = msgspec.to_builtins(row)
    return {name: value for name, value in fields.items() if name not in _OF_ARCHIVES}


class GeoSpiderMiddleware:
    """Reads pages, lets the strategy learn from them, and scores the requests they lead to."""

    def __init__(self, focus: Focus) -> None:
        self._focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Focus.of(crawler))

    def process_spider_input(self, response: Response, spider: Spider | None = None) -> None:  # noqa: ARG002
        """Called with each response before the spider gets it."""
        self._focus.learn(response)

    async def process_spider_output(
        self,
        response: Response,
        result: AsyncIterator[Any],
        spider: Spider | None = None,  # noqa: ARG002
    ) -> AsyncIterator[Any]:
        """Pass on items at once, and requests when the callback has ended, scored together."""
        requests: list[Request] = []
        async for found in result:
            if isinstance(found, Request):
                requests.append(found)
            else:
                yield found
        for request in self._focus.scored(response, requests):
            yield request


class GeoDownloaderMiddleware:
    """Tells the strategy of requests that get no response."""

    def __init__(self, focus: Focus) -> None:
        self._focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Focus.of(crawler))

    def process_exception(
        self,
        request: Request,
        exception: Exception,  # noqa: ARG002
        spider: Spider | None = None,  # noqa: ARG002
    ) -> None:
        """Called when nobody tries the request again."""
        self._focus.give_up(request)
