"""One request as a fake host sees it, and all that it can do to who sent it."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping

HTML = "text/html; charset=utf-8"
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Visitor:
    """A request and the connection it came over."""

    def __init__(
        self,
        target: str,
        headers: Mapping[str, str],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.path, _, self.query = target.partition("?")
        self.headers = headers  # names in lower case
        self.stays = True  # whether the connection can take another request
        self.status = 0  # of the answer, once there is one
        self.ended = 0.0  # when the last byte was written, monotonic
        self._reader = reader
        self._writer = writer

    @property
    def host(self) -> str:
        return self.headers.get("host", "").rpartition(":")[0] or self.headers.get("host", "")

    @property
    def client(self) -> object:
        """The other end of the connection: the same for requests that came over the same one."""
        return self._writer.get_extra_info("peername")

    async def answer(
        self,
        body: bytes = b"",
        status: int = 200,
        content_type: str = HTML,
        headers: Iterable[tuple[str, str]] = (),
    ) -> None:
        """A proper answer with a proper length."""
        fields = [("Content-Type", content_type), ("Content-Length", str(len(body))), *headers]
        await self.send(self.head(status, fields) + body)

    def head(self, status: int, headers: Iterable[tuple[str, str]] = ()) -> bytes:
        self.status = status
        lines = [f"HTTP/1.1 {status} Fake", *(f"{name}: {value}" for name, value in headers)]
        return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")

    async def send(self, data: bytes) -> None:
        """Write, and wait while the visitor does not keep up. Fails when it has left."""
        self.ended = time.monotonic()
        self._writer.write(data)
        await self._writer.drain()
        await asyncio.sleep(0)  # drain alone lets others run only when the visitor is slow

    async def wait_until_gone(self) -> None:
        """Say nothing until the visitor leaves."""
        self.stays = False
        while await self._reader.read(4096):
            pass
        self.ended = time.monotonic()

    def hang_up(self) -> None:
        """Close the connection after what was sent."""
        self.stays = False

    def reset(self) -> None:
        """Break the connection off so that the visitor gets a reset, not an end."""
        self.stays = False
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        self._writer.transport.abort()


Handler = Callable[[Visitor], Awaitable[None]]
