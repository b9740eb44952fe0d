"""Pages about a region that a Scrapy spider finds in its own order and in that of a strategy.

    python -m benchmarks.scrapy_order FOLDER --region München --pages 500

FOLDER has WARC files and a `seeds.txt`. A spider that follows every link asks this archive in place
of the web, one request at a time, so that only the order of its requests differs. Each order runs
in a process of its own. Harvest is counted by the same geoparser for all of them, afterwards; the
cost is processor time of the whole process for each response, without start-up.

    python -m benchmarks.scrapy_order WEB --order "scrapy, depth first" --pages 2000 --list web.txt

writes a list for `geoscout geofocus score`: every request of a spider that follows dead links, too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.responsetypes import responsetypes

from geoscout.batch.documents import ArchivedDocument
from geoscout.batch.rows import RowReader, batch_options
from geoscout.crawling.options import relevance_rule
from geoscout.fetch.archive import ArchiveFetcher, archive_files
from geoscout.settings import DEFAULT_RELEVANCE, load_settings
from geoscout_places.errors import FetchError
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.model import Request
from geoscout_places.urls import normalise

_FIFO = "scrapy.squeues.FifoMemoryQueue"
ADDON = {"ADDONS": {"geoscout.scrapy.GeoscoutAddon": 500}}
ORDERS: dict[str, dict[str, Any]] = {
    "scrapy, depth first": {},
    "scrapy, breadth first": {"DEPTH_PRIORITY": 1, "SCHEDULER_MEMORY_QUEUE": _FIFO},
    "geoscout distance": {**ADDON, "GEOSCOUT_STRATEGY": "distance"},
    "geoscout hybrid": {**ADDON, "GEOSCOUT_STRATEGY": "hybrid"},
}


class ArchiveHandler:
    """What downloads, from an archive; a name that it does not have is a 404."""

    lazy = False
    fetcher: ArchiveFetcher
    asked: list[str]

    @classmethod
    def from_crawler(cls, crawler: Any) -> ArchiveHandler:
        handler = cls()
        handler.fetcher = crawler.spider.web
        handler.asked = crawler.spider.asked
        return handler

    async def download_request(self, request: Any) -> Response:
        url = normalise(request.url) or request.url
        self.asked.append(request.url)
        try:
            found = await self.fetcher.fetch(Request(url))
        except FetchError:
            return Response(request.url, 404)
        headers = {b"Content-Type": found.header("content-type").encode("latin-1")}
        kind = responsetypes.from_args(headers=headers, url=found.url, body=found.body)
        return kind(found.url, found.status, headers=headers, body=found.body)

    async def close(self) -> None:
        await self.fetcher.close()


class LinksSpider(Spider):
    """Follows every link that the archive has, or all."""

    name = "links"
    extractor = LinkExtractor()
    web: ArchiveFetcher
    asked: list[str]  # every request, in order
    follows_all = False

    def parse(self, response: Response, **_: Any) -> Any:
        if not isinstance(response, TextResponse):
            return
        for link in self.extractor.extract_links(response):
            if self.follows_all or self.web.known_as(normalise(link.url) or link.url):
                yield response.follow(link)


def open_web(folder: Path) -> ArchiveFetcher:
    """The archive, whose index is kept for the next process."""
    return ArchiveFetcher(archive_files([folder]), cache=home_folder(load_settings()) / "archives")


def crawl(given: argparse.Namespace) -> None:
    """Run one order; write its list, or print the URLs of its responses and the time as JSON."""
    pages = given.pages
    asked: list[str] = []
    urls: list[str] = []
    times: list[float] = []

    def note(response: Response) -> None:
        if response.status == 200:
            urls.append(response.url)
            times.append(time.process_time())

    handler = "benchmarks.scrapy_order.ArchiveHandler"
    settings = {
        "GEOSCOUT_REGION": given.region,
        "GEOSCOUT_RELEVANCE": given.relevance,
        "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
        "CONCURRENT_REQUESTS": 1,
        "CLOSESPIDER_PAGECOUNT": pages + 20,
        "DOWNLOAD_DELAY": 0,
        "LOG_LEVEL": "ERROR",
        "ROBOTSTXT_OBEY": False,
        "TELNETCONSOLE_ENABLED": False,
        **ORDERS[given.order],
    }
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(LinksSpider)
    crawler.signals.connect(note, signals.response_received, weak=False)
    seeds = (given.folder / "seeds.txt").read_text().split()
    known = {"web": open_web(given.folder), "asked": asked, "follows_all": bool(given.list)}
    process.crawl(crawler, start_urls=seeds, **known)
    process.start()
    if given.list:
        given.list.write_text("".join(f"{url}\n" for url in asked[:pages]))
        return
    last = times[: pages + 1][-1]
    print(json.dumps({"urls": urls[:pages], "seconds": last - times[0]}))


def relevant_of(folder: Path, region: str, rule: str, urls: set[str]) -> set[str]:
    """Which of the pages are about the region."""
    settings = load_settings()
    options = batch_options(
        settings, format="jsonl", region=(region,), relevance=relevance_rule(rule)
    )
    reader = RowReader(options, settings)
    fetcher = open_web(folder)

    async def judge() -> set[str]:
        found = set()
        for url in urls:
            response = await fetcher.fetch(Request(normalise(url) or url))
            document = ArchivedDocument(
                url, "", response.header("content-type"), "", offset=0, length=0, body=response.body
            )
            if reader.read(document)[1].relevant:
                found.add(url)
        return found

    return asyncio.run(judge())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--region", default="")
    parser.add_argument("--relevance", default=DEFAULT_RELEVANCE)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--order", choices=ORDERS, help="one of them, in this process")
    parser.add_argument("--list", type=Path, help="where its list goes")
    given = parser.parse_args()
    if given.order:
        crawl(given)
        return
    runs: dict[str, dict[str, Any]] = {}
    for order in ORDERS:
        words = [sys.executable, "-m", "benchmarks.scrapy_order", *sys.argv[1:], "--order", order]
        done = subprocess.run(words, env=os.environ, capture_output=True, text=True, check=True)
        runs[order] = json.loads(done.stdout.splitlines()[-1])
    pages = {url for run in runs.values() for url in run["urls"]}
    relevant = relevant_of(given.folder, given.region, given.relevance, pages)
    for order, run in runs.items():
        number, harvest = len(run["urls"]), sum(url in relevant for url in run["urls"])
        cost = 1000 * run["seconds"] / number
        print(f"{order:24} {number:5} pages {harvest:5} relevant {cost:7.1f} ms a page")


if __name__ == "__main__":
    main()
