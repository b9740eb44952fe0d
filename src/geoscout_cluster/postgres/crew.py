"""Reads who works on a crawl, and whether it has ended. The times are PostgreSQL's.

The end of a crawl shows in one look at the tables, and is final (`engine/roster.py` says why).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import Cursor
from psycopg.rows import class_row

from geoscout.store.base import Overview, PartitionRow, WorkerRow
from geoscout_cluster.engine.roster import ENDED
from geoscout_cluster.postgres.database import Session, translated

_WORKERS = """
SELECT name, machine, version, extract(epoch FROM until - clock_timestamp())::float8,
    extract(epoch FROM clock_timestamp() - since)::float8 FROM worker
WHERE until > clock_timestamp() - CASE WHEN %s THEN interval '0' ELSE interval '1 hour' END
ORDER BY since, name
"""
_PARTITIONS = """
SELECT number, owner, epoch, extract(epoch FROM until - clock_timestamp())::float8 AS seconds_left,
    rest, waiting, done, failed, hosts,
    (SELECT count(*) FROM exchange WHERE target = partition.number) AS parcels
FROM partition ORDER BY number
"""


def read_overview(session: Session) -> Overview:
    """A crawl and those who work on it.

    Raises:
        DatabaseLostError: the server does not answer.
    """
    with translated(session.address), session.connection().cursor() as cursor:
        ended = has_ended(cursor)
        return Overview(ended, workers(cursor, ended=ended), partitions(cursor))


def has_ended(cursor: Cursor[Any]) -> bool:
    """Whether the crawl has nothing left to do."""
    row = cursor.execute(f"SELECT {ENDED}".encode()).fetchone()
    return bool(row and row[0])


def workers(cursor: Cursor[Any], *, ended: bool = False) -> Sequence[WorkerRow]:
    """Those that are alive, or died within the last hour; the first to come first.

    When the crawl has ended, those that died are of no interest any more.
    """
    return [WorkerRow(*row) for row in cursor.execute(_WORKERS, (ended,))]


def partitions(cursor: Cursor[Any]) -> Sequence[PartitionRow]:
    """All partitions of the crawl."""
    named = cursor.connection.cursor(row_factory=class_row(PartitionRow))
    return named.execute(_PARTITIONS).fetchall()
