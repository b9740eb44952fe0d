"""Whole crawls over the fake web: the real loop, fetcher, frontier and store; quick limits."""

import asyncio
import json
import math
import random
import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from geoscout.collaborate import Collaboration, Origin, Partition
from geoscout.collaborate.base import CollaborationTraits
from geoscout.crawl import Crawl, Plan, Stages
from geoscout.crawling.follow import Follower, Reach
from geoscout.crawling.nodes import assigned
from geoscout.crawling.read import read_page, read_sitemap
from geoscout.crawling.read_result import ReadResult
from geoscout.fetch.browser import RenderingFetcher
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.http.rules import HttpLimits, HttpRules
from geoscout.fetch.politeness import Manners
from geoscout.fetch.retries import Health, Patience
from geoscout.machine import run_on_loop
from geoscout.state.sqlite import SqliteState
from geoscout.strategy.breadth import Breadth
from geoscout_places.model import Link, Request, RequestKind, Response, SiteKnowledge
from tests.fakeweb import FakeResolver

PATIENCE = Patience(tries=2, first_seconds=0.05, rests_after=50)
LIMITS = HttpLimits(
    connect_seconds=1, total_seconds=2, idle_seconds=0.5, rate_grace_seconds=0.5, least_rate=2000,
    body_bytes=1_000_000, decoded_bytes=2_000_000,
)  # fmt: skip


async def read_without_places(
    response: Response, kind: RequestKind, site: SiteKnowledge | None = None
) -> ReadResult:
    """Parsing only: what these tests are about does not depend on the geoparser."""
    return read_sitemap(response) if kind == RequestKind.SITEMAP else read_page(response)


class ByChecksum:
    """Three nodes; a URL belongs to one of them by its checksum, wherever it is found."""

    traits = CollaborationTraits(goes_by_url=True)

    @property
    def partition(self) -> Partition:
        raise NotImplementedError

    def assign(self, origin: Origin, links: Sequence[Link]) -> Sequence[tuple[str, ...]]:
        return [(f"node{zlib.crc32(link.url.encode()) % 3}",) for link in links]


def seed_requests(seeds: list[str], collaboration: Collaboration | None) -> list[Request]:
    return assigned([Request(url, 1.0) for url in seeds], collaboration)


async def _crawl(folder: Path, seeds: list[str], resolver: FakeResolver, options: dict) -> Crawl:
    state = SqliteState(folder)
    collaboration = ByChecksum() if options.get("nodes") else None
    state.frontier.put(seed_requests(seeds, collaboration))  # known ones are left alone
    await state.commit()
    manners = Manners(delay_seconds=options.get("delay", 0.0), delay_factor=0.0)
    rules = HttpRules(
        "geoscout-test", manners=manners, limits=LIMITS, allowed_networks=("127.0.0.0/8",)
    )
    fetcher = HttpFetcher(rules, resolver=resolver)
    if "renderer" in options:
        fetcher = RenderingFetcher(fetcher, fetcher.ask_for_page, options["renderer"], "auto")
    strategy = Breadth()
    follower = Follower(strategy, Reach(options.get("max_depth")), fetcher, collaboration)
    health = Health(PATIENCE, random.Random(1))
    read = options.get("read", read_without_places)
    stages = Stages(state, fetcher, health, read, strategy, follower=follower)
    crawl = Crawl(stages, Plan(options.get("max_pages", math.inf), 20))
    try:
        # Hosts whose robots.txt cannot be had are asked again for ever; a test has to end.
        asyncio.get_running_loop().call_later(options.get("seconds", 60), crawl.stop)
        await crawl.run()
    finally:
        await fetcher.close()
        state.close()
    return crawl


def crawl_to_the_end(
    folder: Path, seeds: list[str], addresses: Mapping[str, str], **options: object
) -> Crawl:
    """Start or resume the crawl of a folder."""
    return run_on_loop(_crawl(folder, seeds, FakeResolver(addresses), options))


if __name__ == "__main__":  # the process that the crash test kills
    given = json.loads(sys.argv[1])
    crawl_to_the_end(Path(given["folder"]), given["seeds"], given["addresses"], **given["options"])
