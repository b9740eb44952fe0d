"""A limit that the partitions of a job share, such as the pages of a crawl.

What may still be used is one number. The owner of a partition draws tickets from it, a few dozen at
a time, and notes them with the partition: after a takeover the next owner has what is left of them,
so none is lost with a worker and the limit holds exactly. One that has nothing to do, or nothing
that is worth it, gives back what it has not used. Towards the end the draws become smaller, so
that nobody keeps what others could use.
"""

import math
from collections.abc import Mapping
from typing import Any

from psycopg import Cursor

from geoscout_cluster.engine.leases import Lease
from geoscout_places.errors import FencedError

MOST_DRAWN = 64

_COUNT_USED = "UPDATE partition SET granted = greatest(granted, %s) WHERE number = %s"

# Who gets tickets has something to do again, and nobody may take the crawl for ended in between.
_GRANT = """
UPDATE partition SET granted = granted + %(tickets)s,
    rest = CASE WHEN %(tickets)s > 0 THEN '' ELSE rest END
WHERE number = %(number)s AND epoch = %(epoch)s
"""


def set_budget(
    cursor: Cursor[Any], most: int | None, used: Mapping[int, int] | None = None
) -> None:
    """Set the limit, counted from the beginning of the job; None: there is none.

    To set it again changes nothing. `used` is what partitions have used, also by an owner that knew
    of no tickets. The caller commits.
    """
    cursor.execute("LOCK TABLE budget IN EXCLUSIVE MODE")
    cursor.execute("DELETE FROM budget")
    if most is not None:
        cursor.executemany(_COUNT_USED, [(n, number) for number, n in (used or {}).items()])
        cursor.execute(
            "INSERT INTO budget SELECT greatest(%s - coalesce(sum(granted), 0), 0) FROM partition",
            (most,),
        )


def granted(cursor: Cursor[Any], partition: int) -> int | None:
    """How much a partition may use so far; None: there is no limit."""
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
    """Take tickets, and return how much the partition may use in all.

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
