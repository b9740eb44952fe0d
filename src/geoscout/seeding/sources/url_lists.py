"""Lists of URLs and hosts: one a line, zone files, Tranco, and the URL indexes of web archives.

They say nothing of where a site is, so only the names in URLs count. A list of all hosts of a
country has millions of lines; it is read line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import orjson

from geoscout.seeding.hints import SeedHint
from geoscout.seeding.sources.lines import opened
from geoscout_places.errors import ImportFileError
from geoscout_places.extras import import_extra
from geoscout_places.urls import normalise

_HOST = re.compile(r"(?:[\w-]+\.)+[^\W\d_][\w-]+\.?$")
# What the columns of an index are called: by Common Crawl, the Open Web Index, and people.
_URL_COLUMNS, _HOST_COLUMNS = ("url", "URL"), ("url_host_name", "host", "hostname", "domain")
_TITLE_COLUMN = "title"
_LONGEST_LINE = 100_000  # bytes


def hints_of_lines(path: Path) -> Iterator[SeedHint]:
    """The URLs and hosts of a text: alone, after a rank, or at the start of a zone's line.

    Raises:
        ImportFileError: the file cannot be read.
    """
    before = ""
    with opened(path) as stream:
        for line in stream:
            found = _address(line[:_LONGEST_LINE].decode("utf-8", "replace"))
            if found and found != before:  # a zone has several lines for each domain
                before = found
                url = normalise(found)
                if url:
                    yield SeedHint(url, path.name)


def _address(line: str) -> str:
    """The URL that a line means; "" for none.

    >>> _address("17,example.de"), _address("example.de.  86400 in ns a.nic.de."), _address("; x")
    ('http://example.de/', 'http://example.de/', '')
    """
    if line.startswith(("#", ";", "$")):
        return ""
    for word in line.replace(",", " ").replace("\t", " ").split()[:2]:
        if word.startswith(("http://", "https://")):
            return word
        if _HOST.match(word):
            return f"http://{word.rstrip('.').lower()}/"
    return ""


def hints_of_cdxj(path: Path) -> Iterator[SeedHint]:
    """The captures of a CDXJ index that are web pages.

    Raises:
        ImportFileError: the file cannot be read.
    """
    with opened(path) as stream:
        for line in stream:
            start = line.find(b"{")
            if start < 0 or len(line) > _LONGEST_LINE:
                continue
            try:
                capture = orjson.loads(line[start:])
                kind = capture.get("mime-detected") or capture.get("mime") or ""
                url = normalise(str(capture["url"]))
            except (ValueError, KeyError, AttributeError):
                continue  # one damaged line
            if url and (not kind or "html" in kind) and str(capture.get("status", "200")) == "200":
                yield SeedHint(url, path.name)


def hints_of_parquet(path: Path) -> Iterator[SeedHint]:
    """The rows of an index in Parquet, with a column of URLs or one of hosts.

    Raises:
        UsageError: the package for Parquet is missing.
        ImportFileError: the file is not one, or has no such column.
    """
    parquet = import_extra(f"to read {path}", "parquet", "pyarrow.parquet")
    from pyarrow import ArrowException  # noqa: PLC0415 - an extra

    try:
        file = parquet.ParquetFile(path)
        names = file.schema_arrow.names
        column = next((n for n in (*_URL_COLUMNS, *_HOST_COLUMNS) if n in names), None)
        if column is None:
            raise ImportFileError(f"{path} has no column {' or '.join(_URL_COLUMNS)} of URLs")
        columns = [column, *([_TITLE_COLUMN] if _TITLE_COLUMN in names else [])]
        for batch in file.iter_batches(batch_size=10_000, columns=columns):
            for row in batch.to_pylist():
                url = _address(str(row[column] or ""))
                if url and (normal := normalise(url)):
                    yield SeedHint(normal, path.name, str(row.get(_TITLE_COLUMN) or "")[:200])
    except (ArrowException, OSError, ValueError) as error:
        raise ImportFileError(f"cannot read {path}: {error}") from error
