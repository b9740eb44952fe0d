from __future__ import annotations

import asyncio
import logging

import pytest

from geoscout.background import tell_failure


def test_failure_is_told_and_the_end_is_not(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("no room")

    async def run() -> None:
        failing, ending = asyncio.ensure_future(fail()), asyncio.ensure_future(asyncio.sleep(0))
        for task in (failing, ending):
            tell_failure(task, "nobody looks", logging.getLogger("geoscout.x"))
        await asyncio.wait([failing, ending])

    asyncio.run(run())

    told = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert told == [("WARNING", "nobody looks: no room")]
