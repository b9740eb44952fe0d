"""The pages of an archive: of a WARC file HTML, texts and PDF, of a WET file its texts.

A WARC file of a crawler has `response` records, one made of saved files has `resource` records, and
the WET files of Common Crawl have `conversion` records with plain text. A file is read in one pass
and only one page of it is in memory here, so its size does not matter.
"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct

from geoscout.fetch.archive import decoded
from geoscout.fetch.archive_index import (
    html_of_wat,
    is_capture_list,
    is_wat_page,
    read_captures,
    records_at,
)
from geoscout.fetch.http.rules import PAGE_TYPES
from geoscout.open_web_index import read_shard
from geoscout.warc import FoundRecord, HttpMessage, WarcRecord, parse_http, read_record, scan
from geoscout_places.codec import Codec
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.model import SiteKnowledge

_PLAIN = "text/plain"
_KINDS = ("response", "resource", "conversion")


class ArchivedDocument(Struct, frozen=True, gc=False):
    """A page of an archive, without transfer and content codings."""

    url: str
    date: str  # as the archive has it, ISO 8601; "" for none
    content_type: str  # with its parameters; "" for none
    language: str  # that the archive gives, as WET files do; "" for none
    offset: int  # of the record in its file
    length: int  # bytes of the record there
    body: bytes
    site: SiteKnowledge | None = None  # what other pages tell of its site


document_codec = Codec(ArchivedDocument)


@dataclass(slots=True)
class ArchivePages:
    """Reads one archive and counts what it leaves out."""

    path: Path
    largest_page: int  # bytes
    types: frozenset[str] = PAGE_TYPES  # of what is read
    skipped: Counter[str] = field(default_factory=Counter)  # records left out, by reason
    position: int = 0  # bytes read so far

    def documents(self) -> Iterator[ArchivedDocument]:
        """Every page of the file, in order.

        Raises:
            UsageError: the file cannot be read, is not a WARC, or is compressed as a whole.
        """
        try:
            if self.path.name.endswith(".parquet"):
                yield from self._rows_of_shard()
            elif is_capture_list(self.path):
                yield from self._listed()
            else:
                with _opened(self.path) as file:
                    for found in scan(self.path, self._on_damage):
                        self.position = found.offset + found.length
                        yield from self._documents_of(file, found)
        except OSError as error:
            raise UsageError(f"cannot read {self.path}: {error.strerror or error}") from error

    def _listed(self) -> Iterator[ArchivedDocument]:
        """The pages that a list names, wherever they are."""
        captures = read_captures(self.path)
        size, number = self.path.stat().st_size, sum(map(len, captures.values()))
        done = 0
        for path, places in captures.items():
            with _opened(path) as file:
                for found in records_at(path, places):
                    done += 1
                    self.position = size * done // number
                    yield from self._documents_of(file, found)

    def _rows_of_shard(self) -> Iterator[ArchivedDocument]:
        """The pages of a shard of the Open Web Index; the offset of each is its number."""
        for row in read_shard(self.path):
            self.position = row.position
            if len(row.text) > self.largest_page:
                self.skipped["too large"] += 1
                continue
            yield ArchivedDocument(
                row.url, row.date, f"{_PLAIN}; charset=utf-8", row.language,
                offset=row.number, length=0, body=row.text,
            )  # fmt: skip

    def _documents_of(self, file: int, found: FoundRecord) -> Iterator[ArchivedDocument]:
        reason = self._refusal(found.record)
        if reason is None:
            yield from self._document(file, found)
        elif reason:
            self.skipped[reason] += 1

    def _on_damage(self, offset: int, problem: str) -> None:  # noqa: ARG002 - the scanner's
        self.skipped["damaged"] += 1

    def _refusal(self, start: WarcRecord) -> str | None:
        """Why a record is left out, by its beginning; "" without counting, None for a page."""
        if start.type == "revisit":
            return "revisit"
        is_wat = is_wat_page(start)
        if (start.type not in _KINDS and not is_wat) or not start.target:
            return ""
        if int(start.fields["content-length"]) > self.largest_page:
            return "too large"
        if start.type == "response":
            return self._refused_response(start)
        if is_wat:
            return None
        allowed = _media_type(_stated_type(start)) in (*self.types, "")
        return None if allowed else "not a page"

    def _refused_response(self, start: WarcRecord) -> str | None:
        if not start.target.startswith(("http://", "https://")):
            return ""  # such as the look-up of a name: dns:example.org
        message = parse_http(start.block)
        if not 200 <= message.status < 300:
            return "status"
        allowed = _media_type(dict(message.headers).get("content-type", "")) in (*self.types, "")
        return None if allowed else "not a page"

    def _document(self, file: int, found: FoundRecord) -> Iterator[ArchivedDocument]:
        """The page of a record; nothing where it cannot be had."""
        try:
            record = read_record(file, found.offset, found.length)
        except DamagedDataError:
            self.skipped["damaged"] += 1
            return
        message = _message(record)
        if len(message.body) > self.largest_page:
            self.skipped["too large"] += 1
            return
        yield ArchivedDocument(
            url=record.target,
            date=record.fields.get("warc-date", ""),
            content_type=dict(message.headers).get("content-type", ""),
            language=record.fields.get("warc-identified-content-language", "").partition(",")[0],
            offset=found.offset,
            length=found.length,
            body=message.body,
        )


def _message(record: WarcRecord) -> HttpMessage:
    if record.type == "response":
        return decoded(parse_http(record.block))
    if record.type == "metadata":
        return HttpMessage(200, (("content-type", "text/html"),), html_of_wat(record.block))
    return HttpMessage(200, (("content-type", _stated_type(record)),), record.block)


def _stated_type(record: WarcRecord) -> str:
    """What a record without HTTP headers says it is; conversions are text if they say nothing."""
    stated = record.fields.get("content-type", "")
    return stated or (_PLAIN if record.type == "conversion" else "")


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDONLY)
    try:
        yield file
    finally:
        os.close(file)
