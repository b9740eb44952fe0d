"""Requests in flight end by themselves, or a second after they were told to.

What a crawl has done so far.
"""

import asyncio
import time

import pytest

from geoscout.crawling import in_flight
from geoscout.crawling.in_flight import InFlight, Progress


def test_all_are_awaited():
    ended: list[float] = []

    async def request(seconds: float) -> None:
        await asyncio.sleep(seconds)
        ended.append(seconds)

    async def run() -> None:
        requests = InFlight()
        for seconds in (0.02, 0.01):
            requests.start(request(seconds))
        await requests.finish()

    asyncio.run(run())

    assert ended == [0.01, 0.02]


def test_stop_is_heard_at_once_and_what_takes_long_is_cancelled():
    async def run() -> tuple[float, int]:
        requests, ended = InFlight(), []

        async def request(seconds: float) -> None:
            await asyncio.sleep(seconds)
            ended.append(seconds)

        for seconds in (600.0, 0.2):
            requests.start(request(seconds))
        asyncio.get_running_loop().call_later(0.05, requests.stop)
        began = time.monotonic()
        await requests.wait(60.0)
        waited = time.monotonic() - began
        await requests.finish()
        await requests.finish()  # the end of what was cancelled is no error
        assert ended == [0.2]
        return waited, len(requests)

    waited, left = asyncio.run(run())

    assert waited < 30.0
    assert left == 0


@pytest.mark.parametrize(("pause", "waits"), [(None, True), (0.01, True), (0.01, False)])
def test_error_of_a_request_is_raised_also_later_when_it_ended_unwatched(pause, waits):
    async def request() -> None:
        raise ValueError("ours")

    async def run() -> None:
        requests = InFlight()
        requests.start(request())
        if pause:
            await asyncio.sleep(pause)
        await (requests.wait(60.0) if waits else requests.finish())

    with pytest.raises(ValueError, match="ours"):
        asyncio.run(run())


def test_pages_that_are_set_aside_leave_their_connections_to_others():
    requests = InFlight()

    assert [requests.most(50, aside) for aside in (0, 12, 200)] == [50, 62, 75]


def test_lack_halves_the_requests_for_a_while(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(in_flight.time, "monotonic", lambda: now[0])
    requests = InFlight()
    for _ in range(5):  # a burst is one lack
        requests.lacks("too many open files")
    first = requests.most(48, 0)
    now[0] += 2.0
    requests.lacks("too many open files")
    second = requests.most(48, 0)
    now[0] += 10.0
    third = requests.most(48, 0)
    now[0] += 10.0

    assert (first, second, third, requests.most(48, 0)) == (24, 12, 24, 48)


def test_alarm_of_an_earlier_wait_does_not_change_later_ones():
    async def wait() -> tuple[float, float]:
        flight, loop = InFlight(), asyncio.get_running_loop()
        flight.start(asyncio.sleep(0))
        await flight.wait(60.0)  # ends with the request, and leaves its alarm
        started = loop.time()
        await flight.wait(0.05)
        first = loop.time() - started
        await flight.wait(0.05)
        return first, loop.time() - started

    first, both = asyncio.run(wait())

    assert 0.04 < first < 30.0
    assert both >= 0.09


def test_visits_are_counted_in_all_and_by_node():
    progress = Progress()

    progress.add("north", page=True, relevant=True)
    progress.add("north", page=True, relevant=False)
    progress.add("", page=False, relevant=False)

    assert (progress.visits, progress.pages, progress.relevant) == (3, 2, 1)
    assert progress.nodes == {"north": {"visits": 2, "pages": 2, "relevant": 1}}
    assert progress.harvest == 0.5
