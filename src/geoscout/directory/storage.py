"""The file of a directory: what each page said, how far the crawl was followed, and the result.

It is a SQLite file next to the crawl, or in the user's cache for a crawl at a URL. It can be
deleted without loss: everything in it is read from the archive again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Self

from geoscout.codec import Codec
from geoscout.directory.packing import READING_VERSION
from geoscout.directory.records import DirectoryEntry, PageEntry
from geoscout.errors import DamagedDataError
from geoscout.state.base import folder_below, is_url

FILE = "entries.sqlite"
_VERSION = f"2.{READING_VERSION}"  # a file of another version is made again
_SCHEMA = """
CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS said (url TEXT PRIMARY KEY, entries BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entry (n INTEGER PRIMARY KEY, entry BLOB NOT NULL);
"""
_PATIENCE = 5.0  # seconds to wait for another process that writes
_PRIMARY_CODE = 0xFF  # the part of an error code of SQLite that says what it is about
_SAID = Codec(tuple[PageEntry, ...])
_ENTRY = Codec(DirectoryEntry)


def directory_folder(where: Path | str, home: Path) -> Path:
    """The folder on this machine for the directory of the crawl at an address."""
    return (
        folder_below(home, str(where), "directories")
        if is_url(where)
        else Path(where) / "directory"
    )


def erase_directory(folder: Path) -> None:
    """Forget a directory; the next update makes it from the beginning."""
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{FILE}{suffix}").unlink(missing_ok=True)


class DirectoryFile:
    """What is kept of a directory. Nothing lasts before `commit`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / FILE
        try:
            self._database = sqlite3.connect(self._path, isolation_level=None, timeout=_PATIENCE)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.executescript(_SCHEMA)
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
            for table in ("note", "said", "entry"):
                self._database.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
            self._set("made with", made)
        return True

    def replace(self, url: str, entries: Sequence[PageEntry]) -> None:
        """Keep what a page says now, in place of what it said before."""
        if entries:
            packed = _SAID.encode(tuple(entries))
            self._database.execute("INSERT OR REPLACE INTO said VALUES (?, ?)", (url, packed))
        else:
            self._database.execute("DELETE FROM said WHERE url = ?", (url,))

    def remove(self, urls: Collection[str]) -> None:
        """Forget what some pages said."""
        self._database.executemany("DELETE FROM said WHERE url = ?", ((url,) for url in urls))

    def said(self) -> Iterator[PageEntry]:
        """All that pages say, in the order of their URLs."""
        for (packed,) in self._database.execute("SELECT entries FROM said ORDER BY url"):
            yield from _SAID.decode(packed)

    def keep_merged(self, entries: Sequence[DirectoryEntry], cursor: str) -> None:
        """Replace the result; `cursor` says up to where the crawl is in it."""
        self._set("merged", cursor)
        self._database.execute("DELETE FROM entry")
        rows = ((_ENTRY.encode(entry),) for entry in entries)
        self._database.executemany("INSERT INTO entry (entry) VALUES (?)", rows)

    def commit(self, cursor: str) -> None:
        """Have the changes last; `cursor` says how far the crawl was followed."""
        self._set("cursor", cursor)
        self._database.execute("COMMIT")

    def _set(self, name: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO note VALUES (?, ?)", (name, value))

    def entries(self) -> Iterator[DirectoryEntry]:
        """The result, in the order of names."""
        for (packed,) in self._database.execute("SELECT entry FROM entry ORDER BY n"):
            yield _ENTRY.decode(packed)

    def count(self) -> int:
        """How many entries the result has."""
        return int(self._database.execute("SELECT count(*) FROM entry").fetchone()[0])
