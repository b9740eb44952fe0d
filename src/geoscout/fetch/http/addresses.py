"""From host names to addresses that may be asked: looked up, judged, remembered.

A page can name any host, and a host's owner can let the name point anywhere: at the crawler's
own machine, its router, the metadata service of its cloud. So it is the address that is judged,
after look-up, and the connection goes to the very address that was judged. IPv6 forms that carry
an IPv4 address are refused as such: a public host has a plain one.

A link may also name any port, and a request to one where mail, files or a database are served looks
like an attack and may be one: a line of HTTP can be a command there. Pages are on many ports above
1023, so those are asked but for the ports of known other services; below, only where web servers
are.

Names are looked up by the system's own resolver, in threads of its own: it knows the user's hosts
file and search rules, and needs no further library. It does not tell how long a reply is valid, so
all are kept for the same few minutes.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from geoscout.fetch.base import Resolver
from geoscout.fetch.politeness import SharedWork
from geoscout.fetch.retries import failure
from geoscout.machine import is_lack, lacks_files
from geoscout_places.errors import FetchError, UsageError
from geoscout_places.urls import split

# What IANA's registries of special addresses keep from public hosts, as they were in 2026, so that
# every Python judges alike; then the services of clouds at addresses that look public. Registries:
# iana-ipv4-special-registry, iana-ipv6-special-registry. The first network that has it gives the
# name.
_SPECIAL = {
    "unspecified": ("0.0.0.0/32", "::/128"),
    "loopback": ("127.0.0.0/8", "::1/128"),
    "link-local": ("169.254.0.0/16", "fe80::/10"),  # metadata services of most clouds among them
    "multicast": ("224.0.0.0/4", "ff00::/8"),
    # Forms that hide another address; RFC 4291, 6052, 8215, 3056, 4380.
    "ipv4-mapped": ("::ffff:0:0/96", "::ffff:0:0:0/96"),
    "ipv4-compatible": ("::/96",),
    "nat64": ("64:ff9b::/96", "64:ff9b:1::/48"),
    "6to4": ("2002::/16", "192.88.99.0/24"),
    "teredo": ("2001::/32",),
    "private": (
        "0.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "192.0.0.0/24",
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "198.18.0.0/15", "240.0.0.0/4",
        "fc00::/7", "2001:db8::/32", "3fff::/20", "100::/64", "100:0:0:1::/64",
    ),
    # Carriers' own, sinks for queries of private names (AS112), relays, and what routers use.
    "reserved": (
        "100.64.0.0/10", "192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "2001::/23",
        "2620:4f:8000::/48", "5f00::/16", "fec0::/10",
    ),
    # Azure. Oracle's and Alibaba's, 192.0.0.192 and 100.100.100.200, are in networks above.
    "cloud": ("168.63.129.16/32",),
}  # fmt: skip
_NETWORKS = tuple((name, ip_network(text)) for name, texts in _SPECIAL.items() for text in texts)
_UNICAST = IPv6Network("2000::/3")  # all that IANA has given out; the rest is reserved
_ADDRESSES_REMEMBERED = 20_000
EVERYTHING = ("0.0.0.0/0", "::/0")


@lru_cache(_ADDRESSES_REMEMBERED)
def refusal(address: str) -> str | None:
    """Why an address is not asked, in one word; None for that of a public host.

    >>> refusal("127.0.0.1"), refusal("64:ff9b::7f00:1"), refusal("8.8.8.8")
    ('loopback', 'nat64', None)
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return "malformed"
    for name, network in _NETWORKS:
        if parsed.version == network.version and parsed in network:
            return name
    return "reserved" if isinstance(parsed, IPv6Address) and parsed not in _UNICAST else None


def address_rule(
    allowed_networks: Sequence[str], own_addresses: Collection[str] = ()
) -> Callable[[str], str | None]:
    """`refusal`, except for the addresses in some networks, such as "10.0.0.0/8".

    `own_addresses` are those of servers that the crawl itself uses. They are refused even where
    they are public: such a server may tell us more than it tells others.

    Raises:
        ValueError: one of them is not a network.
    """
    networks = [ip_network(network) for network in allowed_networks]
    own = frozenset(own_addresses)

    @lru_cache(_ADDRESSES_REMEMBERED)  # asked three times a page, and parsing takes 5 µs
    def refuses(address: str) -> str | None:
        if address in own:
            return "database"
        reason = refusal(address)
        if reason is None or reason == "malformed":
            return reason
        parsed = ip_address(address)
        allowed = any(parsed in n for n in networks if n.version == parsed.version)
        return None if allowed else reason

    return refuses


_FIRST_UNPRIVILEGED = 1024
_WEB = frozenset({*range(80, 87), *range(88, 91), 443, 444, 591, 777, 800, 888})
# Those that the Fetch standard blocks for browsers ("bad port"), and databases, caches and brokers.
_OTHER_SERVICES = frozenset({
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, *range(6665, 6670), 6679,
    6697, 10080,
    1433, 1521, 2181, 2375, 2376, 3306, 3389, 5432, 5672, 5900, 6379, 9042, 9092, 11211, 27017,
})  # fmt: skip


def is_web_port(port: int) -> bool:
    """Whether pages may be asked for on a port.

    >>> is_web_port(443), is_web_port(8080), is_web_port(22), is_web_port(6379)
    (True, True, False, False)
    """
    return port in _WEB if port < _FIRST_UNPRIVILEGED else port not in _OTHER_SERVICES


def refused_port(url: str) -> FetchError | None:
    """The error for a URL whose port is not one of the web; None for any other URL."""
    port = split(url).port
    return failure("port", url) if port and not is_web_port(int(port)) else None


_TICK_SECONDS = 0.25
_LATE_SECONDS = 1.0  # from which on a time limit is not held against a host
_LATE_SHARE = 0.1  # of the time that it had; a loop with work is always late by some milliseconds
_TIMED = frozenset({"timeout", "stalled", "connect-timeout", "slow", "dns"})


class LoopMark(NamedTuple):
    """A moment of a loop; seconds."""

    at: float
    late: float  # in all

    def late_until(self, now: LoopMark) -> float:
        """By how much the loop was late since then; 0 where that is what work takes.

        >>> LoopMark(0, 0).late_until(LoopMark(60, 4.2)), LoopMark(0, 0).late_until(LoopMark(5, 4))
        (0.0, 4)
        """
        late = now.late - self.late
        return late if late >= max(_LATE_SECONDS, _LATE_SHARE * (now.at - self.at)) else 0.0


class LoopWatch:
    """How late the event loop is: a response that it had no time to hear did not come too late.

    It looks at the clock four times a second, from its first use on. When the loop stands still,
    because the machine is busy or sleeps, all timers run out at once; a host is not to blame.
    """

    def __init__(self) -> None:
        self._late = 0.0  # seconds in all
        self._due_at: float | None = None

    def mark(self) -> LoopMark:
        """What time it is, and by how many seconds the loop has been late so far, in all."""
        now = time.monotonic()
        if self._due_at is None:
            self._next(now)
            return LoopMark(now, 0.0)
        return LoopMark(now, self._late + max(now - self._due_at, 0.0))

    def judge(self, error: FetchError, mark: LoopMark) -> FetchError:
        """The error, or one of ours where the loop was late since a mark and time ran out."""
        late = mark.late_until(self.mark())
        if error.kind not in _TIMED or not late:
            return error
        return failure("late", f"{late:.1f} s; {error}")

    def _tick(self) -> None:
        now = time.monotonic()
        if self._due_at is not None:
            self._late += max(now - self._due_at, 0.0)
        self._next(now)

    def _next(self, now: float) -> None:
        self._due_at = now + _TICK_SECONDS
        asyncio.get_running_loop().call_later(_TICK_SECONDS, self._tick)


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
        if not path.is_file():  # a device may have no end
            raise UsageError(f"there is no hosts file {path}")
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
