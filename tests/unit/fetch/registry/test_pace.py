from __future__ import annotations

import asyncio
import time

import pytest

from geoscout.fetch.politeness import Pace


def test_second_turn_waits_and_other_servers_do_not() -> None:
    async def run() -> dict[str, float]:
        pace, begun = Pace(0.15), {}
        for name, server in (("first", "a"), ("second", "a"), ("other", "b")):
            async with pace.turn(server):
                begun[name] = time.monotonic()
        return begun

    begun = asyncio.run(run())

    assert begun["second"] - begun["first"] >= 0.15
    assert begun["other"] - begun["second"] < 0.1


def test_failed_turn_counts_as_one() -> None:
    async def run() -> float:
        pace = Pace(0.1)
        with pytest.raises(ValueError, match="failed"):
            async with pace.turn("a"):
                raise ValueError("failed")
        started = time.monotonic()
        async with pace.turn("a"):
            return time.monotonic() - started

    assert asyncio.run(run()) >= 0.09
