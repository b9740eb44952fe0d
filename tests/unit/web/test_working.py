"""Work is done for clients that wait, and not for others."""

import asyncio
import functools
import threading
import time
from collections.abc import MutableMapping
from typing import Any

import anyio
import pytest
from starlette.requests import Request

from geoscout.web.working import ClientGoneError, Remembered, Work, WorkThreads, run_for_client
from geoscout_places.errors import UsageError


def request_that_leaves(after: float) -> Request:
    sent: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": b""}]

    async def receive() -> MutableMapping[str, Any]:
        if sent:
            return sent.pop()
        await anyio.sleep(after)
        return {"type": "http.disconnect"}

    return Request({"type": "http", "headers": []}, receive)


def test_the_result_comes_back():
    async def ask() -> str:
        return await run_for_client(request_that_leaves(60), lambda _: "done", WorkThreads(1))

    assert anyio.run(ask) == "done"


def test_an_error_comes_back_as_it_is():
    def fail(_: Work) -> None:
        raise UsageError("no")

    async def ask() -> None:
        await run_for_client(request_that_leaves(60), fail, WorkThreads(1))

    with pytest.raises(UsageError, match="no"):
        anyio.run(ask)


def test_nothing_is_begun_for_a_client_that_left_before_its_turn():
    begun: list[Work] = []

    async def ask() -> None:
        threads, is_over = WorkThreads(1), threading.Event()
        other = asyncio.ensure_future(
            run_for_client(request_that_leaves(60), lambda _: is_over.wait(10), threads)
        )
        await asyncio.sleep(0)
        try:
            await run_for_client(request_that_leaves(0.05), begun.append, threads)
        finally:
            is_over.set()
            assert await other
            assert await run_for_client(request_that_leaves(60), lambda _: "next", threads)

    with pytest.raises(ClientGoneError):
        anyio.run(ask)
    assert begun == []


def test_work_that_looks_ends_when_the_client_leaves():
    ended = threading.Event()

    def spin(work: Work) -> None:
        end = time.monotonic() + 10
        try:
            while time.monotonic() < end:
                work.check()
                time.sleep(0.005)
        finally:
            ended.set()

    async def ask() -> None:
        await run_for_client(request_that_leaves(0.05), spin, WorkThreads(1))

    begin = time.monotonic()
    with pytest.raises(ClientGoneError):
        anyio.run(ask)
    assert ended.is_set()
    assert time.monotonic() - begin < 5


def test_work_that_waits_behind_a_long_piece_is_begun_by_a_spare_thread():
    done: list[str] = []

    def long(_: Work) -> None:
        end = time.monotonic() + 10
        while not done and time.monotonic() < end:
            time.sleep(0.005)
        done.append("long")

    async def ask() -> None:
        threads = WorkThreads(1, spare=1)
        first = asyncio.ensure_future(run_for_client(request_that_leaves(60), long, threads))
        await asyncio.sleep(0)
        await run_for_client(request_that_leaves(60), lambda _: done.append("short"), threads)
        await first

    anyio.run(ask)
    assert done == ["short", "long"]


def test_work_is_done_in_the_order_in_which_it_came():
    done: list[int] = []

    async def ask() -> None:
        threads = WorkThreads(1, spare=1)
        async with anyio.create_task_group() as group:
            for number in range(20):
                work = functools.partial(_note, done, number)
                group.start_soon(run_for_client, request_that_leaves(60), work, threads)

    anyio.run(ask)
    assert done == list(range(20))


def _note(done: list[int], number: int, _: Work) -> None:
    done.append(number)


def test_threads_end_when_nobody_brings_them_work_any_more():
    before = set(threading.enumerate())

    async def ask() -> list[threading.Thread]:
        threads = WorkThreads(2)
        await run_for_client(request_that_leaves(60), lambda _: None, threads)
        return list(set(threading.enumerate()) - before)

    for thread in anyio.run(ask):
        thread.join(5)
        assert not thread.is_alive()


def test_the_answer_not_asked_for_longest_is_forgotten():
    answers = Remembered(most=2)
    answers.put("a", b"1")
    answers.put("b", b"2")
    answers.get("a")

    answers.put("c", b"3")

    assert [answers.get(question) for question in "abc"] == [b"1", None, b"3"]
