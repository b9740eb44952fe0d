"""Archives of a few pages, for worlds that are made of archives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geoscout.warc import pack

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ADDRESS = "<address>Lange Straße 12<br>26122 Oldenburg</address>"
ELSEWHERE = "<address>Am Markt 1<br>28195 Bremen</address>"
PAGES = {
    "http://a.example/": '<a href="/shop/">Shop</a> <a href="http://b.example/">B</a>'
    ' <a href="http://outside.example/">Outside</a>',
    "http://a.example/shop/": f'{ADDRESS} <a href="/deep">Deep <b>down</b></a>'
    ' <a href="/">Home</a>',
    "http://a.example/deep": "<p>Nothing</p>",
    "http://b.example/": f'{ELSEWHERE} <a href="http://a.example/shop/index.html">The shop</a>',
    "http://c.example/": f"{ADDRESS} no link leads here",
}


def write_archive(file: Path, pages: Mapping[str, str]) -> Path:
    file.write_bytes(b"".join(_record(url, body.encode()) for url, body in pages.items()))
    return file


def _record(url: str, body: bytes) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
    length = f"Content-Length: {len(block)}\r\n\r\n"
    return pack(f"{head}{length}".encode() + block + b"\r\n\r\n")
