"""The tables of a crawl in PostgreSQL except those of its frontier, and who works on it.

The work of a crawl is divided into partitions, sets of sites with one writer each; a crawl of one
process has one partition. Their tables are those of the engine, and the tables of the facts are
those of every crawl (`store/schema.py`).

All times are PostgreSQL's. The end of a crawl shows in one look at the tables, and is final
(`engine/roster.py` says why).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, LiteralString

from psycopg import Cursor
from psycopg.rows import class_row

from geoscout.sql import POSTGRESQL
from geoscout.store import schema
from geoscout.store.base import Overview, PartitionRow, WorkerRow
from geoscout_cluster.engine.base import TABLES as WORK
from geoscout_cluster.engine.roster import ENDED
from geoscout_cluster.postgres.database import Session, translated

_OUTCOMES: LiteralString = """
CREATE TABLE outcome (                      -- what the visits of a group taught
    partition smallint NOT NULL,
    groups bigint NOT NULL,
    worker text NOT NULL,                   -- who wrote it, and need not read it
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    packed bytea NOT NULL,
    PRIMARY KEY (partition, groups)
);
"""
_INDEXES: LiteralString = """
CREATE INDEX visit_url ON visit USING hash (url);  -- a B-tree takes 2.7 KB, and URLs can be longer
CREATE INDEX visit_partition ON visit (partition, n);
CREATE INDEX failure_at ON failure (at);
CREATE INDEX site_name ON site (name);
"""
# What each URL held when it was last fetched.
_PAGE: LiteralString = """
CREATE VIEW page AS
    SELECT * FROM (
        SELECT DISTINCT ON (url) * FROM visit WHERE status <> 304
        ORDER BY url, fetched_at DESC, n DESC
    ) AS last WHERE is_page;
"""
TABLES = f"{WORK}{_OUTCOMES}{POSTGRESQL.create(schema.TABLES)}{_INDEXES}{_PAGE}{schema.FETCH_LOG}"


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
    named = cursor.connection.cursor(row_factory=class_row(PartitionRow))
    return named.execute(_PARTITIONS).fetchall()
