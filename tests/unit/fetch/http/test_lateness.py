"""A loop that stood still is not the fault of a host."""

from __future__ import annotations

import asyncio
import time

import pytest

from geoscout.fetch.http.addresses import LoopWatch
from geoscout.fetch.retries import failure


def kind_after(kind: str, stall: float) -> str:
    async def run() -> str:
        watch = LoopWatch()
        mark = watch.mark()
        await asyncio.sleep(0.01)
        time.sleep(stall)
        return watch.judge(failure(kind), mark).kind

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("kind", "stall", "judged"),
    [
        ("timeout", 1.4, "late"),
        ("timeout", 0.0, "timeout"),
        ("refused", 1.4, "refused"),
    ],
)
def test_time_limit_counts_only_while_the_loop_is_awake(
    kind: str, stall: float, judged: str
) -> None:
    assert kind_after(kind, stall) == judged
