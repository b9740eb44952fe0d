"""CSV in UTF-8, with the names of the columns in line one; lists are written as JSON."""

from __future__ import annotations

import csv
import io
from typing import BinaryIO

import orjson

from geoscout.store.export import ExportFormat, ExportSource


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
    return orjson.dumps(value).decode() if isinstance(value, list) else value
