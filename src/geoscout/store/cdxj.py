"""An index of archive files: one line for each capture, with what a player needs to find it.

A line is the key of the URL (`surt.py`), the time and a JSON object, and lines are sorted. They are
collected in a temporary file, so the memory it takes does not grow with the archive.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Self

import orjson

from geoscout.store.surt import url_key
from geoscout.warc import FoundRecord, RecordScanner, parse_http

_INDEXED = ("response", "revisit", "resource")
_REVISIT = "warc/revisit"  # the type that indexes give to a capture without a body of its own


class ArchiveCatalogue:
    """The captures of some archive files, in a temporary file until it is closed."""

    def __init__(self) -> None:
        self._scratch = sqlite3.connect("", isolation_level=None)
        self._scratch.execute("PRAGMA journal_mode = OFF")
        self._scratch.execute("CREATE TABLE line (text BLOB NOT NULL)")
        self._scratch.execute("CREATE TABLE capture (url TEXT NOT NULL, date TEXT NOT NULL)")
        self._scratch.execute("CREATE INDEX capture_url ON capture (url)")
        self._scratch.execute("BEGIN")  # for good: nothing here is ever committed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._scratch.close()

    def adding(self, name: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces of an archive file as they are, while its captures are noted."""
        scanner = RecordScanner()
        for piece in pieces:
            for found in scanner.feed(piece):
                self._note(name, found)
            yield piece

    def lines(self) -> Iterator[bytes]:
        """The lines of the index, sorted."""
        for (text,) in self._scratch.execute("SELECT text FROM line ORDER BY text"):
            yield text

    def has(self, url: str, date: str) -> bool:
        """Whether a URL was captured at a time, as `WARC-Date` has it."""
        query = "SELECT 1 FROM capture WHERE url = ? AND date = ?"
        return self._scratch.execute(query, (url, date)).fetchone() is not None

    def _note(self, name: str, found: FoundRecord) -> None:
        record = found.record
        if record.type not in _INDEXED or not record.target:
            return
        line = orjson.dumps(_fields(name, found), option=orjson.OPT_APPEND_NEWLINE)
        head = f"{url_key(record.target)} {_timestamp(record.date)} ".encode()
        self._scratch.execute("INSERT INTO line VALUES (?)", (head + line,))
        date = record.fields.get("warc-date", "")
        self._scratch.execute("INSERT INTO capture VALUES (?, ?)", (record.target, date))


def _fields(name: str, found: FoundRecord) -> dict[str, str]:
    """What a line says of a capture; all values are texts, as in the indexes of other programs."""
    record = found.record
    message = parse_http(record.block)
    kind = dict(message.headers).get("content-type", "").partition(";")[0].strip()
    if record.type == "resource":
        kind = record.fields.get("content-type", "")
    fields = {
        "url": record.target,
        "mime": _REVISIT if record.type == "revisit" else kind or "unk",
        "status": str(message.status or 200),
        "digest": record.fields.get("warc-payload-digest", ""),
        "length": str(found.length),
        "offset": str(found.offset),
        "filename": name,
    }
    return {key: value for key, value in fields.items() if value}


def _timestamp(at: float | None) -> str:
    """A time in 14 digits."""
    return datetime.fromtimestamp(at or 0.0, UTC).strftime("%Y%m%d%H%M%S")
