"""The loop alone; whole crawls are in tests/flow."""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import cast

import pytest
from msgspec.structs import replace

from geoscout.crawl import Crawl, Plan, Stages
from geoscout.crawling.follow import Follower, Reach
from geoscout.crawling.read_result import ReadResult
from geoscout.fetch.base import Fetcher
from geoscout.fetch.retries import Health, Patience
from geoscout.state.base import Beginning, create_state
from geoscout.strategy import StrategyAim, create_strategy
from geoscout_places.clock import steady_time
from geoscout_places.model import Request, RequestKind, Response, SiteKnowledge


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


StagesOf = Callable[[object, list[Request]], Stages]


@pytest.fixture
def stages_of(tmp_path):
    """Makes the parts of a crawl of some requests by a fetcher."""
    with ExitStack() as states:

        def make(web: object, requests: list[Request]) -> Stages:
            state = create_state(tmp_path / "crawl", Beginning(requests))
            states.callback(state.close)
            strategy, fetcher = create_strategy("breadth", StrategyAim()), cast("Fetcher", web)
            return Stages(
                state=state,
                fetcher=fetcher,
                health=Health(Patience(), random.Random(1)),
                read=read,
                strategy=strategy,
                follower=Follower(strategy, Reach(), fetcher),
            )

        yield make


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
    stages_of, monkeypatch, set_by
):
    true_time = time.time

    async def crawl() -> list[float]:
        web = Prompt(lambda: monkeypatch.setattr(time, "time", lambda: true_time() + set_by))
        requests = [Request(f"http://a.example/{page}") for page in range(3)]
        stages = stages_of(web, requests)
        await asyncio.wait_for(Crawl(stages, Plan()).run(), timeout=5)
        return web.asked

    first, second, third = asyncio.run(crawl())

    assert second - first >= 0.19
    assert third - second >= 0.19


class OneBroken:
    """A fetcher of one host, whose best page always has the status 503."""

    def __init__(self, delay: float, status: int = 404) -> None:
        self._delay, self._status = delay, status
        self.asked: list[str] = []

    async def resolve(self, host: str) -> str:
        return ""

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        self.asked.append(request.url.rpartition("/")[2])
        return Response(
            url=request.url,
            status=503 if self.asked[-1] == "bad" else self._status,
            headers=(),
            body=b"",
            address="",
            fetched_at=0.0,
            seconds=0.0,
        )

    def delay_after(self, response: Response) -> float:
        return self._delay

    def delay_after_failure(self, url: str) -> float:
        return self._delay


BROKEN = [
    Request("http://a.example/bad", 9.0),
    *(Request(f"http://a.example/{n}", 1.0) for n in range(10)),
]


async def crawled(stages_of: StagesOf, web: OneBroken, patience: Patience) -> list[str]:
    stages = replace(stages_of(web, BROKEN), health=Health(patience, random.Random(1)))
    crawl = Crawl(stages, Plan(max_pages=10))
    await asyncio.wait_for(crawl.run(), timeout=10)
    return web.asked


def test_failing_page_does_not_hold_up_the_others_of_its_host(stages_of):
    web = OneBroken(0.01)  # it would be asked again after 30 s

    asked = asyncio.run(crawled(stages_of, web, Patience()))

    assert sorted(asked) == [*map(str, range(10)), "bad"]


def test_failing_page_does_not_have_the_next_turn_of_a_slow_host(stages_of):
    async def fail_once() -> Crawl:
        stages = stages_of(OneBroken(100.0), BROKEN)
        crawl = Crawl(stages, Plan())
        asyncio.get_running_loop().call_later(0.2, crawl.stop)
        await asyncio.wait_for(crawl.run(), timeout=10)
        return crawl

    frontier, now = asyncio.run(fail_once()).frontier, steady_time()
    asked = []
    for turn in (101, 202, 303):
        request = frontier.next(now + turn)
        assert request is not None
        asked.append(request.url.rpartition("/")[2])
        frontier.done(request, now + turn, 100.0)

    assert asked == ["0", "1", "bad"]  # which it was to have after 30 s


def test_a_crawl_that_is_cancelled_cancels_what_is_in_flight(stages_of):
    async def cancelled() -> bool:
        fetcher = Endless()
        stages = stages_of(fetcher, [Request("http://a.example/")])
        running = asyncio.create_task(Crawl(stages, Plan()).run())
        await fetcher.begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.sleep(0)
        return fetcher.was_cancelled

    assert asyncio.run(cancelled())


def test_a_page_that_takes_long_to_read_keeps_its_host_from_nothing(stages_of):
    """Two of them do, or a hostile host would soon have all that may be in flight."""
    web = OneBroken(0.0, status=200)
    pages = [Request(f"http://a.example/{page}", 9.0 - page) for page in range(6)]

    async def read(response: Response, *_: object) -> ReadResult:
        if response.url[-1] in "04":
            await asyncio.Event().wait()
        return ReadResult()

    async def crawl() -> tuple[int, int, int]:
        stages = replace(stages_of(web, pages), read=read)
        loop = Crawl(stages, Plan())
        running = asyncio.create_task(loop.run())
        async with asyncio.timeout(30):
            while "4" not in web.asked:
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.2)
        busy = stages.state.frontier.counts().busy
        loop.stop()
        await running
        counts = stages.state.frontier.counts()
        return busy, counts.done, counts.waiting + counts.busy

    assert asyncio.run(crawl()) == (2, 3, 3)
    assert web.asked == ["0", "1", "2", "3", "4"]
