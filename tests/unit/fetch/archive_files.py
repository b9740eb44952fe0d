"""Small files of Common Crawl and others, written for tests."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow
import pyarrow.parquet as pq

from geoscout.warc import pack


def record(type: str, url: str, block: bytes, content_type: str) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {type}\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Date: 2024-03-01T08:00:00Z\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return pack(head.encode() + block + b"\r\n\r\n")


def write_wet(path: Path, texts: Mapping[str, str]) -> Path:
    path.write_bytes(
        b"".join(record("conversion", u, t.encode(), "text/plain") for u, t in texts.items())
    )
    return path


def wat_block(title: str, links: Sequence[tuple[str, str]], of: str = "response") -> bytes:
    found = [{"path": "A@/href", "url": url, "text": text} for url, text in links]
    found.append({"path": "IMG@/src", "url": "/picture.png"})
    markup = {"Head": {"Title": title, "Metas": [{"name": "x", "content": "y"}]}, "Links": found}
    payload = {"HTTP-Response-Metadata": {"HTML-Metadata": markup}}
    envelope = {"WARC-Header-Metadata": {"WARC-Type": of}, "Payload-Metadata": payload}
    return json.dumps({"Container": {}, "Envelope": envelope}).encode()


def write_wat(path: Path, pages: Mapping[str, tuple[str, Sequence[tuple[str, str]]]]) -> Path:
    records = []
    for url, (title, links) in pages.items():
        asked = wat_block("", [], "request")
        records.append(record("metadata", url, asked, "application/json"))
        records.append(record("metadata", url, wat_block(title, links), "application/json"))
    path.write_bytes(b"".join(records))
    return path


def write_shard(path: Path, texts: Mapping[str, str]) -> Path:
    rows = [
        {"url": url, "title": "T", "plain_text": text, "language": "deu", "warc_date": None}
        for url, text in texts.items()
    ]
    pq.write_table(pyarrow.Table.from_pylist(rows), path)
    return path
