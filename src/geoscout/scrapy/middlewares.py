"""Where Scrapy tells of responses and failures, and passes on the requests of a spider."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response

from geoscout.scrapy.focus import Focus


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
