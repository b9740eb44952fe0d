"""Whois servers on loopback: one address each, one port for all, and a log of what was asked."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Self

from geoscout.fetch.http.addresses import AddressBook, address_rule
from geoscout.fetch.whois import WhoisClient, WhoisRules
from geoscout.registrations import RegistrationRecord
from tests.fakeweb import FakeResolver

Answer = Callable[[str, asyncio.StreamWriter], Awaitable[None]]
ROOT = "whois.root.test"
RULES = WhoisRules(root=ROOT, seconds=5.0, pause_seconds=0.0)
LOOPBACK = ("127.0.0.0/8",)


def text(reply: str | bytes) -> Answer:
    """The same reply to every question."""

    async def send(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(reply if isinstance(reply, bytes) else reply.encode())
        await writer.drain()

    return send


async def silence(_: str, writer: asyncio.StreamWriter) -> None:
    """Takes the question and says nothing for a long time."""
    await asyncio.sleep(60)


async def flood(_: str, writer: asyncio.StreamWriter) -> None:
    """Never ends."""
    while True:
        writer.write(b"Registrant City: Flood\r\n" + b"x" * 10_000 + b"\r\n")
        await writer.drain()


class WhoisServers:
    """Serves while its `async with` block runs."""

    def __init__(self, replies: Mapping[str, Answer]) -> None:
        self._replies = dict(replies)
        self._addresses = {f"127.0.0.{n + 11}": name for n, name in enumerate(self._replies)}
        self._servers: list[asyncio.Server] = []
        self._talks: set[asyncio.Task[None]] = set()
        self.port = 0
        self.log: list[tuple[str, str, float]] = []  # server, question, monotonic seconds
        self.resolver = FakeResolver({name: address for address, name in self._addresses.items()})

    async def __aenter__(self) -> Self:
        for address in self._addresses:
            server = await asyncio.start_server(self._talk, address, self.port)
            self.port = self.port or server.sockets[0].getsockname()[1]
            self._servers.append(server)
        return self

    async def __aexit__(self, *_: object) -> None:
        for server in self._servers:
            server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await asyncio.sleep(0)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        name = self._addresses[writer.get_extra_info("sockname")[0]]
        try:
            question = (await reader.readline()).decode().strip()
            self.log.append((name, question, time.monotonic()))
            with contextlib.suppress(OSError):
                await self._replies[name](question, writer)
        finally:
            self._talks.discard(task)
            writer.close()

    def client(self, rules: WhoisRules = RULES) -> WhoisClient:
        book = AddressBook(self.resolver, refuses=address_rule(LOOPBACK))
        return WhoisClient(book, replace(rules, port=self.port))


def ask(
    replies: Mapping[str, Answer], domain: str = "shop.test", rules: WhoisRules = RULES
) -> tuple[RegistrationRecord | None, list[tuple[str, str]]]:
    """The record, and which server was asked what."""

    async def run() -> tuple[RegistrationRecord | None, list[tuple[str, str]]]:
        async with WhoisServers(replies) as servers:
            record = await servers.client(rules).ask(domain)
            return record, [(name, question) for name, question, _ in servers.log]

    return asyncio.run(run())
