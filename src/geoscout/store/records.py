"""Builds the WARC records of a response and packs its links. Pure: a worker process can do it.

Bodies are archived decoded, since that is all a `Response` has: the fields that told of codings
are kept under `x-orig-`, as other crawlers do, and the length is put right. Records carry a
payload digest, by which identical payloads are known, and no block digest: gzip has a checksum of
its own, and hashing a page costs a third of what compressing it does.
"""

import hashlib
import json
import os
import struct
import zlib
from base64 import b32encode
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from itertools import accumulate
from operator import sub

import orjson
from msgspec import Struct
from msgspec.structs import replace

from geoscout import __version__
from geoscout.warc import WarcRecord, pack, parse_http, unpack
from geoscout_places.codec import Codec
from geoscout_places.model import Block, Link, Outline, Page, Part, Response

_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_ABOUT_CODING = {"content-encoding", "content-length", "transfer-encoding"}
_RESPONSE = "application/http;msgtype=response"
_REQUEST = "application/http;msgtype=request"
_ABOUT = (
    ("software", f"geoscout/{__version__}"),
    ("format", "WARC File Format 1.1"),
    (
        "conformsTo",
        "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
    ),
)
_HEADERS = "X-Geoscout-Headers"  # of the answer that a browser made a resource of, as JSON
_GZIP_FRAME, _BLOCK_FRAME = 18, 5  # bytes around the content of a gzip member and of a block
_READ_VERSION = b"\x01"  # of a page as it is kept: another one when `Page` or its reading changes
_STORED_BLOCK = 0xFFFF  # the most a block holds without compression


class PackedLinks(Struct, frozen=True, gc=False):
    """The links of a page as the store keeps them."""

    number: int
    packed: bytes


class ReadPage(Struct, frozen=True, gc=False):
    """What was read of a page, so that nobody has to parse it again."""

    page: Page
    outline: Outline  # empty where the page has no address


class _PackedPage(Struct, frozen=True, gc=False, array_like=True):
    page: Page  # without blocks and links
    parts: list[Part]  # of its blocks
    steps: list[int]  # from one end of a block to the next: small numbers take a fifth less room
    outline: Outline


class Exchange(Struct, frozen=True, gc=False):
    """A response and its request as records, packed and ready to be appended to an archive."""

    digest: bytes  # SHA-1 of the body
    response: bytes
    request: bytes  # empty where there was none
    links: PackedLinks | None = None  # those of its page; None where nobody has packed them
    page: bytes = b""  # what was read of it (`pack_page`); empty where that is not kept


class Original(Struct, frozen=True, gc=False):
    """The response whose body a later one repeats."""

    url: str
    date: float  # of its record


_PACKED_PAGE = Codec(_PackedPage)


def pack_exchange(response: Response, agent: str) -> Exchange:
    """The records of a response; `agent` is the User-Agent that was sent.

    What comes from an archive has its date from there, and no request: we did not send it.
    """
    digest = hashlib.sha1(response.body, usedforsecurity=False).digest()
    if response.sent:
        return _pack_rendered(response, digest, agent)
    packed, request = _pack_plain(response, digest, agent)
    return Exchange(digest, packed, request)


def _pack_plain(response: Response, digest: bytes, agent: str) -> tuple[bytes, bytes]:
    """An answer as it was sent, and its request."""
    id, origin = _new_id(), _origin(response)
    fields = [("WARC-Record-ID", id), *origin, ("WARC-Payload-Digest", digest_text(digest))]
    record = _record("response", fields, _RESPONSE, _http_head(response), response.body)
    return pack(record), _pack_request(response, id, agent, origin)


def _pack_rendered(response: Response, digest: bytes, agent: str) -> Exchange:
    """What a browser made of an answer is a resource; the answer itself stands behind it."""
    fields = [
        ("WARC-Record-ID", _new_id()),
        *_origin(response),
        ("WARC-Payload-Digest", digest_text(digest)),
        (_HEADERS, json.dumps(response.headers)),
    ]
    made = _record("resource", fields, response.header("content-type"), response.body)
    return Exchange(digest, pack(made), _pack_sent(response, agent))


def _pack_sent(response: Response, agent: str) -> bytes:
    """The answer that a browser made another page of, and its request."""
    plain = replace(response, body=response.sent, sent=b"")
    digest = hashlib.sha1(plain.body, usedforsecurity=False).digest()
    return b"".join(_pack_plain(plain, digest, agent))


def pack_links(links: Sequence[Link]) -> PackedLinks:
    """The links of a page without their surroundings, which the archive has."""
    rows = [[link.url, link.anchor, link.title, link.rel, link.alt, link.part] for link in links]
    return PackedLinks(len(links), pack(orjson.dumps(rows)))


def unpack_links(packed: bytes) -> list[Link]:
    rows = orjson.loads(unpack(packed))
    return [
        Link(url, anchor, title=title, rel=tuple(rel), alt=alt, part=Part(part))
        for url, anchor, title, rel, alt, part in rows
    ]


def pack_page(read: ReadPage) -> bytes:
    """What was read of a page, without its links, which have a row of their own."""
    page = read.page
    ends = [end for block in page.blocks for end in (block.start, block.end)]
    parts = [block.part for block in page.blocks]
    bare = _PackedPage(
        replace(page, blocks=(), links=()), parts, list(map(sub, ends, [0, *ends])), read.outline
    )
    return pack(_READ_VERSION + _PACKED_PAGE.encode(bare))


def unpack_page(packed: bytes, links: bytes | None) -> ReadPage | None:
    """What `pack_page` has packed, with what `pack_links` has; None if another version packed it.

    Raises:
        DamagedDataError: the bytes are something else.
    """
    plain = unpack(packed)
    if not plain.startswith(_READ_VERSION):
        return None
    bare = _PACKED_PAGE.decode(plain[len(_READ_VERSION) :])
    ends = list(accumulate(bare.steps))
    blocks = tuple(map(Block, ends[::2], ends[1::2], bare.parts))
    page = replace(bare.page, blocks=blocks, links=tuple(unpack_links(links)) if links else ())
    return ReadPage(page, bare.outline)


def unpack_response(
    record: WarcRecord, body: WarcRecord | None, address: str, fetched_at: float, seconds: float
) -> Response:
    """The response of a record; `body` is the record of the first with the same body, if any."""
    status, headers, own = _read_message(record)
    return Response(
        record.target,
        status,
        headers,
        own if body is None else _read_message(body)[2],
        address,
        fetched_at=fetched_at,
        seconds=seconds,
    )


def _read_message(record: WarcRecord) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
    """Status, headers and body of a record; a resource was made by a browser of a good answer."""
    if record.type == "resource":
        headers = json.loads(record.fields.get(_HEADERS.lower(), "[]"))
        return HTTPStatus.OK, tuple((name, value) for name, value in headers), record.block
    message = parse_http(record.block)
    return message.status, message.headers, message.body


def pack_repeat(response: Response, exchange: Exchange, original: Original, agent: str) -> Exchange:
    """The records of a response whose body is archived already: a revisit instead of the body."""
    id, origin = _new_id(), _origin(response)
    fields = [
        ("WARC-Record-ID", id),
        *origin,
        ("WARC-Payload-Digest", digest_text(exchange.digest)),
        ("WARC-Profile", _PROFILE),
        ("WARC-Refers-To-Target-URI", original.url),
        ("WARC-Refers-To-Date", date_text(original.date)),
    ]
    record = _record("revisit", fields, _RESPONSE, _http_head(response))
    if response.sent:
        behind = _pack_sent(response, agent)
    else:
        behind = _pack_request(response, id, agent, origin)
    return replace(exchange, response=pack(record), request=behind)


def pack_info(name: str, at: float, about: Sequence[tuple[str, str]] = ()) -> bytes:
    """The record every archive file starts with; `at` is seconds since the epoch.

    `about` are fields that say more of the crawl than who made the file.
    """
    fields = [("WARC-Record-ID", _new_id()), ("WARC-Date", date_text(at)), ("WARC-Filename", name)]
    lines = [f"{key}: {' '.join(value.split())}\r\n" for key, value in (*_ABOUT, *about)]
    block = "".join(lines).encode()
    return pack(_record("warcinfo", fields, "application/warc-fields", block))


def read_provenance(note: str | None) -> list[tuple[str, str]]:
    """What a crawl has noted for `pack_info`; nothing where an earlier version began it."""
    return [(str(name), str(value)) for name, value in orjson.loads(note)] if note else []


def pack_filler(length: int, at: float, text: bytes = b"damaged and replaced") -> bytes | None:
    """A record of exactly this many bytes with no more than `text`; None where it has no room.

    It takes the place of a damaged record, or of one that is to be forgotten, so that the file
    stays one that every program can read, and no other record moves. The gzip member has its
    content as it is: so its length is known.
    """
    blocks = max(-(-(length - _GZIP_FRAME) // (_STORED_BLOCK + _BLOCK_FRAME)), 1)
    size = length - _GZIP_FRAME - blocks * _BLOCK_FRAME
    fields = [("WARC-Record-ID", _new_id()), ("WARC-Date", date_text(at))]
    least = len(_record("metadata", fields, "text/plain", b"")) + len(str(max(size, 0)))
    if size < least:
        return None
    content = text.ljust(size - least)[: size - least]
    record = _record("metadata", fields, "text/plain", content)
    return _stored_gzip(record.ljust(size, b"\n"), blocks)  # some blank lines behind it are allowed


def _stored_gzip(data: bytes, blocks: int) -> bytes:
    """A gzip member that holds some bytes, without compressing them, in a number of blocks."""
    packed = bytearray(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
    for n in range(blocks):
        block = data[n * _STORED_BLOCK : (n + 1) * _STORED_BLOCK]
        is_last = n == blocks - 1
        packed += struct.pack("<BHH", is_last, len(block), len(block) ^ 0xFFFF) + block
    return bytes(packed + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF))


def date_text(at: float) -> str:
    """A time as ISO 8601 in UTC, to the microsecond.

    >>> date_text(0.25)
    '1970-01-01T00:00:00.250000Z'
    """
    text = datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds")
    return f"{text.removesuffix('+00:00')}Z"


def _pack_request(
    response: Response, response_id: str, agent: str, origin: list[tuple[str, str]]
) -> bytes:
    if response.captured_at is not None:
        return b""
    host, _, path = response.url.partition("://")[2].partition("/")
    block = f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: {agent}\r\n\r\n"
    fields = [("WARC-Record-ID", _new_id()), *origin, ("WARC-Concurrent-To", response_id)]
    return pack(_record("request", fields, _REQUEST, block.encode()))


def _origin(response: Response) -> list[tuple[str, str]]:
    """When, from which URL and from whom: what all records of an exchange say."""
    fields = [("WARC-Date", date_text(response.answered_at)), ("WARC-Target-URI", response.url)]
    if response.address:
        fields.append(("WARC-IP-Address", response.address))
    return fields


def _record(type: str, fields: list[tuple[str, str]], content_type: str, *block: bytes) -> bytes:
    """A record; its block comes in pieces, so that a large body is copied only once."""
    length = sum(map(len, block))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    text = (
        f"WARC/1.1\r\nWARC-Type: {type}\r\n{head}"
        f"Content-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
    )
    return b"".join((text.encode(), *block, b"\r\n\r\n"))


def _http_head(response: Response) -> bytes:
    lines = [f"HTTP/1.1 {response.status} {_phrase(response.status)}"]
    length = ("content-length", str(len(response.body)))
    for name, value in response.headers:
        if (name, value) == length:
            continue
        kept = f"x-orig-{name}" if name in _ABOUT_CODING else name
        lines.append(f"{kept}: {value}")
    lines.append(f"{length[0]}: {length[1]}\r\n\r\n")
    return "\r\n".join(lines).encode("utf-8", "surrogateescape")


@cache
def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def digest_text(digest: bytes) -> str:
    return f"sha1:{b32encode(digest).decode()}"


def _new_id() -> str:
    """A random UUID (RFC 9562, version 4), without the objects that `uuid` makes for one."""
    digits = os.urandom(16).hex()
    variant = "89ab"[int(digits[16], 16) & 3]
    return (
        f"<urn:uuid:{digits[:8]}-{digits[8:12]}-4{digits[13:16]}"
        f"-{variant}{digits[17:20]}-{digits[20:]}>"
    )
