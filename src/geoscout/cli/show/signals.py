"""Signals that stop a crawl, heard whatever the crawl is doing.

The event loop hears a signal when it has time for it. While a commit waits for a slow disk it has
none, so a thread listens: it tells the crawl to stop, and ends the process when the crawl has not
done so after some seconds. That loses no more than the death of the process, which is what has not
been committed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

_ONE_KEYSTROKE_SECONDS = 0.3  # a terminal and a wrapper such as make may both pass it on
STOP_SECONDS = 2.5  # for a crawl to end in order
_HEARD = (signal.SIGINT, signal.SIGTERM)


class Stoppable(Protocol):
    """A crawl, or a worker of one."""

    def stop(self) -> None:
        """Finish what is in flight, and end."""


@contextmanager
def stopped_by_signals(crawl: Stoppable, seconds: float = STOP_SECONDS) -> Iterator[None]:
    """Ctrl-C and SIGTERM let the crawl finish what takes less than a second, and end.

    A second Ctrl-C ends the process at once, and so does a crawl that takes longer than `seconds`.
    """
    loop = asyncio.get_running_loop()

    def stop() -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(crawl.stop)

    ours, theirs = socket.socketpair()
    theirs.settimeout(0.0)
    handlers = {number: signal.signal(number, lambda *_: None) for number in _HEARD}
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    listener = threading.Thread(target=_listen, args=(ours, stop, seconds), daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        theirs.close()
        listener.join()
        ours.close()


def _listen(line: socket.socket, stop: Callable[[], None], seconds: float) -> None:
    """Hear signals, each as a byte, until the line is closed."""
    first = None
    while True:
        line.settimeout(None if first is None else max(first + seconds - time.monotonic(), 0.001))
        try:
            numbers = line.recv(16)
        except TimeoutError:
            _leave(signal.SIGTERM)
            return
        if not numbers:
            return
        for number in filter(_HEARD.__contains__, numbers):
            now = time.monotonic()
            if first is None:
                first = now
                stop()
            elif number == signal.SIGINT and now - first > _ONE_KEYSTROKE_SECONDS:
                _leave(signal.SIGINT)


def _leave(number: int) -> None:
    print("geoscout: stopped at once; what was committed is safe", file=sys.stderr, flush=True)
    os._exit(128 + number)
