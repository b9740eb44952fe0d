"""The file of a directory: what each page said, how far the crawl was followed, and the result.

It is a SQLite file next to the crawl, or in the user's cache for a crawl at a URL. It can be
deleted without loss: everything in it is read from the archive again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Self

from geoscout.crawl_folder import require_plain
from geoscout.store.sqlite.guard import GuardedConnection, guard
from geoscout_directory.merging import merge_partition, order_of
from geoscout_directory.packing import READING_VERSION, pack_merged, unpack_merged
from geoscout_directory.records import DirectoryEntry, PageEntry
from geoscout_directory.statements import STATEMENT_TABLES, StatementTables
from geoscout_places.errors import DamagedDataError

FILE = "entries.sqlite"
_VERSION = f"3.{READING_VERSION}"  # a file of another version is made again
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
{STATEMENT_TABLES}
CREATE TABLE IF NOT EXISTS merged (
  partition TEXT NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL, packed BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS merged_by_partition ON merged (partition);
CREATE INDEX IF NOT EXISTS merged_by_name ON merged (name, id, partition);
DROP TABLE IF EXISTS said;   -- of an earlier version
DROP TABLE IF EXISTS entry;
"""
_TABLES = ("note", "statement", "roamer", "phone", "dirty", "merged")
_CACHE = 64_000  # KB of the file that SQLite keeps in memory
_PATIENCE = 5.0  # seconds to wait for another process that writes
_PRIMARY_CODE = 0xFF  # the part of an error code of SQLite that says what it is about


def erase_directory(folder: Path) -> None:
    """Forget a directory; the next update makes it from the beginning."""
    require_plain(folder, inside=1)
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{FILE}{suffix}").unlink(missing_ok=True)


class DirectoryFile:
    """What is kept of a directory. Nothing lasts before `commit`."""

    def __init__(self, folder: Path) -> None:
        require_plain(folder, inside=1)
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / FILE
        try:
            self._database = sqlite3.connect(
                self._path, isolation_level=None, timeout=_PATIENCE, factory=GuardedConnection
            )
            guard(self._database, self._path, _SCHEMA)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute(f"PRAGMA cache_size = -{_CACHE}")
            self._database.execute("PRAGMA synchronous = NORMAL")  # it can be made again
            self._database.executescript(_SCHEMA)
            self._statements = StatementTables(self._database)
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> DamagedDataError:
        return DamagedDataError(
            f"{self._path} is damaged: {error}; `geoscout directory --rebuild` makes it again"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def note(self, name: str) -> str:
        """What was noted under a name; "" for nothing."""
        row = self._database.execute("SELECT value FROM note WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def begin(self, made_with: str) -> bool:
        """Begin a change; what was made in another way is deleted first.

        `made_with` says how entries are read: with persons or without, with which gazetteer. False
        while another process changes the file.
        """
        try:
            self._database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY_CODE == sqlite3.SQLITE_BUSY:
                return False
            raise
        made = f"{_VERSION} {made_with}"
        if self.note("made with") != made:
            for table in _TABLES:
                self._database.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
            self._set("made with", made)
        return True

    def replace(self, url: str, entries: Sequence[PageEntry]) -> None:
        """Keep what a page says now, in place of what it said before."""
        self._statements.replace(url, entries)

    def remove(self, urls: Collection[str]) -> None:
        """Forget what some pages said."""
        self._statements.remove(urls)

    def remove_all(self) -> None:
        """Forget what all pages said."""
        self._statements.remove_all()

    def merge(self, cursor: str) -> None:
        """Merge what has changed; `cursor` says up to where the crawl is in the result."""
        self._statements.settle_roamers()
        for partition in self._statements.dirty():
            self._database.execute("DELETE FROM merged WHERE partition = ?", (partition,))
            self._database.executemany(
                "INSERT INTO merged VALUES (?, ?, ?, ?)",
                (
                    (partition, *order_of(entry), pack_merged(entry))
                    for entry in merge_partition(self._statements.of(partition))
                ),
            )
        self._set("merged", cursor)

    def commit(self, cursor: str) -> None:
        """Have the changes last; `cursor` says how far the crawl was followed."""
        self._set("cursor", cursor)
        self._database.execute("COMMIT")

    def _set(self, name: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO note VALUES (?, ?)", (name, value))

    def entries(self) -> Iterator[DirectoryEntry]:
        """The result, in the order of names."""
        query = "SELECT packed FROM merged ORDER BY name, id, partition"
        for (packed,) in self._database.execute(query):
            yield unpack_merged(packed)

    def count(self) -> int:
        """How many entries the result has."""
        return int(self._database.execute("SELECT count(*) FROM merged").fetchone()[0])
