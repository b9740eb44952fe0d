"""The requests that are in flight, how many there may be, and how they end.

A request in flight is in flight in memory only, so one that is cancelled is still waiting in the
frontier. That is why a crawl that is told to stop need not wait for servers, name servers or pages
that take long to read: what does not end by itself within half a second is asked for again later.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine

GRACE_SECONDS = 0.5  # for what is in flight when a crawl is told to stop
_CANCEL_SECONDS = 0.3  # for what cancelled requests have to clean up
_DOUBLES_SECONDS = 10.0  # after which twice as many requests are tried after a lack
_BURST_SECONDS = 1.0  # in which several lacks count as one
_LEAST_SHARE = 1 / 64

_log = logging.getLogger(__name__)


class InFlight:
    """Tasks, one for each request."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: list[asyncio.Task[None]] = []  # that nobody has looked at yet
        self._waiter: asyncio.Future[None] | None = None  # of whoever waits for the next to end
        self._alarm: asyncio.TimerHandle | None = None  # that wakes it
        self._is_stopping = False
        self._share, self._lacked_at = 1.0, 0.0

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, request: Coroutine[None, None, None]) -> None:
        """Have one more in flight."""
        task = asyncio.create_task(request)
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._ended.append(task)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    @property
    def is_stopping(self) -> bool:
        """Whether `stop` was called."""
        return self._is_stopping

    def stop(self) -> None:
        """Let nobody wait any longer."""
        self._is_stopping = True
        self._wake()

    def most(self, asked_for: int, set_aside: int) -> int:
        """How many there may be.

        Pages that are `set_aside`, because reading them takes long, do not count: good ones would
        wait for their connections. They are bounded, because each is held in memory.
        """
        if self._share < 1.0:
            doublings = (time.monotonic() - self._lacked_at) / _DOUBLES_SECONDS
            if self._share * 2.0**doublings >= 1.0:
                self._share = 1.0
                _log.info("%d requests at a time again", asked_for)
            else:
                asked_for = max(int(asked_for * self._share * 2.0**doublings), 1)
        return asked_for + min(set_aside, asked_for // 2)

    def lacks(self, detail: str) -> None:
        """Have half as many for a while: for one there were too few files, memory or threads."""
        now = time.monotonic()
        if now - self._lacked_at <= _BURST_SECONDS:
            return
        if self._share == 1.0:
            _log.warning("fewer requests at a time for a while: %s", detail)
        self._share, self._lacked_at = max(self._share / 2, _LEAST_SHARE), now

    async def wait(self, seconds: float | None) -> None:
        """Until one has ended, `stop` was called, or this much time has passed.

        It may be shorter, by an alarm of an earlier wait.

        Raises:
            Exception: of one that has ended.
        """
        if not self._ended and not self._is_stopping:
            await self._until_woken(seconds)
        self._raise_errors()

    def _raise_errors(self) -> None:
        ended, self._ended = self._ended, []
        for task in ended:
            task.result()

    async def _until_woken(self, seconds: float | None) -> None:
        """Wait on one future: `asyncio.wait` would be told to listen to each task every time."""
        self._waiter = asyncio.get_running_loop().create_future()
        if seconds is not None:
            self._set_alarm(seconds)
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _set_alarm(self, seconds: float) -> None:
        """Have an alarm that is not later; the one before is kept if it will do."""
        loop = asyncio.get_running_loop()
        at = loop.time() + seconds
        if self._alarm is not None:
            if self._alarm.when() <= at:
                return
            self._alarm.cancel()
        self._alarm = loop.call_at(at, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._wake()

    async def finish(self) -> None:
        """Until all have ended; after `stop`, those that take long are cancelled.

        Raises:
            Exception: of one that has ended.
        """
        while self._tasks and not self.is_stopping:
            await self.wait(None)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=GRACE_SECONDS)
        self._raise_errors()
        if self._tasks:
            tasks = self.cancel()
            await asyncio.wait(tasks, timeout=_CANCEL_SECONDS)

    def cancel(self) -> set[asyncio.Task[None]]:
        """Have all end at once; returns them."""
        tasks = set(self._tasks)
        for task in tasks:
            task.cancel()
        return tasks
