"""CSV in UTF-8, with the names of the columns in line one; lists are written as JSON.

Texts come from pages, and a spreadsheet runs a cell that begins like a formula, with what the
owner of the machine may do. Such a text gets an apostrophe in front, which spreadsheets hide.
"""

from __future__ import annotations

import csv
import io
from typing import BinaryIO

import orjson

from geoscout.store.export import ExportFormat, ExportSource

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # wide forms count as well in some


def create() -> ExportFormat:
    """The format `csv`."""
    return ExportFormat("text/csv; charset=utf-8", "csv", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write the header and one line for each row; nothing where there are no rows."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    writer = csv.writer(text)
    for number, row in enumerate(source.rows()):
        if not number:
            writer.writerow(row)
        writer.writerow(map(_cell, row.values()))
    text.detach()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return orjson.dumps(value).decode() if isinstance(value, list) else value
