"""Signals stop a crawl: the first in order, the second at once, whatever the loop does."""

import asyncio
import os
import signal
import time

import pytest

from geoscout.cli.show.live import stopped_by_signals


class Stubborn:
    """A crawl whose responses do not come."""

    def __init__(self) -> None:
        self.stops = 0

    def stop(self) -> None:
        self.stops += 1


async def interrupted(crawl: Stubborn, *pauses: float) -> None:
    with stopped_by_signals(crawl):
        for pause in pauses:
            await asyncio.sleep(pause)
            os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.05)


@pytest.fixture
def left(monkeypatch):
    """The statuses with which the process was ended at once."""
    statuses: list[int] = []
    monkeypatch.setattr(os, "_exit", statuses.append)
    return statuses


def test_the_second_ctrl_c_ends_at_once(left):
    asyncio.run(interrupted(Stubborn(), 0.0, 0.4))

    assert left == [130]


def test_one_ctrl_c_lets_the_crawl_end(left):
    crawl = Stubborn()
    asyncio.run(interrupted(crawl, 0.0, 0.05))  # passed on twice by a wrapper

    assert (left, crawl.stops > 0) == ([], True)


def test_process_is_ended_when_its_loop_stands_still_and_only_then(left):
    asyncio.run(stuck(Stubborn(), 0.02))
    time.sleep(0.3)
    in_time = list(left)
    asyncio.run(stuck(Stubborn(), 0.6))

    assert (in_time, left) == ([], [143])


async def stuck(crawl: Stubborn, seconds: float) -> None:
    """A loop that has no time: as if a commit waited for the disk."""
    with stopped_by_signals(crawl, seconds=0.2):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(seconds)
