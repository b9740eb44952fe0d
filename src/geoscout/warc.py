"""The WARC format (ISO 28500) as bytes: records found in a file, read from it and packed for it.

The store writes archives and reads pages back, the archive fetcher replays them; what both must
know of the format is here. It is ours and not `warcio`'s because a record costs that library
130 µs to read against 50 here, and writing needs the exact position of every record
(docs/why/archive.md). `isal` inflates twice and deflates four times as fast as `zlib`; the
files are the same to every reader.

Where the WARC files lie in a WACZ file, which is a ZIP file that keeps them as they are.

So their records can be read in place, without unpacking anything.

A WACZ file is a ZIP file that keeps WARC files as they are, so their records are read in place.
"""

import logging
import mmap
import os
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from isal import isal_zlib
from msgspec import Struct

from geoscout_places.errors import DamagedDataError, UsageError

ZIP_MAGIC = b"PK\x03\x04"
_ENDINGS = (".warc", ".warc.gz")
_LOCAL_HEADER = 30  # bytes before the name; its length and that of what follows are the last four


class Span(NamedTuple):
    start: int
    stop: int


def archives_in(path: Path) -> list[Span]:
    """The WARC files in a WACZ file, in its order."""
    import zipfile  # noqa: PLC0415 - every crawl imports this module, and few open such files

    try:
        with zipfile.ZipFile(path) as zipped, path.open("rb") as file:
            members = [m for m in zipped.infolist() if m.filename.endswith(_ENDINGS)]
            spans = []
            for member in members:
                if member.compress_type != zipfile.ZIP_STORED:
                    raise UsageError(
                        f"{member.filename} in {path} is compressed once more; unpack it with unzip"
                    )
                file.seek(member.header_offset + _LOCAL_HEADER - 4)
                name, extra = struct.unpack("<HH", file.read(4))
                start = member.header_offset + _LOCAL_HEADER + name + extra
                spans.append(Span(start, start + member.compress_size))
    except (zipfile.BadZipFile, struct.error, OSError) as error:
        raise UsageError(f"{path} is not a WARC or WACZ file: {error}") from error
    if not spans:
        raise UsageError(f"{path} has no WARC files in it")
    return spans


OnDamage = Callable[[int, str], None]  # called with an offset and what is wrong there

LARGEST_RECORD = 64 * 1024 * 1024  # bytes after decompression; larger ones are left alone
_LONGEST_PACKED = 2 * LARGEST_RECORD  # what cannot be made smaller grows a little
HEADER_LIMIT = 16 * 1024  # bytes of a record that hold its header and the start of its block
_LEVEL = 2  # of isal's four, the best value
_GZIP = 31  # zlib's name for gzip framing with the largest window
_MAGIC = b"\x1f\x8b\x08"
_TARGET_BYTES = 2048  # of a record, in which its header mostly ends
_SMALLEST_RECORD = 64  # bytes; some writers leave a few blank lines more than they should
_STEP = 32 * 1024  # compressed bytes handed to the decompressor at a time
_LENGTH = re.compile(r"[0-9]{1,15}")
_FIRST_DATE, _LAST_DATE = 631_152_000.0, 4_102_444_800.0  # 1990 and 2100; the web has no others
_HEADER_END = re.compile(rb"\r?\n\r?\n")

_log = logging.getLogger(__name__)
_BadGzip: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # its stub names an instance


class WarcRecord(Struct, frozen=True):
    """A record: its named fields, names in lower case, and its block."""

    fields: dict[str, str]
    block: bytes

    @property
    def type(self) -> str:
        return self.fields.get("warc-type", "")

    @property
    def target(self) -> str:
        """The URL it is about; "" for none. WARC 1.0 writes it in angle brackets."""
        return self.fields.get("warc-target-uri", "").strip("<>")

    @property
    def date(self) -> float | None:
        """When it was captured, in seconds since the epoch; None when it does not say."""
        try:
            at = datetime.fromisoformat(self.fields.get("warc-date", ""))
        except ValueError:
            return None
        seconds = at.timestamp() if at.tzinfo else 0.0  # dates of the format are in UTC
        return seconds if _FIRST_DATE <= seconds < _LAST_DATE else None


class FoundRecord(Struct, frozen=True):
    """A record and where it lies in its file; the block may be cut short."""

    offset: int
    length: int  # bytes it takes in the file
    record: WarcRecord


class HttpMessage(Struct, frozen=True):
    """The block of a response record, taken apart; the body is as it was sent."""

    status: int
    headers: tuple[tuple[str, str], ...]  # names in lower case, in order
    body: bytes


def pack(record: bytes) -> bytes:
    """A record as a gzip member of its own, as archives of `.warc.gz` are made of."""
    return isal_zlib.compress(record, _LEVEL, _GZIP)


def unpack(data: bytes) -> bytes:
    """What `pack` was given.

    Raises:
        DamagedDataError: it is not one whole gzip member of at most `LARGEST_RECORD` bytes.
    """
    inflate = isal_zlib.decompressobj(_GZIP)
    try:
        unpacked = inflate.decompress(data, LARGEST_RECORD)
    except _BadGzip as error:
        raise DamagedDataError(f"cannot be unpacked: {error}") from error
    if not inflate.eof:
        raise DamagedDataError("cut short or too large")
    return unpacked


def parse_record(data: bytes) -> WarcRecord:
    """Take an uncompressed record apart.

    Raises:
        DamagedDataError: it is none.
    """
    head, start = _head(data)
    if not start or not data.startswith(b"WARC/"):
        raise DamagedDataError("not a WARC record")
    fields = dict(_fields(head))
    if not _LENGTH.fullmatch(fields.get("content-length", "")):
        raise DamagedDataError("a WARC record without a length")
    return WarcRecord(fields, data[start : start + int(fields["content-length"])])


def parse_http(block: bytes) -> HttpMessage:
    """Take a HTTP response apart; whatever is missing or odd is left out, as browsers do."""
    head, start = _head(block)
    return HttpMessage(status_of(head), tuple(_fields(head)), block[start:] if start else b"")


def read_record(file: int, offset: int, length: int) -> WarcRecord:
    """The record at a place that `scan` found or the writer told, of an open file descriptor.

    Raises:
        DamagedDataError: there is no whole record of at most `LARGEST_RECORD` bytes.
    """
    return parse_packed(_bytes_at(file, offset, length))


def read_target(file: int, offset: int, length: int) -> str:
    """The URL that the record at such a place is about; its block is not looked at.

    Raises:
        DamagedDataError: there is no record.
    """
    data = _bytes_at(file, offset, min(length, _TARGET_BYTES))
    if data.startswith(_MAGIC):
        try:
            data = isal_zlib.decompressobj(_GZIP).decompress(data, _TARGET_BYTES)
        except _BadGzip as error:
            raise DamagedDataError(f"cannot be unpacked: {error}") from error
    if b"\r\n\r\n" not in data:  # a long header, or an odd one
        return read_record(file, offset, length).target
    return parse_record(data).target


def _bytes_at(file: int, offset: int, length: int) -> bytes:
    """Some bytes of a file; the numbers may come from somebody else.

    Raises:
        DamagedDataError: the file has no such place.
    """
    if not 0 <= offset <= offset + length <= os.fstat(file).st_size or length > _LONGEST_PACKED:
        raise DamagedDataError(f"the file has no record of {length:,} bytes at {offset:,}")
    return os.pread(file, length, offset)


def parse_packed(data: bytes) -> WarcRecord:
    """The record in some bytes, compressed or not.

    Raises:
        DamagedDataError: there is no whole record of at most `LARGEST_RECORD` bytes.
    """
    if data.startswith(_MAGIC):
        data = unpack(data)
    record = parse_record(data)
    if len(record.block) != int(record.fields["content-length"]):
        raise DamagedDataError("the WARC record is cut short")
    return record


def whole_members(data: bytes) -> int:
    """How many of some bytes, from the first on, are whole gzip members with WARC records."""
    end = 0
    while end < len(data):
        inflate = isal_zlib.decompressobj(_GZIP)
        try:
            parse_record(inflate.decompress(data[end:], LARGEST_RECORD))
        except (DamagedDataError, _BadGzip):
            break
        if not inflate.eof:
            break
        end = len(data) - len(inflate.unused_data)
    return end


def scan(path: Path, on_damage: OnDamage | None = None) -> Iterator[FoundRecord]:
    """Every whole record of a file, compressed or not, in order; of a WACZ file, where it is in it.

    Blocks are cut to their first `HEADER_LIMIT` bytes. What is damaged is passed over; `on_damage`
    is told, and where there is none it is logged.
    """
    if not path.stat().st_size:
        return
    told = on_damage or partial(_log_damage, path)
    with path.open("rb") as file, closing(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)) as data:
        is_zip = data[:4] == ZIP_MAGIC
        for span in archives_in(path) if is_zip else [Span(0, len(data))]:
            yield from _scan_span(data, span, path, told)


class RecordScanner:
    """Finds the records of a packed archive whose bytes come piece by piece.

    What must stay true: `_start` is where the member begins that is being inflated, and `_at` how
    many bytes have come so far.
    """

    def __init__(self) -> None:
        self._start = self._at = 0
        self._begin()

    def _begin(self) -> None:
        self._inflate = isal_zlib.decompressobj(_GZIP)
        self._kept = bytearray()

    def feed(self, data: bytes) -> Iterator[FoundRecord]:
        """The records that end in the next bytes; blocks are cut to `HEADER_LIMIT` bytes.

        Raises:
            DamagedDataError: the bytes are not gzip members with WARC records.
        """
        view = memoryview(data)
        while view:
            piece = view[:_STEP]
            try:
                text = self._inflate.decompress(piece)
            except _BadGzip as error:
                raise DamagedDataError(f"the archive cannot be unpacked: {error}") from error
            self._kept += text[: max(HEADER_LIMIT - len(self._kept), 0)]
            used = len(piece) - len(self._inflate.unused_data)
            self._at += used
            view = view[used:]
            if self._inflate.eof:
                record = parse_record(bytes(self._kept))
                yield FoundRecord(self._start, self._at - self._start, record)
                self._start = self._at
                self._begin()


def _log_damage(path: Path, offset: int, problem: str) -> None:
    _log.warning(problem, extra={"file": str(path), "offset": offset})


def _scan_span(data: mmap.mmap, span: Span, path: Path, told: OnDamage) -> Iterator[FoundRecord]:
    start = data[span.start : min(span.start + 5, span.stop)]
    if start[:3] == _MAGIC:
        yield from _scan_members(data, span, path, told)
    elif start == b"WARC/":
        yield from _scan_plain(data, span, told)
    elif start:
        raise UsageError(f"{path} is not a WARC file; it should start with WARC/1.0 or gzip")


def _scan_plain(data: mmap.mmap, span: Span, told: OnDamage) -> Iterator[FoundRecord]:
    offset = span.start
    while span.start <= offset < span.stop:
        start = data[offset : min(offset + HEADER_LIMIT, span.stop)]
        try:
            record = parse_record(start)
        except DamagedDataError:
            told(offset, "damaged record")
            offset = data.find(b"WARC/", offset + 1, span.stop)
            continue
        length = _whole_length(start, record)
        if offset + length > span.stop:
            told(offset, "record cut short")
            return
        yield FoundRecord(offset, length, record)
        offset += length


def _scan_members(data: mmap.mmap, span: Span, path: Path, told: OnDamage) -> Iterator[FoundRecord]:
    offset = span.start
    while span.start <= offset < span.stop:
        try:
            start, unpacked, end = _member(data, offset, span.stop)
            record = parse_record(start)
        except (DamagedDataError, _BadGzip):
            told(offset, "damaged record")
            offset = data.find(_MAGIC, offset + 1, span.stop)
            continue
        if unpacked > _whole_length(start, record) + _SMALLEST_RECORD:
            raise UsageError(
                f"{path} is compressed as a whole, not record by record; "
                "unpack it with gunzip, or use `warcio recompress`"
            )
        yield FoundRecord(offset, end - offset, record)
        offset = end


def _member(data: mmap.mmap, offset: int, stop: int) -> tuple[bytes, int, int]:
    """The start of what a gzip member holds, how much it holds, and where it ends."""
    inflate = isal_zlib.decompressobj(_GZIP)
    kept, unpacked, end = b"", 0, offset
    while not inflate.eof:
        piece = data[end : min(end + _STEP, stop)]
        if not piece:
            raise DamagedDataError("the gzip member is cut short")
        text = inflate.decompress(piece)
        unpacked += len(text)
        if len(kept) < HEADER_LIMIT:
            kept += text[: HEADER_LIMIT - len(kept)]
        end += len(piece)
    return kept, unpacked, end - len(inflate.unused_data)


def _whole_length(start: bytes, record: WarcRecord) -> int:
    """Bytes of a record with its header and the blank lines behind it."""
    return _head(start)[1] + int(record.fields["content-length"]) + 4


def _head(data: bytes) -> tuple[bytes, int]:
    """What stands before the first blank line, and where the rest starts; all and 0 for none."""
    end = data.find(b"\r\n\r\n")
    if 0 <= end < HEADER_LIMIT and data.find(b"\n\n", 0, end) < 0:
        return data[:end], end + 4
    odd = _HEADER_END.search(data)  # a bare line feed here or there: five times as slow
    return (data[: odd.start()], odd.end()) if odd else (data, 0)


def _fields(head: bytes) -> list[tuple[str, str]]:
    """The named fields below the first line."""
    lines = head.decode("utf-8", "replace").split("\n")[1:]
    pairs = [line.partition(":") for line in lines]
    return [(name.strip().lower(), value.strip()) for name, colon, value in pairs if colon]


def status_of(head: bytes) -> int:
    """The status in `HTTP/1.1 200 OK`; 0 when it states none."""
    parts = head[:32].split(None, 2)
    numeric = len(parts) > 1 and parts[0].startswith(b"HTTP/") and parts[1][:3].isdigit()
    return int(parts[1][:3]) if numeric else 0
