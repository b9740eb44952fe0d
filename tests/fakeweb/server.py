"""The server behind the fake web: one thread, one port, many hosts, and a log.

It speaks HTTP by hand, because a proper server library would not let a host misbehave. It has a
thread of its own, so that a test may run its crawl on any event loop, or in another process. A
stand-in for DNS knows its hosts.

A stand-in for DNS: it knows the hosts it was told, and counts who asks.
"""

import asyncio
import contextlib
import ssl
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from geoscout_places.errors import TryLaterError
from tests.fakeweb.sites import Site, Visitor


class FakeResolver:
    """The Resolver of fake webs."""

    def __init__(self, addresses: Mapping[str, str | tuple[str, ...]]) -> None:
        self.addresses = dict(addresses)
        self.asked: Counter[str] = Counter()

    async def look_up(self, host: str) -> tuple[str, ...]:
        self.asked[host] += 1
        known = self.addresses.get(host)
        if known is None:
            raise TryLaterError("dns", f"{host} is not known here")
        return (known,) if isinstance(known, str) else known


CERTIFICATE = Path(__file__).with_name("certificate.pem")  # self-signed, for *.trusted.test
_LARGEST_HEAD = 64 * 1024
_PORTS_TRIED = 20
_USUAL_PORT = 80


@dataclass(frozen=True, slots=True)
class Hit:
    """One logged request; times are monotonic seconds."""

    host: str
    address: str
    path: str  # with the query
    start: float  # the head of the request was read
    end: float  # the last byte was written, or the visitor was gone
    status: int  # 0 where there was no answer
    headers: Mapping[str, str] = field(repr=False, default_factory=dict)


class FakeWeb:
    """Serves sites while its `with` block runs."""

    def __init__(
        self,
        sites: Mapping[str, Site],
        *,
        addresses: int | Sequence[str] = 1,
        port: int = 0,
        secure: bool = False,
    ) -> None:
        """Spread the hosts over that many loopback addresses, or over those that are named.

        A host called `*.farm.test` stands for all hosts below farm.test. Port 0 is any that is
        free; `secure` serves https as well.
        """
        self.sites = dict(sites)
        self.log: list[Hit] = []
        self.port, self.secure_port = port, 0
        named = [f"127.0.0.{n + 1}" for n in range(addresses)] if isinstance(addresses, int) else []
        self.addresses = named or list(addresses)  # type: ignore[arg-type]  # an int has made names
        hosts = enumerate(self.sites)
        count = len(self.addresses)
        self.resolver = FakeResolver({h: self.addresses[n % count] for n, h in hosts})
        self._secure = secure
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._servers: list[asyncio.Server] = []
        self._talks: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def url(self, host: str, path: str = "/", *, scheme: str = "http") -> str:
        port = self.port if scheme == "http" else self.secure_port
        return f"{scheme}://{host}{'' if port == _USUAL_PORT else f':{port}'}{path}"

    def hits(self, host: str) -> list[Hit]:
        return [hit for hit in self.log if hit.host == host]

    def paths(self, host: str) -> list[str]:
        return [hit.path for hit in self.hits(host)]

    async def _start(self) -> None:
        self._loop.set_exception_handler(lambda *_: None)  # visitors leave; that is no news
        self.port = await self._listen(None, self.port)
        if self._secure:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self.secure_port = await self._listen(context, 0)

    async def _listen(self, context: ssl.SSLContext | None, wanted: int) -> int:
        """Listen on one port of all addresses; it must be free on each."""
        for _ in range(_PORTS_TRIED):
            servers: list[asyncio.Server] = []
            port = wanted
            with contextlib.suppress(OSError):
                for address in self.addresses:
                    server = await asyncio.start_server(
                        self._talk, address, port, ssl=context, limit=_LARGEST_HEAD, backlog=1000
                    )
                    servers.append(server)
                    port = server.sockets[0].getsockname()[1]
                self._servers += servers
                return port
            for server in servers:
                server.close()
        raise OSError("no port is free on all addresses")

    async def _stop(self) -> None:
        for server in self._servers:
            server.close()
        talks = list(self._talks)
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        await asyncio.sleep(0)  # transports close in the next turn of the loop

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._talks.add(task)
        try:
            while await self._serve_one(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the visitor left
        finally:
            self._talks.discard(task) if task else None
            writer.close()

    def _site(self, host: str) -> Site:
        return self.sites.get(host) or self.sites.get(f"*.{host.partition('.')[2]}") or Site()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether another request may follow on the connection."""
        head = await reader.readuntil(b"\r\n\r\n")
        start = time.monotonic()
        target, headers = _read_head(head)
        visitor = Visitor(target, headers, reader, writer)
        try:
            await self._site(visitor.host).serve(visitor)
        finally:
            address = writer.get_extra_info("sockname")[0]
            end = visitor.ended or time.monotonic()
            hit = Hit(
                visitor.host, address, target, start, end, status=visitor.status, headers=headers
            )
            self.log.append(hit)
        return visitor.stays and headers.get("connection", "").lower() != "close"


def overlaps(hits: Iterable[Hit]) -> list[tuple[Hit, Hit]]:
    """Pairs of which the second began before the first had ended."""
    found: list[tuple[Hit, Hit]] = []
    last: Hit | None = None  # of those so far the one that ended last
    for hit in sorted(hits, key=lambda hit: hit.start):
        if last is not None and hit.start < last.end:
            found.append((last, hit))
        last = hit if last is None or hit.end > last.end else last
    return found


def _read_head(head: bytes) -> tuple[str, dict[str, str]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = (line.partition(":") for line in lines if line)
    return first.split(" ")[1], {name.lower(): value.strip() for name, _, value in fields}
