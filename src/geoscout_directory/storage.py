"""The file of a directory while it is brought up to date: what pages say, and what it comes to.

What a page says of something is a statement. Statements are ordered so that each partition can be
merged by itself: a statement is kept in the partition of its town. One without a town but with a
telephone number is kept apart as a roamer; it belongs to the one town whose statements have that
number, and that may change with any page. Whatever is added or removed marks its partition as
dirty: only those are merged again, and only entries that differ are written (`refreshing.py`).

The statements of a page and the entries are in one file, so that one commit covers both. Readers
see what was committed last, and do not wait. Everything but the history of entries is read from the
crawl again if the file is deleted.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Self, TypeVar

from geoscout_directory.likeness import NormalForm, normal_form
from geoscout_directory.listing.refreshing import LineageOf, PageTimes, Refresh
from geoscout_directory.listing.tables import (
    ENTRY,
    STATEMENT,
    TABLES,
    note_of,
    open_to_write,
    shape,
)
from geoscout_directory.merging import merge_partition, order_of, roamer_partition, town_partition
from geoscout_directory.records import READING_VERSION, DirectoryEntry, PageEntry
from geoscout_places.errors import UsageError

T = TypeVar("T")
_BATCH = 500  # entries written at a time
_PATIENT_SECONDS = 600  # to wait for an update, which takes minutes at most
_PRIMARY_CODE = 0xFF  # the part of an error code of SQLite that says what it is about


class DirectoryFile:
    """What is kept of a directory. Nothing lasts before `commit`."""

    def __init__(
        self, folder: Path, crawl: PageTimes | None = None, lineage: LineageOf = lambda _: ()
    ) -> None:
        """Open it; `merge` needs the crawl, and what gives the ids of what contains a place.

        Raises:
            DamagedDataError: it is not such a file.
        """
        self._crawl, self._lineage = crawl, lineage
        self._database = open_to_write(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def note(self, name: str) -> str:
        """What was noted under a name; "" for nothing."""
        return note_of(self._database, name)

    def begin(self, made_with: str) -> bool:
        """Begin a change; statements that were read in another way are deleted first.

        `made_with` says how entries are read: with persons or without, with which gazetteer. False
        while another process changes the file.
        """
        try:
            self._run("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY_CODE == sqlite3.SQLITE_BUSY:
                return False
            raise
        made = f"{shape()} {READING_VERSION} {made_with}"
        if self.note("made with") != made:
            self._remove_statements()
            self._set("made with", made)
            self._set("cursor", "")
            self._set("merged", "")
        return True

    def replace(self, url: str, entries: Sequence[PageEntry]) -> None:
        """Keep what a page says now, in place of what it said before."""
        self.remove([url])
        for position, entry in enumerate(entries):
            self._add(position, entry)

    def _add(self, position: int, entry: PageEntry) -> None:
        form, packed = normal_form(entry), STATEMENT.encode(entry)
        partition = town_partition(form)
        if not partition:
            self._run("INSERT INTO roamer VALUES (?, ?, ?, '')", entry.url, position, packed)
            return
        self._run(
            "INSERT INTO statement VALUES (?, ?, ?, ?)", partition, entry.url, position, packed
        )
        self._mark(partition)
        for phone in _phones(form):
            self._run("INSERT OR IGNORE INTO phone VALUES (?, ?, ?)", phone, partition, entry.url)

    def remove(self, urls: Collection[str]) -> None:
        """Forget what some pages said."""
        for url in urls:
            self._run("INSERT OR IGNORE INTO refetched SELECT number FROM page WHERE url = ?", url)
            rows = self._run("SELECT partition, packed FROM statement WHERE url = ?", url)
            for partition, packed in rows.fetchall():
                self._mark(partition)
                for phone in _phones(normal_form(STATEMENT.decode(packed))):
                    self._run(
                        "DELETE FROM phone WHERE number = ? AND partition = ? AND url = ?",
                        phone, partition, url,
                    )  # fmt: skip
                self._run("DELETE FROM statement WHERE partition = ? AND url = ?", partition, url)
            for (home,) in self._run("SELECT home FROM roamer WHERE url = ?", url).fetchall():
                self._mark(home)
            self._run("DELETE FROM roamer WHERE url = ?", url)

    def remove_all(self) -> None:
        """Forget everything: it is another crawl."""
        for table in TABLES:
            if table != "note":
                self._run(f"DELETE FROM {table}")  # noqa: S608 - our own names
        self._set("merged", "")

    def _remove_statements(self) -> None:
        self._run("INSERT OR IGNORE INTO dirty SELECT DISTINCT partition FROM statement")
        self._run("INSERT OR IGNORE INTO dirty SELECT DISTINCT home FROM roamer")
        for table in ("statement", "roamer", "phone"):
            self._run(f"DELETE FROM {table}")  # noqa: S608 - our own names

    def merge(self, cursor: str) -> None:
        """Merge what has changed; `cursor` says up to where the crawl is in the result."""
        if self._crawl is None:
            raise ValueError("a directory is merged with its crawl")
        self._settle_roamers()
        keeps_history = self._prepare()
        work = Refresh(self._database, self._crawl, self._lineage, keeps_history=keeps_history)
        work.look_again()
        for some in _in_batches(work.different(self._merged())):
            work.write(some)
        work.remove_unseen()
        work.settle()
        self._run("DELETE FROM dirty")
        if not keeps_history:
            self._drop_words()
        self._set("merged", cursor)
        self._set("listed with", self.note("made with"))
        self._set("shape", shape())
        self._set("pages", str(self._crawl.totals().pages))
        self._set("edition", str(int(self.note("edition") or 0) + 1))

    def _prepare(self) -> bool:
        """Mark what has to be merged; whether differences belong into the history.

        A listing that was made with names of persons must keep none of them when it is made
        without. One whose entries were read in another way differs because of that.
        """
        if self.note("listed with") == self.note("made with"):
            return True
        self._run("INSERT OR IGNORE INTO dirty SELECT DISTINCT partition FROM entry")
        self._run("UPDATE entry SET packed = x''")  # so that all of them differ
        for table in ("history", "gone"):
            self._run(f"DELETE FROM {table}")  # noqa: S608 - our own names
        return False

    def _settle_roamers(self) -> None:
        """Look for the partitions of the statements without a town."""
        rows = self._run("SELECT url, position, packed, home FROM roamer").fetchall()
        for url, position, packed, home in rows:
            form = normal_form(STATEMENT.decode(packed))
            now = roamer_partition(form, (self._towns(phone) for phone in sorted(form.phones)))
            if now != home:
                self._mark(home)
                self._mark(now)
                self._run(
                    "UPDATE roamer SET home = ? WHERE url = ? AND position = ?", now, url, position
                )

    def _towns(self, phone: str) -> Iterator[str]:
        query = "SELECT DISTINCT partition FROM phone WHERE number = ? LIMIT 2"
        for (partition,) in self._run(query, phone):
            yield partition

    def _merged(self) -> Iterator[tuple[str, DirectoryEntry]]:
        """The entries of the partitions that have changed, each with its partition."""
        for partition in self.dirty():
            for entry in sorted(merge_partition(self._statements(partition)), key=order_of):
                yield partition, entry

    def dirty(self) -> Iterator[str]:
        """The partitions that have changed, in their order."""
        last = ""
        query = "SELECT partition FROM dirty WHERE partition > ? ORDER BY partition LIMIT 1000"
        while rows := self._run(query, last).fetchall():
            for (last,) in rows:
                yield last

    def _statements(self, partition: str) -> list[PageEntry]:
        rows = self._run("SELECT packed FROM statement WHERE partition = ?", partition).fetchall()
        rows += self._run("SELECT packed FROM roamer WHERE home = ?", partition).fetchall()
        return [STATEMENT.decode(packed) for (packed,) in rows]

    def commit(self, cursor: str) -> None:
        """Have the changes last; `cursor` says how far the crawl was followed."""
        self._set("cursor", cursor)
        self._run("COMMIT")

    def note_seconds(self, seconds: float) -> None:
        """Note how long it took to bring the directory up to date."""
        self._set("seconds", f"{seconds:.3f}")

    def forget(self, is_forgotten: Callable[[str], bool]) -> int:
        """Delete what pages with some URLs said, with all of its history; how many entries that is.

        Entries that other pages name, too, are merged again by the next update.

        Raises:
            UsageError: another process makes the directory, and does not end.
        """
        self._run(f"PRAGMA busy_timeout = {_PATIENT_SECONDS * 1000}")
        try:
            self._run("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise UsageError("another process makes the directory; try again later") from error
        count = 0
        if self.note("shape") == shape():
            said = self._run("SELECT url FROM statement UNION SELECT url FROM roamer").fetchall()
            self.remove([url for (url,) in said if is_forgotten(url)])
            pages = self._run("SELECT number, url FROM page").fetchall()
            count = self._forget_listed([n for n, url in pages if is_forgotten(url)])
            self._forget_gone(is_forgotten)
        else:  # of another version, which would be made again anyway
            self.remove_all()
        self._drop_words()
        self._set("merged", "")  # it is not that of the crawl any more
        self._run("COMMIT")
        return count

    def _forget_listed(self, pages: Iterable[int]) -> int:
        """Empty the entries that pages name, and forget these; how many entries that is."""
        named = set[int]()
        for page in pages:
            named.update(n for (n,) in self._run("SELECT n FROM source WHERE page = ?", page))
            self._run("DELETE FROM source WHERE page = ?", page)
            self._run("DELETE FROM refetched WHERE page = ?", page)
            self._run("DELETE FROM page WHERE number = ?", page)
        for n in named:
            self._run("DELETE FROM history WHERE id = (SELECT id FROM entry WHERE n = ?)", n)
            self._run("UPDATE entry SET packed = x'' WHERE n = ?", n)
            if not self._run("SELECT 1 FROM source WHERE n = ?", n).fetchone():
                for table, column in (("category", "n"), ("words", "rowid"), ("entry", "n")):
                    self._run(f"DELETE FROM {table} WHERE {column} = ?", n)  # noqa: S608
        return len(named)

    def _forget_gone(self, is_forgotten: Callable[[str], bool]) -> None:
        for id, packed in self._run("SELECT id, packed FROM gone").fetchall():
            if any(is_forgotten(said.url) for said in ENTRY.decode(packed).said):
                self._run("DELETE FROM gone WHERE id = ?", id)
                self._run("DELETE FROM history WHERE id = ?", id)

    def _drop_words(self) -> None:
        """Have nothing of deleted entries stay among the words, which are only marked at first."""
        self._run("INSERT INTO words (words) VALUES ('optimize')")

    def entries(self) -> Iterator[DirectoryEntry]:
        """The result, in the order of names."""
        for (packed,) in self._run("SELECT packed FROM entry ORDER BY name, id"):
            yield ENTRY.decode(packed)

    def count(self) -> int:
        """How many entries the result has."""
        return int(self._run("SELECT count(*) FROM entry").fetchone()[0])

    def _mark(self, partition: str) -> None:
        if partition:
            self._run("INSERT OR IGNORE INTO dirty VALUES (?)", partition)

    def _set(self, name: str, value: str) -> None:
        self._run("INSERT OR REPLACE INTO note VALUES (?, ?)", name, value)

    def _run(self, query: str, *values: object) -> sqlite3.Cursor:
        return self._database.execute(query, values)


def _phones(form: NormalForm) -> Collection[str]:
    """The numbers that tell where a statement without a town belongs."""
    return form.phones if form.town else ()


def _in_batches(values: Iterable[T]) -> Iterator[list[T]]:
    ongoing = iter(values)
    while some := list(islice(ongoing, _BATCH)):
        yield some
