"""One question at a time to a server, with a pause after each.

Registries close their doors to who asks fast, some after ten questions a minute. The crawl's own
frontier cannot see to it: these servers are not what it crawls.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class Pace:
    """Keeps the pause for each server. There are as many servers as top-level domains at most."""

    def __init__(self, seconds: float, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._monotonic = monotonic
        self._locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._free_at: dict[str, float] = {}

    @asynccontextmanager
    async def turn(self, server: str) -> AsyncIterator[None]:
        """Wait for the server to be free; it is left alone for a while afterwards."""
        async with self._locks[server]:
            wait = self._free_at.get(server, 0.0) - self._monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            try:
                yield
            finally:
                self._free_at[server] = self._monotonic() + self._seconds
