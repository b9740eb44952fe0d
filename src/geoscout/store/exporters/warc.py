"""WARC: the archive of the crawl as one file, up to the last commit."""

from __future__ import annotations

from typing import BinaryIO

from geoscout.store.export import ExportFormat, ExportSource
from geoscout.store.reader import CrawlReader
from geoscout_places.errors import UsageError


def create() -> ExportFormat:
    """The format `warc`."""
    return ExportFormat("application/warc", "warc.gz", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write the records of all responses.

    Raises:
        UsageError: these rows are not in an archive.
    """
    # Gzip members in a row are a gzip file again, so the files need only follow each other.
    for _, pieces in whole_archive(source).archive_files():
        stream.writelines(pieces)


def whole_archive(source: ExportSource) -> CrawlReader:
    """The crawl whose archive is to be written.

    Raises:
        UsageError: these rows are not in an archive, or only some of them are wanted.
    """
    if source.what not in ("pages", "visits"):
        raise UsageError(f"an archive has pages, not {source.what}: use jsonl or csv")
    if source.reader is None:
        raise UsageError("an archive is exported whole, not since a time: use jsonl or csv")
    return source.reader
