"""Archives read once: pages parsed and geoparsed, and sitemaps, kept in one SQLite file.

Geoparsing a page takes ten milliseconds, and a comparison looks at an archive again for every
region and strategy. The file knows nothing of regions or seeds, so all comparisons share it. It is
kept below the home folder under a name made of the archives and of the code that read them.
"""

import asyncio
import os
import sqlite3
from array import array
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from geoscout.crawling.read import read_sitemap, with_links
from geoscout.crawling.requests import sitemap_requests, sitemaps_of_host
from geoscout.fetch.archive import ArchiveFetcher
from geoscout.fetch.archive_index import is_served
from geoscout.fetch.retries import is_redirect, next_hop
from geoscout.settings import Settings
from geoscout.warc import pack
from geoscout_lab.experiments import code_digest
from geoscout_places.background import end_with_parent
from geoscout_places.codec import Codec
from geoscout_places.errors import FetchError
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.gazetteer.home import compiled_file, home_folder
from geoscout_places.geo import Geoparser
from geoscout_places.model import Link, OnProgress, Page, Reading, Request, RequestKind, Response
from geoscout_places.reading import Document, PageReader, PageReading
from geoscout_places.urls import host_of, normalise

Run = Callable[[Coroutine[Any, Any, Response]], Response]
Sitemaps = Mapping[str, tuple[str, ...]]  # URLs by the host, or by the sitemap, that names them


def find_sitemaps(urls: Iterable[str], fetcher: ArchiveFetcher, run: Run) -> Sitemaps:
    """The sitemaps of every host, and those that sitemaps list; `run` waits for an answer."""
    found: dict[str, tuple[str, ...]] = {}
    first = {host_of(url): url for url in reversed(list(urls))}
    for host, url in first.items():
        named = sitemaps_of_host(fetcher.sitemaps(url), fetcher.known_as, url)
        requests = sitemap_requests(Request(url), named, fetcher.known_as)
        if requests:
            found[host] = tuple(request.url for request in requests)
            found.update(_listed(requests, fetcher, run))
    return found


def _listed(
    requests: Iterable[Request], fetcher: ArchiveFetcher, run: Run
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The sitemaps that each of these lists."""
    for request in requests:
        try:
            further = read_sitemap(run(fetcher.fetch(request))).sitemaps
        except FetchError:
            continue
        if listed := sitemap_requests(request, further, fetcher.known_as):
            yield request.url, tuple(each.url for each in listed)


_READ_BY = (
    "geoscout_places/parse",
    "geoscout_places/geo",
    "geoscout_places/toponyms",
    "geoscout_places/language",
    "geoscout_places/codec.py",
    "geoscout_places/model.py",
    "geoscout_places/reading.py",
    "geoscout/crawling/read.py",
    "geoscout/crawling/requests.py",
    "geoscout/fetch/sitemaps.py",
    "geoscout_lab/worlds/archive_pages.py",
)
_CHUNK = 16  # pages a worker reads before it answers
_SCHEMA = """
CREATE TABLE page (number INTEGER PRIMARY KEY, url TEXT UNIQUE, status INTEGER, simhash INTEGER,
    outside INTEGER, targets BLOB, links BLOB, page BLOB, reading BLOB);
CREATE TABLE sitemap (named_by TEXT, number INTEGER);  -- by a host, or by the URL of a sitemap
"""


PAGES, READINGS, LINKS = Codec(Page), Codec(Reading), Codec(tuple[Link, ...])


@dataclass(frozen=True, slots=True)
class ReadPage:
    """One page of an archive as it is kept; `links` go to pages of the archive only."""

    url: str
    status: int
    simhash: int = 0
    outside: int = 0  # links to pages the archive does not have
    targets: tuple[str, ...] = ()
    links: bytes = b""
    page: bytes = b""
    reading: bytes = b""


def archive_file(files: Sequence[Path], settings: Settings) -> Path:
    """Where the pages of these archives are kept, whether they are there yet or not."""
    digest = blake2b(digest_size=8)
    for file in files:
        digest.update(f"{file.resolve()} {file.stat().st_size} {file.stat().st_mtime_ns}".encode())
    digest.update(code_digest(*_READ_BY).encode())
    digest.update(compiled_file(settings).name.encode())
    return pages_folder(settings) / f"archive-{digest.hexdigest()}.sqlite"


def pages_folder(settings: Settings) -> Path:
    """Where archives are kept once read."""
    return home_folder(settings) / "worlds"


def read_archives(
    files: Sequence[Path], settings: Settings, progress: OnProgress = lambda _done, _all: None
) -> Path:
    """Read archives, unless that was done before; returns the file with their pages."""
    kept = archive_file(files, settings)
    if kept.exists():
        return kept
    kept.parent.mkdir(parents=True, exist_ok=True)
    draft = kept.with_suffix(f".{os.getpid()}.part")  # another process may be at it too
    connection = sqlite3.connect(draft)
    try:
        _fill(connection, files, settings, progress)
        connection.close()
        draft.replace(kept)
    finally:
        connection.close()
        draft.unlink(missing_ok=True)
    return kept


def _fill(
    connection: sqlite3.Connection, files: Sequence[Path], settings: Settings, progress: OnProgress
) -> None:
    connection.executescript(_SCHEMA)
    urls = _urls(files, settings)
    numbers = {url: number for number, url in enumerate(urls)}
    sitemaps = _sitemaps(urls, files, settings)
    named = [(source, numbers[url]) for source, found in sitemaps.items() for url in found]
    connection.executemany("INSERT INTO sitemap VALUES (?, ?)", named)
    kinds = {urls[number]: RequestKind.SITEMAP for _, number in named}
    requests = [Request(url, kind=kinds.get(url, RequestKind.PAGE)) for url in urls]
    for number, page in enumerate(_read_all(requests, files, settings)):
        targets = array("i", [numbers[url] for url in page.targets])
        connection.execute(
            "INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, page.url, page.status, page.simhash - (1 << 63), page.outside,
             targets.tobytes(), page.links, page.page, page.reading),
        )  # fmt: skip
        progress(number + 1, len(urls))
    connection.commit()


def _urls(files: Sequence[Path], settings: Settings) -> list[str]:
    """Every URL of the archives under the name it is served by, in the order of the files."""
    fetcher = _fetcher(files, settings)
    found: dict[str, None] = {}
    for _, record in fetcher.records():
        url = normalise(record.record.target) if is_served(record.record) else None
        known = fetcher.known_as(url) if url else None
        if known is not None and not known.endswith("/robots.txt"):
            found[known] = None
    return list(found)


def _sitemaps(urls: Sequence[str], files: Sequence[Path], settings: Settings) -> Sitemaps:
    with asyncio.Runner() as runner:
        fetcher = _fetcher(files, settings)
        try:
            return find_sitemaps(urls, fetcher, runner.run)
        finally:
            runner.run(fetcher.close())


def _read_all(
    requests: Sequence[Request], files: Sequence[Path], settings: Settings
) -> Iterator[ReadPage]:
    if settings.workers <= 1:
        with closing(ArchivePageReader(files, settings)) as reader:
            yield from map(reader.read, requests)
        return
    with ProcessPoolExecutor(
        settings.workers, get_context("spawn"), initializer=_start, initargs=(files, settings)
    ) as pool:
        yield from pool.map(_read, requests, chunksize=_CHUNK)


class ArchivePageReader:
    """Reads pages of archives in this process."""

    def __init__(self, files: Sequence[Path], settings: Settings) -> None:
        self._fetcher = _fetcher(files, settings)
        gazetteer, strict = open_gazetteer(settings), settings.strict_streets
        geoparser = Geoparser(gazetteer, strict_streets=strict)
        self._reader = PageReader(geoparser, skips_missing=True)
        self._runner = asyncio.Runner()

    def close(self) -> None:
        self._runner.run(self._fetcher.close())
        self._runner.close()

    def read(self, request: Request) -> ReadPage:
        """Fetch, parse and geoparse one page, or read one sitemap."""
        url = request.url
        try:
            response = self._runner.run(self._fetcher.fetch(request))
        except FetchError:
            return ReadPage(url, 0)
        if is_redirect(response):
            return self._redirect(url, response)
        if response.status != 200:
            return ReadPage(url, response.status)
        if request.kind == RequestKind.SITEMAP:  # its pages are its links, and that is all
            nothing = Page.empty(response.url)
            found = PageReading(nothing, nothing)
            result = read_sitemap(response)
        else:
            content_type = response.header("content-type")
            found = self._reader.read(Document(response.url, response.body, content_type))
            if found.is_missing:
                return ReadPage(url, 404)
            result = with_links(found.page, response)
        links = self._inside(url, result.links)
        return ReadPage(
            url,
            response.status,
            result.simhash,
            len(result.links) - len(links),
            tuple(links),
            links=pack(LINKS.encode(tuple(links.values()))),
            page=pack(PAGES.encode(found.page)),
            reading=pack(READINGS.encode(found.reading)),
        )

    def _inside(self, source: str, links: Sequence[Link]) -> dict[str, Link]:
        """The links to other pages of the archive, by the name those are served under."""
        kept: dict[str, Link] = {}
        for link in links:
            known = self._fetcher.known_as(link.url)
            if known is not None and known != source and not known.endswith("/robots.txt"):
                kept.setdefault(known, replace(link, url=known))
        return kept

    def _redirect(self, url: str, response: Response) -> ReadPage:
        try:
            target = self._fetcher.known_as(next_hop(response))
        except FetchError:
            target = None
        return ReadPage(url, response.status, targets=(target,) if target else ())


def _fetcher(files: Sequence[Path], settings: Settings) -> ArchiveFetcher:
    return ArchiveFetcher(files, cache=home_folder(settings) / "archives")


_reader: ArchivePageReader | None = None  # one a worker process, made when the process starts


def _start(files: Sequence[Path], settings: Settings) -> None:
    end_with_parent()
    global _reader  # noqa: PLW0603 - how a process pool keeps state in its workers
    _reader = ArchivePageReader(files, settings)


def _read(request: Request) -> ReadPage:
    if _reader is None:
        raise RuntimeError("the worker was not started")
    return _reader.read(request)
