"""A crawl in a folder: rows in SQLite, responses in files that grow; implements `Engine`."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from geoscout.sql import SQLITE, Row, SqliteQueries, Table, Update, json_list
from geoscout.store.archive import ARCHIVE_FOLDER, ArchiveReader, Position, archive_file
from geoscout.store.base import ArchiveDamage
from geoscout.store.engine import Log
from geoscout.store.sqlite.database import FILE, Database
from geoscout.store.sqlite.lock import is_written
from geoscout.store.sqlite.mending import examine_archive
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

    def record(self, file: str | int, offset: int, length: int) -> WarcRecord:
        if not all(isinstance(number, int) for number in (file, offset, length)):
            raise DamagedDataError("its place in the archive is not a number")
        return self._archive.read(int(file), offset, length)

    def files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        for file, size in self.rows("SELECT file, size FROM archive ORDER BY file"):
            yield archive_file(Path(), file).name, self._archive.pieces(Position(file, size))

    def examine(self, progress: OnProgress) -> ArchiveDamage:
        checked = self.rows("PRAGMA quick_check")
        problems = [f"{FILE}: {line}" for (line,) in checked if line != "ok"]
        archive = self._folder / ARCHIVE_FOLDER
        found = examine_archive(self.connection, archive, math.inf, progress)
        return ArchiveDamage(found.looked_at, sorted(found.lost), problems + found.lines())

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
        self._connection.execute(query, (json_list(list(values)),))


def _insert(table: Table) -> str:
    names = SQLITE.names(table)
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT INTO {table.name} ({columns}) VALUES ({', '.join('?' * len(names))})"
