"""Work in the background: when it fails, somebody is told at once.

A task whose error nobody waits for would fail in silence, and a process that nobody hears go on.
"""

import asyncio
import logging
import multiprocessing
import os
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from multiprocessing.process import BaseProcess
from threading import Thread

from geoscout_places.errors import last_line


@asynccontextmanager
async def alongside(
    work: Coroutine[None, None, None], what: str, log: logging.Logger
) -> AsyncIterator[None]:
    """Work while the block runs, and no longer; a failure is told at once, and raised at its end.

    `what` says what a failure means for users.
    """
    task = asyncio.create_task(work)
    tell_failure(task, what, log)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def tell_failure(task: asyncio.Future[None], what: str, log: logging.Logger) -> None:
    """Write a warning when the task fails; `what` says what that means for users."""
    task.add_done_callback(partial(_tell, what, log))


def _tell(what: str, log: logging.Logger, task: asyncio.Future[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.warning("%s: %s", what, last_line(error))


def end_with_parent() -> None:
    """Have this process, which `multiprocessing` has started, end when its parent is killed.

    One that reads for a pool would wait for its next task for ever.
    """
    if (parent := multiprocessing.parent_process()) is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
