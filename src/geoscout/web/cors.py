"""Lets pages of other origins read the API, where the owner has named these origins.

Reading only: control is not for pages of others, and cookies are never accepted from there. A page
that needs a token sends it in the field `Authorization`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from geoscout_places.errors import UsageError

ANY = "*"
_ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?", re.IGNORECASE)
_PREFLIGHT = {
    "access-control-allow-methods": "GET, HEAD, POST",
    "access-control-allow-headers": "accept, authorization, content-type",
    "access-control-max-age": "600",
}


def read_origins(texts: Collection[str]) -> frozenset[str]:
    """Origins as browsers send them, or "*" for all.

    Raises:
        UsageError: one of them is not an origin.
    """
    for text in texts:
        if text != ANY and not _ORIGIN.fullmatch(text):
            raise UsageError(f"an origin is https://NAME[:PORT] without a path, or *; not {text!r}")
    return frozenset(text.lower() for text in texts)


class AllowedOrigins:
    """An ASGI application around another."""

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
        (b"vary", b"origin"),
    ]

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *fields]}
        await send(message)

    return dressed
