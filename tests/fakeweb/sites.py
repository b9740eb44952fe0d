"""Well-behaved sites, as a measure for the others, and what a fake host can do with a request."""

import asyncio
import html
import socket
import struct
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass

HTML = "text/html; charset=utf-8"
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Visitor:
    """A request and the connection it came over."""

    def __init__(
        self,
        target: str,
        headers: Mapping[str, str],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.path, _, self.query = target.partition("?")
        self.headers = headers  # names in lower case
        self.stays = True  # whether the connection can take another request
        self.status = 0  # of the answer, once there is one
        self.ended = 0.0  # when the last byte was written, monotonic
        self._reader = reader
        self._writer = writer

    @property
    def host(self) -> str:
        return self.headers.get("host", "").rpartition(":")[0] or self.headers.get("host", "")

    @property
    def client(self) -> object:
        """The other end of the connection: the same for requests that came over the same one."""
        return self._writer.get_extra_info("peername")

    async def answer(
        self,
        body: bytes = b"",
        status: int = 200,
        content_type: str = HTML,
        headers: Iterable[tuple[str, str]] = (),
    ) -> None:
        """A proper answer with a proper length."""
        fields = [("Content-Type", content_type), ("Content-Length", str(len(body))), *headers]
        await self.send(self.head(status, fields) + body)

    def head(self, status: int, headers: Iterable[tuple[str, str]] = ()) -> bytes:
        self.status = status
        lines = [f"HTTP/1.1 {status} Fake", *(f"{name}: {value}" for name, value in headers)]
        return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")

    async def send(self, data: bytes) -> None:
        """Write, and wait while the visitor does not keep up. Fails when it has left."""
        self.ended = time.monotonic()
        self._writer.write(data)
        await self._writer.drain()
        await asyncio.sleep(0)  # drain alone lets others run only when the visitor is slow

    async def wait_until_gone(self) -> None:
        """Say nothing until the visitor leaves."""
        self.stays = False
        while await self._reader.read(4096):
            pass
        self.ended = time.monotonic()

    def hang_up(self) -> None:
        """Close the connection after what was sent."""
        self.stays = False

    def reset(self) -> None:
        """Break the connection off so that the visitor gets a reset, not an end."""
        self.stays = False
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        self._writer.transport.abort()


Handler = Callable[[Visitor], Awaitable[None]]


async def not_found(visitor: Visitor) -> None:
    await visitor.answer(b"<title>Not found</title>", 404)


@dataclass(frozen=True, slots=True)
class Site:
    """What a host answers: robots.txt from one handler, everything else from another."""

    handler: Handler = not_found
    robots: Handler = not_found

    async def serve(self, visitor: Visitor) -> None:
        chosen = self.robots if visitor.path == "/robots.txt" else self.handler
        await chosen(visitor)


def markup(title: str, links: Iterable[str] = (), text: str = "") -> bytes:
    """A small page; what is in it is escaped."""
    anchors = "".join(
        f'<li><a href="{html.escape(link)}">{html.escape(link)}</a>' for link in links
    )
    body = f"<h1>{html.escape(title)}</h1><p>{html.escape(text)}</p><ul>{anchors}</ul>"
    return f"<!doctype html><title>{html.escape(title)}</title>{body}".encode()


def page(
    title: str, links: Iterable[str] = (), headers: Iterable[tuple[str, str]] = (), text: str = ""
) -> Handler:
    """The same page at any path."""
    return content(markup(title, links, text), HTML, headers=headers)


def content(
    body: bytes,
    content_type: str = HTML,
    status: int = 200,
    headers: Iterable[tuple[str, str]] = (),
) -> Handler:
    """The same bytes at any path."""
    fields = tuple(headers)

    async def handler(visitor: Visitor) -> None:
        await visitor.answer(body, status, content_type, fields)

    return handler


def by_path(handlers: Mapping[str, Handler], otherwise: Handler = not_found) -> Handler:
    """A handler for each path, without the query."""

    async def handler(visitor: Visitor) -> None:
        await handlers.get(visitor.path, otherwise)(visitor)

    return handler


def in_turn(*handlers: Handler) -> Handler:
    """The first answer to the first request, and so on; the last one from then on."""
    left = list(handlers)

    async def handler(visitor: Visitor) -> None:
        chosen = left.pop(0) if len(left) > 1 else left[0]
        await chosen(visitor)

    return handler


def robots_file(*lines: str) -> Handler:
    return content("\n".join([*lines, ""]).encode(), "text/plain")


def chained(pages: int, links: Callable[[int], Iterable[str]] = lambda _: ()) -> Handler:
    """Pages `/0` to `/n`, each linking to the next and to what you say; `/` is like `/0`."""

    async def handler(visitor: Visitor) -> None:
        number = visitor.path.strip("/") or "0"
        if not number.isdigit() or int(number) >= pages:
            await not_found(visitor)
            return
        following = [f"/{int(number) + 1}"] if int(number) + 1 < pages else []
        title = f"Page {number} of {visitor.host}"
        await visitor.answer(markup(title, [*following, *links(int(number))]))

    return handler


def conditional(etag: str, modified: str, body: bytes) -> Handler:
    """A page that answers 304 to who has it already."""

    async def handler(visitor: Visitor) -> None:
        marks = (("ETag", etag), ("Last-Modified", modified))
        if visitor.headers.get("if-none-match") == etag:
            await visitor.send(visitor.head(304, marks))
        else:
            await visitor.answer(body, headers=marks)

    return handler
