"""What lists of URLs and hosts, archives and earlier crawls say of possible seeds.

Lists have one URL or host a line; zone files, Tranco and the URL indexes of web archives are such.
They say nothing of where a site is, so only the names in URLs count. A list of all hosts of a
country has millions of lines; it is read line by line. Of web archives (WARC, WACZ, and the WET and
WAT files of Common Crawl) only URLs and titles are looked at, not the texts: `geoscout geoparse
--warc` reads those. Of an earlier crawl the sites count that it found good, whatever its
region was.
"""

import bz2
import gzip
import html
import lzma
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson
from msgspec import Struct

from geoscout.state.base import open_state
from geoscout.warc import scan
from geoscout_places.errors import ImportFileError
from geoscout_places.extras import import_extra
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.model import Point
from geoscout_places.urls import host_of, normalise, split


class SeedHint(Struct, frozen=True, gc=False):
    """One mention of a URL in one file."""

    url: str  # in normal form
    source: str  # such as "OpenStreetMap"
    title: str = ""  # what the file calls it
    inside: bool | None = None  # whether it is located in the region; None where nothing says so
    is_hub: bool = False  # it is of a kind that has links to much of its town, as a town hall
    share: float = 0.0  # of its pages that an earlier crawl found relevant


_OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, without gzip, bzip2 or xz."""
    opener = _OPENERS.get(path.suffix.lower(), open)
    try:
        with opener(path, "rb") as stream:  # type: ignore[operator]
            yield cast("BinaryIO", stream)
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise ImportFileError(f"cannot read {path}: {error}") from error


def beginning(path: Path, length: int = 4096) -> bytes:
    """The first bytes of a file."""
    with opened(path) as stream:
        return stream.read(length)


def bare_suffix(path: Path) -> str:
    """What a file's name ends in, without the ending of a compression: ".json" of "a.json.gz"."""
    name = path.with_suffix("") if path.suffix.lower() in _OPENERS else path
    return name.suffix.lower()


ARCHIVE_SUFFIXES = (".warc", ".wacz", ".wet", ".wat")
_OF_PAGES = ("response", "resource", "conversion", "metadata")
# In the beginning of a page, or of what a WAT file says of one.
_TITLE = re.compile(
    rb"<title[^>]{0,100}>([^<]{1,300})|\"Title\"\s{0,3}:\s{0,3}\"([^\"\\]{1,300})\"", re.IGNORECASE
)


def hints_of_archive(path: Path) -> Iterator[SeedHint]:
    """The pages of an archive, by their URLs and titles."""
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


_HOST = re.compile(r"(?:[\w-]+\.)+[^\W\d_][\w-]+\.?$")
# What the columns of an index are called: by Common Crawl, the Open Web Index, and people.
_URL_COLUMNS, _HOST_COLUMNS = ("url", "URL"), ("url_host_name", "host", "hostname", "domain")
_TITLE_COLUMN = "title"
_LONGEST_LINE = 100_000  # bytes


def hints_of_lines(path: Path) -> Iterator[SeedHint]:
    """The URLs and hosts of a text: alone, after a rank, or at the start of a zone's line."""
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
    """The captures of a CDXJ index that are web pages."""
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


def hints_of_parquet(path: Path, region: Region) -> Iterator[SeedHint]:
    """The rows of an index in Parquet, with a column of URLs or one of hosts.

    Places of Overture (`websites`, `bbox`) and Foursquare (`website`, `latitude`, `longitude`) say
    where they are as well.
    """
    parquet = import_extra(f"to read {path}", "parquet", "pyarrow.parquet")
    from pyarrow import ArrowException  # noqa: PLC0415 - an extra

    try:
        file = parquet.ParquetFile(path)
        names = file.schema_arrow.names
        if _SITE_COLUMNS & set(names):
            columns = [name for name in _PLACE_COLUMNS if name in names]
            for batch in file.iter_batches(batch_size=10_000, columns=columns):
                for row in batch.to_pylist():
                    yield from _hints_of_place(row, path.name, region)
            return
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


_SITE_COLUMNS = {"websites", "website"}
_PLACE_COLUMNS = (*_SITE_COLUMNS, "names", "name", "bbox", "latitude", "longitude")


def _hints_of_place(row: Mapping[str, Any], source: str, region: Region) -> Iterator[SeedHint]:
    """The websites of a place, with whether it is inside where the row says where it is."""
    box = row.get("bbox") or {}
    latitude, longitude = (
        row.get(name, box.get(edge)) for name, edge in (("latitude", "ymin"), ("longitude", "xmin"))
    )
    known = latitude is not None and longitude is not None
    inside = region.contains_point(Point(float(latitude), float(longitude))) if known else None
    name = row.get("name") or (row.get("names") or {}).get("primary") or ""
    for website in row.get("websites") or [row.get("website")]:
        if website and (url := normalise(_address(str(website)))):
            yield SeedHint(url, source, str(name)[:200], inside=inside)


_FEWEST_PAGES = 2  # of a site, before their share means something


def hints_of_crawl(path: Path) -> Iterator[SeedHint]:
    """The sites with relevant pages, with the share of them."""
    pages: Counter[str] = Counter()
    relevant: Counter[str] = Counter()
    first: dict[str, str] = {}  # a relevant page of each
    with open_state(path).reader as reader:
        for page in reader.pages():
            host = host_of(page.url)
            pages[host] += 1
            if page.relevant:
                relevant[host] += 1
                first.setdefault(host, page.url)
    for host, count in relevant.items():
        if pages[host] >= _FEWEST_PAGES:
            root = f"{split(first[host]).scheme}://{host}/"
            yield SeedHint(root, f"crawl {path.name}", share=count / pages[host])
