"""Reads dBASE tables, the attribute part of shapefiles, as a stream.

`pyshp` reads them too, in twice the time, but not as a stream, and not with an encoding for each
cell, as the Census Bureau's editions need it: docs/why/libraries.md.
Layout: a header of 32 bytes, 32 bytes for each column, 0x0D, then records of constant length that
start with a mark for deleted ones. Only the text of columns is read; no numbers, dates or memos.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Mapping
from typing import BinaryIO, NamedTuple

from geoscout_places.gazetteer.imports.base import MalformedLineError

_HEADER = struct.Struct("<B3xIHH20x")  # version, records, length of header, length of a record
_COLUMN = struct.Struct("<11sc4xB15x")  # name, type, width
_END_OF_COLUMNS = 0x0D
_VERSIONS = frozenset({0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x83, 0x8B, 0xF5})
_DELETED = b"*"


class _Column(NamedTuple):
    name: str
    start: int
    end: int


class _Layout(NamedTuple):
    records: int
    record_bytes: int
    columns: tuple[_Column, ...]


def read_column_names(head: bytes) -> list[str]:
    """The names of the columns, in lower case; none when the bytes do not start a dBASE table."""
    try:
        return [column.name for column in _read_layout(head).columns]
    except ValueError:
        return []


def read_dbf(
    stream: BinaryIO, wanted: Collection[str]
) -> Iterator[tuple[int, Mapping[str, str] | MalformedLineError]]:
    """The wanted columns of the records that are not deleted, numbered from 1.

    Text is UTF-8, as the Census Bureau writes it now, or else Latin-1, as it did in older editions.

    Raises:
        EOFError: the table ends before its last record.
    """
    try:
        layout = _read_layout(_read_head(stream))
    except ValueError as error:
        yield 1, MalformedLineError(f"not a dBASE table: {error}")
        return
    columns = [column for column in layout.columns if column.name in wanted]
    for number in range(1, layout.records + 1):
        record = stream.read(layout.record_bytes)
        if len(record) < layout.record_bytes:
            raise EOFError(f"it ends after {number - 1} of {layout.records} records")
        if not record.startswith(_DELETED):
            yield number, {name: _decode(record[start:end]) for name, start, end in columns}


def _read_head(stream: BinaryIO) -> bytes:
    head = stream.read(_HEADER.size)
    if len(head) < _HEADER.size:
        return head
    _, _, header_bytes, _ = _HEADER.unpack(head)
    return head + stream.read(max(0, header_bytes - _HEADER.size))


def _read_layout(head: bytes) -> _Layout:
    if len(head) < _HEADER.size:
        raise ValueError("it is too short")
    version, records, header_bytes, record_bytes = _HEADER.unpack_from(head)
    if version not in _VERSIONS:
        raise ValueError(f"its first byte is {version:#04x}")
    columns = tuple(_read_columns(head[_HEADER.size : header_bytes]))
    if not columns or columns[-1].end > record_bytes:
        raise ValueError("its columns do not fit its records")
    return _Layout(records, record_bytes, columns)


def _read_columns(described: bytes) -> Iterator[_Column]:
    start = 1  # after the mark for deleted records
    for offset in range(0, len(described) - _COLUMN.size + 1, _COLUMN.size):
        if described[offset] == _END_OF_COLUMNS:
            return
        name, _, width = _COLUMN.unpack_from(described, offset)
        yield _Column(name.split(b"\0")[0].decode("ascii", "replace").lower(), start, start + width)
        start += width


def _decode(cell: bytes) -> str:
    try:
        text = cell.decode()
    except UnicodeDecodeError:
        text = cell.decode("latin-1")
    return text.rstrip("\0 ").strip()
