"""One request over HTTP, one response or one error of ours: the only module that runs aiohttp.

Cookies, credentials, proxies from the environment, redirects and decompression by the library are
all off: each would do unseen what the crawl has to decide or to bound. A body is read only while it
is wanted, small enough and fast enough. The exceptions of the library end here (`translate`).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import aiohttp
from aiohttp import ThreadedResolver, http_exceptions
from aiohttp.abc import AbstractResolver, ResolveResult
from msgspec.structs import replace
from yarl import URL

from geoscout.fetch.http.addresses import AddressBook, LoopWatch, refused_port
from geoscout.fetch.http.decoding import ACCEPTED, BodyDecoder
from geoscout.fetch.http.rules import KIBIBYTE, BodyRule, HttpLimits, HttpRules, Proxy, Turns
from geoscout.fetch.retries import NO_CONNECTION, failure
from geoscout.machine import is_lack
from geoscout_places.errors import FetchError
from geoscout_places.model import Response
from geoscout_places.urls import host_of

_FAREWELL = "Connection"
_ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"


class HttpClient:
    """Asks servers. Make it inside a running event loop, and close it."""

    def __init__(
        self,
        rules: HttpRules,
        addresses: AddressBook,
        *,
        tls: ssl.SSLContext | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.unkept: Counter[int] = Counter()  # statuses of responses that became errors
        self._limits = rules.limits
        self._any_port = rules.allow_private
        self._addresses = addresses
        self._now = now
        self._turns = Turns()
        self._watch = LoopWatch()
        self._open = _RecentHosts(rules.limits)
        self._proxy, self._way = rules.proxy, _way(rules.proxy)
        self._session = _session(rules, _connector(addresses, rules, tls))

    async def ask(
        self, url: str, rule: BodyRule, headers: Mapping[str, str] | None = None
    ) -> Response:
        """The response for an absolute http(s) URL, whatever its status, when it is our turn.

        `headers` are sent in addition to our own. `fetched_at` is the time of asking.

        Raises:
            FetchError: no response, or none that `rule` and the limits let pass.
        """
        host = host_of(url)
        address = await self._addresses.address(host)
        if not self._any_port and (error := refused_port(url)):
            raise error
        async with self._turns.take(host, address or host):
            mark = self._watch.mark()
            try:
                response = await self._ask(url, rule, self._with_farewell(host, headers))
                return response if self._proxy is None else replace(response, address=address)
            except LIBRARY_ERRORS as error:
                ours = self._watch.judge(translate(error), mark)
                if ours.kind in NO_CONNECTION:
                    self._addresses.failed(host, address)
                raise ours from error
            except FetchError as error:
                raise self._watch.judge(error, mark) from error

    async def close(self) -> None:
        await self._session.close()

    async def _ask(self, url: str, rule: BodyRule, headers: Mapping[str, str] | None) -> Response:
        asked_at, started = self._now(), time.monotonic()
        async with asyncio.timeout(self._limits.total_seconds):
            target = URL(url, encoded=True)
            if self._way and target.scheme == "http":  # the proxy reads the request itself
                headers = {**(headers or {}), **self._way["proxy_headers"]}
            response = await self._session.get(
                target, headers=headers, allow_redirects=False, **self._way
            )
            try:
                fields = _header_fields(response, self._limits)
                body = await read_body(response, rule, self._limits)
            except BaseException:
                self.unkept[response.status] += 1
                response.close()  # what is unread must not reach the next user of the connection
                raise
        seconds = time.monotonic() - started
        return Response(
            url,
            response.status,
            fields,
            body,
            response.address if isinstance(response, _AddressedResponse) else "",
            fetched_at=asked_at,
            seconds=seconds,
        )

    def _with_farewell(
        self, host: str, headers: Mapping[str, str] | None
    ) -> Mapping[str, str] | None:
        """The header fields, and a request to close the connection if too many are open."""
        if self._open.has_room_for(host, time.monotonic()):
            return headers
        return {**(headers or {}), _FAREWELL: "close"}


class _AddressedResponse(aiohttp.ClientResponse):
    """A response that remembers where it came from when its connection is long given back."""

    address = ""

    async def start(self, connection: aiohttp.connector.Connection) -> _AddressedResponse:
        transport = connection.transport
        peer = transport.get_extra_info("peername") if transport else None
        self.address = peer[0] if peer else ""
        if _FAREWELL in self.request_info.headers and connection.protocol is not None:
            connection.protocol.force_close()  # the server need not do what it was asked to
        await super().start(connection)
        return self


class _CheckedResolver(AbstractResolver):
    """Gives aiohttp the one address that was checked, so it cannot connect to another.

    The proxy is the user's own, at whatever address.
    """

    def __init__(self, addresses: AddressBook, proxy: str) -> None:
        self._addresses, self._proxy = addresses, proxy

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002 it is the address's
    ) -> list[ResolveResult]:
        if host == self._proxy:
            return await ThreadedResolver().resolve(host, port)
        address = await self._addresses.address(host)
        actual = socket.AF_INET6 if ":" in address else socket.AF_INET
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        result = ResolveResult(
            hostname=host, host=address, port=port, family=actual, proto=0, flags=flags
        )
        return [result]

    async def close(self) -> None:
        """Nothing is held."""


def _connector(
    addresses: AddressBook, rules: HttpRules, tls: ssl.SSLContext | None
) -> aiohttp.TCPConnector:
    """Connections that stay open for a while, each to a checked address or to the proxy."""
    options: dict[str, Any] = {
        "use_dns_cache": False,
        "limit": rules.limits.connections,
        "keepalive_timeout": rules.limits.keep_alive_seconds,
        "ssl": (tls or True) if rules.verify_certificates else False,
    }
    if rules.proxy is not None and rules.proxy.is_socks:
        from geoscout.fetch.http.socks import SocksConnections  # noqa: PLC0415 - an extra

        return SocksConnections(rules.proxy, addresses, **options)
    proxy = rules.proxy.host if rules.proxy else ""
    return aiohttp.TCPConnector(resolver=_CheckedResolver(addresses, proxy), **options)


def _way(proxy: Proxy | None) -> dict[str, Any]:
    """What the library must be told with each request, to go through an HTTP proxy."""
    if proxy is None or proxy.is_socks:
        return {}
    return {"proxy": URL(proxy.url), "proxy_headers": proxy.login()}


class _RecentHosts:
    """Knows how many idle connections there can be, which aiohttp does not bound.

    A crawl over many hosts would run out of file descriptors, so beyond the limit a host is asked
    to close the connection after its response.
    """

    def __init__(self, limits: HttpLimits) -> None:
        self._most = limits.idle_connections
        self._seconds = limits.keep_alive_seconds
        self._asked: OrderedDict[str, float] = OrderedDict()

    def has_room_for(self, host: str, now: float) -> bool:
        asked = self._asked
        while asked and next(iter(asked.values())) < now - self._seconds:
            asked.popitem(last=False)
        if host not in asked and len(asked) >= self._most:
            return False
        asked[host] = now
        asked.move_to_end(host)
        return True


def _session(rules: HttpRules, connections: aiohttp.TCPConnector) -> aiohttp.ClientSession:
    limits = rules.limits
    return aiohttp.ClientSession(
        connector=connections,
        headers={"User-Agent": rules.user_agent, "Accept": _ACCEPT, "Accept-Encoding": ACCEPTED},
        timeout=aiohttp.ClientTimeout(
            total=None, sock_connect=limits.connect_seconds, sock_read=limits.idle_seconds
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        response_class=_AddressedResponse,
        max_line_size=limits.field_bytes,
        max_field_size=limits.field_bytes,
        max_headers=limits.header_fields,
    )


_ERROR_PAGE = BodyRule(None, 64 * KIBIBYTE, 64 * KIBIBYTE, cut=True)


async def read_body(response: aiohttp.ClientResponse, rule: BodyRule, limits: HttpLimits) -> bytes:
    """The decoded body of a response whose header has come.

    The body of a redirect or an error is not what was asked for: it is cut where it gets long and
    left out where it is damaged or of another type, but never the reason for a failure.

    Raises:
        FetchError: kinds "content-type", "too-large", "slow", "decompression", "bomb",
            "truncated"; and what `translate` makes of the library's errors.
    """
    if response.status in range(200, 300):
        _check_header(response, rule)
        return await _read(response, rule, limits)
    try:
        return await _read(response, _ERROR_PAGE, limits)
    except (FetchError, *LIBRARY_ERRORS):
        response.close()
        return b""


def media_type(content_type: str) -> str:
    """The type without its parameters, in lower case; of several, the first."""
    return content_type.partition(";")[0].partition(",")[0].strip().lower()


def _check_header(response: aiohttp.ClientResponse, rule: BodyRule) -> None:
    kind = media_type(response.headers.get("Content-Type", ""))
    if kind and rule.content_types is not None and kind not in rule.content_types:
        raise failure("content-type", kind[:80])
    size = response.headers.get("Content-Length", "")
    if not rule.cut and size.isdecimal() and int(size[:20]) > rule.body_bytes:
        raise failure("too-large", f"{size} bytes")


async def _read(response: aiohttp.ClientResponse, rule: BodyRule, limits: HttpLimits) -> bytes:
    encoding = response.headers.get("Content-Encoding", "")
    decoder = BodyDecoder(encoding, rule.decoded_bytes, cut=rule.cut)
    started, received = time.monotonic(), 0
    while data := await response.content.readany():
        received += len(data)
        if received > rule.body_bytes and not rule.cut:
            raise failure("too-large", f"more than {rule.body_bytes} bytes")
        decoder.feed(data)
        if received > rule.body_bytes:
            decoder.stop()
        if decoder.is_full:
            response.close()
            break
        _check_rate(received, time.monotonic() - started, limits)
    return decoder.finish()


def _check_rate(received: int, seconds: float, limits: HttpLimits) -> None:
    if seconds > limits.rate_grace_seconds and received < limits.least_rate * seconds:
        raise failure("slow", f"{received} bytes in {seconds:.1f} s")


def _header_fields(
    response: aiohttp.ClientResponse, limits: HttpLimits
) -> tuple[tuple[str, str], ...]:
    fields = tuple([(_name(name), _text(value)) for name, value in response.raw_headers])
    size = sum([len(name) + len(value) for name, value in fields])
    if size > limits.header_bytes:
        raise failure("header-size", f"{size} bytes")
    return fields


@lru_cache(1000)
def _name(field: bytes) -> str:
    return _text(field).lower()


def _text(field: bytes) -> str:
    """Mostly ASCII; beyond that UTF-8 where it is, else the Latin-1 of old."""
    try:
        return field.decode("utf-8")
    except UnicodeDecodeError:
        return field.decode("latin-1")


# The first line that fits counts, so what is special stands above what is general.
_TRANSLATIONS: tuple[tuple[type[BaseException], str], ...] = (
    (aiohttp.ClientProxyConnectionError, "proxy"),
    (aiohttp.ClientHttpProxyError, "proxy-refused"),
    (http_exceptions.LineTooLong, "header-size"),
    (http_exceptions.TransferEncodingError, "truncated"),
    (http_exceptions.ContentLengthError, "truncated"),
    (aiohttp.ConnectionTimeoutError, "connect-timeout"),
    (aiohttp.SocketTimeoutError, "stalled"),
    (TimeoutError, "timeout"),
    (aiohttp.ClientConnectorDNSError, "dns"),
    (aiohttp.ClientSSLError, "tls"),
    (ssl.SSLError, "tls"),
    (ConnectionRefusedError, "refused"),
    (ConnectionResetError, "reset"),
    (BrokenPipeError, "reset"),
    (aiohttp.ServerDisconnectedError, "reset"),
    (aiohttp.ClientPayloadError, "truncated"),
    (aiohttp.ClientResponseError, "protocol"),
    (aiohttp.InvalidURL, "protocol"),
    (http_exceptions.HttpProcessingError, "protocol"),
    (OSError, "unreachable"),
    (aiohttp.ClientError, "protocol"),
    (ValueError, "protocol"),
)
_LONGEST_DETAIL = 300  # characters; some quote what the server sent
LIBRARY_ERRORS = (aiohttp.ClientError, http_exceptions.HttpProcessingError, OSError, ValueError)


def translate(error: BaseException) -> FetchError:
    """Our error for one of `LIBRARY_ERRORS`, whose causes count as much as itself."""
    causes = list(_causes(error))
    if any(is_lack(cause) for cause in causes):
        return failure("local", str(error)[:_LONGEST_DETAIL])
    for kind_of_error, kind in _TRANSLATIONS:
        if any(isinstance(cause, kind_of_error) for cause in causes):
            return failure(_exact(kind, error), str(error)[:_LONGEST_DETAIL])
    return failure("protocol", str(error)[:_LONGEST_DETAIL])


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _exact(kind: str, error: BaseException) -> str:
    """What the library tells by its message only, or a proxy by its status."""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return _of_proxy(error.status)
    if kind == "protocol" and "too many headers" in str(error).lower():
        return "header-size"
    if kind == "truncated" and ConnectionResetError.__name__ in str(error):
        return "reset"
    return kind


def _of_proxy(status: int) -> str:
    """What it means that a proxy does not connect us to a host."""
    if status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
        return "proxy"
    return "unreachable" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "proxy-refused"
