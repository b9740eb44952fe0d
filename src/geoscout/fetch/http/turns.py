"""One request at a time to a host and to an address, whoever asks.

The frontier already gives out one page of a host and an address at a time. What it does not see
are the other requests: a robots.txt that redirects to another host. Here all of them queue.
"""

from __future__ import annotations

import asyncio
from types import TracebackType


class Turns:
    """Queues by host and by address; an empty queue is forgotten."""

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    def __len__(self) -> int:
        """How many queues there are."""
        return len(self._queues)

    def take(self, host: str, address: str) -> Turn:
        """Wait, with `async with`, for the host and then for its address.

        Always in that order, so nobody waits for ever: one with an address waits for nothing more.
        """
        return Turn(self, "host " + host, "address " + address)

    async def enter(self, name: str) -> None:
        queue = self._queues.get(name)
        if queue is None:
            queue = self._queues[name] = _Queue()
        queue.waiting += 1
        try:
            await queue.lock.acquire()
        except BaseException:
            self._leave_queue(name, queue)
            raise

    def leave(self, name: str) -> None:
        queue = self._queues[name]
        queue.lock.release()
        self._leave_queue(name, queue)

    def _leave_queue(self, name: str, queue: _Queue) -> None:
        queue.waiting -= 1
        if not queue.waiting:
            del self._queues[name]


class Turn:
    """A place in two queues. A class: a generator as context manager costs four times as much."""

    __slots__ = ("_address", "_host", "_turns")

    def __init__(self, turns: Turns, host: str, address: str) -> None:
        self._turns, self._host, self._address = turns, host, address

    async def __aenter__(self) -> None:
        await self._turns.enter(self._host)
        try:
            await self._turns.enter(self._address)
        except BaseException:
            self._turns.leave(self._host)
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._turns.leave(self._address)
        self._turns.leave(self._host)


class _Queue:
    __slots__ = ("lock", "waiting")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0
