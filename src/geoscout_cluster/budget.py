"""The limit of pages of a crawl, which its partitions share.

What may still be fetched is one number. A lane draws tickets from it, a few dozen at a time, and
notes them with its partition: after a takeover the next owner has what is left of them, so none is
lost with a worker and the limit holds exactly. A lane that has nothing to do, or only pages that
are poor next to what other lanes have, gives back what it has not used. Towards the end the draws
become smaller, so that no lane keeps what others could use.
"""

from __future__ import annotations

import math
from typing import Any

from psycopg import Cursor

from geoscout_cluster.postgres.leases import Lease
from geoscout_places.errors import FencedError

MOST_DRAWN = 64

# Who gets tickets has something to do again, and nobody may take the crawl for ended in between.
_GRANT = """
UPDATE partition SET granted = granted + %(tickets)s,
    rest = CASE WHEN %(tickets)s > 0 THEN '' ELSE rest END
WHERE number = %(number)s AND epoch = %(epoch)s
"""


# A partition may have had visits by a process that knew of no tickets.
_COUNT_VISITS = """
UPDATE partition SET granted = greatest(granted, visits) FROM
    (SELECT partition AS number, sum(visits) AS visits FROM harvest GROUP BY partition) AS had
WHERE partition.number = had.number
"""


def ensure_budget(cursor: Cursor[Any], max_pages: int | None) -> None:
    """Limit the responses of a crawl, if that was not done yet. The caller commits."""
    cursor.execute("LOCK TABLE budget IN EXCLUSIVE MODE")
    if max_pages is not None and not has_budget(cursor):
        cursor.execute(_COUNT_VISITS)
        set_budget(cursor, max_pages)


def has_budget(cursor: Cursor[Any]) -> bool:
    """Whether the responses of the crawl are limited."""
    return cursor.execute("SELECT 1 FROM budget").fetchone() is not None


def set_budget(cursor: Cursor[Any], max_pages: int | None) -> None:
    """Set another limit, counted from the beginning of the crawl; None: there is no limit.

    The caller commits.
    """
    cursor.execute("LOCK TABLE budget IN EXCLUSIVE MODE")
    cursor.execute("DELETE FROM budget")
    if max_pages is not None:
        cursor.execute(
            "INSERT INTO budget SELECT greatest(%s - coalesce(sum(granted), 0), 0) FROM partition",
            (max_pages,),
        )


def granted(cursor: Cursor[Any], partition: int) -> int | None:
    """How many responses a partition may have so far; None: there is no limit."""
    query = "SELECT granted FROM partition, budget WHERE number = %s"
    row = cursor.execute(query, (partition,)).fetchone()
    return None if row is None else row[0]


def draw(cursor: Cursor[Any], lease: Lease) -> int:
    """Take tickets for a partition, and return how many; 0: none are left. The caller commits.

    Raises:
        FencedError: another process holds the partition.
    """
    row = cursor.execute("SELECT left_over FROM budget FOR UPDATE").fetchone()
    (partitions,) = cursor.execute("SELECT count(*) FROM partition").fetchone() or (1,)
    tickets = 0 if row is None else ticket_size(row[0], partitions)
    _move(cursor, lease, tickets)
    return tickets


def draw_more(cursor: Cursor[Any], lease: Lease) -> float:
    """Take tickets, and return how many responses the partition may have in all.

    That is told by the row, so a draw whose answer was lost is counted by the next. The caller
    commits.

    Raises:
        FencedError: another process holds the partition.
    """
    draw(cursor, lease)
    limit = granted(cursor, lease.partition)
    return math.inf if limit is None else limit


def keep_only(cursor: Cursor[Any], lease: Lease, tickets: int) -> None:
    """Keep this many tickets of all that were drawn so far; the others can be drawn by others.

    The caller commits.

    Raises:
        FencedError: another process holds the partition.
    """
    cursor.execute("SELECT left_over FROM budget FOR UPDATE")
    had = granted(cursor, lease.partition)
    if had is not None and had > tickets:
        _move(cursor, lease, tickets - had)


def ticket_size(left: int, partitions: int) -> int:
    """How many to draw: half of a partition's part of what is left.

    >>> [ticket_size(left, 16) for left in (100_000, 1000, 20, 0)]
    [64, 31, 1, 0]
    """
    return min(left, max(1, min(MOST_DRAWN, left // (2 * partitions))))


def _move(cursor: Cursor[Any], lease: Lease, tickets: int) -> None:
    named = {"tickets": tickets, "number": lease.partition, "epoch": lease.epoch}
    cursor.execute(_GRANT, named)
    if not cursor.rowcount:
        raise FencedError(f"another worker holds partition {lease.partition}")
    cursor.execute("UPDATE budget SET left_over = left_over - %s", (tickets,))
