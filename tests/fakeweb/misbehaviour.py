"""Answers as no server should give them, each as a handler; then sites without end."""

import asyncio
import gzip
import struct
import zlib

from tests.fakeweb.sites import HTML, Handler, Visitor, markup, page

_MEBIBYTE = 1024 * 1024
_CHUNKED = (("Content-Type", HTML), ("Transfer-Encoding", "chunked"))


def slow(seconds: float) -> Handler:
    """Thinks for a while, then answers properly."""

    async def handler(visitor: Visitor) -> None:
        await asyncio.sleep(seconds)
        await visitor.answer(markup("Slow"))

    return handler


def dripping(seconds: float, data: bytes = b"x") -> Handler:
    """A proper header, then a little at a time, for ever."""

    async def handler(visitor: Visitor) -> None:
        await visitor.send(visitor.head(200, [("Content-Type", HTML)]))
        while True:
            await visitor.send(data)
            await asyncio.sleep(seconds)

    return handler


def dripping_header(seconds: float) -> Handler:
    """A header that never ends, byte by byte."""

    async def handler(visitor: Visitor) -> None:
        await visitor.send(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while True:
            await visitor.send(b"x")
            await asyncio.sleep(seconds)

    return handler


async def hanging(visitor: Visitor) -> None:
    """A header that promises a body, and then nothing."""
    await visitor.send(visitor.head(200, [("Content-Type", HTML), ("Content-Length", "1000")]))
    await visitor.wait_until_gone()


async def silent(visitor: Visitor) -> None:
    """Accepts the request and never says a word."""
    await visitor.wait_until_gone()


async def resetting(visitor: Visitor) -> None:
    """Breaks the connection off in the middle of the body."""
    await visitor.send(visitor.head(200, [("Content-Type", HTML), ("Content-Length", "1000")]))
    await visitor.send(b"<title>Not for")
    await asyncio.sleep(0.02)
    visitor.reset()


async def resetting_at_once(visitor: Visitor) -> None:
    visitor.reset()


async def disconnecting(visitor: Visitor) -> None:
    """Closes the connection without an answer."""
    visitor.hang_up()


async def truncated(visitor: Visitor) -> None:
    """Less than the length it promises."""
    await visitor.send(visitor.head(200, [("Content-Type", HTML), ("Content-Length", "1000")]))
    await visitor.send(b"<title>Half a page</title>")
    visitor.hang_up()


async def truncated_chunks(visitor: Visitor) -> None:
    await visitor.send(visitor.head(200, _CHUNKED) + b"ff\r\n<title>Half")
    visitor.hang_up()


async def truncated_gzip(visitor: Visitor) -> None:
    """The right length, but the compressed body has no end."""
    body = gzip.compress(markup("Half a gzip", text="word " * 500))[:-40]
    await visitor.answer(body, headers=[("Content-Encoding", "gzip")])


async def longer_than_it_says(visitor: Visitor) -> None:
    """More than the length it promises; the rest is not the answer to anything."""
    body = markup("As long as it says")
    head = visitor.head(200, [("Content-Type", HTML), ("Content-Length", str(len(body)))])
    await visitor.send(head + body + b"<p>and some more that was not promised</p>")


async def two_lengths(visitor: Visitor) -> None:
    fields = [("Content-Type", HTML), ("Content-Length", "10"), ("Content-Length", "20")]
    await visitor.send(visitor.head(200, fields) + b"x" * 20)
    visitor.hang_up()


async def nonsense(visitor: Visitor) -> None:
    """Not HTTP at all."""
    await visitor.send(b"220 mail.test ESMTP ready\r\n")
    visitor.hang_up()


def wrong_charset(text: str, actual: str, claimed: str) -> Handler:
    """A page in one charset whose header and meta element claim another."""
    claim = f'<meta charset="{claimed}">'.encode()
    body = b"<!doctype html>" + claim + f"<title>{text}</title><p>{text}</p>".encode(actual)

    async def handler(visitor: Visitor) -> None:
        await visitor.answer(body, content_type=f"text/html; charset={claimed}")

    return handler


async def mixed_encodings(visitor: Visitor) -> None:
    """UTF-8 and Latin-1 on one page, as when databases are joined."""
    body = "<!doctype html><title>Café</title><p>Zürich".encode() + "<p>Genève".encode("latin-1")
    await visitor.answer(body)


async def not_gzip(visitor: Visitor) -> None:
    """Claims to be compressed, is not."""
    await visitor.answer(markup("Plain"), headers=[("Content-Encoding", "gzip")])


def bomb(header: bytes, block: bytes, coding: str) -> Handler:
    """Compressed data without end: `block` as often as somebody reads it."""

    async def handler(visitor: Visitor) -> None:
        fields = [("Content-Type", HTML), ("Content-Encoding", coding)]
        await visitor.send(visitor.head(200, fields) + header)
        visitor.hang_up()
        while True:
            await visitor.send(block)

    return handler


def gzip_bomb() -> Handler:
    """1 KiB unfolds to 1 MiB, for ever."""
    stream = zlib.compressobj(9, zlib.DEFLATED, 31)
    blocks = [stream.compress(bytes(_MEBIBYTE)) + stream.flush(zlib.Z_FULL_FLUSH) for _ in "ab"]
    return bomb(blocks[0], blocks[1] * 10, "gzip")


def zstd_bomb() -> Handler:
    """4 bytes unfold to 128 KiB, for ever (RFC 8878: run-length blocks)."""
    header = b"\x28\xb5\x2f\xfd" + b"\x00" + b"\x68"  # magic, no sizes, a window of 8 MiB
    block = struct.pack("<I", (128 * 1024) << 3 | 1 << 1)[:3] + b"\x00"
    return bomb(header, block * 2500, "zstd")


def huge_header(size: int = 10 * _MEBIBYTE) -> Handler:
    """One header field of many megabytes."""

    async def handler(visitor: Visitor) -> None:
        await visitor.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Long: ")
        for _ in range(size // 65536):
            await visitor.send(b"x" * 65536)
        await visitor.send(b"\r\nContent-Length: 0\r\n\r\n")

    return handler


def many_headers(count: int = 200_000) -> Handler:
    """Header fields without end."""

    async def handler(visitor: Visitor) -> None:
        await visitor.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
        for start in range(0, count, 500):
            fields = (f"X-{number}: {'x' * 60}\r\n" for number in range(start, start + 500))
            await visitor.send("".join(fields).encode())
        await visitor.send(b"Content-Length: 0\r\n\r\n")

    return handler


async def endless_body(visitor: Visitor) -> None:
    """A page that goes on as long as somebody reads."""
    await visitor.send(visitor.head(200, [("Content-Type", HTML)]))
    visitor.hang_up()
    while True:
        await visitor.send(b"<p>more</p>" * 6000)


async def image(visitor: Visitor) -> None:
    """No page: who reads on after the header does so in vain."""
    fields = [("Content-Type", "image/png"), ("Content-Length", str(50 * _MEBIBYTE))]
    await visitor.send(visitor.head(200, fields))
    await visitor.wait_until_gone()


async def endless_redirect(visitor: Visitor) -> None:
    """/1 leads to /2, /2 to /3, …"""
    number = int("0" + "".join(c for c in visitor.path if c.isdigit()))
    await redirect(f"/{number + 1}")(visitor)


def redirect(location: str, status: int = 302) -> Handler:
    async def handler(visitor: Visitor) -> None:
        await visitor.answer(b"", status, headers=[("Location", location)])

    return handler


def too_many_requests(retry_after: str) -> Handler:
    async def handler(visitor: Visitor) -> None:
        await visitor.answer(b"slow down", 429, headers=[("Retry-After", retry_after)])

    return handler


def failing(status: int) -> Handler:
    async def handler(visitor: Visitor) -> None:
        await visitor.answer(b"<title>Sorry</title>", status)

    return handler


def huge_robots(rule: str, size: int = 2 * _MEBIBYTE) -> Handler:
    """A rule that counts, then megabytes of comments, then one that comes too late."""

    async def handler(visitor: Visitor) -> None:
        body = f"User-agent: *\n{rule}\n".encode() + b"# padding\n" * (size // 10)
        await visitor.answer(body + b"Disallow: /\n", content_type="text/plain")

    return handler


plain = page("A page like any other")


async def calendar(visitor: Visitor) -> None:
    """Each month links to the next and the one before, each day to itself."""
    parts = [int(part) for part in visitor.path.split("/") if part.isdigit()]
    year, month = parts[:2] if len(parts) > 1 else (2024, 1)
    months = year * 12 + month - 1
    near = [divmod(months + step, 12) for step in (-1, 1)]
    links = [f"/calendar/{y:04d}/{m + 1:02d}/" for y, m in near]
    await visitor.answer(markup(f"Events of {year}-{month}", [*links, "/about"]))


async def sessions(visitor: Visitor) -> None:
    """Every answer gives its links a new session id."""
    mark = zlib.crc32(f"{visitor.path}?{visitor.query}".encode())
    links = [f"/page{n}?sid={mark:08x}{mark ^ n:08x}{n:02d}" for n in range(3)]
    await visitor.answer(markup(f"Shop {visitor.path}", [*links, "/about"]))


async def infinite_depth(visitor: Visitor) -> None:
    """A relative link that goes one level deeper each time, because folders have no slash."""
    await visitor.answer(markup(f"Folder {visitor.path}", [visitor.path.rstrip("/") + "/deeper/"]))


def duplicate_farm(copies: int) -> Handler:
    """The same page under many names, which differ by nothing else."""
    names = [f"/copy-{number}" for number in range(copies)]
    text = "The very same words, whatever the address says. " * 20

    async def handler(visitor: Visitor) -> None:
        await visitor.answer(markup("Copy", names, text))

    return handler
