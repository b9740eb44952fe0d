"""CDXJ: the index of the crawl's archive files, sorted, as pywb and other players read it."""

from __future__ import annotations

from typing import BinaryIO

from geoscout.store.cdxj import ArchiveCatalogue
from geoscout.store.export import ExportFormat, ExportSource
from geoscout.store.exporters.warc import whole_archive


def create() -> ExportFormat:
    """The format `cdxj`."""
    return ExportFormat("text/x-cdxj", "cdxj", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write one line for each capture.

    Raises:
        UsageError: these rows are not in an archive.
    """
    reader = whole_archive(source)
    with ArchiveCatalogue() as catalogue:
        for name, pieces in reader.archive_files():
            for piece in catalogue.adding(name, pieces):
                del piece  # its records are noted
        stream.writelines(catalogue.lines())
