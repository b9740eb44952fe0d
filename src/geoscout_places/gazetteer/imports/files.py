"""Opens what the user has, and cuts it into numbered records.

A file may be plain or compressed, one of a zip archive, or one of many in a folder. Everything is
read as a stream, so a dump of the world needs no more memory than a village, and nothing is
unpacked to disk. Errors of the libraries below become `ImportFileError` here. A record that cannot
be read is given as an error instead, so that it counts as one malformed line and the rest of the
file is still read.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, NamedTuple, TypeVar, cast

import orjson

from geoscout_places.errors import ImportFileError
from geoscout_places.model import Point

_HEAD_BYTES = 65_536
_BUFFER_BYTES = 1 << 20
_LONGEST_LINE_BYTES = 1 << 20  # a file without line breaks is not a table: it comes in pieces
_ENCRYPTED = 0x1  # bit of a zip member's flags
_DECOMPRESSORS: dict[str, Callable[[IO[bytes]], io.BufferedIOBase]] = {
    ".gz": lambda raw: gzip.GzipFile(fileobj=raw),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}
_UNREADABLE = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
_DELIMITERS = ",;\t|"
_BAD_BYTE = re.compile("[\udc80-\udcff]")  # what is not UTF-8, as Python's surrogateescape has it

_Item = TypeVar("_Item")
ImportRecord = TypeVar("ImportRecord")


class MalformedLineError(ValueError):
    """A line does not have the shape its format prescribes; the message says what is wrong."""


Numbered = Iterator[tuple[int, ImportRecord | MalformedLineError]]  # the first record is 1
_NOT_TEXT = MalformedLineError("not UTF-8 text")


class Sample(NamedTuple):
    """The look of a file: its name and how it starts."""

    name: str
    head: bytes

    @property
    def lines(self) -> list[list[str]]:
        """The first lines, cut at tabs."""
        text = self.head.decode("utf-8-sig", errors="replace")
        return [line.split("\t") for line in text.splitlines()[:20]]

    @property
    def header(self) -> str:
        """The first line."""
        return self.head.decode("utf-8-sig", errors="replace").partition("\n")[0]


class Opened(NamedTuple):
    """A stream of bytes, and how far into its member it has come."""

    stream: BinaryIO
    position: Callable[[], int]


@dataclass(frozen=True, slots=True)
class Member:
    """One file to read: the user's own, or one inside an archive or folder."""

    name: str  # path inside the archive or folder, without a suffix of compression
    size: int  # in the bytes that `Opened.position` counts
    file: Path
    inner: str = ""  # its name in the zip archive `file`; "" where that is not an archive

    @contextmanager
    def open(self) -> Iterator[Opened]:
        """Open it for reading from the start.

        Raises:
            ImportFileError: it cannot be opened.
        """
        with ExitStack() as stack:
            with _translated(self.file):
                opened = self._open(stack)
            yield opened

    def _open(self, stack: ExitStack) -> Opened:
        if self.inner:
            archive = stack.enter_context(zipfile.ZipFile(self.file))
            unpacked = stack.enter_context(archive.open(self.inner))
            return Opened(_buffered(unpacked), unpacked.tell)
        raw = stack.enter_context(self.file.open("rb"))
        decompress = _DECOMPRESSORS.get(self.file.suffix.lower())
        if decompress is None:
            return Opened(raw, raw.tell)
        return Opened(_buffered(stack.enter_context(decompress(raw))), raw.tell)

    def sample(self) -> Sample:
        """How it looks at its start."""
        with self.open() as opened, _translated(self.file):
            return Sample(self.name, opened.stream.read(_HEAD_BYTES))

    def beside(self, suffix: str) -> Member | None:
        """The file of the same name with another suffix; None where there is none."""
        if not self.inner:
            file = self.file.with_suffix(suffix)
            return Member(file.name, 0, file) if file.is_file() else None
        wanted = str(PurePosixPath(self.inner).with_suffix(suffix))
        with _translated(self.file), zipfile.ZipFile(self.file) as archive:
            return Member(wanted, 0, self.file, wanted) if wanted in archive.namelist() else None


def find_members(path: Path) -> list[Member]:
    """The files to read, in the order of their names."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        visible = [file for file in files if not file.name.startswith(".")]
        found = [member for file in visible for member in _members_of(file, path)]
    else:
        found = _members_of(path, path.parent)
    if not found:
        raise ImportFileError(f"{path} is empty: there is nothing to import")
    return found


def _members_of(file: Path, folder: Path) -> list[Member]:
    with _translated(file):
        if file.suffix.lower() == ".zip" or zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                return [_member_in(file, entry) for entry in archive.infolist() if _is_file(entry)]
        name = file.relative_to(folder).as_posix()
        if file.suffix.lower() in _DECOMPRESSORS:
            name = name.removesuffix(file.suffix)
        return [Member(name, file.stat().st_size, file)]


def _member_in(file: Path, entry: zipfile.ZipInfo) -> Member:
    if entry.flag_bits & _ENCRYPTED:
        raise ImportFileError(f"{file} is encrypted; unpack it first")
    return Member(entry.filename, entry.file_size, file, entry.filename)


def _is_file(entry: zipfile.ZipInfo) -> bool:
    return not entry.is_dir() and not entry.filename.startswith("__MACOSX/")


def _buffered(stream: IO[bytes] | io.BufferedIOBase) -> BinaryIO:
    """Small reads of a decompressor are slow; the standard library's buffer is not."""
    return io.BufferedReader(cast("io.RawIOBase", stream), _BUFFER_BYTES)


def readable(items: Iterable[_Item], file: Path) -> Iterator[_Item]:
    """The items, with errors of reading them translated."""
    with _translated(file):
        yield from items


@contextmanager
def _translated(file: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise ImportFileError(f"there is no file {file}") from error
    except NotImplementedError as error:
        raise ImportFileError(f"{file} is compressed in a way unknown here; unpack it") from error
    except _UNREADABLE as error:
        raise ImportFileError(f"{file} cannot be read: {error or 'it is cut short'}") from error


def read_lines(stream: BinaryIO) -> Numbered[str]:
    """The lines without their ends, numbered from 1."""
    for number, line in enumerate(_text_lines(stream), start=1):
        yield number, _NOT_TEXT if _is_damaged(line) else line.rstrip("\r\n")


def read_csv(stream: BinaryIO) -> Numbered[Mapping[str, str]]:
    """The rows as mappings from the header's names in lower case, numbered by their last line.

    The delimiter is told from the header. A row that is too short lacks its last columns.
    """
    lines = _text_lines(stream)
    header = next(lines, "")
    names = read_header(header)
    rows = csv.reader(lines, delimiter=find_delimiter(header))
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:  # such as a quotation mark that is never closed
            yield rows.line_num + 1, MalformedLineError(f"not CSV: {error}")
            continue
        if any(map(_is_damaged, row)):
            yield rows.line_num + 1, _NOT_TEXT
        elif row:
            yield rows.line_num + 1, dict(zip(names, row, strict=False))


def read_header(line: str) -> list[str]:
    """The names of the columns, in lower case.

    >>> read_header('"LON";Street ;addr:city')
    ['lon', 'street', 'addr:city']
    """
    cells = next(csv.reader([line], delimiter=find_delimiter(line)), [])
    return [cell.strip().lower() for cell in cells]


def find_delimiter(header: str) -> str:
    """The character that separates the names of a header."""
    return max(_DELIMITERS, key=header.count)


def read_json_lines(stream: BinaryIO) -> Numbered[Mapping[str, object]]:
    """The objects of a file that has one on each line."""
    for number, line in read_lines(stream):
        if isinstance(line, MalformedLineError):
            yield number, line
        elif line.strip():
            yield number, _read_object(line)


def _read_object(line: str) -> Mapping[str, object] | MalformedLineError:
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return MalformedLineError(f"not JSON: {error}")
    return found if isinstance(found, dict) else MalformedLineError("not a JSON object")


def _text_lines(stream: BinaryIO) -> Iterator[str]:
    """The lines with their ends, which a quoted cell of CSV may contain."""
    encoding = "utf-8-sig"  # a byte order mark may be at the beginning only
    while line := stream.readline(_LONGEST_LINE_BYTES):
        yield line.decode(encoding, errors="surrogateescape")
        encoding = "utf-8"


def _is_damaged(text: str) -> bool:
    return not text.isascii() and _BAD_BYTE.search(text) is not None


# A shapefile is two: the dBASE table has the attributes, the other the lines, record by record.
# `pyshp` reads both in twice the time, but not as streams, and not with an encoding for each cell,
# as the Census Bureau's editions need it: docs/why/libraries.md.
_TABLE_HEAD = struct.Struct("<B3xIHH20x")  # version, records, length of header, length of a record
_COLUMN = struct.Struct("<11sc4xB15x")  # name, type, width
_END_OF_COLUMNS = 0x0D
_VERSIONS = frozenset({0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x83, 0x8B, 0xF5})
_DELETED = b"*"  # what a deleted record begins with; others begin with a blank
_SHAPES_HEAD_BYTES = 100
_SHAPE = struct.Struct(">ii")  # number, length of the content in words of two bytes
_LINE = struct.Struct("<i32xii")  # type, number of parts, number of points; where parts begin
_LINES = frozenset({3, 13, 23})  # plain, with heights, with measures: the points come first
_LONGEST_SHAPE = 10_000_000  # bytes; more is a damaged file

ShapeRecord = tuple[Mapping[str, str], Sequence[Point]]  # attributes by name, and the line


def table_columns(head: bytes) -> dict[str, slice]:
    """Where each column stands in the records of a dBASE table, by its name in lower case.

    Empty when the bytes do not start such a table.
    """
    if len(head) < _TABLE_HEAD.size or head[0] not in _VERSIONS:
        return {}
    _, _, end, record_bytes = _TABLE_HEAD.unpack_from(head)
    found, start = {}, 1  # after the mark for deleted records
    for offset in range(_TABLE_HEAD.size, min(end, len(head)) - _COLUMN.size + 1, _COLUMN.size):
        if head[offset] == _END_OF_COLUMNS:
            break
        name, _, width = _COLUMN.unpack_from(head, offset)
        column = name.split(b"\0")[0].decode("ascii", "replace").lower()
        found[column] = slice(start, start + width)
        start += width
    return found if start <= record_bytes else {}


def read_shapes(
    table: BinaryIO, shapes: BinaryIO | None, wanted: Collection[str]
) -> Numbered[ShapeRecord]:
    """The wanted columns of the records that are not deleted, each with its line.

    `shapes` is the stream of the lines; without it no record has one.

    Raises:
        EOFError: the table ends before its last record.
    """
    head = table.read(_TABLE_HEAD.size)
    if len(head) == _TABLE_HEAD.size:
        head += table.read(max(0, _TABLE_HEAD.unpack(head)[2] - len(head)))
    columns = table_columns(head)
    if not columns:
        yield 1, MalformedLineError("not a dBASE table")
        return
    _, records, _, width = _TABLE_HEAD.unpack_from(head)
    lines = _read_polylines(shapes) if shapes else iter(())
    for number in range(1, records + 1):
        record, line = table.read(width), next(lines, ())
        if len(record) < width:
            raise EOFError(f"it ends after {number - 1} of {records} records")
        if not record.startswith(_DELETED):
            cells = {name: _decode(record[at]) for name, at in columns.items() if name in wanted}
            yield number, (cells, line)


def _decode(cell: bytes) -> str:
    """Text is UTF-8, as the Census Bureau writes it now, or else Latin-1, as it did before."""
    try:
        text = cell.decode()
    except UnicodeDecodeError:
        text = cell.decode("latin-1")
    return text.rstrip("\0 ").strip()


def _read_polylines(stream: BinaryIO) -> Iterator[Sequence[Point]]:
    """The points of each record in order; none of what is not a line or cannot be read.

    It ends where the file ends or is damaged: the streets then lack coordinates, nothing more.
    """
    stream.read(_SHAPES_HEAD_BYTES)
    while len(head := stream.read(_SHAPE.size)) == _SHAPE.size:
        size = 2 * _SHAPE.unpack(head)[1]
        content = stream.read(size) if 0 <= size <= _LONGEST_SHAPE else b""
        if len(content) != size:
            return
        yield _points_of(content)


def _points_of(content: bytes) -> Sequence[Point]:
    if len(content) < _LINE.size:
        return ()
    kind, parts, points = _LINE.unpack_from(content)
    start = _LINE.size + 4 * parts
    if kind not in _LINES or min(parts, points) < 0 or start + 16 * points > len(content):
        return ()
    degrees = struct.unpack_from(f"<{2 * points}d", content, start)
    found = (Point(north, east) for east, north in zip(degrees[::2], degrees[1::2], strict=True))
    return [p for p in found if -90 <= p.latitude <= 90 and -180 <= p.longitude <= 180]
