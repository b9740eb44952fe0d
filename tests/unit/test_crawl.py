"""The loop alone; whole crawls are in tests/flow."""

from __future__ import annotations

import asyncio
import random
from typing import cast

import pytest

from geoscout.crawl import Crawl, Plan, Stages
from geoscout.crawling.follow import Follower, Reach
from geoscout.crawling.read import ReadResult
from geoscout.fetch.base import Fetcher
from geoscout.fetch.retries import Health, Patience
from geoscout.model import Request, RequestKind, Response, SiteKnowledge
from geoscout.state.base import Beginning, Writing
from geoscout.strategy import StrategyAim, create_strategy
from tests.memory.state import MemoryBackend


class Endless:
    """A fetcher whose answers never come."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.was_cancelled = False

    async def resolve(self, host: str) -> str:
        return ""

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise
        raise AssertionError


async def read(response: Response, kind: RequestKind, site: SiteKnowledge | None) -> ReadResult:
    return ReadResult()


def test_a_crawl_that_is_cancelled_cancels_what_is_in_flight() -> None:
    async def cancelled() -> bool:
        fetcher = Endless()
        beginning = Beginning([Request("http://a.example/")])
        state = MemoryBackend().create("here", beginning, Writing())
        strategy, web = create_strategy("breadth", StrategyAim()), cast("Fetcher", fetcher)
        stages = Stages(
            state=state,
            fetcher=web,
            health=Health(Patience(), random.Random(1)),
            read=read,
            strategy=strategy,
            follower=Follower(strategy, Reach(), web),
        )
        running = asyncio.create_task(Crawl(stages, Plan()).run())
        await fetcher.begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.sleep(0)
        return fetcher.was_cancelled

    assert asyncio.run(cancelled())
