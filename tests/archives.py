"""The archive of a crawl as bytes, for tests."""

from geoscout.store.reader import CrawlReader


def archive_bytes(reader: CrawlReader) -> bytes:
    """All files of an archive, one after the other."""
    return b"".join(piece for _, pieces in reader.archive_files() for piece in pieces)
