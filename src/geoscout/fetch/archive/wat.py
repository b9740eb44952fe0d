"""The WAT files of Common Crawl: title, meta fields and links of pages, without their text.

A record is made into a small HTML page, so that everything else reads it as it reads any page: its
links can be followed in a replay. With the text of the same page from a WET file it is nearly what
the page was, at a fifth of the size of the WARC files.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any

from geoscout.warc import WarcRecord

_OF_RESPONSE = b'"WARC-Type":"response"'
_MOST_LINKS = 20_000


def is_wat_page(start: WarcRecord) -> bool:
    """Whether a record is about a response, by the beginning of its block."""
    if start.type != "metadata" or "json" not in start.fields.get("content-type", ""):
        return False
    return _OF_RESPONSE in start.block.replace(b'": "', b'":"')


def html_of_wat(block: bytes, text: bytes = b"") -> bytes:
    """A page with what a record says of it, and with a text that is known from elsewhere.

    What is not as expected is left out: the result is a page in any case.
    """
    found = _html_metadata(block)
    head = _dict(found.get("Head"))
    parts = ["<!doctype html><meta charset=utf-8>"]
    if isinstance(head.get("Title"), str):
        parts.append(f"<title>{html.escape(head['Title'])}</title>")
    if isinstance(head.get("Base"), str):
        parts.append(f'<base href="{html.escape(head["Base"])}">')
    parts += _metas(head.get("Metas"))
    lines = text.decode("utf-8", "replace").splitlines()
    parts += [f"<p>{html.escape(line)}</p>" for line in lines if line.strip()]
    parts += _anchors(found.get("Links"))
    return "\n".join(parts).encode()


def _html_metadata(block: bytes) -> dict[str, Any]:
    try:
        found = json.loads(block)
    except (ValueError, RecursionError):
        return {}
    for key in ("Envelope", "Payload-Metadata", "HTTP-Response-Metadata", "HTML-Metadata"):
        found = _dict(found).get(key)
    return _dict(found)


def _metas(metas: object) -> Iterator[str]:
    for meta in metas if isinstance(metas, list) else ():
        found = _dict(meta)
        if isinstance(found.get("name"), str) and isinstance(found.get("content"), str):
            name, content = html.escape(found["name"]), html.escape(found["content"])
            yield f'<meta name="{name}" content="{content}">'


def _anchors(links: object) -> Iterator[str]:
    for link in links[:_MOST_LINKS] if isinstance(links, list) else ():
        found = _dict(link)
        url, path = found.get("url"), found.get("path")
        if isinstance(url, str) and isinstance(path, str) and path.startswith("A@"):
            words = found.get("text") or found.get("title") or ""
            yield f'<p><a href="{html.escape(url)}">{html.escape(str(words))}</a></p>'


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
