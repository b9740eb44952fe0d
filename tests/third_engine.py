"""Crawls in a third place: what another database needs is in this one module.

The rows are in a plain file of SQLite, without what makes the one of a folder safe; the archive is
in memory. It is here to show how much of an engine there is, and that the suites need no more.
"""

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from geoscout.frontier.sqlite import TABLES as FRONTIER_TABLES
from geoscout.frontier.sqlite import SqliteFrontier
from geoscout.frontier.tables import TableView
from geoscout.sql import Row, SqliteQueries
from geoscout.state.base import Beginning, CrawlView, Slot, Writing
from geoscout.store.archive import RecordSpot
from geoscout.store.engine import Log
from geoscout.store.group import LoneWriter, VisitGroup, write_group
from geoscout.store.reader import CrawlReader
from geoscout.store.schema import ARCHIVE
from geoscout.store.sqlite.database import TABLES
from geoscout.store.sqlite.engine import SqliteRows
from geoscout.warc import WarcRecord, parse_packed
from geoscout_places.errors import UsageError


class Archive:
    """One file that grows, in memory, and whether somebody writes to it."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.is_held = False

    def append(self, record: bytes, at: float) -> RecordSpot:
        self.data += record
        return RecordSpot(1, len(self.data) - len(record), len(record))


class ThirdEngine(SqliteQueries):
    """Implements `Engine`."""

    writer: LoneWriter | None = None

    def __init__(self, file: Path, archive: Archive) -> None:
        super().__init__(sqlite3.connect(file, isolation_level="IMMEDIATE"))
        self.archive = archive

    def rows(self, query: str, *parameters: object) -> list[Row]:
        if self.writer is not None:
            self.writer.write_pending()
        return super().rows(query, *parameters)

    def stream(self, query: str, *parameters: object) -> Iterator[Row]:
        yield from self.rows(query, *parameters)

    def after(self, log: Log, positions: Mapping[int, int], limit: int) -> list[Row]:
        query = f"""SELECT 0, {log.number}, {log.columns} FROM {log.table} AS log
            WHERE {log.number} > :p AND {log.condition} ORDER BY {log.number} LIMIT :p"""
        return self.rows(query, positions.get(0, 0), limit)

    def write(self, group: VisitGroup) -> None:
        write_group(SqliteRows(self.connection), group)

    def record(self, file: str | int, offset: int, length: int) -> WarcRecord:
        return parse_packed(bytes(self.archive.data[offset : offset + length]))

    def files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        for file, size in self.rows("SELECT file, size FROM archive"):
            yield f"{file}.warc.gz", iter([bytes(self.archive.data[:size])])

    def is_written(self) -> bool:
        return self.archive.is_held

    def close(self) -> None:
        self.connection.close()


class ThirdState:
    """Implements `CrawlState`."""

    def __init__(self, engine: ThirdEngine, writing: Writing) -> None:
        if engine.archive.is_held:
            raise UsageError("another process is writing to the crawl")
        engine.archive.is_held = True
        plain = SqliteQueries(engine.connection)
        ((size,),) = plain.rows("SELECT coalesce(max(size), 0) FROM archive")
        del engine.archive.data[size:]  # what was not committed
        self.writer = self.reader = LoneWriter(engine, plain, engine.archive, writing.agent)
        self.frontier = SqliteFrontier(engine.connection, writing.limits)
        self._engine, engine.writer = engine, self.writer
        self._saved_at = time.monotonic()

    async def commit(self) -> None:
        self.save()

    async def commit_when_due(self, visits: int, seconds: float) -> None:
        unsaved = self.writer.unsaved
        if unsaved >= visits or (unsaved and time.monotonic() - self._saved_at >= seconds):
            self.save()

    def save(self) -> None:
        size = len(self._engine.archive.data)
        self._engine.write(VisitGroup(changed={ARCHIVE: [(1, size)]}))
        self.writer.flush()
        self.frontier.flush()
        self._engine.connection.commit()
        self._saved_at = time.monotonic()

    def close(self) -> None:
        self._engine.archive.is_held = False
        self._engine.close()


class ThirdBackend:
    """Implements `StateBackend`."""

    def __init__(self) -> None:
        self._archives: dict[str, Archive] = {}

    def create(self, where: str, beginning: Beginning, writing: Writing) -> ThirdState:
        if self.holds(where):
            raise UsageError(f"{where} already contains a crawl: resume it")
        self._archives[where] = Archive()
        engine = self._engine(where)
        engine.connection.executescript(f"PRAGMA journal_mode = WAL; {TABLES}{FRONTIER_TABLES}")
        state = ThirdState(engine, writing)
        for name, value in beginning.notes.items():
            state.writer.set_note(name, value)
        state.writer.keep_model(beginning.learned)
        state.frontier.put(beginning.requests)
        state.save()
        return state

    def resume(self, where: str, writing: Writing) -> ThirdState:
        return ThirdState(self._engine(where), writing)

    def open(self, where: str) -> CrawlView:
        engine = self._engine(where)
        return CrawlView(CrawlReader(engine), TableView(engine))

    def repair(self, where: str, lost: Sequence[int]) -> None:
        """Nothing is lost in memory."""

    def slot(self, where: str) -> Slot:
        raise NotImplementedError(where)

    def holds(self, where: str) -> bool:
        return where in self._archives

    def index_folder(self, where: str, home: Path) -> Path:
        return Path(f"{where}.index")

    def _engine(self, where: str) -> ThirdEngine:
        if not self.holds(where):
            raise UsageError(f"there is no crawl at {where}")
        return ThirdEngine(Path(f"{where}.third"), self._archives[where])
