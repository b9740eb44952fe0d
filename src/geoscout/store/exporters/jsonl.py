"""JSON lines: one object for each row."""

from __future__ import annotations

from typing import BinaryIO

import orjson

from geoscout.store.export import ExportFormat, ExportSource


def create() -> ExportFormat:
    """The format `jsonl`."""
    return ExportFormat("application/x-ndjson", "jsonl", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write one line for each row."""
    lines = (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in source.rows())
    stream.writelines(lines)
