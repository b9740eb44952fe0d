"""Work that takes a while: in a thread, some at a time, and only for clients that still wait.

A browser that goes elsewhere, or a client that is stopped, closes its connection. What waits for
its turn then is never begun. What runs already goes on unless it calls `Work.check` now and then: a
thread cannot be stopped from outside. Searches and exports do, between their steps.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import anyio
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from geoscout.errors import GeoscoutError

T = TypeVar("T")
_GONE = "http.disconnect"


class ClientGoneError(GeoscoutError):
    """Nobody waits for the answer any more."""


class Work:
    """What a piece of work may look at."""

    def __init__(self) -> None:
        self._gone = threading.Event()

    def leave(self) -> None:
        """The client is gone."""
        self._gone.set()

    def check(self) -> None:
        """Go on if somebody waits for the result.

        Raises:
            ClientGoneError: nobody does.
        """
        if self._gone.is_set():
            raise ClientGoneError


async def run_for_client(
    request: Request, function: Callable[[Work], T], limiter: CapacityLimiter
) -> T:
    """Run a function in a thread when it is its turn, as long as the client stays.

    Raises:
        ClientGoneError: it left.
    """
    work, results, errors = Work(), list[T](), list[Exception]()
    async with anyio.create_task_group() as group:

        async def watch() -> None:
            while (await request.receive())["type"] != _GONE:
                pass  # the end of a request without a body
            work.leave()
            group.cancel_scope.cancel()

        group.start_soon(watch)
        try:
            results.append(await to_thread.run_sync(function, work, limiter=limiter))
        except Exception as error:  # raised below: a group would put it into an ExceptionGroup
            errors.append(error)
        group.cancel_scope.cancel()
    for failure in errors:
        raise failure
    for result in results:
        return result
    raise ClientGoneError("the client has left")
