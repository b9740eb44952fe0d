"""The processes that read never outlive what started them, and can always be started again."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from geoscout.crawling.processes import Processes, ReplyLimits, Responder
from geoscout.machine import run_on_loop
from tests.conftest import PROJECT
from tests.patience import wait_until

HELD = threading.Lock()

_SOON = 2.0  # seconds in which a process that is killed has ended
_CRAWL = """
import asyncio, sys
from functools import partial
from pathlib import Path
from geoscout.crawling.processes import Processes, ReplyLimits
from tests.unit.crawling.processes.test_nursery import prepare_endless
async def ask():
    prepare = partial(prepare_endless, Path(sys.argv[1]), sys.argv[2])
    processes = Processes(prepare, 1, ReplyLimits(turn=1.0))
    await processes.ask(b"", is_heavy=sys.argv[2] == "set aside")
    await asyncio.sleep(600)
asyncio.run(ask())
"""


def prepare_endless(ids: Path, when: str) -> Responder:
    """Never ends, while it is prepared or asked; a file has the ids of its processes."""

    def work(question: bytes) -> bytes:
        with ids.open("a") as file:
            file.write(f"{os.getpid()}\n")
        if when == "in one long step":
            sum(range(10**12))  # hears no signal of Python's
        while when != "idle":
            time.sleep(0.01)
        return question

    with ids.open("a") as file:
        file.write(f"{os.getpid()}\n")
    if when == "preparing":
        work(b"")
    return work


def prepare_locked() -> Responder:
    with HELD:
        return bytes.upper


def prepare_hanging(lived: Path) -> Responder:
    if not lived.exists():
        lived.touch()
        time.sleep(600)
    return bytes.upper


def ids_in(file: Path, number: int) -> list[int]:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with suppress(OSError):
            found = [int(line) for line in file.read_text().splitlines()]
            if len(found) >= number:
                return found
        time.sleep(0.02)
    raise AssertionError("no process has begun")


def has_ended(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True


@pytest.mark.parametrize(
    "when", ["preparing", "answering", "in one long step", "set aside", "idle"]
)
def test_no_process_outlives_a_crawl_that_is_killed(tmp_path, when):
    file = tmp_path / "ids"
    crawl = subprocess.Popen([sys.executable, "-c", _CRAWL, str(file), when], cwd=PROJECT)
    below = ids_in(file, 2)
    time.sleep(0.3 if when in ("set aside", "idle") else 0.0)  # it is stopped, or waits
    crawl.kill()
    crawl.wait()

    wait_until(lambda: all(map(has_ended, below)), _SOON)


def test_no_reader_outlives_the_process_that_started_it(tmp_path):
    file = tmp_path / "ids"
    crawl = subprocess.Popen([sys.executable, "-c", _CRAWL, str(file), "answering"], cwd=PROJECT)
    nursery, reader, *_ = ids_in(file, 2)
    os.kill(nursery, signal.SIGKILL)

    wait_until(lambda: has_ended(reader), _SOON)
    crawl.kill()
    crawl.wait()


def test_nursery_that_is_replaced_does_not_wait_for_a_lock_of_this_process():
    """A fork would take the lock along as it is, and the thread that can open it not."""

    async def ask() -> bytes:
        with closing(Processes(prepare_locked, 1)) as processes:
            await processes.ask(b"first")
            for process in processes.pids:
                os.kill(process, signal.SIGKILL)
            await asyncio.sleep(0.1)
            with HELD:
                return await asyncio.wait_for(processes.ask(b"second"), 20)

    assert run_on_loop(ask()) == b"SECOND"


def test_nursery_that_never_comes_to_life_is_replaced(tmp_path):
    async def ask() -> list[bytes | BaseException]:
        prepare = partial(prepare_hanging, tmp_path / "lived")
        with closing(Processes(prepare, 1, ReplyLimits(patience=0.5))) as processes:
            first = await asyncio.gather(processes.ask(b"first"), return_exceptions=True)
            processes._limits = ReplyLimits()
            return [*first, await asyncio.wait_for(processes.ask(b"second"), 20)]

    first, second = run_on_loop(ask())

    assert isinstance(first, ConnectionError)
    assert second == b"SECOND"
