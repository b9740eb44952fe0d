"""Who works, how many partitions each may hold, and whether the job has ended: what a tick asks.

A worker says every second that it is alive, and hears in the answer how many others are. The times
are PostgreSQL's.

The end of a job shows in one look at the tables, and is final. The owner of a partition that has
nothing to do writes that down after the group that left it nothing, and takes it back in the group
that takes something from the exchange. So when all partitions have nothing to do and the exchange
is empty, nobody can ever get work again. What is sent from outside begins it again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from psycopg import Cursor
from psycopg.types.json import Jsonb

# Why a partition has nothing to do, as its row says; "" for one that works.
EMPTY = "empty"  # nothing waits, or nothing that time alone would bring
SPENT = "spent"  # something waits, and the budget is used up

ENDED = f"""
(SELECT bool_and(rest = '{EMPTY}') FROM partition) AND NOT EXISTS (SELECT FROM exchange)
OR (SELECT bool_and(rest <> '') FROM partition)
    AND EXISTS (SELECT FROM budget WHERE left_over = 0)
"""  # noqa: S608 - our own words


@dataclass(frozen=True, slots=True)
class News:
    """What a worker hears when it says that it is alive."""

    partitions: int
    workers: int  # alive, this one among them
    settled: int  # those of them that have been there for a while
    has_ended: bool
    promises: Mapping[str, float] = field(default_factory=dict)  # of the other workers, by node


_ALIVE = """
INSERT INTO worker (name, machine, version, until, promises)
VALUES (%s, %s, %s, clock_timestamp() + make_interval(secs => %s), %s)
ON CONFLICT (name) DO UPDATE SET until = excluded.until, promises = excluded.promises
"""
_NEWS = f"""
SELECT (SELECT count(*) FROM partition),
    (SELECT count(*) FROM worker WHERE until > clock_timestamp()),
    (SELECT count(*) FROM worker WHERE until > clock_timestamp()
        AND since < clock_timestamp() - make_interval(secs => %s)),
    {ENDED}
"""  # noqa: S608 - our own words
_PROMISES = """
SELECT key, max(value::float8) FROM worker, jsonb_each_text(promises)
WHERE name <> %s AND until > clock_timestamp() GROUP BY key
"""
# A worker that works says so in every group, also in the one that takes what others sent.
_FIGURES = """
UPDATE partition SET waiting = %(waiting)s, done = %(done)s, failed = %(failed)s, hosts = %(hosts)s,
    rest = CASE WHEN %(works)s THEN '' ELSE rest END
WHERE number = %(number)s
"""
# That it rests it says afterwards, and not if it has drawn tickets meanwhile: the job would end
# with tickets that nobody has used.
_REST = """
UPDATE partition SET rest = %(rest)s
WHERE number = %(number)s AND epoch = %(epoch)s AND granted = coalesce(%(granted)s, granted)
"""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a worker says of itself."""

    name: str
    machine: str
    version: str


def say_alive(
    cursor: Cursor[Any],
    worker: Identity,
    seconds: float,
    settling: float,
    promises: Mapping[str, float],
) -> News:
    """Say that a worker is alive, and what it can ask soon: the highest priority, by node.

    Those who came `settling` seconds ago are settled. The caller commits.
    """
    names = worker.name, worker.machine, worker.version
    cursor.execute(_ALIVE, (*names, seconds, Jsonb(dict(promises))))
    there_are, alive, settled, ended = cursor.execute(_NEWS.encode(), (settling,)).fetchone() or (
        0,
        0,
        0,
        False,
    )
    promised = dict(cursor.execute(_PROMISES, (worker.name,)).fetchall())
    return News(there_are, alive, settled, has_ended=bool(ended), promises=promised)


def say_goodbye(cursor: Cursor[Any], name: str) -> None:
    """A worker has ended in good order. The caller commits."""
    cursor.execute("DELETE FROM worker WHERE name = %s", (name,))


def count_alive(cursor: Cursor[Any]) -> int:
    """How many workers there are now."""
    query = "SELECT count(*) FROM worker WHERE until > clock_timestamp()"
    (count,) = cursor.execute(query).fetchone() or (0,)
    return int(count)


def is_spent(cursor: Cursor[Any]) -> bool:
    """Whether something waits for more of the budget."""
    query = f"SELECT EXISTS (SELECT FROM partition WHERE rest = '{SPENT}')"  # noqa: S608
    (found,) = cursor.execute(query.encode()).fetchone() or (False,)
    return bool(found)


def wake_all(cursor: Cursor[Any]) -> None:
    """Have every partition looked at again: what may be done has changed. The caller commits."""
    cursor.execute("UPDATE partition SET rest = ''")


def write_figures(cursor: Cursor[Any], row: Mapping[str, Any]) -> None:
    """Say in the row of a partition how far it is."""
    cursor.execute(_FIGURES, row)


def say_rest(cursor: Cursor[Any], row: Mapping[str, Any]) -> bool:
    """Say in the row of a partition that it rests; False if it has drawn tickets meanwhile.

    The end of a job is seen by that. The caller commits.
    """
    return cursor.execute(_REST, row).rowcount == 1


def fair_share(partitions: int, workers: int) -> int:
    """How many partitions a worker may hold when this many work.

    >>> fair_share(16, 3), fair_share(2, 5), fair_share(16, 0)
    (6, 1, 16)
    """
    return -(-partitions // max(workers, 1))


def surplus(held: int, share: int) -> int:
    """How many partitions to give back.

    One too many is kept: taking a partition over means reading all that waits in it.

    >>> surplus(16, 8), surplus(9, 8), surplus(3, 8)
    (8, 0, 0)
    """
    return held - share if held > share + 1 else 0
