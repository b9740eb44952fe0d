"""WARC: the archive of the crawl as one file, up to the last commit."""

from __future__ import annotations

from typing import BinaryIO

from geoscout.errors import UsageError
from geoscout.store.export import ExportFormat, ExportSource


def create() -> ExportFormat:
    """The format `warc`."""
    return ExportFormat("application/warc", "warc.gz", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write the records of all responses.

    Raises:
        UsageError: these rows are not in an archive.
    """
    if source.what not in ("pages", "visits"):
        raise UsageError(f"an archive has pages, not {source.what}: use jsonl or csv")
    stream.writelines(source.reader.archive())
