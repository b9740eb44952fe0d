"""geoscout's own fetcher, parser, URLs and frontier over the site, without the rest of the crawl.

    python geoscout_parts.py links|pages SEEDS_FILE CONCURRENCY

* links: only the links of a page are read, from lexbor's tree: the work that the peers do;
* pages: `parse_html`, which besides finds the text, its parts, and what stands around each link.

Both ask robots.txt, check addresses, and keep to one request at a time for a host and an address,
as the crawl does; the pause between two is 0.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.http.rules import HttpRules
from geoscout.fetch.politeness import Manners
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.machine import run_on_loop
from geoscout_places.model import Request, Response
from geoscout_places.parse import parse_html
from geoscout_places.parse.links import ReferenceResolver
from geoscout_places.urls import host_of, normalise

Read = Callable[[Response], Iterable[str]]


def links(response: Response) -> Iterable[str]:
    nodes = LexborHTMLParser(response.body).css("a[href]")
    resolve = ReferenceResolver(response.url).resolve
    return [resolve(node.attributes["href"] or "") for node in nodes]


def pages(response: Response) -> Iterable[str]:
    content_type = response.header("content-type")
    return [link.url for link in parse_html(response.body, response.url, content_type).links]


READERS: dict[str, Read] = {"links": links, "pages": pages}


class Crawl:
    """A loop like that of `crawl.py`, over the parts that are measured."""

    def __init__(self, read: Read, seeds: list[str]) -> None:
        manners = Manners(delay_seconds=0.0, delay_factor=0.0)
        rules = HttpRules("geoscout/benchmark", manners=manners, allow_private=True)
        self.fetcher = HttpFetcher(rules)
        database = sqlite3.connect(":memory:", isolation_level=None)
        database.executescript(TABLES)
        self.frontier = SqliteFrontier(database)
        self.read = read
        self.pages = 0
        self.frontier.put([Request(url, 1.0) for url in seeds])

    async def run(self, concurrency: int) -> None:
        in_flight: set[asyncio.Task[None]] = set()
        while True:
            while len(in_flight) < concurrency and (request := self.frontier.next(time.time())):
                task = asyncio.create_task(self.visit(request))
                in_flight.add(task)
                task.add_done_callback(in_flight.discard)
            if not in_flight:
                break
            finished, _ = await asyncio.wait(in_flight, return_when=asyncio.FIRST_COMPLETED)
            for task in finished:
                task.result()
        await self.fetcher.close()

    async def visit(self, request: Request) -> None:
        host = host_of(request.url)
        if not self.frontier.bind(host, await self.fetcher.resolve(host), time.time()):
            return
        response = await self.fetcher.fetch(request)
        depth, parent = request.depth + 1, request.url
        # Each once: a page names many of its links twice.
        found = dict.fromkeys(map(normalise, self.read(response)))
        requests = [Request(url, 0.5, depth, 1, parent) for url in found if url]
        self.frontier.put(requests)
        self.frontier.done(request, time.time(), 0.0)
        self.pages += 1


async def crawl(read: Read, seeds: list[str], concurrency: int) -> tuple[int, int]:
    crawl = Crawl(read, seeds)
    await crawl.run(concurrency)
    counts = crawl.frontier.counts()
    return crawl.pages, counts.done + counts.waiting + counts.failed


def main() -> None:
    way, seeds, concurrency = sys.argv[1:]
    urls = Path(seeds).read_text().split()
    started, cpu = time.perf_counter(), time.process_time()
    done, known = run_on_loop(crawl(READERS[way], urls, int(concurrency)))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - started
    print(json.dumps({"pages": done, "known": known, "cpu": cpu, "wall": wall}))


if __name__ == "__main__":
    main()
