"""Stands before the application: who may ask, how much, and what a browser may do with responses.

Written as plain ASGI, because a middleware that wraps requests would buffer the event stream.
A page elsewhere can make a visitor's browser ask loopback under a name of its own (DNS rebinding),
so without a token only loopback names are answered, and names that the owner has given.

Requests are of three kinds, each with a limit of its own: those that are much work, event streams,
and all others. So whoever fills one kind does not lock out the owner, who wants to see the status.
"""

import asyncio
import hmac
import ipaddress
import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from math import ceil
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from geoscout.web.problems import problem
from geoscout_places.errors import UsageError

COOKIE = "geoscout_token"
_LONGEST_QUERY = 16_384  # bytes; a drawn area of a few hundred corners fits
_COOKIE_SECONDS = 30 * 24 * 3600
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.IGNORECASE)
ANY = "*"
_ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?", re.IGNORECASE)
_PREFLIGHT = {
    "access-control-allow-methods": "GET, HEAD, POST",
    "access-control-allow-headers": "accept, authorization, content-type",
    "access-control-max-age": "600",
}
_FOR_ALL = ("/embed.js", "/assets/vendor/")  # pages of others may load what has no data
_UNCOUNTED = ("/api/tiles/", "/api/map/")  # dozens for each view of a map
_MINUTE, _MOST_CLIENTS, _PARTS_OF_NETWORK = 60, 10_000, 4
Headers = list[tuple[bytes, bytes]]
_STREAMS = frozenset({"/api/events"})
_HEAVY = frozenset(
    f"/api/{name}"
    for name in (
        "search",
        "page",
        "copy",
        "links",
        "geoparse",
        "export",
        "explain",
        "region",
        "overview",
        "directory",
        "directory/cells",
    )
)


@dataclass(frozen=True, slots=True)
class Rules:
    token: str = ""  # "" lets everyone in who reaches us by a loopback name, or one of `names`
    names: frozenset[str] = frozenset()  # in lower case; with a token, none means any
    body_bytes: int = 2 * 1024 * 1024  # of a request
    body_seconds: float = 20.0  # until it has come as a whole
    bodies: int = 32  # that are waited for at a time
    requests: int = 64  # of other kinds than the next two, at a time; their bodies have come
    heavy: int = 24  # requests that are much work, those that wait for their turn included
    streams: int = 32  # of events
    image_sources: str = ""  # further origins of images: those of map tiles
    per_minute: int = 0  # requests of one client to the API; 0 for no limit

    @property
    def policy(self) -> str:
        """The content security policy of our own pages."""
        images = " ".join(filter(None, ("'self'", "data:", self.image_sources)))
        return (
            f"default-src 'self'; script-src 'self'; style-src 'self'; img-src {images};"
            " connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
            " frame-src 'self'; frame-ancestors 'none'"
        )


class Allowances:
    """What each client may still ask: a minute's requests, which come back one after the other.

    Told as draft-ietf-httpapi-ratelimit-headers has it. Who asked longest ago is forgotten first.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = per_minute, clock
        self._left: dict[str, tuple[float, float]] = {}  # by client, and when that was

    def take(self, client: str) -> tuple[Headers, float]:
        """The fields that tell a client what is left, and in how many seconds it may ask."""
        now, speed = self._clock(), self._most / _MINUTE
        left, at = self._left.pop(client, (float(self._most), now))
        left = min(self._most, left + (now - at) * speed)
        wait = max(0.0, (1 - left) / speed)
        left -= 0 if wait else 1
        self._left[client] = (left, now)
        if len(self._left) > _MOST_CLIENTS:
            del self._left[next(iter(self._left))]
        full = ceil((self._most - left) / speed)
        policy, state = f'"client";q={self._most};w={_MINUTE}', f'"client";r={int(left)};t={full}'
        return [(b"ratelimit-policy", policy.encode()), (b"ratelimit", state.encode())], wait


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self._app = app
        self._rules = rules
        self._running: Counter[str] = Counter()  # requests by kind
        self._most = {"heavy": rules.heavy, "stream": rules.streams, "other": rules.requests}
        self._receiving = 0
        self._allowances = Allowances(rules.per_minute) if rules.per_minute > 0 else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        fields, wait = self._allowed(scope)
        refusal = _too_many(wait) if wait else self._refusal(scope)
        is_for_all = scope["path"].startswith(_FOR_ALL)
        dressed = self._dressed(send, fields, is_for_all=is_for_all)
        if refusal is not None:
            await refusal(scope, receive, dressed)
            return
        body = await self._body(scope, receive)
        if isinstance(body, Response):
            await body(scope, receive, dressed)
            return
        kind = _kind(scope)
        self._running[kind] += 1
        try:
            await self._app(scope, _replayed(body, receive), dressed)
        finally:
            self._running[kind] -= 1

    def _allowed(self, scope: Scope) -> tuple[Headers, float]:
        path = scope["path"]
        is_counted = path.startswith("/api/") and not path.startswith(_UNCOUNTED)
        if self._allowances is None or not is_counted:
            return [], 0.0
        return self._allowances.take(_client_of(scope))

    async def _body(self, scope: Scope, receive: Receive) -> bytes | Response:
        """The body of a request, or the response to one whose body does not come.

        It is read before the request counts, so that bodies which never end keep nobody else out.
        """
        headers = _headers(scope)
        if _length(headers) <= 0 and "transfer-encoding" not in headers:
            return b""
        if self._receiving >= self._rules.bodies:
            return _try_again("too many bodies are being sent; try again in a second")
        self._receiving += 1
        try:
            async with asyncio.timeout(self._rules.body_seconds):
                return await _read_body(receive, self._rules.body_bytes)
        except TimeoutError:
            return _closing(408, f"the body took longer than {self._rules.body_seconds:g} seconds")
        finally:
            self._receiving -= 1

    def _refusal(self, scope: Scope) -> Response | None:
        """The response to a request that goes no further; None for one that may."""
        headers = _headers(scope)
        kind = _kind(scope)
        if self._running[kind] >= self._most[kind]:
            return _try_again("too many requests at a time; try again in a second")
        if len(scope["query_string"]) > _LONGEST_QUERY:
            return problem(414, f"the query may have {_LONGEST_QUERY:,} bytes at most")
        if _length(headers) > self._rules.body_bytes:
            return problem(413, f"a body may have {self._rules.body_bytes:,} bytes at most")
        if not self._answers_to(headers.get("host", "")):
            return _wrong_name()
        return self._ask_for_token(scope, headers) if self._rules.token else None

    def _answers_to(self, host: str) -> bool:
        """Whether a Host field names this server: loopback, or a name that the owner has given."""
        found = _HOST.fullmatch(host)
        name = found[1].lower() if found else ""
        if _is_loopback_name(name) or name in self._rules.names:
            return True
        return bool(self._rules.token and name) and (_is_address(name) or not self._rules.names)

    def _ask_for_token(self, scope: Scope, headers: dict[str, str]) -> Response | None:
        token = self._rules.token
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in pairs if name == "token"]
        if given and _same(given[0], token):
            rest = urlencode([pair for pair in pairs if pair[0] != "token"])
            return _let_in(scope["path"] + (f"?{rest}" if rest else ""), token)
        if any(_same(offered, token) for offered in _offered(headers)):
            return None
        refusal = problem(401, "a token is needed: open the address that `geoscout serve` printed")
        refusal.headers["www-authenticate"] = "Bearer"
        return refusal

    def _dressed(self, send: Send, fields: Headers, *, is_for_all: bool = False) -> Send:
        """Send with the headers that every response has; a response's own policy stays."""
        always = (
            *fields,
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-resource-policy", b"cross-origin" if is_for_all else b"same-origin"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), microphone=(), payment=()"),
        )
        policy = self._rules.policy.encode()

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *always]
                if not any(name == b"content-security-policy" for name, _ in headers):
                    headers += [(b"content-security-policy", policy), (b"x-frame-options", b"DENY")]
                message = {**message, "headers": headers}
            await send(message)

        return dressed


def _client_of(scope: Scope) -> str:
    """The address of a client; of IPv6 the network, since each has more addresses than requests."""
    host = (scope.get("client") or ("",))[0]
    parts = host.split(":")
    return ":".join(parts[:4]) if len(parts) > _PARTS_OF_NETWORK else host


def _too_many(wait: float) -> Response:
    seconds = ceil(wait)
    refusal = problem(429, f"too many requests in a minute; try again in {seconds} seconds")
    refusal.headers["retry-after"] = str(seconds)
    return refusal


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


async def _read_body(receive: Receive, most: int) -> bytes | Response:
    """A body of no more bytes than allowed, whatever the client said it would send."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return problem(400, "the body ended early")  # nobody reads it
        body += message.get("body", b"")
        if len(body) > most:
            return _closing(413, f"a body may have {most:,} bytes at most")
        if not message.get("more_body", False):
            return bytes(body)


def _closing(status: int, detail: str) -> Response:
    """A problem after which the connection is closed: the rest of the body is still to come."""
    response = problem(status, detail)
    response.headers["connection"] = "close"
    return response


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Receive a body that has come, and then what the server has to say."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> MutableMapping[str, Any]:
        if waiting:
            return waiting.pop()
        while (message := await receive())["type"] == "http.request":
            pass  # the end of a request without a body
        return message

    return replayed


def _length(headers: dict[str, str]) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isdecimal() else 0


def _is_loopback_name(name: str) -> bool:
    if name == "localhost":  # not its subdomains: a browser opens six connections to each
        return True
    return _is_address(name) and ipaddress.ip_address(name.strip("[]")).is_loopback


def _is_address(name: str) -> bool:
    """Whether it is an IP address, which no name server can let lead elsewhere."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _kind(scope: Scope) -> str:
    path = scope["path"]
    return "stream" if path in _STREAMS else "heavy" if path in _HEAVY else "other"


def _try_again(detail: str) -> Response:
    response = problem(503, detail)
    response.headers["retry-after"] = "1"
    return response


def _offered(headers: dict[str, str]) -> Iterator[str]:
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        yield value.strip()
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return
    if cookie is not None:
        yield cookie.value


def _same(offered: str, token: str) -> bool:
    return hmac.compare_digest(offered.encode(), token.encode())


def _let_in(address: str, token: str) -> Response:
    """To the same address without the token, which a cookie now carries."""
    response = RedirectResponse(f"/{address.lstrip('/')}", 303)
    response.set_cookie(
        COOKIE, token, max_age=_COOKIE_SECONDS, httponly=True, samesite="strict", path="/"
    )
    return response


def _wrong_name() -> Response:
    return problem(
        421, "this server has another name; name it with --server-name, or use localhost"
    )


def read_origins(texts: Collection[str]) -> frozenset[str]:
    """Origins as browsers send them, or "*" for all."""
    for text in texts:
        if text != ANY and not _ORIGIN.fullmatch(text):
            raise UsageError(f"an origin is https://NAME[:PORT] without a path, or *; not {text!r}")
    return frozenset(text.lower() for text in texts)


class AllowedOrigins:
    """An ASGI application around another: pages of origins that the owner names read the API.

    Reading only: control is not for pages of others, and cookies are never accepted from there. A
    page that needs a token sends it in the field `Authorization`.
    """

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        self._app = app
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = self._origin(scope)
        if not origin:
            await self._app(scope, receive, send)
        elif scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=_PREFLIGHT)(scope, receive, _with(origin, send))
        else:
            await self._app(scope, receive, _with(origin, send))

    def _origin(self, scope: Scope) -> str:
        """The origin that may read the answer to a request; "" for none."""
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            return ""
        if scope["path"].startswith("/api/control"):
            return ""
        fields = dict(scope["headers"])
        origin: str = fields.get(b"origin", b"").decode("latin-1").lower()
        if ANY in self._origins:
            return ANY if origin else ""
        return origin if origin in self._origins else ""


def _with(origin: str, send: Send) -> Send:
    fields = [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", b"link, ratelimit, ratelimit-policy, retry-after"),
        (b"vary", b"origin"),
    ]

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *fields]}
        await send(message)

    return dressed
