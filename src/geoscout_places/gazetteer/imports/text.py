"""Cuts streams of bytes into numbered records: lines, rows of CSV, objects of JSON lines.

A record that is not UTF-8 is given as an error instead, so that it counts as one malformed line and
the rest of the file is still read. Lines are limited in length: a file without line breaks is not
a table, and must not be taken into memory to find that out.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from typing import BinaryIO

import orjson

from geoscout_places.gazetteer.imports.base import MalformedLineError

_LONGEST_LINE_BYTES = 1 << 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DELIMITERS = ",;\t|"
_NOT_DECODED = "\udcff"  # stands for a bad byte; no decoded text contains it
_NOT_TEXT = MalformedLineError("not UTF-8 text")


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, str | MalformedLineError]]:
    """The lines without their ends, numbered from 1."""
    number = 0
    while line := stream.readline(_LONGEST_LINE_BYTES):
        number += 1
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        try:
            yield number, line.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            yield number, _NOT_TEXT


def read_csv(stream: BinaryIO) -> Iterator[tuple[int, Mapping[str, str] | MalformedLineError]]:
    """The rows as mappings from the header's names in lower case, numbered by their last line.

    The delimiter is told from the header. A row that is too short lacks its last columns.
    """
    lines = _csv_lines(stream)
    header_line = next(lines, "")
    header = read_header(header_line)
    rows = csv.reader(lines, delimiter=find_delimiter(header_line))
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:  # such as a quotation mark that is never closed
            yield rows.line_num + 1, MalformedLineError(f"not CSV: {error}")
            continue
        if _NOT_DECODED in "".join(row):
            yield rows.line_num + 1, _NOT_TEXT
        elif row:
            yield rows.line_num + 1, dict(zip(header, row, strict=False))


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


def read_json_lines(
    stream: BinaryIO,
) -> Iterator[tuple[int, Mapping[str, object] | MalformedLineError]]:
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


def _csv_lines(stream: BinaryIO) -> Iterator[str]:
    """Lines with their ends, which a quoted cell may contain."""
    is_first = True
    while line := stream.readline(_LONGEST_LINE_BYTES):
        if is_first:
            line = line.removeprefix(_BYTE_ORDER_MARK)
            is_first = False
        try:
            yield line.decode()
        except UnicodeDecodeError:
            yield line.decode(errors="replace").rstrip("\r\n") + _NOT_DECODED + "\n"
