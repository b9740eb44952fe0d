from __future__ import annotations

import asyncio
import time
from typing import cast

import pytest

from geoscout.fetch.base import Fetcher
from geoscout.fetch.retries import Patience, after_error
from geoscout_cluster.engine.leases import Lease, LeaseClock
from geoscout_cluster.fetching import LeasedFetcher
from geoscout_places.errors import TryLaterError
from geoscout_places.model import Request, Response

REQUEST = Request("http://a.example/")
ANSWER = Response("http://a.example/", 200, (), b"", "", 0.0, 0.0)


class Slow:
    """A fetcher that takes its time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.begun = self.ended = 0

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        self.begun += 1
        await asyncio.sleep(self.seconds)
        self.ended += 1
        return ANSWER


def clock_with(left: float) -> LeaseClock:
    """A lease that ends in so many seconds; its last second is included."""
    lease = Lease(0, 1, 0, was_clean=True, seconds=10.0)
    return LeaseClock(lease, time.monotonic() - 10.0 + left)


def leased(slow: Slow, clock: LeaseClock) -> LeasedFetcher:
    return LeasedFetcher(cast("Fetcher", slow), clock)


def test_a_fetch_within_the_lease_is_as_any_other() -> None:
    slow = Slow(0.0)

    assert asyncio.run(leased(slow, clock_with(5.0)).fetch(REQUEST)) == ANSWER


def test_nothing_is_begun_in_the_last_second() -> None:
    slow = Slow(0.0)

    with pytest.raises(TryLaterError) as caught:
        asyncio.run(leased(slow, clock_with(0.9)).fetch(REQUEST))

    assert (caught.value.kind, slow.begun) == ("lease", 0)


def test_a_fetch_that_lasts_too_long_ends_with_the_lease() -> None:
    slow = Slow(5.0)
    began = time.monotonic()

    with pytest.raises(TryLaterError) as caught:
        asyncio.run(leased(slow, clock_with(1.3)).fetch(REQUEST))

    assert (caught.value.kind, slow.ended) == ("lease", 0)
    assert 0.9 < time.monotonic() - began < 3.0
    verdict = after_error(caught.value, 0, Patience(), 0.0)
    assert (verdict.again_in, verdict.host_rests, verdict.counts) == (0.0, 0.0, False)


def test_a_lease_that_is_made_longer_lets_a_fetch_go_on() -> None:
    clock = clock_with(1.3)
    slow = Slow(1.5)

    async def act() -> Response:
        asyncio.get_running_loop().call_later(0.3, clock.extend, time.monotonic())
        return await leased(slow, clock).fetch(REQUEST)

    assert asyncio.run(act()) == ANSWER


def test_a_crawl_that_is_cancelled_is_not_a_lease_that_ended() -> None:
    async def act() -> None:
        task = asyncio.create_task(leased(Slow(5.0), clock_with(8.0)).fetch(REQUEST))
        await asyncio.sleep(0.05)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(act())
