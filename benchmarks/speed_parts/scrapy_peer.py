"""Scrapy over the site, in three ways: as its documentation has it, and better.

    python scrapy_peer.py documented|extractor|best SEEDS_FILE CONCURRENCY

* documented: LinkExtractor, a request for every link, known ones dropped by the scheduler;
* extractor: LinkExtractor, and a request only for a link that is new;
* best: no LinkExtractor but lexbor and the standard library's urljoin, and a request only for a
  link that is new.

The first has Scrapy's own settings. The others have everything off that costs time and is not
asked for, and run on uvloop.
"""

# The peers live in an environment of their own, where mypy does not look.
# mypy: disable-error-code="import-not-found, misc"
from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urldefrag, urljoin

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from selectolax.lexbor import LexborHTMLParser

SETTINGS = {
    "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    "LOG_ENABLED": False,
    "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
    "TELNETCONSOLE_ENABLED": False,
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "REDIRECT_ENABLED": False,
    "HTTPPROXY_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "DOWNLOAD_DELAY": 0,
    "EXTENSIONS": {
        "scrapy.extensions.corestats.CoreStats": None,
        "scrapy.extensions.memusage.MemoryUsage": None,
        "scrapy.extensions.logstats.LogStats": None,
        "scrapy.extensions.throttle.AutoThrottle": None,
        "scrapy.extensions.feedexport.FeedExporter": None,
        "scrapy.extensions.spiderstate.SpiderState": None,
    },
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
        "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
        "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
        "scrapy.downloadermiddlewares.stats.DownloaderStats": None,
    },
    "SPIDER_MIDDLEWARES": {
        "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
        "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
        "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
        "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
    },
}


DOCUMENTED = {"LOG_LEVEL": "INFO", "ROBOTSTXT_OBEY": True, "DOWNLOAD_DELAY": 0}


class Documented(scrapy.Spider):
    """The way of Scrapy's own tutorial."""

    name = "documented"
    seeds: ClassVar[list[str]] = []
    pages = 0
    known: ClassVar[set[str]] = set()

    async def start(self) -> Any:
        for url in self.seeds:
            yield scrapy.Request(url)

    def parse(self, response: Any) -> Iterator[scrapy.Request]:
        type(self).pages += 1
        for url in self.links(response):
            self.known.add(url)
            yield scrapy.Request(url)

    def links(self, response: Any) -> Iterator[str]:
        return (link.url for link in LINKS.extract_links(response))


class Extractor(Documented):
    """The same, but known links become no requests."""

    name = "extractor"

    def parse(self, response: Any) -> Iterator[scrapy.Request]:
        type(self).pages += 1
        known = self.known
        for url in self.links(response):
            if url not in known:
                known.add(url)
                yield scrapy.Request(url, dont_filter=True)


class Best(Extractor):
    """Links by lexbor."""

    name = "best"

    def links(self, response: Any) -> Iterator[str]:
        base = response.url
        nodes = LexborHTMLParser(response.body).css("a[href]")
        for reference in {node.attributes["href"] for node in nodes}:
            yield urldefrag(urljoin(base, reference)).url


LINKS = LinkExtractor()
SPIDERS = {spider.name: spider for spider in (Documented, Extractor, Best)}


def main() -> None:
    way, seeds, concurrency = sys.argv[1:]
    spider = SPIDERS[way]
    spider.seeds = Path(seeds).read_text().split()
    spider.known.update(spider.seeds)
    at_once = {
        "CONCURRENT_REQUESTS": int(concurrency),
        "CONCURRENT_REQUESTS_PER_DOMAIN": int(concurrency),
    }
    process = CrawlerProcess({**(DOCUMENTED if way == "documented" else SETTINGS), **at_once})
    process.crawl(spider)
    started, cpu = time.perf_counter(), time.process_time()
    process.start()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - started
    result = {"pages": spider.pages, "known": len(spider.known), "cpu": cpu, "wall": wall}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
