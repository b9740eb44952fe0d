"""CSV in UTF-8, with the names of the columns in line one; lists are written as JSON.

Texts come from pages, and a spreadsheet runs a cell that begins like a formula, with what the
owner of the machine may do. Such a text gets an apostrophe in front, which spreadsheets hide.

Where the decimal sign is a comma, a spreadsheet divides the same file at semicolons, and quotes in
the middle of such a line count for nothing. So what would begin a cell there, after a semicolon,
tab or line end inside a text, gets an apostrophe too.
"""

from __future__ import annotations

import csv
import io
import re
from typing import BinaryIO

import orjson

from geoscout.store.export import ExportFormat, ExportSource

_SIGNS = "=+@＝＋＠－-"  # wide forms count as well in some; the hyphen is last, as in any class
_FORMULA = re.compile(rf"(^[ \"]*|[;\t\r\n][ \"]*)(?=[{_SIGNS}])|^(?=[\t\r\n])")


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
    if isinstance(value, list):
        value = orjson.dumps(value).decode()
    return _FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
