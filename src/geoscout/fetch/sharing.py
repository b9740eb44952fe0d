"""Work that several wait for is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Generic, TypeVar

_Result = TypeVar("_Result")


class SharedWork(Generic[_Result]):
    """Work under way, by name. It goes on when one who waits for it gives up."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[_Result]] = {}

    async def once(
        self, name: str, work: Callable[[str], Coroutine[None, None, _Result]]
    ) -> _Result:
        """The result of `work(name)`, which is begun only if it is not under way."""
        task = self._tasks.get(name)
        if task is None:
            task = asyncio.get_running_loop().create_task(work(name))
            self._tasks[name] = task
            task.add_done_callback(lambda done: self._forget(name, done))
        return await asyncio.shield(task)

    def _forget(self, name: str, task: asyncio.Task[_Result]) -> None:
        self._tasks.pop(name, None)
        if not task.cancelled():
            task.exception()  # those who waited have it; asyncio must not complain if nobody did
