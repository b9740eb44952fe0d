"""Which URL lies where in a set of archives, and which of their records count.

An index is two sorted columns for each way to ask: 64-bit fingerprints of URLs, and the numbers
of their records. That is 12 bytes a URL and way, against 150 for a dictionary, so that archives
of millions of pages can be replayed; a search takes a microsecond. Scanning costs a few seconds
for 100,000 pages, so an index is kept in a cache folder, never next to the archive: archives are
often read-only, and what is not ours to write to we leave as it was.

Lists of captures (CDXJ files, and the JSON lines that the index of Common Crawl sends) name a WARC
file and a place in it in each line. Only these records are read, so that a few pages of many files
need no scan of them. The files must be here: next to the list, at the path that it gives, or in a
folder `archive` as in WACZ files and collections of pywb.

The WAT files of Common Crawl have title, meta fields and links of pages, without their text. A
record is made into a small HTML page, so that everything else reads it as it reads any page: its
links can be followed in a replay. With the text of the same page from a WET file it is nearly what
the page was, at a fifth of the size of the WARC files.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import logging
import os
import re
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from geoscout.warc import FoundRecord, WarcRecord, read_record, scan, status_of
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.urls import normalise

_LARGEST = 2**48  # bytes; an offset beyond it is damage

_log = logging.getLogger(__name__)

Captures = dict[Path, list[tuple[int, int]]]  # of each file, offset and length of its records


def is_capture_list(path: Path) -> bool:
    """Whether a file is a list, by its name: `x.cdxj`, `x.cdxj.gz`, or `cdx-00012.gz`."""
    name = path.name
    is_of_common_crawl = name.startswith("cdx-") and name.endswith(".gz")
    return name.endswith((".cdxj", ".cdxj.gz")) or is_of_common_crawl


def read_captures(path: Path) -> Captures:
    """The records that a list names, in files that are here, each in the order of its bytes."""
    named: dict[str, set[tuple[int, int]]] = {}
    for entry in _entries(path):
        named.setdefault(entry[0], set()).add(entry[1:])
    if not named:
        raise UsageError(f"{path} names no records; a line has a file, an offset and a length")
    places = {name: _place(path.parent, name) for name in named}
    missing = sorted(name for name, place in places.items() if place is None)
    if len(missing) == len(named):
        raise UsageError(
            f"none of the {len(named)} files that {path} names is here, such as {missing[0]};"
            " put them next to it"
        )
    if missing:
        _log.warning("%d of %d files of %s are not here", len(missing), len(named), path)
    return {place: sorted(named[name]) for name, place in places.items() if place is not None}


def _place(folder: Path, name: str) -> Path | None:
    file = name.rpartition("/")[2]
    places = (
        folder / file,
        folder / name,
        folder / "archive" / file,
        folder.parent / "archive" / file,
    )
    return next((place for place in places if place.is_file()), None)


def _entries(path: Path) -> Iterator[tuple[str, int, int]]:
    opened = gzip.open if path.name.endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if entry := _entry(line):
                    yield entry
    except (OSError, EOFError) as error:
        raise UsageError(f"cannot read the list {path}: {error}") from error


def _entry(line: str) -> tuple[str, int, int] | None:
    """File, offset and length of a line; None for a heading, or what is damaged."""
    start = line.find("{")
    if start < 0:
        return None
    try:
        found: dict[str, Any] = json.loads(line[start:])
        name, offset, length = str(found["filename"]), int(found["offset"]), int(found["length"])
    except (ValueError, OverflowError, KeyError, TypeError):
        return None
    is_sound = 0 <= offset < _LARGEST and 0 < length < _LARGEST
    return (name, offset, length) if is_sound and ".." not in name.split("/") else None


_OF_RESPONSE = b'"WARC-Type":"response"'
_MOST_LINKS = 20_000


def is_served(record: WarcRecord) -> bool:
    """Whether a record is a page, or says what is in one."""
    return record.type in _SERVED or is_wat_page(record)


def is_wat_page(start: WarcRecord) -> bool:
    """Whether a record is about a response, by the beginning of its block."""
    if start.type != "metadata" or "json" not in start.fields.get("content-type", ""):
        return False
    return _OF_RESPONSE in start.block.replace(b'": "', b'":"')


def html_of_wat(block: bytes, text: bytes = b"") -> bytes:
    """A page with what a record says of it, and with a text that is known from elsewhere.

    What is not as expected is left out: the result is a page in any case.
    """
    found = _html_metadata(block)
    head = _dict(found.get("Head"))
    parts = ["<!doctype html><meta charset=utf-8>"]
    if isinstance(head.get("Title"), str):
        parts.append(f"<title>{html.escape(head['Title'])}</title>")
    if isinstance(head.get("Base"), str):
        parts.append(f'<base href="{html.escape(head["Base"])}">')
    parts += _metas(head.get("Metas"))
    lines = text.decode("utf-8", "replace").splitlines()
    parts += [f"<p>{html.escape(line)}</p>" for line in lines if line.strip()]
    parts += _anchors(found.get("Links"))
    return "\n".join(parts).encode()


def _html_metadata(block: bytes) -> dict[str, Any]:
    try:
        found = json.loads(block)
    except (ValueError, RecursionError):
        return {}
    for key in ("Envelope", "Payload-Metadata", "HTTP-Response-Metadata", "HTML-Metadata"):
        found = _dict(found).get(key)
    return _dict(found)


def _metas(metas: object) -> Iterator[str]:
    for meta in metas if isinstance(metas, list) else ():
        found = _dict(meta)
        if isinstance(found.get("name"), str) and isinstance(found.get("content"), str):
            name, content = html.escape(found["name"]), html.escape(found["content"])
            yield f'<meta name="{name}" content="{content}">'


def _anchors(links: object) -> Iterator[str]:
    for link in links[:_MOST_LINKS] if isinstance(links, list) else ():
        found = _dict(link)
        url, path = found.get("url"), found.get("path")
        if isinstance(url, str) and isinstance(path, str) and path.startswith("A@"):
            words = found.get("text") or found.get("title") or ""
            yield f'<p><a href="{html.escape(url)}">{html.escape(str(words))}</a></p>'


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


_VERSION = 2
_SERVED = {"response", "resource", "revisit", "conversion"}
_INDEX_PAGE = re.compile(r"/(?:index|default)\.(?:s?html?|php|aspx?|jsp)$", re.IGNORECASE)
_COLUMNS = ("H", "Q", "I", "Q", "I", "Q", "I", "Q", "I")  # types of `array`, in the order kept


class Location(NamedTuple):
    file: int  # number of the file in the set
    offset: int
    length: int


class _Columns:
    """Fingerprints in order, each with the number of a record."""

    def __init__(self, keys: array[int], records: array[int]) -> None:
        self.keys = keys
        self.records = records

    @classmethod
    def of(cls, numbers: Mapping[int, int]) -> _Columns:
        keys = sorted(numbers)
        return cls(array("Q", keys), array("I", map(numbers.__getitem__, keys)))

    def find(self, key: int) -> int | None:
        at = bisect_left(self.keys, key)
        return self.records[at] if at < len(self.keys) and self.keys[at] == key else None


class ArchiveIndex:
    """The records of a set of archives by URL and by payload."""

    def __init__(self, columns: Sequence[array[int]]) -> None:
        self._files, self._offsets, self._lengths, *pairs = columns
        self._exact = _Columns(pairs[0], pairs[1])
        self._alike = _Columns(pairs[2], pairs[3])
        self._payloads = _Columns(pairs[4], pairs[5])

    def __len__(self) -> int:
        """How many different URLs it has."""
        return len(self._exact.keys)

    def find(self, url: str) -> Location | None:
        """The record of a URL, or of one that differs in what servers rarely tell apart."""
        normal = normalise(url) or url
        number = self._exact.find(_fingerprint(_without_scheme(normal)))
        if number is None:
            number = self._alike.find(_fingerprint(_alike(normal)))
        return self._location(number)

    def find_payload(self, digest: str) -> Location | None:
        """The record whose payload a revisit record says it repeats."""
        return self._location(self._payloads.find(_fingerprint(digest)))

    def _location(self, number: int | None) -> Location | None:
        if number is None:
            return None
        return Location(self._files[number], self._offsets[number], self._lengths[number])

    def columns(self) -> Sequence[array[int]]:
        """Everything it knows, in the order its constructor takes."""
        pairs = (self._exact, self._alike, self._payloads)
        flat = [column for pair in pairs for column in (pair.keys, pair.records)]
        return [self._files, self._offsets, self._lengths, *flat]


class _Builder:
    """Collects records; of two with one URL the later wins, unless only the earlier succeeded."""

    def __init__(self) -> None:
        self.locations: list[Location] = []
        self._succeeded: list[bool] = []
        self._exact: dict[int, int] = {}
        self._alike: dict[int, int] = {}
        self._originals: dict[int, int] = {}
        self._repeated: set[int] = set()

    def add(self, file: int, found: FoundRecord) -> None:
        record = found.record
        url = normalise(record.target) if is_served(record) else None
        if url is None:
            return
        number = len(self.locations)
        self.locations.append(Location(file, found.offset, found.length))
        self._succeeded.append(record.type == "resource" or 200 <= status_of(record.block) < 300)
        self._note(self._exact, _fingerprint(_without_scheme(url)), number)
        self._note(self._alike, _fingerprint(_alike(url)), number)
        self._note_payload(record.type, record.fields.get("warc-payload-digest", ""), number)

    def _note(self, numbers: dict[int, int], key: int, number: int) -> None:
        known = numbers.get(key)
        if known is None or self._succeeded[number] or not self._succeeded[known]:
            numbers[key] = number

    def _note_payload(self, type: str, digest: str, number: int) -> None:
        if digest and type == "revisit":
            self._repeated.add(_fingerprint(digest))
        elif digest:
            self._originals.setdefault(_fingerprint(digest), number)

    def index(self) -> ArchiveIndex:
        wanted = self._repeated & self._originals.keys()
        payloads = {key: self._originals[key] for key in wanted}
        pairs = [_Columns.of(numbers) for numbers in (self._exact, self._alike, payloads)]
        flat = [column for pair in pairs for column in (pair.keys, pair.records)]
        files, offsets, lengths = zip(*self.locations, strict=True) if self.locations else ((),) * 3
        return ArchiveIndex([array("H", files), array("Q", offsets), array("I", lengths), *flat])


def open_archive_index(
    files: Sequence[Path], cache: Path | None = None, captures: Captures | None = None
) -> ArchiveIndex:
    """The index of a set of archives, from the cache folder if it has it and they are unchanged.

    `cache` None keeps it in memory only. Of a file in `captures` only these records are in it.
    """
    try:
        key = _key(files, captures or {})
    except OSError as error:
        raise UsageError(f"cannot read archive {error.filename}: {error.strerror}") from error
    kept = cache / f"archive-{key}.index" if cache else None
    if kept is not None and kept.is_file():
        try:
            return _load(kept)
        except DamagedDataError:
            _log.warning("archive index is damaged and made again", extra={"file": str(kept)})
    index = _build(files, captures or {})
    if kept is not None:
        _save(index, kept)
    return index


def _build(files: Sequence[Path], captures: Captures) -> ArchiveIndex:
    builder = _Builder()
    for number, path in enumerate(files):
        found_in = records_at(path, captures[path]) if path in captures else scan(path)
        for found in found_in:
            builder.add(number, found)
    return builder.index()


def records_at(path: Path, places: Sequence[tuple[int, int]]) -> Iterator[FoundRecord]:
    """The records at some offsets, with their lengths; those that are damaged are passed over."""
    file = os.open(path, os.O_RDONLY)
    try:
        for offset, length in places:
            try:
                yield FoundRecord(offset, length, read_record(file, offset, length))
            except DamagedDataError as error:
                _log.warning("%s", error, extra={"file": str(path), "offset": offset})
    finally:
        os.close(file)


def _key(files: Sequence[Path], captures: Captures) -> str:
    """Changes with the files and with the form of an index."""
    digest = hashlib.blake2b(f"{_VERSION} {sys.byteorder}".encode(), digest_size=12)
    for path in files:
        status = path.stat()
        digest.update(f"\0{path.resolve()}\0{status.st_size}\0{status.st_mtime_ns}".encode())
        digest.update(repr(captures.get(path, "all")).encode())
    return digest.hexdigest()


def _save(index: ArchiveIndex, file: Path) -> None:
    columns = index.columns()
    counts = array("Q", map(len, columns))
    body = b"".join([counts.tobytes(), *(column.tobytes() for column in columns)])
    draft = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(hashlib.blake2b(body, digest_size=16).digest() + body)
        draft.replace(file)
    except OSError as error:
        _log.warning("archive index not kept", extra={"file": str(file), "reason": str(error)})


def _load(file: Path) -> ArchiveIndex:
    data = memoryview(file.read_bytes())
    body = data[16:]
    if hashlib.blake2b(body, digest_size=16).digest() != data[:16]:
        raise DamagedDataError(f"{file} is damaged")
    at = 8 * len(_COLUMNS)
    counts = array("Q", body[:at].tobytes())
    columns = []
    for type, count in zip(_COLUMNS, counts, strict=True):
        column = array(type)
        size = count * column.itemsize
        column.frombytes(body[at : at + size])
        columns.append(column)
        at += size
    return ArchiveIndex(columns)


def _without_scheme(url: str) -> str:
    return url.partition("://")[2]


def _alike(url: str) -> str:
    """One spelling for URLs that servers rarely tell apart.

    >>> _alike("http://example.org/a%2Cb/index.html") == _alike("https://example.org/a,b")
    True
    """
    return unquote(_INDEX_PAGE.sub("/", _without_scheme(url))).rstrip("/")


def _fingerprint(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
