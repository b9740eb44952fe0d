"""Brings a listing up to a new result of merging, and notes what has changed.

Only entries that differ are written. All of it is one transaction: readers see the old listing or
the new one, and whoever is killed leaves the old one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Self, TypeVar

from msgspec import Struct

from geoscout_directory.listing.refreshing import LineageOf, PageTimes, Refresh
from geoscout_directory.listing.tables import ENTRY, TABLES, note_of, open_to_write, shape
from geoscout_directory.records import DirectoryEntry

T = TypeVar("T")
_BATCH = 500  # entries written at a time
_TEMPORARY = """
CREATE TEMP TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS fresh (n INTEGER PRIMARY KEY);
CREATE TEMP TABLE IF NOT EXISTS refetched (page INTEGER PRIMARY KEY);
"""


class ListingEdition(Struct, frozen=True, kw_only=True):
    """What a listing was made from."""

    cursor: str  # up to which the crawl is in it
    made_with: str  # how entries were read; a history begins again when that changes
    pages: int  # of the crawl that were looked at


class ListingWriter:
    """Writes a listing; one at a time."""

    def __init__(self, folder: Path, lineage: LineageOf) -> None:
        """Open it; `lineage` gives the ids of a place and of what contains it."""
        self._database = open_to_write(folder)
        self._database.executescript(_TEMPORARY)
        self._lineage = lineage

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def note(self, name: str) -> str:
        """What was noted under a name; "" for nothing."""
        return note_of(self._database, name)

    def refresh(
        self,
        entries: Iterable[DirectoryEntry],
        edition: ListingEdition,
        crawl: PageTimes,
        changed: Iterable[str],
    ) -> None:
        """Replace the entries; `changed` are the URLs that were fetched since the last time."""
        with _transaction(self._database):
            keeps_history = self._prepare(edition)
            work = Refresh(self._database, crawl, self._lineage, keeps_history=keeps_history)
            work.look_again(changed)
            for some in _in_batches(work.different(entries)):
                work.write(some)
            work.remove_unseen()
            work.settle()
            if not keeps_history:
                self._drop_words()
            for name, value in (
                ("cursor", edition.cursor),
                ("made with", edition.made_with),
                ("pages", str(edition.pages)),
                ("shape", shape()),
                ("edition", str(int(self.note("edition") or 0) + 1)),
            ):
                self._set(name, value)

    def _prepare(self, edition: ListingEdition) -> bool:
        """Empty what the update needs empty; whether differences belong into the history.

        A listing that was made with names of persons must keep none of them when it is made
        without. One whose entries were read in another way differs because of that.
        """
        for table in ("seen", "fresh", "refetched"):
            self._database.execute(f"DELETE FROM temp.{table}")  # noqa: S608 - our own names
        if self._is_made_so(edition):
            return True
        for table in ("history", "gone"):
            self._database.execute(f"DELETE FROM {table}")  # noqa: S608
        self._database.execute("UPDATE entry SET packed = x''")  # so that all of them differ
        return False

    def _is_made_so(self, edition: ListingEdition) -> bool:
        return self.note("made with") == edition.made_with and self.note("shape") == shape()

    def has(self, edition: ListingEdition) -> bool:
        """Whether the listing is that of an edition."""
        return self.note("cursor") == edition.cursor and self._is_made_so(edition)

    def empty(self) -> None:
        """Delete everything."""
        with _transaction(self._database):
            for table in TABLES:
                self._database.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names

    def forget(self, is_forgotten: Callable[[str], bool]) -> int:
        """Delete what pages with some URLs said, with all of its history; how many entries that is.

        Entries that other pages name, too, are to be refreshed after that.
        """
        database = self._database
        with _transaction(database):
            urls = database.execute("SELECT number, url FROM page").fetchall()
            pages = [(number,) for number, url in urls if is_forgotten(url)]
            database.execute("DELETE FROM temp.refetched")
            database.executemany("INSERT INTO temp.refetched VALUES (?)", pages)
            named = "SELECT n FROM source WHERE page IN (SELECT page FROM temp.refetched)"
            database.execute(
                f"DELETE FROM history WHERE id IN (SELECT id FROM entry WHERE n IN ({named}))"  # noqa: S608
            )
            cursor = database.execute(f"UPDATE entry SET packed = x'' WHERE n IN ({named})")  # noqa: S608
            database.execute("DELETE FROM source WHERE page IN (SELECT page FROM temp.refetched)")
            database.execute("DELETE FROM page WHERE number IN (SELECT page FROM temp.refetched)")
            self._drop_unnamed()
            self._drop_gone(is_forgotten)
            self._set("cursor", "")  # it is not that of the crawl any more
            self._drop_words()
            return cursor.rowcount

    def _drop_words(self) -> None:
        """Have nothing of deleted entries stay among the words, which are only marked at first."""
        self._database.execute("INSERT INTO words (words) VALUES ('optimize')")

    def _drop_unnamed(self) -> None:
        """Delete entries without a page."""
        unnamed = "SELECT n FROM entry WHERE packed = x'' AND n NOT IN (SELECT n FROM source)"
        numbers = self._database.execute(unnamed).fetchall()
        for table, column in (("category", "n"), ("words", "rowid"), ("entry", "n")):
            self._database.executemany(f"DELETE FROM {table} WHERE {column} = ?", numbers)  # noqa: S608

    def _drop_gone(self, is_forgotten: Callable[[str], bool]) -> None:
        for id, packed in self._database.execute("SELECT id, packed FROM gone").fetchall():
            if any(is_forgotten(said.url) for said in ENTRY.decode(packed).said):
                self._database.execute("DELETE FROM gone WHERE id = ?", (id,))
                self._database.execute("DELETE FROM history WHERE id = ?", (id,))

    def note_seconds(self, seconds: float) -> None:
        """Note how long it took to bring the listing up to date."""
        self._set("seconds", f"{seconds:.3f}")

    def _set(self, name: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO note VALUES (?, ?)", (name, value))


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Begin at once, so that it waits for another writer before it reads."""
    database.execute("BEGIN IMMEDIATE")
    with database:
        yield


def _in_batches(values: Iterable[T]) -> Iterator[list[T]]:
    ongoing = iter(values)
    while some := list(islice(ongoing, _BATCH)):
        yield some
