"""The cable between a worker and PostgreSQL, which can be cut: a proxy on loopback.

What was sent into a cut cable is not lost but late: it comes through when the cable is mended, as
with TCP on a real one. So what an owner wrote just before the cut arrives after it was replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import Self


class Cable:
    """A port of loopback that leads to another one while its `with` block runs."""

    def __init__(self, target: int) -> None:
        self.port, self.target = 0, target
        self._whole = asyncio.Event()
        self._ends: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def cut(self) -> None:
        """Let nothing through, and tell neither end."""
        self._loop.call_soon_threadsafe(self._whole.clear)

    def mend(self) -> None:
        """Let everything through, also what waits."""
        self._loop.call_soon_threadsafe(self._whole.set)

    def reset(self) -> None:
        """End all connections, as a firewall does that was started again."""
        self._loop.call_soon_threadsafe(self._abort)

    async def _listen(self) -> None:
        self._loop.set_exception_handler(lambda *_: None)  # connections end; that is no news
        self._whole.set()
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _abort(self) -> None:
        for end in list(self._ends):
            end.transport.abort()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(OSError):
            await self._whole.wait()
            there = await asyncio.open_connection("127.0.0.1", self.target)
            ends = {writer, there[1]}
            self._ends |= ends
            try:
                await asyncio.gather(self._pass(reader, there[1]), self._pass(there[0], writer))
            finally:
                self._ends -= ends

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError), contextlib.closing(sink):
            while data := await source.read(65536):
                await self._whole.wait()
                sink.write(data)
                await sink.drain()
            await self._whole.wait()  # the end of a connection does not pass either
