"""Where Scrapy calls geoscout: middlewares, pipeline, the mixin of spiders, and the add-on."""

from collections.abc import AsyncIterator
from typing import Any, Self

import msgspec
from itemadapter import ItemAdapter
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response
from scrapy.settings import BaseSettings

from geoscout.batch.rows import PageRow
from geoscout.scrapy.focus import Focus

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
