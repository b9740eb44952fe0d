"""Lists of captures: CDXJ files, and the JSON lines that the index of Common Crawl sends.

Each line names a WARC file and a place in it. Only these records are read, so that a few pages of
many files need no scan of them. The files must be here: next to the list, at the path that it
gives, or in a folder `archive` as in WACZ files and collections of pywb.

The WAT files of Common Crawl: title, meta fields and links of pages, without their text.

A record is made into a small HTML page, so that everything else reads it as it reads any page: its
links can be followed in a replay. With the text of the same page from a WET file it is nearly what
the page was, at a fifth of the size of the WARC files.
"""

from __future__ import annotations

import gzip
import html
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from geoscout.warc import WarcRecord
from geoscout_places.errors import UsageError

_log = logging.getLogger(__name__)
_LARGEST = 2**48  # bytes; an offset beyond it is damage

Captures = dict[Path, list[tuple[int, int]]]  # of each file, offset and length of its records


def is_capture_list(path: Path) -> bool:
    """Whether a file is a list, by its name: `x.cdxj`, `x.cdxj.gz`, or `cdx-00012.gz`."""
    name = path.name
    is_of_common_crawl = name.startswith("cdx-") and name.endswith(".gz")
    return name.endswith((".cdxj", ".cdxj.gz")) or is_of_common_crawl


def read_captures(path: Path) -> Captures:
    """The records that a list names, in files that are here; each file in the order of its bytes.

    Raises:
        UsageError: it cannot be read, names no record, or none of its files is here.
    """
    named: dict[str, set[tuple[int, int]]] = {}
    for entry in _entries(path):
        named.setdefault(entry[0], set()).add(entry[1:])
    if not named:
        raise UsageError(f"{path} names no records; a line has a file, an offset and a length")
    places = {name: _place(path.parent, name) for name in named}
    missing = sorted(name for name, place in places.items() if place is None)
    if len(missing) == len(named):
        raise UsageError(
            f"none of the {len(named)} files that {path} names is here, such as {missing[0]};"
            " put them next to it"
        )
    if missing:
        _log.warning("%d of %d files of %s are not here", len(missing), len(named), path)
    return {place: sorted(named[name]) for name, place in places.items() if place is not None}


def _place(folder: Path, name: str) -> Path | None:
    file = name.rpartition("/")[2]
    places = (
        folder / file,
        folder / name,
        folder / "archive" / file,
        folder.parent / "archive" / file,
    )
    return next((place for place in places if place.is_file()), None)


def _entries(path: Path) -> Iterator[tuple[str, int, int]]:
    opened = gzip.open if path.name.endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if entry := _entry(line):
                    yield entry
    except (OSError, EOFError) as error:
        raise UsageError(f"cannot read the list {path}: {error}") from error


def _entry(line: str) -> tuple[str, int, int] | None:
    """File, offset and length of a line; None for a heading, or what is damaged."""
    start = line.find("{")
    if start < 0:
        return None
    try:
        found: dict[str, Any] = json.loads(line[start:])
        name, offset, length = str(found["filename"]), int(found["offset"]), int(found["length"])
    except (ValueError, OverflowError, KeyError, TypeError):
        return None
    is_sound = 0 <= offset < _LARGEST and 0 < length < _LARGEST
    return (name, offset, length) if is_sound and ".." not in name.split("/") else None


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
