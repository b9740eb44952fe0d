"""What one run of a spider needs of geoscout: a strategy, a geoparser, and what they remember.

Everything is made once for a crawler, from Scrapy's settings, and shared by the middlewares, the
queue, the pipeline and the mixin. Pages are read in Scrapy's own process, between two of its turns:
that keeps this thin, and costs the reading time of each page.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response, TextResponse
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
