"""WACZ 1.1.1: archive, index, list of pages and checksums in one ZIP file, which players open.

It is written from the first byte to the last, without going back, so it can go to a pipe, and the
memory it takes does not grow with the crawl. Ours and not the package `wacz`'s: that one takes
files that are finished, and needs 52 other packages.
"""

from __future__ import annotations

import hashlib
import time
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

import orjson

from geoscout import __version__
from geoscout.store.base import PROVENANCE
from geoscout.store.cdxj import ArchiveCatalogue
from geoscout.store.export import ExportFormat, ExportSource
from geoscout.store.exporters.warc import whole_archive
from geoscout.store.reader import CrawlReader
from geoscout.store.records import date_text, read_provenance
from geoscout.warc import pack

_VERSION = "1.1.1"  # of the specification
_BLOCK = 3000  # lines of the index that are compressed together
_INDEX = "index.cdx.gz"


def create() -> ExportFormat:
    """The format `wacz`."""
    return ExportFormat("application/wacz", "wacz", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write the archive of a crawl with everything around it.

    Raises:
        UsageError: these rows are not in an archive.
    """
    reader = whole_archive(source)
    now = time.time()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as file, ArchiveCatalogue() as catalogue:
        package = _Package(file, now)
        for name, pieces in reader.archive_files():
            name = name.replace("/", "-")  # noqa: PLW2901 - players want one folder
            package.add(f"archive/{name}", catalogue.adding(name, pieces))
        blocks = _Blocks(catalogue.lines())
        package.add(f"indexes/{_INDEX}", blocks.packed())
        package.add("indexes/index.idx", blocks.lines)
        package.add("pages/pages.jsonl", _page_lines(reader, catalogue))
        package.finish(_about(reader, now))


@dataclass(frozen=True, slots=True)
class _Resource:
    """A file of the package."""

    path: str
    hash: str
    bytes: int


class _Package:
    """The ZIP file, with what was written so far."""

    def __init__(self, file: zipfile.ZipFile, now: float) -> None:
        self._file = file
        self._time = time.gmtime(now)[:6]
        self._resources: list[_Resource] = []

    def add(self, path: str, pieces: Iterable[bytes]) -> _Resource:
        """Write a file; the resource tells its size and checksum."""
        info = zipfile.ZipInfo(path, self._time)
        digest, size = hashlib.sha256(), 0
        with self._file.open(info, "w", force_zip64=True) as entry:
            for piece in pieces:
                digest.update(piece)
                size += len(piece)
                entry.write(piece)
        resource = _Resource(path, f"sha256:{digest.hexdigest()}", size)
        self._resources.append(resource)
        return resource

    def finish(self, about: dict[str, object]) -> None:
        """Write what describes all files, and its own checksum."""
        resources = [
            {
                "name": one.path.rpartition("/")[2],
                "path": one.path,
                "hash": one.hash,
                "bytes": one.bytes,
            }
            for one in self._resources
        ]
        package = {"profile": "data-package", "resources": resources, **about}
        described = self.add("datapackage.json", [_json(package)])
        checksum = {"path": described.path, "hash": described.hash}
        self.add("datapackage-digest.json", [_json(checksum)])


class _Blocks:
    """The index in compressed blocks, and a list of the blocks, so that a player reads few."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        about = {"format": "cdxj-gzip-1.0", "filename": _INDEX}
        self.lines = [b"!meta 0 " + orjson.dumps(about, option=orjson.OPT_APPEND_NEWLINE)]

    def packed(self) -> Iterator[bytes]:
        """The blocks, each a gzip member."""
        offset = 0
        while block := list(islice(self._lines, _BLOCK)):
            packed = pack(b"".join(block))
            key, timestamp, _ = block[0].split(b" ", 2)
            digest = hashlib.sha256(packed).hexdigest()
            where = {
                "offset": offset,
                "length": len(packed),
                "digest": f"sha256:{digest}",
                "filename": _INDEX,
            }
            line = orjson.dumps(where, option=orjson.OPT_APPEND_NEWLINE)
            self.lines.append(b"%b %b %b" % (key, timestamp, line))
            offset += len(packed)
            yield packed


def _page_lines(reader: CrawlReader, catalogue: ArchiveCatalogue) -> Iterator[bytes]:
    yield _line({"format": "json-pages-1.0", "id": "pages", "title": "Pages of the crawl"})
    for page in reader.pages():
        date = date_text(page.answered_at)
        # The URL of a record differs where an archive was replayed that spells it another way.
        known = catalogue.has(page.url, date)
        url = page.url if known else reader.response(page.n).url
        yield _line(
            {
                "id": str(page.n),
                "url": url,
                "ts": date,
                "title": page.title,
                "size": page.size,
                "relevant": page.relevant,
            }
        )


def _about(reader: CrawlReader, now: float) -> dict[str, object]:
    provenance = read_provenance(reader.note(PROVENANCE))
    seeds = [value for name, value in provenance if name == "geoscout-seed"]
    about: dict[str, object] = {
        "wacz_version": _VERSION,
        "software": f"geoscout/{__version__}",
        "created": date_text(now),
        "title": dict(provenance).get("description", "a crawl"),
        "description": "; ".join(f"{name}: {value}" for name, value in provenance),
    }
    known = reader.pages_of(seeds[:1])
    if main := next(iter(known.values()), None):
        about |= {"mainPageUrl": main.url, "mainPageDate": date_text(main.answered_at)}
    return about


def _json(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2)


def _line(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
