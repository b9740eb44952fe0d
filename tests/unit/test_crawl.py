"""The loop alone; whole crawls are in tests/flow."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
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


def stages_of(web: Fetcher, requests: list[Request]) -> Stages:
    strategy = create_strategy("breadth", StrategyAim())
    return Stages(
        state=MemoryBackend().create("here", Beginning(requests), Writing()),
        fetcher=web,
        health=Health(Patience(), random.Random(1)),
        read=read,
        strategy=strategy,
        follower=Follower(strategy, Reach(), web),
    )


class Prompt:
    """A fetcher that answers at once, sets the wall clock after the first answer, and keeps log."""

    def __init__(self, set_clock: Callable[[], None]) -> None:
        self._set_clock = set_clock
        self.asked: list[float] = []  # monotonic times

    async def resolve(self, host: str) -> str:
        return ""

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        self.asked.append(time.monotonic())
        if len(self.asked) == 1:
            self._set_clock()
        return Response(
            url=request.url,
            status=404,
            headers=(),
            body=b"",
            address="",
            fetched_at=0.0,
            seconds=0.0,
        )

    def delay_after(self, response: Response) -> float:
        return 0.2


@pytest.mark.parametrize("set_by", [-3600.0, 3600.0])
def test_setting_the_clock_neither_stops_a_crawl_nor_shortens_pauses(
    monkeypatch: pytest.MonkeyPatch, set_by: float
) -> None:
    true_time = time.time

    async def crawl() -> list[float]:
        web = Prompt(lambda: monkeypatch.setattr(time, "time", lambda: true_time() + set_by))
        requests = [Request(f"http://a.example/{page}") for page in range(3)]
        stages = stages_of(cast("Fetcher", web), requests)
        await asyncio.wait_for(Crawl(stages, Plan()).run(), timeout=5)
        return web.asked

    first, second, third = asyncio.run(crawl())

    assert second - first >= 0.19
    assert third - second >= 0.19


def test_a_crawl_that_is_cancelled_cancels_what_is_in_flight() -> None:
    async def cancelled() -> bool:
        fetcher = Endless()
        stages = stages_of(cast("Fetcher", fetcher), [Request("http://a.example/")])
        running = asyncio.create_task(Crawl(stages, Plan()).run())
        await fetcher.begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.sleep(0)
        return fetcher.was_cancelled

    assert asyncio.run(cancelled())
