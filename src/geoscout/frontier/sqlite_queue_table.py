"""The table of queue entries, written in groups.

The best requests are scored again and again, and each time most of them change their places. Of
all these changes only the last before a commit has to reach the table, and none of a request that
is fetched before it. So changes wait here, by host, until `flush`, or until entries of their host
are read.

What must stay true: a table on which all waiting changes were made is the truth.
"""

from __future__ import annotations

import sqlite3

from geoscout.frontier.hosts import Head

_MOST_WAITING = 20_000  # changes, some 6 MB; a sitemap can bring half of that


class QueueTable:
    """The entries of all hosts in the table `frontier_queue`: host, rank, number."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        # By host and number of a request: its rank in the table and its rank now; None: no entry.
        self._waiting: dict[int, dict[int, tuple[float | None, float | None]]] = {}
        self._changes = 0  # entries in all of `_waiting`

    def insert(self, host: int, head: Head) -> None:
        """A new entry."""
        self._note(host, head[1], None, head[0])

    def move(self, host: int, old: Head, new: Head) -> None:
        """Another rank for an entry."""
        self._note(host, old[1], old[0], new[0])

    def remove(self, host: int, head: Head) -> None:
        """An entry less."""
        self._note(host, head[1], head[0], None)

    def read(self, host: int, last: Head, size: int) -> list[Head]:
        """The entries of a host behind one, the best first, at most this many."""
        if changes := self._waiting.pop(host, None):
            self._changes -= len(changes)
            self._write([(host, changes)])
        return self._connection.execute(
            "SELECT rank, number FROM frontier_queue WHERE host = ?"
            " AND (rank, number) > (?, ?) ORDER BY rank, number LIMIT ?",
            (host, *last, size),
        ).fetchall()

    def flush(self) -> None:
        """Bring the table up to date."""
        self._write(sorted(self._waiting.items()))
        self._waiting, self._changes = {}, 0

    def _note(self, host: int, number: int, old: float | None, new: float | None) -> None:
        changes = self._waiting.get(host)
        if changes is None:
            changes = self._waiting[host] = {}
        known = changes.get(number)
        if known is not None:
            changes[number] = known[0], new  # of the table, which does not change before `flush`
            return
        changes[number] = old, new
        self._changes += 1
        if self._changes > _MOST_WAITING:
            self.flush()

    def _write(
        self, waiting: list[tuple[int, dict[int, tuple[float | None, float | None]]]]
    ) -> None:
        """Write in the order of the B-tree: neighbours go into one page while it is at hand."""
        gone, new = [], []
        for host, changes in waiting:
            for number, (old, rank) in changes.items():
                if old != rank:
                    if old is not None:
                        gone.append((host, old, number))
                    if rank is not None:
                        new.append((host, rank, number))
        self._connection.executemany(
            "DELETE FROM frontier_queue WHERE host = ? AND rank = ? AND number = ?", sorted(gone)
        )
        self._connection.executemany("INSERT INTO frontier_queue VALUES (?, ?, ?)", sorted(new))
