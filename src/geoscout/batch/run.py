"""A batch on one machine: the archives one after another, each by all processes.

Pages are read by the processes of a pool; their rows are written in the order of the archive, so
the same archive gives the same file whatever the number of processes, and an interruption costs one
file at most. What can go wrong with a page is counted, what can go wrong with an archive is in its
report. Only a folder that cannot be written to is an error, because every other file would fail as
well. This process reads the archives and writes the rows, a small part of a core (docs/batch.md).

Where pages are read with what others tell of their sites, the archive is read twice: once to learn,
then each page with what all others of its site in this archive tell. Learning as one goes would
need one pass, and give other rows with another number of processes.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from msgspec.structs import replace

from geoscout import __version__
from geoscout.batch.documents import ArchivedDocument, ArchivePages, document_codec
from geoscout.batch.folder import BatchFolder, FileReport, writing_rows
from geoscout.batch.rows import BatchOptions, EncodedRow, gazetteer_key, row_codec, row_responder
from geoscout.crawling.processes import Processes, ReplyLimits, Responder
from geoscout.crawling.site_memory import SiteMemory
from geoscout.fetch.http.rules import page_types
from geoscout.machine import run_on_loop
from geoscout.settings import Settings
from geoscout_places.errors import UsageError, last_line
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.model import SiteNotes

PATIENCE_SECONDS = 60.0  # for a page; the largest take a few seconds


class UnreadPageError(Exception):
    """A page could not be read; the message says why."""


class PagePool:
    """A number of processes, started with the first page."""

    def __init__(
        self, prepare: Callable[[], Responder], workers: int, patience: float = PATIENCE_SECONDS
    ) -> None:
        """`prepare` is called in each process; see `page_reader.row_responder`."""
        # "spawn", because Ray and progress bars have threads, with which "fork" may block for ever.
        self._processes = Processes(prepare, workers, ReplyLimits(patience=patience), "spawn")

    async def read(self, document: ArchivedDocument) -> EncodedRow:
        """The row of a page.

        Raises:
            UnreadPageError: the page cannot be read.
        """
        try:
            question = document_codec.encode(document)
            return row_codec.decode(await self._processes.ask(question))
        except ConnectionError as error:
            raise UnreadPageError(f"{document.url} ends or blocks its process") from error
        except (RuntimeError, UnicodeEncodeError) as error:
            raise UnreadPageError(f"{document.url}: {last_line(error)}") from error

    def close(self) -> None:
        self._processes.close()


MOST_UNREAD = 10  # pages in a row; beyond that the fault is ours or the machine's
_MOST_WAITING = 1000  # pages that are being read, or whose rows wait for those before them
_MOST_WAITING_BYTES = 32 * 1024 * 1024

OnBytes = Callable[[int], None]  # called with how many bytes of an archive are read
# Called with each page, without its body, and its row, in the order of the archive.
TakeRow = Callable[[ArchivedDocument, EncodedRow], None]

_log = logging.getLogger(__name__)


class ArchiveConverter:
    """Makes files of rows of archives, one at a time."""

    def __init__(self, pool: PagePool, folder: BatchFolder, options: BatchOptions) -> None:
        self._pool = pool
        self._folder = folder
        self._options = options

    async def convert(self, archive: Path, on_bytes: OnBytes = lambda _: None) -> FileReport:
        """Write the rows of an archive and its report.

        Raises:
            OSError: the folder cannot be written to.
        """
        started = time.monotonic()
        reader = self._pages(archive)
        draft, target = self._folder.draft(archive), self._folder.rows_file(archive)
        try:
            lessons = await self._learn(archive) if self._options.sites else None
            with writing_rows(draft, target, self._options.format) as rows:
                queue = _RowQueue(self._pool, lambda _, row: rows.write(row.line), reader.skipped)
                await self._fill(queue, reader, on_bytes, lessons)
        except (UsageError, UnreadPageError) as error:
            return FileReport(file=str(archive), error=str(error))
        report = FileReport(
            file=str(archive),
            bytes=archive.stat().st_size,
            pages=queue.counts["pages"],
            with_place=queue.counts["with_place"],
            relevant=queue.counts["relevant"],
            addresses=queue.counts["addresses"],
            skipped=dict(sorted(reader.skipped.items())),
            seconds=round(time.monotonic() - started, 2),
        )
        self._folder.keep(archive, report)
        return report

    def _pages(self, archive: Path) -> ArchivePages:
        options = self._options
        return ArchivePages(archive, options.largest_page, page_types(pdf=options.pdf))

    async def _fill(
        self, queue: _RowQueue, reader: ArchivePages, on_bytes: OnBytes, lessons: _Lessons | None
    ) -> None:
        try:
            for document in reader.documents():
                await queue.add(lessons.teach(document) if lessons else document)
                on_bytes(reader.position)
            await queue.drain()
        finally:
            queue.cancel()

    async def _learn(self, archive: Path) -> _Lessons:
        """Read an archive for what its pages tell of their sites."""
        reader, lessons = self._pages(archive), _Lessons()
        queue = _RowQueue(self._pool, lessons.take, reader.skipped)
        await self._fill(queue, reader, lambda _: None, None)
        return lessons


class _Lessons:
    """What the pages of an archive tell of their sites, each by its place in the file."""

    def __init__(self) -> None:
        self._memory = SiteMemory()
        self._notes: dict[int, SiteNotes] = {}  # about a kilobyte a page

    def take(self, document: ArchivedDocument, row: EncodedRow) -> None:
        """Learn from a page that was read."""
        if row.notes is not None:
            self._memory.learn(document.url, row.notes)
            self._notes[document.offset] = row.notes

    def teach(self, document: ArchivedDocument) -> ArchivedDocument:
        """The page with what the others of its site tell."""
        notes = self._notes.get(document.offset)
        return replace(document, site=self._memory.recall(document.url, without=notes))


class _RowQueue:
    """Pages that are being read, in the order in which their rows are written."""

    def __init__(self, pool: PagePool, take: TakeRow, skipped: Counter[str]) -> None:
        self._pool = pool
        self._take = take
        self._skipped = skipped
        self._waiting: deque[tuple[ArchivedDocument, int, asyncio.Task[EncodedRow]]] = deque()
        self._bytes = 0  # of the pages that wait
        self._unread = 0  # pages in a row
        self.counts: Counter[str] = Counter()  # as `FileReport` names them

    async def add(self, document: ArchivedDocument) -> None:
        """Have a page read; waits while many are."""
        size = len(document.body)
        task = asyncio.create_task(self._pool.read(document))
        self._waiting.append((replace(document, body=b"", site=None), size, task))
        self._bytes += size
        # What is read goes to its process before the next page is looked for.
        await asyncio.sleep(0)
        while len(self._waiting) > _MOST_WAITING or self._bytes > _MOST_WAITING_BYTES:
            await self._write_first()
        while self._waiting and self._waiting[0][2].done():
            await self._write_first()

    async def drain(self) -> None:
        """Wait for all pages and write their rows."""
        while self._waiting:
            await self._write_first()

    def cancel(self) -> None:
        """Give up the pages that wait."""
        for *_, task in self._waiting:
            if not task.cancel() and not task.cancelled():
                task.exception()  # or the event loop complains that nobody asked for it

    async def _write_first(self) -> None:
        document, size, task = self._waiting.popleft()
        self._bytes -= size
        try:
            row = await task
        except UnreadPageError as error:
            self._count_unread(error)
            return
        self._unread = 0
        self._take(document, row)
        self.counts["pages"] += 1
        self.counts["addresses"] += row.addresses
        self.counts["with_place"] += row.has_place
        self.counts["relevant"] += row.relevant

    def _count_unread(self, error: UnreadPageError) -> None:
        """Leave a page out; many in a row are not the fault of the pages."""
        self._unread += 1
        self._skipped["unread"] += 1
        if self._unread > MOST_UNREAD:
            raise UnreadPageError(f"{MOST_UNREAD} pages in a row cannot be read: {error}")
        _log.warning("page left out: %s", error)


@dataclass(frozen=True, slots=True)
class Batch:
    """Archives and what is to be made of them."""

    archives: Sequence[Path]  # each with another name; see `archives.named_archives`
    folder: BatchFolder
    options: BatchOptions
    settings: Settings

    def waiting(self) -> list[Path]:
        """The archives that are not done."""
        return [path for path in self.archives if self.folder.report(path) is None]


OnFile = Callable[[FileReport], None]


def run_batch(batch: Batch, workers: int, on_file: OnFile, on_bytes: Callable[[int], None]) -> None:
    """Geoparse the archives that are not done, in a number of processes.

    `on_file` is told of each that is done or has failed, `on_bytes` how much of it is read.

    Raises:
        OSError: the folder cannot be written to.
    """
    run_on_loop(_convert_all(batch, workers, on_file, on_bytes))


async def _convert_all(
    batch: Batch, workers: int, on_file: OnFile, on_bytes: Callable[[int], None]
) -> None:
    prepare = partial(row_responder, batch.options, batch.settings)
    with closing(PagePool(prepare, workers)) as pool:
        converter = ArchiveConverter(pool, batch.folder, batch.options)
        for archive in batch.waiting():
            on_file(await converter.convert(archive, on_bytes))


def convert_here(archive: Path, out: Path, options: BatchOptions, settings: Settings) -> FileReport:
    """Write the rows of an archive where this is called, on a machine of a cluster.

    Raises:
        UsageError: this machine has another geoscout or another gazetteer.
        OSError: the folder cannot be written to.
    """
    loop, converter = _converter_here(out, options, settings)
    return loop.run(converter.convert(archive))


@lru_cache(maxsize=1)
def _converter_here(
    out: Path, options: BatchOptions, settings: Settings
) -> tuple[asyncio.Runner, ArchiveConverter]:
    """Kept between the archives of a process, so that a gazetteer is loaded once.

    Its process for pages ends with this one, because its line then closes.
    """
    if options.version != __version__:
        raise UsageError(
            f"{socket.gethostname()} has geoscout {__version__}, not {options.version}"
        )
    if options.gazetteer != gazetteer_key(settings):
        raise UsageError(
            f"{socket.gethostname()} has another gazetteer ({gazetteer_key(settings)}, not"
            f" {options.gazetteer}): the same imports and extras are needed everywhere"
        )
    open_gazetteer(settings).close()  # builds it if needed; a page would not wait
    loop = asyncio.Runner()
    pool = PagePool(partial(row_responder, options, settings), 1)
    return loop, ArchiveConverter(pool, BatchFolder(out, options.format), options)
