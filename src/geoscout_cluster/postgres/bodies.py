"""Which bodies a partition has archived, so that each is archived once.

PostgreSQL is not asked for every page: the digests lie in a temporary file of this process, which
is filled from the rows when a partition is taken over.
"""

from __future__ import annotations

import sqlite3

from geoscout.store.records import Original
from geoscout_cluster.postgres.session import Session

_TABLE = """
CREATE TABLE body (
    digest BLOB PRIMARY KEY, visit INTEGER NOT NULL, url TEXT NOT NULL, date REAL NOT NULL
) WITHOUT ROWID
"""
_ARCHIVED = """
SELECT digest, n, url, coalesce(captured_at, fetched_at) FROM visit
WHERE partition = :p AND body_of = n AND size > 0 ORDER BY n
"""


class ArchivedBodies:
    """The first visit of each body."""

    def __init__(self, session: Session, partition: int) -> None:
        self._scratch = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._scratch.execute("PRAGMA journal_mode = OFF")
        self._scratch.execute(_TABLE)
        self._scratch.execute("BEGIN")  # for good: nothing here is ever committed
        rows = session.stream(_ARCHIVED, partition)
        self._scratch.executemany("INSERT OR IGNORE INTO body VALUES (?, ?, ?, ?)", rows)

    def find(self, digest: bytes) -> tuple[int, Original] | None:
        """The first visit that had a body; None when there is none."""
        query = "SELECT visit, url, date FROM body WHERE digest = ?"
        found = self._scratch.execute(query, (digest,)).fetchone()
        return None if found is None else (found[0], Original(*found[1:]))

    def add(self, digest: bytes, n: int, original: Original) -> None:
        row = (digest, n, original.url, original.date)
        self._scratch.execute("INSERT OR IGNORE INTO body VALUES (?, ?, ?, ?)", row)

    def close(self) -> None:
        self._scratch.close()
