"""Answers that are odd on purpose: cut at any byte, in strange numbers, layers and charsets."""

import asyncio
import gzip
import random
import zlib
from collections.abc import Callable

import brotli

from tests.fakeweb.sites import HTML, Handler, Visitor, content, markup

_MEBIBYTE = 1024 * 1024
_WITHOUT_BODY = frozenset({101, 103, 204, 205, 304})


def whole_answer(body: bytes) -> bytes:
    """A proper answer as bytes, head and body."""
    return (
        f"HTTP/1.1 200 Fake\r\nContent-Type: {HTML}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        + body
    )


def breaking_off(at: int, *, reset: bool = False) -> Handler:
    """The first bytes of a proper answer, and then the connection ends."""
    whole = whole_answer(markup("Cut", ["/1"], "word " * 40))

    async def handler(visitor: Visitor) -> None:
        await visitor.send(whole[:at])
        if reset:
            await asyncio.sleep(0.02)
            visitor.reset()
        else:
            visitor.hang_up()

    return handler


def odd_status(status: str) -> Handler:
    """A page with any status, also one that is not a number."""
    is_bare = status.isdecimal() and int(status) in _WITHOUT_BODY

    async def handler(visitor: Visitor) -> None:
        body = b"" if is_bare else markup("Odd", ["/1"])
        visitor.status = 1
        fields = f"Content-Type: {HTML}\r\nContent-Length: {len(body)}\r\n\r\n"
        await visitor.send(f"HTTP/1.1 {status} Odd\r\n{fields}".encode("latin-1") + body)

    return handler


def wrong_length(length: str) -> Handler:
    """A page that claims a length, right or not, and then the connection ends."""

    async def handler(visitor: Visitor) -> None:
        fields = [("Content-Type", HTML), ("Content-Length", length)]
        await visitor.send(visitor.head(200, fields) + markup("Odd length", text="word " * 20))
        visitor.hang_up()

    return handler


async def endless_hints(visitor: Visitor) -> None:
    """Early hints for ever, and never an answer."""
    while True:
        await visitor.send(b"HTTP/1.1 103 Early Hints\r\nLink: </s.css>; rel=preload\r\n\r\n" * 20)
        await asyncio.sleep(0.01)


async def switching(visitor: Visitor) -> None:
    """Another protocol, which nobody asked for."""
    await visitor.send(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
    await visitor.wait_until_gone()


def _chunked(first: bytes, piece: Callable[[int], bytes]) -> Handler:
    async def handler(visitor: Visitor) -> None:
        fields = [("Content-Type", HTML), ("Transfer-Encoding", "chunked")]
        await visitor.send(visitor.head(200, fields) + first)
        for number in range(10**9):
            await visitor.send(piece(number))
            await asyncio.sleep(0.001)

    return handler


def endless_trailers() -> Handler:
    """A whole body in chunks, then fields without end."""
    return _chunked(b"5\r\nhello\r\n0\r\n", lambda n: b"X-%d: %s\r\n" % (n, b"z" * 1000))


def long_chunk_extensions() -> Handler:
    """A byte a chunk, each with an extension of 4,000."""
    return _chunked(b"", lambda _: b"1;x=" + b"y" * 4000 + b"\r\na\r\n")


def endless_cookies() -> Handler:
    """More cookies than a head may have."""
    fields = "".join(f"Set-Cookie: c{n}={'x' * 2000}\r\n" for n in range(150))

    async def handler(visitor: Visitor) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}Content-Length: 2\r\n\r\nhi"
        await visitor.send(head.encode())

    return handler


def _zeros(megabytes: int) -> bytes:
    stream = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(stream.compress(bytes(_MEBIBYTE)) for _ in range(megabytes)) + stream.flush()


def _brotli_zeros(megabytes: int) -> bytes:
    stream = brotli.Compressor(quality=1)
    pieces: list[bytes] = [stream.process(bytes(_MEBIBYTE)) for _ in range(megabytes)]
    return b"".join(pieces) + bytes(stream.finish())


# What a small body can be made of so that reading it is much work, with its Content-Encoding.
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "gzip": (lambda: _zeros(300), "gzip"),
    "brotli": (lambda: _brotli_zeros(300), "br"),
    "gzip-twice": (lambda: gzip.compress(_zeros(300)), "gzip, gzip"),
    "gzip-four-times": (
        lambda: gzip.compress(gzip.compress(gzip.compress(_zeros(100)))),
        "gzip, gzip, gzip, gzip",
    ),
    "empty-members": (lambda: gzip.compress(b"") * 300_000, "gzip"),
    "empty-blocks": (lambda: b"\0\0\0\xff\xff" * 1_400_000 + b"\1\0\0\xff\xff", "deflate"),
    "zstd-empty-frames": (lambda: b"\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00" * 800_000, "zstd"),
    "zstd-skipped-frames": (lambda: b"\x50\x2a\x4d\x18\0\0\0\0" * 1_000_000, "zstd"),
    "brotli-metadata": (lambda: b"\x06" * 7_000_000, "br"),
}


def small_bomb(kind: str) -> Handler:
    """One of `BOMBS`; it is made when this is called, not when it is asked for."""
    make, coding = BOMBS[kind]
    return content(make(), headers=[("Content-Encoding", coding)])


def in_charset(text: str, actual: str, claimed: str | None) -> Handler:
    """A page in one charset that claims another, or none."""
    body = f"<!doctype html><title>{text}</title><p>{text}</p>".encode(actual, "replace")
    return content(body, "text/html" + (f"; charset={claimed}" if claimed else ""))


def noise(chance: random.Random, size: int) -> Handler:
    """Bytes by chance where an answer should be."""
    data = chance.randbytes(size)

    async def handler(visitor: Visitor) -> None:
        await visitor.send(data)
        visitor.hang_up()

    return handler
