"""Answers HEAD as GET, without the body: the framework knows only the methods it was told."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadsAsGets:
    """An ASGI application around another, which never sees a HEAD."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            head = _Head(receive, send)
            await self._app({**scope, "method": "GET"}, head.receive, head.send)
        else:
            await self._app(scope, receive, send)


class _Head:
    """One request: its head is sent, and then the client seems to leave, which ends a stream."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._is_sent = False

    async def receive(self) -> MutableMapping[str, Any]:
        return {"type": "http.disconnect"} if self._is_sent else await self._receive()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self._send(message)
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
            self._is_sent = True
