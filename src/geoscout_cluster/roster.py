"""Who works, whether the crawl has ended, and whether everyone should stop: what a tick asks.

A worker says every second that it is alive, and hears in the answer how many others are. The times
are PostgreSQL's.

The end of a crawl shows in one look at the tables, and is final. A lane that has nothing to do
writes that down after the group that left it nothing, and takes it back in the group that takes new
requests from the exchange. So when all lanes have nothing to do and the exchange is empty, nobody
can ever get work again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from psycopg import Cursor
from psycopg.types.json import Jsonb

from geoscout_cluster.postgres.crew import ENDED

_STOP = "cluster_stop"  # the note that says when somebody asked all workers to stop


@dataclass(frozen=True, slots=True)
class News:
    """What a worker hears when it says that it is alive."""

    partitions: int
    workers: int  # alive, this one among them
    settled: int  # those of them that have been there for a while
    should_stop: bool
    has_ended: bool
    promises: Mapping[str, float] = field(default_factory=dict)  # of the other workers, by node
    revisits: Mapping[int, float] = field(default_factory=dict)  # see `revisits.py`, by partition


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
    coalesce((SELECT value::float8 FROM note WHERE name = '{_STOP}')
        > (SELECT extract(epoch FROM since) FROM worker WHERE name = %s), false),
    {ENDED},
    (SELECT json_object_agg(number, revisit) FROM partition
        WHERE owner = %s AND revisit IS NOT NULL)
"""  # noqa: S608 - our own words
_PROMISES = """
SELECT key, max(value::float8) FROM worker, jsonb_each_text(promises)
WHERE name <> %s AND until > clock_timestamp() GROUP BY key
"""
_STOP_NOW = f"""
INSERT INTO note VALUES ('{_STOP}', extract(epoch FROM clock_timestamp())::text)
ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""  # noqa: S608 - our own words


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
    row = cursor.execute(_NEWS.encode(), (settling, worker.name, worker.name)).fetchone()
    assert row is not None  # one SELECT without a table
    there_are, alive, settled, should_stop, ended, revisits = row
    return News(
        there_are,
        alive,
        settled,
        should_stop=should_stop,
        has_ended=ended,
        promises=dict(cursor.execute(_PROMISES, (worker.name,)).fetchall()),
        revisits={int(number): until for number, until in (revisits or {}).items()},
    )


def say_goodbye(cursor: Cursor[Any], name: str) -> None:
    """A worker has ended in good order. The caller commits."""
    cursor.execute("DELETE FROM worker WHERE name = %s", (name,))


def ask_all_to_stop(cursor: Cursor[Any]) -> int:
    """Have all workers that are there now stop; returns how many. The caller commits."""
    cursor.execute(_STOP_NOW.encode())
    query = "SELECT count(*) FROM worker WHERE until > clock_timestamp()"
    (count,) = cursor.execute(query).fetchone() or (0,)
    return int(count)
