"""By what rules the live web is asked: who we say we are, how long we wait, what is too much.

One frozen record for the fetcher instead of the project's settings, so that the fetcher can be
used, and tested, without them. The reasons for the defaults are in docs/why/http.md.

With a proxy, who looks up the names of hosts is what matters, because a name can point at a private
address. With `socks5://` we do: the address is checked as without a proxy, and the proxy is given
that address. With `http://` and `socks5h://` the proxy does, and we never learn the address: then
only addresses in URLs and names that are local by convention can be refused here.
"""

from __future__ import annotations

import asyncio
import base64
import dataclasses
from types import TracebackType
from urllib.parse import unquote, urlsplit

from msgspec import Struct, field

from geoscout.fetch.base import Admission
from geoscout.fetch.politeness import Manners
from geoscout_places.errors import UsageError
from geoscout_places.extras import require

_DEFAULT_PORTS = {"http": 8080, "socks5": 1080, "socks5h": 1080}
_EXAMPLES = "http://127.0.0.1:3128, socks5://127.0.0.1:1080 or socks5h://127.0.0.1:1080"
_BY_WHOIS = ("whois", "both")


@dataclasses.dataclass(frozen=True, slots=True)
class Proxy:
    """Where it is, and what it is asked to do."""

    scheme: str  # "http", "socks5" or "socks5h"
    host: str
    port: int
    user: str = dataclasses.field(default="", repr=False)
    password: str = dataclasses.field(default="", repr=False)

    @property
    def is_socks(self) -> bool:
        return self.scheme != "http"

    @property
    def looks_up_names(self) -> bool:
        """Whether names of hosts are looked up there and not here."""
        return self.scheme != "socks5"

    @property
    def url(self) -> str:
        """Its address, without name and password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    def login(self) -> dict[str, str]:
        """The header field with name and password; none without."""
        if not (self.user or self.password):
            return {}
        text = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        return {"Proxy-Authorization": f"Basic {text}"}


def read_proxy(text: str) -> Proxy | None:
    """The proxy of a setting; None where it is empty.

    >>> read_proxy("http://proxy.example:3128").port
    3128
    """
    if not text:
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise UsageError(f"the setting proxy is not an address, such as {_EXAMPLES}") from None
    is_bare = not (parts.path.strip("/") or parts.query or parts.fragment)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or not is_bare:
        raise UsageError(f"the setting proxy must be the address of a proxy, such as {_EXAMPLES}")
    if parts.scheme != "http":
        require(f"a {parts.scheme} proxy", "socks", "aiohttp_socks")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Proxy(parts.scheme, parts.hostname, port or _DEFAULT_PORTS[parts.scheme], user, password)


def check_proxy(text: str, registrations: str) -> None:
    """Complain about a proxy that cannot be used for all that a crawl asks."""
    if read_proxy(text) is not None and registrations in _BY_WHOIS:
        raise UsageError(
            f"registrations {registrations!r} cannot go through a proxy: whois is not HTTP; take"
            " 'rdap'"
        )


KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE
PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain"})
PDF_TYPES = frozenset({"application/pdf"})


class HttpLimits(Struct, frozen=True):
    """Beyond these a response is given up."""

    connect_seconds: float = 10.0  # TCP and TLS together
    total_seconds: float = 60.0  # from the request to the last byte
    idle_seconds: float = 15.0  # between two pieces of a response
    least_rate: float = 500.0  # bytes a second, over the whole body
    rate_grace_seconds: float = 5.0  # before that the rate does not count
    field_bytes: int = 16 * KIBIBYTE  # status line or one header field
    header_fields: int = 128
    header_bytes: int = 256 * KIBIBYTE  # all fields together
    body_bytes: int = 8 * MEBIBYTE  # as sent
    decoded_bytes: int = 16 * MEBIBYTE  # after decompression
    connections: int = 256  # open at a time, idle ones not counted
    idle_connections: int = 512  # kept open for a further request
    keep_alive_seconds: float = 15.0


class HttpRules(Struct, frozen=True):
    """How the live fetcher behaves."""

    user_agent: str  # the whole header, with a way to reach the operator
    agent: str = "geoscout"  # the product token that robots.txt knows us by
    manners: Manners = field(default_factory=Manners)
    limits: HttpLimits = field(default_factory=HttpLimits)
    allow_private: bool = False  # ask any address, also private ones and loopback, and any port
    allowed_networks: tuple[str, ...] = ()  # or only those in these, such as "127.0.0.0/8"
    own_addresses: tuple[str, ...] = ()  # of the crawl's database: not asked, unless allow_private
    verify_certificates: bool = True
    pdf: bool = False  # PDF documents are pages, too
    admission: Admission = field(default_factory=Admission)  # with the settings of single hosts
    proxy: Proxy | None = None  # None: servers are asked directly
    sitemap_bytes: int = 50_000_000  # of all sitemaps of a domain
    robots_bytes: int = 64_000_000  # of memory for what all robots.txt files say


class BodyRule(Struct, frozen=True):
    """Which bodies are taken."""

    content_types: frozenset[str] | None  # None: any; in lower case, without parameters
    body_bytes: int
    decoded_bytes: int
    cut: bool = False  # what is longer is cut, not refused


def page_types(*, pdf: bool) -> frozenset[str]:
    return PAGE_TYPES | PDF_TYPES if pdf else PAGE_TYPES


def page_rule(rules: HttpRules) -> BodyRule:
    """Only what is read, whole or not at all."""
    limits = rules.limits
    return BodyRule(page_types(pdf=rules.pdf), limits.body_bytes, limits.decoded_bytes)


def file_rule(decoded_bytes: int, *, cut: bool = False) -> BodyRule:
    """A file of any type, such as robots.txt or a sitemap."""
    return BodyRule(None, decoded_bytes, decoded_bytes, cut)


class Turns:
    """One request at a time to a host and to an address, whoever asks.

    The frontier already gives out one page of a host and an address at a time. What it does not see
    are the other requests: a robots.txt that redirects to another host. Here all of them queue, by
    host and by address; an empty queue is forgotten.
    """

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    def __len__(self) -> int:
        """How many queues there are."""
        return len(self._queues)

    def take(self, host: str, address: str) -> Turn:
        """Wait, with `async with`, for the host and then for its address.

        Always in that order, so nobody waits for ever: one with an address waits for nothing more.
        """
        return Turn(self, "host " + host, "address " + address)

    async def enter(self, name: str) -> None:
        queue = self._queues.get(name)
        if queue is None:
            queue = self._queues[name] = _Queue()
        queue.waiting += 1
        try:
            await queue.lock.acquire()
        except BaseException:
            self._leave_queue(name, queue)
            raise

    def leave(self, name: str) -> None:
        queue = self._queues[name]
        queue.lock.release()
        self._leave_queue(name, queue)

    def _leave_queue(self, name: str, queue: _Queue) -> None:
        queue.waiting -= 1
        if not queue.waiting:
            del self._queues[name]


class Turn:
    """A place in two queues. A class: a generator as context manager costs four times as much."""

    __slots__ = ("_address", "_host", "_turns")

    def __init__(self, turns: Turns, host: str, address: str) -> None:
        self._turns, self._host, self._address = turns, host, address

    async def __aenter__(self) -> None:
        await self._turns.enter(self._host)
        try:
            await self._turns.enter(self._address)
        except BaseException:
            self._turns.leave(self._host)
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._turns.leave(self._address)
        self._turns.leave(self._host)


class _Queue:
    __slots__ = ("lock", "waiting")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0


NEVER, AUTO, ALWAYS = "never", "auto", "always"


def read_render(mode: str) -> str:
    """How pages are rendered."""
    if mode not in (NEVER, AUTO, ALWAYS):
        raise UsageError(f"render is one of {NEVER}, {AUTO}, {ALWAYS}, not {mode!r}")
    if mode != NEVER:
        require("to render pages", "browser", "playwright")
    return mode
