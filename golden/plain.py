"""Values as texts that are equal whenever what was computed is.

Times of now, paths and versions are left out. Rows are JSON lines with sorted keys, and archives
are lists of their records, so that `diff` shows what has changed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

# What tells of a run and not of its result. How large and where something is in a compressed
# archive belongs to the library that compresses.
OF_A_RUN = {
    *("bytes", "code", "command", "hash", "version"),
    *("cpu_milliseconds_per_visit", "finished_at", "pages_per_second", "peak_megabytes", "seconds"),
}
_IN_ARCHIVE = re.compile(r'"(?:length|offset|digest)": ?"?(?:\d+|sha256:\w+)"?(?:, ?)?')
_INDEXES = (".cdxj", ".gz", ".idx")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_VERSION = re.compile(r"(?i)(geoscout[ /:-]?)\d+\.\d+\.\d+\w*")
_ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)?")
_DIGITS = re.compile(r"\b\d{14}\b")
_EPOCH = re.compile(r"\b\d{10}\.\d+\b")
_RECORD_END = b"\r\n\r\n"


class Plain:
    """Makes texts plain; what was done since it was made was done `NOW`."""

    def __init__(self, *folders: Path) -> None:
        self._began = time.time() - 1
        self._folders = sorted(map(str, folders), key=len, reverse=True)

    def text(self, text: str) -> str:
        """A text without what tells of this run."""
        for folder in self._folders:
            text = text.replace(folder, "FOLDER")
        text = _VERSION.sub(r"\1VERSION", _UUID.sub("UUID", text))
        text = _ISO.sub(self._unless_now(lambda iso: iso[:19].replace(" ", "T")), text)
        text = _DIGITS.sub(self._unless_now(_iso_of_digits), text)
        return _EPOCH.sub(self._unless_now(_iso_of_epoch), text)

    def _unless_now(self, as_iso: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
        def replaced(found: re.Match[str]) -> str:
            try:
                when = datetime.fromisoformat(as_iso(found[0])).replace(tzinfo=UTC).timestamp()
            except (OverflowError, ValueError):  # digits that are no time
                return found[0]
            return "NOW" if self._began <= when + 1 and when <= time.time() + 1 else found[0]

        return replaced

    def json(self, value: Any, indent: int | None = 1) -> str:
        """A document, with sorted keys."""
        kept = _without(value)
        return self.text(json.dumps(kept, ensure_ascii=False, indent=indent, sort_keys=True))

    def lines(self, text: str) -> str:
        """JSON lines."""
        rows = (json.loads(line) for line in text.split("\n") if line.strip())
        return "".join(f"{self.json(row, None)}\n" for row in rows)

    def file(self, file: Path) -> str:
        """A file by its format, which its name ends with."""
        return self._of(file.suffix, file.read_bytes())

    def _of(self, suffix: str, data: bytes) -> str:
        if suffix in (".parquet", ".owi"):
            return self._table(data)
        if suffix in (".warc", ".wacz"):
            return "".join(self._records(data) if suffix == ".warc" else self._members(data))
        text = (gzip.decompress(data) if suffix == ".gz" else data).decode()
        if suffix in (".jsonl", ".geojson", ".json"):
            return self._parsed(text)
        return self.text(_IN_ARCHIVE.sub("", text) if suffix in _INDEXES else text)

    def _parsed(self, text: str) -> str:
        try:
            return self.json(json.loads(text))
        except json.JSONDecodeError:
            return self.lines(text)

    def _table(self, data: bytes) -> str:
        import pyarrow.parquet  # noqa: PLC0415 - takes a while

        table = pyarrow.parquet.read_table(BytesIO(data))
        schema = table.schema.remove_metadata().to_string(truncate_metadata=False)
        rows = (json.dumps(_without(row), default=str) for row in table.to_pylist())
        return f"{schema}\n" + self.lines("\n".join(rows))

    def _members(self, data: bytes) -> Iterator[str]:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            for name in packed.namelist():
                suffix = ".warc" if name.endswith(".warc.gz") else Path(name).suffix
                yield f"== {name}\n{self._of(suffix, packed.read(name))}\n"

    def _records(self, data: bytes) -> Iterator[str]:
        """The head of each record with a digest of what it holds; the first in full."""
        unpacked = data if data.startswith(b"WARC/") else gzip.decompress(data)
        records = unpacked.split(b"WARC/1.1\r\n")[1:]
        for number, record in enumerate(records):
            head, _, block = record.partition(_RECORD_END)
            kept = block.decode() if number == 0 else hashlib.sha1(block).hexdigest()
            shown = self.text(f"{head.decode()}\n{kept}\n").replace("\r", "")
            yield re.sub(r"(?m)^(WARC-Block-Digest|Content-Length): .*\n", "", shown)


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without(part) for key, part in value.items() if key not in OF_A_RUN}
    return [_without(part) for part in value] if isinstance(value, list) else value


def _iso_of_digits(digits: str) -> str:
    """The form of times in an index of an archive.

    >>> _iso_of_digits("20250131235959")
    '20250131T235959'
    """
    return f"{digits[:8]}T{digits[8:]}"


def _iso_of_epoch(seconds: str) -> str:
    return datetime.fromtimestamp(float(seconds), UTC).isoformat()[:19]
