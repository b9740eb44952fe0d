"""What pages say, in a file, ordered so that each partition can be merged by itself.

A statement is kept in the partition of its town. One without a town but with a telephone number is
kept apart as a roamer; it belongs to the one town whose statements have that number, and that may
change with any page. Whatever is added or removed marks its partition as dirty: only those are
merged again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence

from geoscout_directory.likeness import NormalForm, normal_form
from geoscout_directory.merging import roamer_partition, town_partition
from geoscout_directory.packing import pack_entry, unpack_entry
from geoscout_directory.records import PageEntry

STATEMENT_TABLES = """
CREATE TABLE IF NOT EXISTS statement (
  partition TEXT NOT NULL, url TEXT NOT NULL, position INTEGER NOT NULL, packed BLOB NOT NULL,
  PRIMARY KEY (partition, url, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS statement_by_url ON statement (url);
CREATE TABLE IF NOT EXISTS roamer (
  url TEXT NOT NULL, position INTEGER NOT NULL, packed BLOB NOT NULL,
  home TEXT NOT NULL,  -- its partition, when it was last looked for; "" before
  PRIMARY KEY (url, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS roamer_by_home ON roamer (home);
CREATE TABLE IF NOT EXISTS phone (  -- the towns of telephone numbers
  number TEXT NOT NULL, partition TEXT NOT NULL, url TEXT NOT NULL,
  PRIMARY KEY (number, partition, url)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dirty (partition TEXT PRIMARY KEY) WITHOUT ROWID;
"""


class StatementTables:
    """The statements in a database; whoever opened it commits."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def replace(self, url: str, entries: Sequence[PageEntry]) -> None:
        """Keep what a page says now, in place of what it said before."""
        self.remove([url])
        for position, entry in enumerate(entries):
            self._add(position, entry)

    def _add(self, position: int, entry: PageEntry) -> None:
        form, packed = normal_form(entry), pack_entry(entry)
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
            rows = self._run("SELECT partition, packed FROM statement WHERE url = ?", url)
            for partition, packed in rows.fetchall():
                self._mark(partition)
                for phone in _phones(normal_form(unpack_entry(packed, url))):
                    self._run(
                        "DELETE FROM phone WHERE number = ? AND partition = ? AND url = ?",
                        phone, partition, url,
                    )  # fmt: skip
                self._run("DELETE FROM statement WHERE partition = ? AND url = ?", partition, url)
            for (home,) in self._run("SELECT home FROM roamer WHERE url = ?", url).fetchall():
                self._mark(home)
            self._run("DELETE FROM roamer WHERE url = ?", url)

    def remove_all(self) -> None:
        """Forget what all pages said."""
        self._run("INSERT OR IGNORE INTO dirty SELECT DISTINCT partition FROM statement")
        self._run("INSERT OR IGNORE INTO dirty SELECT DISTINCT home FROM roamer")
        for table in ("statement", "roamer", "phone"):
            self._run(f"DELETE FROM {table}")  # noqa: S608 - our own names

    def settle_roamers(self) -> None:
        """Look for the partitions of the statements without a town."""
        rows = self._run("SELECT url, position, packed, home FROM roamer").fetchall()
        for url, position, packed, home in rows:
            form = normal_form(unpack_entry(packed, url))
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

    def dirty(self) -> Iterator[str]:
        """The partitions that have changed, in their order; afterwards none is."""
        last = ""
        while rows := self._run(
            "SELECT partition FROM dirty WHERE partition > ? ORDER BY partition LIMIT 1000", last
        ).fetchall():
            for (last,) in rows:
                yield last
        self._run("DELETE FROM dirty")

    def of(self, partition: str) -> list[PageEntry]:
        """The statements of a partition."""
        rows = self._run("SELECT url, packed FROM statement WHERE partition = ?", partition)
        found = [unpack_entry(packed, url) for url, packed in rows]
        roamers = self._run("SELECT url, packed FROM roamer WHERE home = ?", partition)
        return found + [unpack_entry(packed, url) for url, packed in roamers]

    def _mark(self, partition: str) -> None:
        if partition:
            self._run("INSERT OR IGNORE INTO dirty VALUES (?)", partition)

    def _run(self, query: str, *values: object) -> sqlite3.Cursor:
        return self._database.execute(query, values)


def _phones(form: NormalForm) -> Collection[str]:
    """The numbers that tell where a statement without a town belongs."""
    return form.phones if form.town else ()
