"""A crawl in a folder: rows in SQLite, responses in files that grow; implements `Engine`.

Killed before the commit, everything since the last one is undone: the rows by SQLite, the archive
by setting it aside when the store is opened again.
"""

import math
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from geoscout.sql import SQLITE, Row, SqliteQueries, Table, Update, json_list
from geoscout.store.archive import (
    ARCHIVE_FOLDER,
    LARGEST_FILE,
    ArchiveReader,
    ArchiveWriter,
    Position,
    archive_file,
)
from geoscout.store.base import PROVENANCE, ArchiveDamage, StoredVisit
from geoscout.store.engine import Log
from geoscout.store.group import LoneWriter, VisitGroup, without_visits, write_group
from geoscout.store.reader import CrawlReader
from geoscout.store.records import pack_exchange, read_provenance
from geoscout.store.schema import ARCHIVE, LOST, OF_VISIT, PAYLOAD
from geoscout.store.sqlite.database import FILE, Database, is_written
from geoscout.store.sqlite.mending import ENOUGH, examine_archive, mend_archive
from geoscout.warc import WarcRecord
from geoscout_places.errors import DamagedDataError
from geoscout_places.model import OnProgress


class SqliteEngine(SqliteQueries):
    """The database and the archive of a folder."""

    def __init__(self, folder: Path, database: Database) -> None:
        super().__init__(database)
        self._folder = folder
        self._archive = ArchiveReader(folder / ARCHIVE_FOLDER)
        self.before_reading: Callable[[], None] = lambda: None

    def rows(self, query: str, *parameters: object) -> list[Row]:
        self.before_reading()
        return super().rows(query, *parameters)

    def stream(self, query: str, *parameters: object) -> Iterator[Row]:
        self.before_reading()
        return super().stream(query, *parameters)

    def after(self, log: Log, positions: Mapping[int, int], limit: int) -> list[Row]:
        # One process writes, so rows become visible in the order of their numbers.
        query = f"""SELECT 0, {log.number}, {log.columns} FROM {log.table} AS log
            WHERE {log.number} > :p AND {log.condition} ORDER BY {log.number} LIMIT :p"""
        return self.rows(query, positions.get(0, 0), limit)

    def write(self, group: VisitGroup) -> None:
        write_group(SqliteRows(self.connection), group)

    def record(self, file: str | int, offset: int, length: int) -> WarcRecord:
        if not all(isinstance(number, int) for number in (file, offset, length)):
            raise DamagedDataError("its place in the archive is not a number")
        return self._archive.read(int(file), offset, length)

    def files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        for file, size in self.rows("SELECT file, size FROM archive ORDER BY file"):
            yield archive_file(Path(), file).name, self._archive.pieces(Position(file, size))

    def is_written(self) -> bool:
        return is_written(self._folder)

    def close(self) -> None:
        self.connection.close()
        self._archive.close()


class SqliteRows:
    """Writes rows to SQLite; implements `Rows`."""

    dialect = SQLITE

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, table: Table, rows: Sequence[Row]) -> None:
        self._connection.executemany(_insert(table), rows)

    def put(self, table: Table, rows: Sequence[Row], change: str = "") -> None:
        key = ", ".join(SQLITE.key(table))
        action = f"UPDATE SET {change}" if change else "NOTHING"
        self._connection.executemany(f"{_insert(table)} ON CONFLICT ({key}) DO {action}", rows)

    def update(self, update: Update, partition: int) -> None:  # noqa: ARG002 - there is one
        key, *others = update.names
        change = update.change or ", ".join(f"{name} = new.{name}" for name in others)
        change = change.replace("old.", "").replace("new.", ":")
        query = f"UPDATE {update.table.name} SET {change} WHERE {key} = :{key}"
        rows = (dict(zip(update.names, row, strict=True)) for row in update.rows)
        self._connection.executemany(query, rows)

    def drop(self, table: Table, column: str, values: Collection[object]) -> None:
        query = f"DELETE FROM {table.name} WHERE {column} IN (SELECT value FROM json_each(?))"
        # It is overwritten: nothing may be left of a host that is forgotten later.
        (before,) = self._connection.execute("PRAGMA secure_delete").fetchone()
        self._connection.execute("PRAGMA secure_delete = ON")
        self._connection.execute(query, (json_list(list(values)),))
        self._connection.execute(f"PRAGMA secure_delete = {int(before)}")


def _insert(table: Table) -> str:
    names = SQLITE.names(table)
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT INTO {table.name} ({columns}) VALUES ({', '.join('?' * len(names))})"


class FolderReader(CrawlReader):
    """A crawl in a folder, for everyone but the crawl itself."""

    def __init__(self, folder: Path, database: Database) -> None:
        super().__init__(SqliteEngine(folder, database))
        self._folder, self._database = folder, database

    def damage(self, progress: OnProgress) -> ArchiveDamage:
        checked = self._rows("PRAGMA quick_check")
        problems = [f"{FILE}: {line}" for (line,) in checked if line != "ok"]
        archive = self._folder / ARCHIVE_FOLDER
        found = examine_archive(self._database, archive, math.inf, progress)
        return ArchiveDamage(found.looked_at, sorted(found.lost), problems + found.lines())


class SqliteStore(LoneWriter):
    """The facts and the archive of the crawl that is running in a folder.

    Nothing lasts before the connection that it was handed is committed, which is up to whoever
    handed it in, and `flush` comes first.
    """

    def __init__(
        self,
        folder: Path,
        database: Database,
        agent: str = "geoscout",
        *,
        largest_file: int = LARGEST_FILE,
        enough: float = ENOUGH,
    ) -> None:
        """Write to a folder whose database has the tables of `database.TABLES`.

        `agent` is the User-Agent that the fetcher sends, and `largest_file` the bytes after which
        a new archive file is begun. The archive is compared with the rows, from its end on, until
        `enough` records in a row are whole.
        """
        self._database, engine = database, SqliteEngine(folder, database)
        archive = folder / ARCHIVE_FOLDER
        found = examine_archive(database, archive, enough)
        self._files = ArchiveWriter(
            archive,
            mend_archive(database, archive, found),
            largest_file,
            lambda: read_provenance(self.note(PROVENANCE)),
        )
        super().__init__(engine, SqliteQueries(database), self._files, agent)
        # Forgotten now, because their responses are gone.
        self.lost = [visit for n in sorted(found.lost) if (visit := self.visit(n))]
        engine.before_reading = self._ready
        if self.lost:
            self.forget(self.lost)

    def forget(self, visits: Collection[StoredVisit]) -> None:
        """Forget visits for good; those who follow the change log are told. Records stay."""
        self.write_pending()
        at, numbers = time.time(), [visit.n for visit in visits]
        lost = [(visit.n, visit.url, at) for visit in visits]
        gone = [(LOST, "visit", numbers), (PAYLOAD, "visit", numbers), *without_visits(numbers)]
        self._engine.write(VisitGroup(gone=gone, rows={LOST: lost}))
        for n in numbers:
            self.add_change(n)
        self.write_pending()

    def give_own_body(self, n: int) -> None:
        """Archive a response whole whose body the record of another visit holds, as a new visit.

        Numbers and places in the archive have the same order, so it cannot keep the old one.
        """
        visit = self.visit(n)
        if visit is None:
            return
        response = replace(self.response(n), captured_at=visit.captured_at)
        exchange = pack_exchange(response, self._agent)
        spot = self._archive.append(exchange.response, response.fetched_at)
        if exchange.request:
            self._archive.append(exchange.request, response.fetched_at)
        new = self._pending.take_number()
        self._database.execute(
            "UPDATE visit SET n = ?1, archive_file = ?2, archive_offset = ?3, archive_length = ?4,"
            " body_of = ?1 WHERE n = ?5",
            (new, spot.file, spot.offset, spot.length, n),
        )
        for table in OF_VISIT:
            move = f"UPDATE {table.name} SET visit = ? WHERE visit = ?"
            self._database.execute(move, (new, n))
        self._engine.write(VisitGroup(changed={PAYLOAD: [(exchange.digest, new)]}))
        self.add_change(new)

    def sync(self) -> None:
        """Have all responses reach the disk; `flush` does it, too."""
        self._files.sync()

    def flush(self) -> None:
        """Hand everything to the disk and the database, so that a commit covers it.

        The order matters. Records reach the disk first, then the position behind them becomes a
        row like any other.
        """
        self.sync()
        ends = [(end.file, end.offset) for end in self._files.take_ends() if end.offset]
        self._engine.write(VisitGroup(changed={ARCHIVE: ends}))
        super().flush()

    def close(self) -> None:
        """Close the files; what has not been committed is lost."""
        self._files.close()
        super().close()

    def _ready(self) -> None:
        self._files.flush()
        self.write_pending()
