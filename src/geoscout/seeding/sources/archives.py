"""The pages of web archives: WARC, WACZ, and the WET and WAT files of Common Crawl.

Only URLs and titles are looked at, not the texts: `geoscout geoparse --warc` reads those.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from geoscout.seeding.hints import SeedHint
from geoscout.warc import scan
from geoscout_places.errors import ImportFileError
from geoscout_places.urls import normalise

ARCHIVE_SUFFIXES = (".warc", ".wacz", ".wet", ".wat")
_OF_PAGES = ("response", "resource", "conversion", "metadata")
# In the beginning of a page, or of what a WAT file says of one.
_TITLE = re.compile(
    rb"<title[^>]{0,100}>([^<]{1,300})|\"Title\"\s{0,3}:\s{0,3}\"([^\"\\]{1,300})\"", re.IGNORECASE
)


def hints_of_archive(path: Path) -> Iterator[SeedHint]:
    """The pages of an archive, by their URLs and titles.

    Raises:
        UsageError: the file is not an archive, or is compressed as a whole.
        ImportFileError: it cannot be read.
    """
    try:
        for found in scan(path):
            record = found.record
            if record.type in _OF_PAGES and (url := normalise(record.target)):
                yield SeedHint(url, path.name, _title(record.block))
    except OSError as error:
        raise ImportFileError(f"cannot read {path}: {error}") from error


def _title(block: bytes) -> str:
    match = _TITLE.search(block)
    text = (match[1] or match[2]) if match else b""
    return " ".join(html.unescape(text.decode("utf-8", "replace")).split())
