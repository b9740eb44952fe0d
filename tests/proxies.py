"""A proxy on loopback: HTTP with absolute URLs and CONNECT, and SOCKS5, with a log.

It looks up names in the table of a fake web, so that tests can tell who looked up a name.
"""

import asyncio
import base64
import contextlib
import ipaddress
import struct
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Self
from urllib.parse import urlsplit

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class LocalProxy:
    """Serves while its `with` block runs; `asked` has what it was asked for, in order."""

    def __init__(self, names: Mapping[str, str], login: str = "", forbidden: str = "") -> None:
        """`login` is "name:password" where one is needed; `forbidden` a host it does not ask."""
        self.asked: list[str] = []
        self.port = self.socks_port = 0
        self._names, self._login, self._forbidden = names, login, forbidden
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._servers: list[asyncio.Server] = []

    def __enter__(self) -> Self:
        self._thread.start()
        self._run(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _start(self) -> None:
        self._loop.set_exception_handler(lambda *_: None)
        self.port = await self._listen(self._talk_http)
        self.socks_port = await self._listen(self._talk_socks)

    async def _stop(self) -> None:
        for server in self._servers:
            server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0)  # transports close in the next turn of the loop

    async def _listen(self, talk: Callable[..., Any]) -> int:
        async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with (
                contextlib.suppress(OSError, asyncio.IncompleteReadError),
                contextlib.closing(writer),
            ):
                await talk(reader, writer)

        server = await asyncio.start_server(served, "127.0.0.1", 0)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def _talk_http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        line, _, rest = head.partition(b"\r\n")
        method, target, _ = line.decode().split()
        self.asked.append(f"{method} {target}")
        login = base64.b64encode(self._login.encode())
        if self._login and b"Proxy-Authorization: Basic " + login not in rest:
            writer.write(b"HTTP/1.1 407 Login\r\nContent-Length: 0\r\n\r\n")
            return
        parts = urlsplit(f"//{target}" if method == "CONNECT" else target)
        if parts.hostname == self._forbidden:
            writer.write(b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
            return
        there = await asyncio.open_connection(self._address(parts.hostname or ""), parts.port or 80)
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        else:
            path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
            # One request a connection: what came next would have to be read, too.
            there[1].write(f"{method} {path} HTTP/1.1\r\nConnection: close\r\n".encode() + rest)
            with contextlib.closing(there[1]):
                await _pass_on(there[0], writer)
            return
        await _join((reader, writer), there)

    async def _talk_socks(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(b"\x05\x00")
        _, _, _, kind = await reader.readexactly(4)
        host = await _socks_host(reader, kind)
        (port,) = struct.unpack("!H", await reader.readexactly(2))
        self.asked.append(f"SOCKS {host}:{port}")
        if host == self._forbidden:
            writer.write(b"\x05\x02\x00\x01" + bytes(6))
            return
        there = await asyncio.open_connection(self._address(host), port)
        writer.write(b"\x05\x00\x00\x01" + bytes(6))
        await _join((reader, writer), there)

    def _address(self, host: str) -> str:
        return self._names.get(host, host)


async def _socks_host(reader: asyncio.StreamReader, kind: int) -> str:
    if kind == 3:
        (length,) = await reader.readexactly(1)
        return (await reader.readexactly(length)).decode()
    return str(ipaddress.ip_address(await reader.readexactly(4 if kind == 1 else 16)))


async def _join(here: Streams, there: Streams) -> None:
    await asyncio.gather(_pass_on(here[0], there[1]), _pass_on(there[0], here[1]))


async def _pass_on(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError), contextlib.closing(sink):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
