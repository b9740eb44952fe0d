"""What is asked of a crawl by its file reaches it, and stays."""

import asyncio
import logging
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from geoscout.crawl import Plan
from geoscout.crawling.steering import (
    LEFT_ALONE,
    MOST_HOSTS,
    Steering,
    WishReader,
    ask_to_stop,
    change_wishes,
    read_wishes,
    steered,
)
from geoscout.frontier.frontier import Frontier
from geoscout.state.sqlite import STEERING_FILE, SqliteState
from geoscout_places.errors import UsageError
from geoscout_places.model import Request

NOW = 1e9


class Loop:
    """A crawl that only notes what it was told."""

    def __init__(self, frontier: Frontier) -> None:
        self.plan, self.frontier, self.is_stopped = Plan(max_pages=10), frontier, False

    def stop(self) -> None:
        self.is_stopped = True


@contextmanager
def run_in(folder: Path) -> Iterator[tuple[SqliteState, Loop, Callable[[], None]]]:
    """A run, its loop, and what has it do what is asked of it now."""
    state = SqliteState(folder)
    loop, reader = Loop(state.frontier), WishReader(folder)
    steering = Steering(state, reader.read())
    try:
        yield state, loop, lambda: steering.heed(reader.read(), loop)
    finally:
        state.save()
        state.close()


def ask(folder: Path, **wishes: object) -> None:
    change_wishes(folder, lambda found: msgspec.structs.replace(found, **wishes))


def test_a_host_is_left_alone_and_asked_again_when_it_is_taken_off(tmp_path):
    with run_in(tmp_path) as (state, _, heed):
        state.frontier.put([Request("http://a.example/"), Request("http://b.example/", -1)])
        ask(tmp_path, left_alone=("a.example",))
        heed()
        first = state.frontier.next(NOW)
        reasons = dict(state.frontier.waiting(NOW).reasons)
        ask(tmp_path, left_alone=())
        heed()
        second = state.frontier.next(NOW)

    assert (first and first.url, second and second.url) == (
        "http://b.example/",
        "http://a.example/",
    )
    assert reasons[LEFT_ALONE] == 1


def test_a_host_that_was_taken_off_while_nobody_crawled_is_asked_again(tmp_path):
    with run_in(tmp_path) as (state, _, heed):
        state.frontier.put([Request("http://a.example/")])
        ask(tmp_path, left_alone=("a.example",))
        heed()
    with run_in(tmp_path) as (state, _, heed):
        heed()
        while_alone = state.frontier.next(NOW), state.frontier.wake_at(NOW)
    ask(tmp_path, left_alone=())
    with run_in(tmp_path) as (state, _, heed):
        heed()
        found = state.frontier.next(NOW)

    assert while_alone == (None, None)  # nothing is left for a crawl that has only this host
    assert found is not None


def test_the_limit_can_be_changed_while_it_runs(tmp_path):
    with run_in(tmp_path) as (_, loop, heed):
        heed()
        before = loop.plan.max_pages
        ask(tmp_path, max_pages=1000)
        heed()
        raised = loop.plan.max_pages
        ask(tmp_path, max_pages=None)
        heed()

    assert (before, raised, loop.plan.max_pages) == (10, 1000, math.inf)


def test_only_the_run_that_was_meant_stops(tmp_path):
    ask_to_stop(tmp_path)
    with run_in(tmp_path) as (_, loop, heed):
        heed()
        spared = loop.is_stopped
        ask_to_stop(tmp_path)
        heed()
    with run_in(tmp_path) as (_, later, heed):
        heed()

    assert (spared, loop.is_stopped, later.is_stopped) == (False, True, False)


def test_a_crawl_follows_its_file_while_it_runs(tmp_path):
    async def run(state: SqliteState, loop: Loop) -> None:
        async with steered(str(tmp_path), state, read_wishes(tmp_path), loop):
            ask_to_stop(tmp_path)
            async with asyncio.timeout(10):
                while not loop.is_stopped:
                    await asyncio.sleep(0.02)

    with run_in(tmp_path) as (state, loop, _):
        asyncio.run(run(state, loop))

    assert loop.is_stopped


@pytest.mark.parametrize("content", [b"[]", b'{"left_alone": "a.example"}', b"\xff" * 100])
def test_a_damaged_file_is_told_and_ignored(tmp_path, content, caplog):
    (tmp_path / STEERING_FILE).write_bytes(content)
    with caplog.at_level(logging.WARNING, "geoscout"), run_in(tmp_path) as (_, loop, heed):
        heed()

    assert loop.plan == Plan(max_pages=10)
    assert "cannot be read" in caplog.text


def test_those_who_ask_at_the_same_time_do_not_undo_each_other(tmp_path):
    def leave(host: str) -> None:
        change_wishes(
            tmp_path,
            lambda found: msgspec.structs.replace(found, left_alone=(*found.left_alone, host)),
        )

    threads = [threading.Thread(target=leave, args=(f"{n}.example",)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(read_wishes(tmp_path).left_alone) == 20


def test_what_cannot_be_written_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot write to"):
        ask(tmp_path / "none", max_pages=3)
    with pytest.raises(UsageError, match="hosts can be left alone"):
        ask(tmp_path, left_alone=tuple(map(str, range(MOST_HOSTS + 1))))
