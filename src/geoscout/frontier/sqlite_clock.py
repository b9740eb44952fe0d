"""Times in the tables of a frontier in SQLite, read by another process than wrote them.

All times there are those of the steady clock of the process that runs the crawl, so that its own
comparisons hold whatever the wall clock does. One row, renewed with each commit, says how that
clock stood against the wall clock; by it the next process translates all times once, and those who
only look translate what they show.
"""

from __future__ import annotations

import sqlite3

from geoscout_places.clock import Clocks

_TIMES = """
UPDATE frontier_host SET free_at = free_at + :shift WHERE free_at > 0;
UPDATE frontier_host SET blocked_until = blocked_until + :shift WHERE blocked_until > 0;
UPDATE frontier_later SET until = until + :shift;
"""


def keep_clocks(connection: sqlite3.Connection, clocks: Clocks) -> None:
    """Write down how the clocks stand; the caller commits it with the times."""
    connection.execute("INSERT OR REPLACE INTO frontier_clock VALUES (1, ?, ?)", clocks)


def translate_times(connection: sqlite3.Connection, clocks: Clocks) -> None:
    """Turn the times of the process before into those of this one, whose clocks stand like this.

    Call it before the frontier is restored; the caller commits.
    """
    kept = kept_clocks(connection)
    if kept is not None and (shift := kept.shift_to(clocks)):
        for statement in filter(str.strip, _TIMES.split(";")):
            connection.execute(statement, {"shift": shift})
    keep_clocks(connection, clocks)


def kept_clocks(connection: sqlite3.Connection) -> Clocks | None:
    """The clocks at the last commit; None before the first."""
    row = connection.execute("SELECT steady, wall FROM frontier_clock").fetchone()
    return Clocks(*row) if row else None
