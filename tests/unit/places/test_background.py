import asyncio
import logging
import os
import select
import subprocess
import sys

import pytest

from geoscout_places.background import alongside, tell_failure


def test_failure_is_told_and_the_end_is_not(caplog):
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


def test_work_alongside_ends_with_the_block_and_its_failure_is_told_before(caplog):
    ended: list[bool] = []
    told: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def fail() -> None:
        raise ValueError("no room")

    async def fail_in_time() -> None:
        async with alongside(fail(), "nobody looks", logging.getLogger("geoscout.x")):
            await asyncio.sleep(0.01)
            told.extend(record.getMessage() for record in caplog.records)

    async def run() -> None:
        async with alongside(work(), "nobody works", logging.getLogger("geoscout.x")):
            await asyncio.sleep(0)
        with pytest.raises(ValueError, match="no room"):
            await fail_in_time()

    asyncio.run(run())

    assert (ended, told) == ([True], ["nobody looks: no room"])


def test_process_of_a_pool_ends_with_one_that_is_killed() -> None:
    program = """
import multiprocessing, os, time
from concurrent.futures import ProcessPoolExecutor
from geoscout_places.background import end_with_parent
if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(1, context, end_with_parent)
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        handle, waiting = os.pidfd_open(pid), select.poll()  # which takes any number of files
        waiting.register(handle, select.POLLIN)
        parent.kill()
        ends = waiting.poll(20_000)
        os.close(handle)

    assert ends
