"""From host names to checked addresses, with a memory.

The system's own resolver is asked, in threads of its own: it knows the user's hosts file and
search rules, and needs no further library. It does not tell how long a reply is valid, so all
are kept for the same few minutes.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

from geoscout.fetch.base import Resolver
from geoscout.fetch.http.addresses import refusal
from geoscout.fetch.http.event_loop import LoopWatch
from geoscout.fetch.politeness import SharedWork
from geoscout.fetch.retries import failure
from geoscout.machine import is_lack, lacks_files
from geoscout_places.errors import UsageError

_THREADS = 32  # a look-up mostly waits; more would be a load for small name servers
_LONGEST_LOOK_UP_SECONDS = 15.0  # the system itself may take twice as long
_HOSTS_REMEMBERED = 50_000
_SECONDS_REMEMBERED = 300.0


class SystemResolver:
    """Asks the operating system.

    Each look-up has a thread of its own. The threads of an executor would be waited for when the
    process ends, and the system may take half a minute to give up a name.
    """

    def __init__(self) -> None:
        self._room = asyncio.Semaphore(_THREADS)

    async def look_up(self, host: str) -> tuple[str, ...]:
        """All addresses, in the order the system prefers (RFC 6724)."""
        await self._room.acquire()
        loop = asyncio.get_running_loop()
        reply: asyncio.Future[tuple[str, ...]] = loop.create_future()

        def deliver(found: tuple[str, ...] | Exception) -> None:
            self._room.release()  # not before: a thread that nobody waits for still runs
            if reply.done():
                return
            if isinstance(found, Exception):
                reply.set_exception(found)
            else:
                reply.set_result(found)

        try:
            Thread(target=_look_up, args=(host, loop, deliver), name="dns", daemon=True).start()
        except RuntimeError as error:
            self._room.release()
            raise failure("local", f"{host}: {error}") from error
        try:
            return await reply
        except (OSError, UnicodeError) as error:
            kind = "local" if is_lack(error) or lacks_files() else "dns"
            raise failure(kind, f"{host}: {error}") from error


def _look_up(
    host: str,
    loop: asyncio.AbstractEventLoop,
    deliver: Callable[[tuple[str, ...] | Exception], None],
) -> None:
    found: tuple[str, ...] | Exception
    try:
        found = _ask_system(host)
    except Exception as error:  # all of them are for whoever asked
        found = error
    with suppress(RuntimeError):  # the loop has ended, and nobody waits
        loop.call_soon_threadsafe(deliver, found)


def _ask_system(host: str) -> tuple[str, ...]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


class HostsFile:
    """The hosts in a file of lines such as `127.0.0.1 a.example b.example`, and no others."""

    def __init__(self, path: Path) -> None:
        """Read it.

        Raises:
            UsageError: it cannot be read.
        """
        self._addresses: dict[str, tuple[str, ...]] = {}
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeError) as error:
            raise UsageError(f"the hosts file {path} cannot be read: {error}") from error
        for line in lines:
            address, *names = line.partition("#")[0].split() or [""]
            for name in names:
                self._addresses[name] = (*self._addresses.get(name, ()), address)

    async def look_up(self, host: str) -> tuple[str, ...]:
        """The addresses of a host, in the order of the file.

        Raises:
            FetchError: kind "dns": the host is not in the file.
        """
        if host not in self._addresses:
            raise failure("dns", f"{host} is not in the hosts file")
        return self._addresses[host]


class AddressBook:
    """The address to ask for each host: looked up, checked, remembered.

    A host keeps its address while it is remembered, so that politeness by address and the
    connection itself speak of the same one.
    """

    def __init__(
        self,
        resolver: Resolver,
        *,
        refuses: Callable[[str], str | None] = refusal,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._resolver = resolver
        self._refuses = refuses
        self._monotonic = monotonic
        self._watch = LoopWatch()
        self._known: OrderedDict[str, tuple[tuple[str, ...], float]] = OrderedDict()
        self._asked: SharedWork[tuple[str, ...]] = SharedWork()

    async def address(self, host: str) -> str:
        """The address of a host name, or of an address written as a host.

        Raises:
            FetchError: kinds "dns" and "private-address".
        """
        known = self._known.get(host)
        if known is not None and known[1] > self._monotonic():
            return known[0][0]
        literal = host.strip("[]")
        if ":" in literal or literal.replace(".", "").isdigit():
            return self._checked(host, (literal,))[0]
        return self._remember(
            host, self._checked(host, await self._asked.once(host, self._look_up))
        )

    def failed(self, host: str, address: str) -> None:
        """There was no connection: the next attempt tries another address, if there is one."""
        addresses, until = self._known.get(host, ((), 0.0))
        if addresses and addresses[0] == address:
            self._known[host] = ((*addresses[1:], address), until)

    def _checked(self, host: str, addresses: tuple[str, ...]) -> tuple[str, ...]:
        allowed = tuple(address for address in addresses if self._refuses(address) is None)
        if not allowed:
            reasons = ", ".join(f"{address} is {self._refuses(address)}" for address in addresses)
            raise failure("private-address", f"{host}: {reasons}")
        return allowed

    def _remember(self, host: str, addresses: tuple[str, ...]) -> str:
        self._known[host] = (addresses, self._monotonic() + _SECONDS_REMEMBERED)
        self._known.move_to_end(host)
        if len(self._known) > _HOSTS_REMEMBERED:
            self._known.popitem(last=False)
        return addresses[0]

    async def _look_up(self, host: str) -> tuple[str, ...]:
        mark = self._watch.mark()
        try:
            async with asyncio.timeout(_LONGEST_LOOK_UP_SECONDS):
                addresses = await self._resolver.look_up(host)
        except TimeoutError as error:
            ours = failure("dns", f"{host}: the look-up took too long")
            raise self._watch.judge(ours, mark) from error
        if not addresses:
            raise failure("dns", f"{host} has no address")
        return addresses
