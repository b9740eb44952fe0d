"""Rows of a crawl as the bytes of a format, for tests."""

import io

from geoscout.store.export import crawl_source, load_format
from geoscout.store.reader import CrawlReader


def exported(
    reader: CrawlReader, what: str, format: str, *, since: float = 0.0, distinct: bool = False
) -> bytes:
    """What `geoscout export` writes."""
    stream = io.BytesIO()
    source = crawl_source(reader, what, since, distinct=distinct)
    load_format(format).write(source, stream)
    return stream.getvalue()
