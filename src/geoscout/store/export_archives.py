"""The formats of an export that are archives: WARC, its index CDXJ, and WACZ.

An index has a line for each capture, with what a player needs to find it: the key of the URL
(`surt.py`), the time and a JSON object; lines are sorted, as pywb and others read them. They are
collected in a temporary file, so the memory it takes does not grow with the archive.

WACZ 1.1.1 is archive, index, list of pages and checksums in one ZIP file, which players open. It is
written from the first byte to the last, without going back, so it can go to a pipe. Ours and not
the package `wacz`'s: that one takes files that are finished, and needs 52 other packages.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import BinaryIO, Self
from urllib.parse import quote, unquote_to_bytes, urlsplit

import orjson

from geoscout import __version__
from geoscout.store.base import PROVENANCE
from geoscout.store.export import ExportFormat, ExportSource
from geoscout.store.reader import CrawlReader
from geoscout.store.records import date_text, read_provenance
from geoscout.warc import FoundRecord, RecordScanner, pack, parse_http
from geoscout_places.errors import UsageError

_SAFE = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"  # all of ASCII that is printed, but # and %
_WWW = re.compile(r"^www\d*\.")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SLASHES = re.compile(rb"/{2,}")
_PATH_SESSION = re.compile(
    r"/\((?:[a-z]\([0-9a-z]{24}\))+\)(?=/[^?]+\.aspx)|/\([0-9a-z]{24}\)(?=/[^?]+\.aspx)"
)
_QUERY_SESSION = re.compile(
    r"(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}(?:&|$)"
    r"|aspsessionid[a-z]{8}=[a-z]{24}(?:&|$)|cfid=[^&]+&cftoken=[^&]+(?:&|$)"
)


def url_key(url: str) -> str:
    """The key of a URL in normal form.

    >>> url_key("https://www.Example.org:443/A//B/?b=2&a=1#x")
    'org,example)/a/b?a=1&b=2'
    >>> url_key("http://a.example:8080/caf%C3%A9%7E")
    'example,a:8080)/caf%c3%a9~'
    """
    parts = urlsplit(url)
    host = _WWW.sub("", (parts.hostname or "").lower(), count=1) if parts.hostname else ""
    turned = ",".join(reversed(host.split(".")))
    port = parts.port
    named = f":{port}" if port and port != _DEFAULT_PORTS.get(parts.scheme) else ""
    query = _query_key(parts.query)
    return f"{turned}{named}){_path_key(parts.path)}{'?' if query else ''}{query}"


def _path_key(path: str) -> str:
    plain = _SLASHES.sub(b"/", _unescaped(path)) or b"/"
    escaped = _PATH_SESSION.sub("", quote(plain, safe=_SAFE).lower())
    return escaped.removesuffix("/") or "/"


def _query_key(query: str) -> str:
    if not query:
        return ""
    escaped = quote(_unescaped(query), safe=_SAFE).lower()
    pairs = [pair.split("=", 1) for pair in _QUERY_SESSION.sub("", escaped).split("&")]
    return "&".join("=".join(pair) for pair in sorted(pairs))


def _unescaped(text: str) -> bytes:
    """A text without its escapes, however often it was escaped."""
    data = text.encode()
    while (plain := unquote_to_bytes(data)) != data:
        data = plain
    return data


_INDEXED = ("response", "revisit", "resource")
_REVISIT = "warc/revisit"  # the type that indexes give to a capture without a body of its own
_VERSION = "1.1.1"  # of the specification
_BLOCK = 3000  # lines of the index that are compressed together
_INDEX = "index.cdx.gz"


def write_warc(source: ExportSource, stream: BinaryIO) -> None:
    """Write the records of all responses."""
    # Gzip members in a row are a gzip file again, so the files need only follow each other.
    is_plain = str(getattr(stream, "name", "")).endswith(".warc")
    for _, pieces in whole_archive(source).archive_files():
        stream.writelines(_inflated(pieces) if is_plain else pieces)


def _inflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """What gzip members in a row hold."""
    member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    for piece in pieces:
        rest: bytes = piece
        while rest:
            yield member.decompress(rest)
            rest = member.unused_data
            if member.eof:
                member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


def whole_archive(source: ExportSource) -> CrawlReader:
    """The crawl whose archive is to be written."""
    if source.what not in ("pages", "visits"):
        raise UsageError(f"an archive has pages, not {source.what}: use jsonl or csv")
    if source.reader is None:
        raise UsageError("an archive is exported whole, not since a time: use jsonl or csv")
    return source.reader


def write_cdxj(source: ExportSource, stream: BinaryIO) -> None:
    """Write one line for each capture."""
    reader = whole_archive(source)
    with ArchiveCatalogue() as catalogue:
        for name, pieces in reader.archive_files():
            for piece in catalogue.adding(name, pieces):
                del piece  # its records are noted
        stream.writelines(catalogue.lines())


def write_wacz(source: ExportSource, stream: BinaryIO) -> None:
    """Write the archive of a crawl with everything around it."""
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


class _Package:
    """The ZIP file, with what was written so far."""

    def __init__(self, file: zipfile.ZipFile, now: float) -> None:
        self._file = file
        self._time = time.gmtime(now)[:6]
        self._resources: list[dict[str, object]] = []

    def add(self, path: str, pieces: Iterable[bytes]) -> str:
        """Write a file; returns its checksum."""
        info = zipfile.ZipInfo(path, self._time)
        digest, size = hashlib.sha256(), 0
        with self._file.open(info, "w", force_zip64=True) as entry:
            for piece in pieces:
                digest.update(piece)
                size += len(piece)
                entry.write(piece)
        checksum = f"sha256:{digest.hexdigest()}"
        name = path.rpartition("/")[2]
        self._resources.append({"name": name, "path": path, "hash": checksum, "bytes": size})
        return checksum

    def finish(self, about: dict[str, object]) -> None:
        """Write what describes all files, and its own checksum."""
        package = {"profile": "data-package", "resources": self._resources, **about}
        path = "datapackage.json"
        checksum = self.add(path, [_json(package)])
        self.add("datapackage-digest.json", [_json({"path": path, "hash": checksum})])


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


class ArchiveCatalogue:
    """The captures of some archive files, in a temporary file until it is closed."""

    def __init__(self) -> None:
        self._scratch = sqlite3.connect("", isolation_level=None)
        self._scratch.execute("PRAGMA journal_mode = OFF")
        self._scratch.execute("CREATE TABLE line (text BLOB NOT NULL)")
        self._scratch.execute("CREATE TABLE capture (url TEXT NOT NULL, date TEXT NOT NULL)")
        self._scratch.execute("CREATE INDEX capture_url ON capture (url)")
        self._scratch.execute("BEGIN")  # for good: nothing here is ever committed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._scratch.close()

    def adding(self, name: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces of an archive file as they are, while its captures are noted."""
        scanner = RecordScanner()
        for piece in pieces:
            for found in scanner.feed(piece):
                self._note(name, found)
            yield piece

    def lines(self) -> Iterator[bytes]:
        for (text,) in self._scratch.execute("SELECT text FROM line ORDER BY text"):
            yield text

    def has(self, url: str, date: str) -> bool:
        """Whether a URL was captured at a time, as `WARC-Date` has it."""
        query = "SELECT 1 FROM capture WHERE url = ? AND date = ?"
        return self._scratch.execute(query, (url, date)).fetchone() is not None

    def _note(self, name: str, found: FoundRecord) -> None:
        record = found.record
        if record.type not in _INDEXED or not record.target:
            return
        self._scratch.execute("INSERT INTO line VALUES (?)", (capture_line(name, found),))
        date = record.fields.get("warc-date", "")
        self._scratch.execute("INSERT INTO capture VALUES (?, ?)", (record.target, date))


def capture_line(name: str, found: FoundRecord) -> bytes:
    """The line of a CDXJ file for a record of the archive with this name."""
    at = datetime.fromtimestamp(found.record.date or 0.0, UTC)
    head = f"{url_key(found.record.target)} {at:%Y%m%d%H%M%S} ".encode()
    return head + orjson.dumps(_fields(name, found), option=orjson.OPT_APPEND_NEWLINE)


def _fields(name: str, found: FoundRecord) -> dict[str, str]:
    """What a line says of a capture; all values are texts, as in the indexes of other programs."""
    record = found.record
    message = parse_http(record.block)
    kind = dict(message.headers).get("content-type", "").partition(";")[0].strip()
    if record.type == "resource":
        kind = record.fields.get("content-type", "")
    fields = {
        "url": record.target,
        "mime": _REVISIT if record.type == "revisit" else kind or "unk",
        "status": str(message.status or 200),
        "digest": record.fields.get("warc-payload-digest", ""),
        "length": str(found.length),
        "offset": str(found.offset),
        "filename": name,
    }
    return {key: value for key, value in fields.items() if value}


WARC = ExportFormat("application/warc", "warc.gz", write_warc)
CDXJ = ExportFormat("text/x-cdxj", "cdxj", write_cdxj)
WACZ = ExportFormat("application/wacz", "wacz", write_wacz)
