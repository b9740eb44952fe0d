"""Well-behaved sites, as a measure for the others."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tests.fakeweb.visitor import HTML, Handler, Visitor


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
