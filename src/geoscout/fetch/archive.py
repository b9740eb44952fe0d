"""Pages from WARC files instead of the web: offline, without delays, the same every time.

An archive is a closed world whose links were written for an open one, so a page is found where a
server would have found it: http and https are one, and where the exact URL is missing, one that
differs only by `index.html`, a slash at the end or its escapes will do. `Response.url` is then
the URL of the record, because that is what the page's own links start from. What the archive does
not have is answered as a 404 and counted in `outside`. A response has two times: `fetched_at` is
that of the replay, by which a crawl orders its visits, and `captured_at` that of the record.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from http import HTTPStatus
from pathlib import Path

from msgspec.structs import replace

from geoscout.fetch.archive_index import (
    ArchiveIndex,
    Captures,
    Location,
    html_of_wat,
    is_capture_list,
    open_archive_index,
    read_captures,
    records_at,
)
from geoscout.fetch.base import Fetcher, FetcherAim
from geoscout.fetch.http.decoding import BodyDecoder
from geoscout.fetch.http.rules import page_types
from geoscout.fetch.robots import MOST_SITEMAPS, Robots, robots_site
from geoscout.warc import (
    LARGEST_RECORD,
    FoundRecord,
    HttpMessage,
    WarcRecord,
    parse_http,
    read_record,
    read_target,
    scan,
)
from geoscout_places.caches import BoundedCache
from geoscout_places.errors import DamagedDataError, FetchError, NeverAgainError, UsageError
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.model import Request, RequestKind, Response
from geoscout_places.plugins import PluginOptions, read_options
from geoscout_places.urls import normalise

_NAMES = ("*.warc", "*.warc.gz", "*.wet", "*.wet.gz", "*.wat", "*.wat.gz", "*.wacz")
_HTML = (("content-type", "text/html; charset=utf-8"),)
_PLAIN = (("content-type", "text/plain; charset=utf-8"),)
_NAMES_REMEMBERED = 20_000  # links, some 4 MB
_SITES_REMEMBERED = 20_000  # of which it is kept what sitemaps their robots.txt names


def create(aim: FetcherAim) -> Fetcher:
    """The fetcher of the archives that were named.

    Raises:
        UsageError: none was named, or one of them does not exist.
    """
    read_options("archive", PluginOptions, aim.options)
    if not aim.replay:
        raise UsageError("the fetcher 'archive' needs archives: --replay WARC…")
    files = archive_files([Path(path) for path in aim.replay])
    return ArchiveFetcher(files, cache=home_folder(aim.settings) / "archives", pdf=aim.settings.pdf)


class ArchiveFetcher:
    """The Fetcher of archives. Of captures of one URL it serves the last that succeeded."""

    def __init__(
        self,
        files: Sequence[Path],
        *,
        cache: Path | None = None,
        pdf: bool = False,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Open the files, indexing them on first use; `cache` is the folder to keep indexes in.

        With `pdf`, PDF documents are pages, too.

        Raises:
            UsageError: a file is missing or no archive.
        """
        self.outside = 0  # requests for URLs the archive does not have
        files, captures = _with_captures(files)
        self._archives, self._captures = files, captures
        pages = [path for path in files if not _is_wat(path)]
        links = [path for path in files if _is_wat(path)]
        self.index: ArchiveIndex = open_archive_index(pages, cache, captures=captures)
        self._links = open_archive_index(links, cache, captures=captures) if links else None
        self._files = [os.open(path, os.O_RDONLY) for path in (*pages, *links)]
        self._first_of_links = len(pages)
        self._now = now
        self._types = page_types(pdf=pdf)
        # Under which URL a page is known: the links of a menu are asked for with every page.
        self._names = BoundedCache(self._name_of, _NAMES_REMEMBERED)
        self._sitemaps = BoundedCache(self._named_by_robots, _SITES_REMEMBERED)

    def records(self) -> Iterator[tuple[Path, FoundRecord]]:
        """What is in the archives, file by file; of a list of captures only what it names."""
        for path in self._archives:
            named = self._captures.get(path)
            for found in scan(path) if named is None else records_at(path, named):
                yield path, found

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:  # noqa: ARG002
        location = self._find(request.url)
        if location is None:
            if not request.url.endswith("/robots.txt"):  # not a page; archives rarely have it
                self.outside += 1
            return self._response(request.url, HttpMessage(HTTPStatus.NOT_FOUND.value, (), b""))
        try:
            record = self._read(location)
            message = self._with_links(record, self._message(record))
        except DamagedDataError as error:
            raise NeverAgainError("protocol", str(error)) from error
        if request.kind != RequestKind.SITEMAP:
            _check_type(message, self._types)
        url = request.url if record.target == request.url else normalise(record.target)
        return self._response(url or request.url, message, record.date)

    def known_as(self, url: str) -> str | None:
        return self._names[url]

    def _name_of(self, url: str) -> str | None:
        location = self._find(url)
        if location is None:
            return None
        try:
            target = read_target(self._files[location.file], location.offset, location.length)
        except DamagedDataError:
            return url
        return url if target == url else normalise(target) or url

    async def resolve(self, host: str) -> str:  # noqa: ARG002 - the Protocol's
        return ""

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """The Sitemap lines in the robots.txt of a URL's site, where the archive has it."""
        return self._sitemaps[robots_site(url)]

    def _named_by_robots(self, site: str) -> tuple[str, ...]:
        location = self.index.find(f"{site}/robots.txt")
        if location is None:
            return ()
        try:
            message = self._message(self._read(location))
        except DamagedDataError:
            return ()
        return (
            Robots.parse(message.body).sitemaps[:MOST_SITEMAPS]
            if message.status == HTTPStatus.OK
            else ()
        )

    def delay_after(self, response: Response) -> float:  # noqa: ARG002 - the Protocol's
        return 0.0

    def delay_after_failure(self, url: str) -> float:  # noqa: ARG002 - the Protocol's
        return 0.0

    async def close(self) -> None:
        for file in self._files:
            os.close(file)
        self._files = []

    def _read(self, location: Location) -> WarcRecord:
        return read_record(self._files[location.file], location.offset, location.length)

    def _find(self, url: str) -> Location | None:
        """The record of a page; where there is none, what a WAT file says of it."""
        return self.index.find(url) or self._find_links(url)

    def _find_links(self, url: str) -> Location | None:
        found = self._links.find(url) if self._links else None
        return found and found._replace(file=found.file + self._first_of_links)

    def _with_links(self, record: WarcRecord, message: HttpMessage) -> HttpMessage:
        """A text of a WET file with the links that a WAT file has of its page."""
        if record.type != "conversion" or not (location := self._find_links(record.target)):
            return message
        page = html_of_wat(self._read(location).block, record.block)
        return HttpMessage(200, _HTML, page)

    def _message(self, record: WarcRecord) -> HttpMessage:
        if record.type == "conversion":
            return HttpMessage(200, _PLAIN, record.block)
        if record.type == "metadata":
            return HttpMessage(200, _HTML, html_of_wat(record.block))
        if record.type == "resource":
            content_type = record.fields.get("content-type", "")
            return HttpMessage(200, (("content-type", content_type),), record.block)
        message = parse_http(record.block)
        if record.type == "revisit":
            original = self._original(record)
            body = original.body if original else b""
            return replace(message, status=message.status or 200, body=body)
        return decoded(message)

    def _original(self, record: WarcRecord) -> HttpMessage | None:
        """What a revisit record repeats; None when that is in no file we have."""
        location = self.index.find_payload(record.fields.get("warc-payload-digest", ""))
        return self._message(self._read(location)) if location else None

    def _response(
        self, url: str, message: HttpMessage, captured_at: float | None = None
    ) -> Response:
        return Response(
            url,
            message.status,
            message.headers,
            message.body,
            "",
            fetched_at=self._now(),
            seconds=0.0,
            captured_at=captured_at,
        )


def _is_wat(path: Path) -> bool:
    return path.name.endswith((".wat", ".wat.gz"))


def _with_captures(files: Sequence[Path]) -> tuple[list[Path], Captures]:
    """The archives, with those that lists name in their place, and which of their records count.

    An archive that is also named itself counts as a whole.
    """
    whole = [path for path in files if not is_capture_list(path)]
    captures: Captures = {}
    for path in files:
        if is_capture_list(path):
            for archive, places in read_captures(path).items():
                captures.setdefault(archive, []).extend(places)
    listed = {path: places for path, places in captures.items() if path not in whole}
    return [*whole, *listed], listed


def archive_files(paths: Iterable[Path]) -> list[Path]:
    """The archives among files and folders, those of a folder in the order of their names."""
    files: list[Path] = []
    for path in paths:
        found = sorted(f for name in _NAMES for f in path.glob(name)) if path.is_dir() else [path]
        if not found or not found[0].exists():
            raise UsageError(
                f"there is no archive at {path}; give .warc, .warc.gz, .wacz, .wet.gz,"
                " .wat.gz or .cdxj files"
            )
        files.extend(found)
    return files


def decoded(message: HttpMessage) -> HttpMessage:
    """An archived response without its transfer and content codings.

    Many archives keep the header fields of codings they have undone already, so a body that does
    not decode is taken as it is.
    """
    headers = dict(message.headers)
    transfer, content = headers.get("transfer-encoding", ""), headers.get("content-encoding", "")
    body = message.body
    if "chunked" in transfer.lower():
        body = _without_chunks(body) or body
    if content:
        body = _without_coding(body, content)
    return message if body is message.body else replace(message, body=body)


def _without_chunks(body: bytes) -> bytes | None:
    """A body put together from its chunks; None when it is not in chunks."""
    chunks: list[bytes] = []
    at = 0
    while True:
        line_end = body.find(b"\r\n", at, at + 1024)
        try:
            size = int(body[at:line_end].partition(b";")[0], 16) if line_end > at else -1
        except ValueError:
            size = -1
        if size < 0 or line_end + 2 + size > len(body):
            return None
        if not size:
            return b"".join(chunks)
        chunks.append(body[line_end + 2 : line_end + 2 + size])
        at = line_end + 2 + size + 2


def _without_coding(body: bytes, content_encoding: str) -> bytes:
    try:
        decoder = BodyDecoder(content_encoding, LARGEST_RECORD)
        decoder.feed(body)
        return decoder.finish()
    except FetchError:
        return body


def _check_type(message: HttpMessage, types: frozenset[str]) -> None:
    """Refuse what the live fetcher would: files that are not pages."""
    if not 200 <= message.status < 300:
        return
    for name, value in message.headers:
        if name == "content-type":
            kind = value.partition(";")[0].strip().lower()
            if kind and kind not in types:
                raise NeverAgainError("content-type", kind[:80])
            return
