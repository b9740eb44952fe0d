"""Work is done for clients that wait, and not for others."""

from __future__ import annotations

import threading
import time
from collections.abc import MutableMapping
from typing import Any

import anyio
import pytest
from anyio import CapacityLimiter
from starlette.requests import Request

from geoscout.errors import UsageError
from geoscout.web.working import ClientGoneError, Work, run_for_client


def request_that_leaves(after: float) -> Request:
    sent: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": b""}]

    async def receive() -> MutableMapping[str, Any]:
        if sent:
            return sent.pop()
        await anyio.sleep(after)
        return {"type": "http.disconnect"}

    return Request({"type": "http", "headers": []}, receive)


def test_the_result_comes_back() -> None:
    async def ask() -> str:
        return await run_for_client(request_that_leaves(60), lambda _: "done", CapacityLimiter(1))

    assert anyio.run(ask) == "done"


def test_an_error_comes_back_as_it_is() -> None:
    def fail(_: Work) -> None:
        raise UsageError("no")

    async def ask() -> None:
        await run_for_client(request_that_leaves(60), fail, CapacityLimiter(1))

    with pytest.raises(UsageError, match="no"):
        anyio.run(ask)


def test_nothing_is_begun_for_a_client_that_left_before_its_turn() -> None:
    begun: list[Work] = []

    async def ask() -> None:
        limiter = CapacityLimiter(1)
        limiter.acquire_on_behalf_of_nowait("another")
        await run_for_client(request_that_leaves(0.05), begun.append, limiter)

    with pytest.raises(ClientGoneError):
        anyio.run(ask)
    assert begun == []


def test_work_that_looks_ends_when_the_client_leaves() -> None:
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
        await run_for_client(request_that_leaves(0.05), spin, CapacityLimiter(1))

    begin = time.monotonic()
    with pytest.raises(ClientGoneError):
        anyio.run(ask)
    assert ended.is_set()
    assert time.monotonic() - begin < 5
