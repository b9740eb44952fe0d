from __future__ import annotations

import asyncio

from geoscout.machine import run_on_loop


async def answer() -> tuple[int, str]:
    await asyncio.sleep(0)
    return 42, type(asyncio.get_running_loop()).__module__


def test_coroutine_runs_to_its_end() -> None:
    assert run_on_loop(answer())[0] == 42


def test_fast_loop_is_used_where_there_is_one() -> None:
    assert run_on_loop(answer())[1] in ("uvloop", "asyncio.unix_events", "asyncio.windows_events")
