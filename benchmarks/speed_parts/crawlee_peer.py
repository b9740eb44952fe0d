"""Crawlee over the site at its quickest: its plain HTTP crawler, its Rust client, links by lexbor.

    python crawlee_peer.py SEEDS_FILE CONCURRENCY

Everything is kept in memory, sessions and retries are off, a request is made only for a link that
is new, and the event loop is uvloop. Its enqueue_links and its other parsers are slower.
"""

# The peers live in an environment of their own, where mypy does not look.
# mypy: disable-error-code="import-not-found, untyped-decorator"
from __future__ import annotations

import json
import logging
import sys
import time
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import uvloop
from crawlee import ConcurrencySettings
from crawlee.crawlers import HttpCrawler, HttpCrawlingContext
from crawlee.http_clients import ImpitHttpClient
from crawlee.storage_clients import MemoryStorageClient
from selectolax.lexbor import LexborHTMLParser


async def crawl(seeds: list[str], concurrency: int) -> tuple[int, int]:
    known = set(seeds)
    pages = 0
    crawler = HttpCrawler(
        http_client=ImpitHttpClient(),
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=concurrency,
            desired_concurrency=concurrency,
            max_concurrency=concurrency,
        ),
        max_request_retries=0,
        use_session_pool=False,
        configure_logging=False,
    )

    @crawler.router.default_handler
    async def handle(context: HttpCrawlingContext) -> None:
        nonlocal pages
        pages += 1
        base = context.request.url
        nodes = LexborHTMLParser(await context.http_response.read()).css("a[href]")
        links = {urldefrag(urljoin(base, node.attributes["href"] or "")).url for node in nodes}
        new = links - known
        if new:
            known.update(new)
            await context.add_requests(list(new))

    await crawler.run(seeds)
    return pages, len(known)


def main() -> None:
    logging.disable(logging.CRITICAL)
    seeds, concurrency = sys.argv[1:]
    urls = Path(seeds).read_text().split()
    started, cpu = time.perf_counter(), time.process_time()
    pages, known = uvloop.run(crawl(urls, int(concurrency)))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - started
    print(json.dumps({"pages": pages, "known": known, "cpu": cpu, "wall": wall}))


if __name__ == "__main__":
    main()
