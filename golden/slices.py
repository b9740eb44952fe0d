"""Some pages of an archive, evenly spread: to be replayed, and as documents for `geoparse`."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_GZIP = 31  # the window of zlib that reads a gzip member
_CHUNK = 1 << 16
_URL = re.compile(rb"WARC-Target-URI: <?([^\r\n>]+)")


class Slice(NamedTuple):
    """A folder with some pages of an archive."""

    archive: Path  # as crawls replay it, with `seeds.txt` beside
    documents: Path


def cut(archive: Path, folder: Path, count: int) -> Slice:
    """Take `count` pages out of an archive file that is compressed record by record."""
    folder.mkdir()
    found = [page for page in _members(archive.read_bytes()) if _is_page(page[1])]
    step = max(1, len(found) // count)
    taken = found[::step][:count]
    urls = [_url(page) for _, page in taken]
    (folder / "pages.warc.gz").write_bytes(b"".join(packed for packed, _ in taken))
    (folder / "seeds.txt").write_text("".join(f"{url}\n" for url in urls), encoding="utf-8")
    documents = folder.with_suffix(".jsonl")
    lines = (
        json.dumps({"id": url, "url": url, "html": _html(page)})
        for url, (_, page) in zip(urls, taken, strict=True)
    )
    documents.write_text("\n".join(lines), encoding="utf-8")
    return Slice(folder, documents)


def _members(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Every record, compressed and as it is."""
    begin = 0
    while begin < len(data):
        reader, end, parts = zlib.decompressobj(_GZIP), begin, []
        while not reader.eof:
            chunk = data[end : end + _CHUNK]
            parts.append(reader.decompress(chunk))
            end += len(chunk) - len(reader.unused_data)
        yield data[begin:end], b"".join(parts)
        begin = end


def _is_page(record: bytes) -> bool:
    warc, http, *_ = *record.split(b"\r\n\r\n", 2), b""
    is_html = b"content-type: text/html" in http.lower()
    return b"WARC-Type: response" in warc and http[8:12] == b" 200" and is_html


def _url(record: bytes) -> str:
    found = _URL.search(record)
    return found[1].decode() if found else ""


def _html(record: bytes) -> str:
    return record.split(b"\r\n\r\n", 2)[2].decode(errors="replace")
