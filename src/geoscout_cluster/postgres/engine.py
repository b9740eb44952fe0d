"""A crawl on a server: its rows in PostgreSQL, its responses in segments; implements `Engine`.

The work of a crawl is divided into partitions, sets of sites with one writer each; a crawl of one
process has one partition. Their tables are those of `engine/`, and the tables of the facts and of
the frontier are those of every crawl. All times are PostgreSQL's.

The frontier of a partition works at hand (`frontier/journal.py`). An update of a request changes no
index, and PostgreSQL puts the new version of a row next to the old one (docs/why/frontier.md).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, LiteralString

from psycopg import Connection, Cursor
from psycopg.rows import class_row

from geoscout.frontier import tables
from geoscout.frontier.base import Limits
from geoscout.frontier.journal import HOST_NAMES, REQUEST_NAMES, Changes, JournaledFrontier
from geoscout.sql import POSTGRESQL, Row, Table, Update
from geoscout.store import schema
from geoscout.store.archive import RecordSpot, Segments, open_segments
from geoscout.store.base import Overview, PartitionRow, WorkerRow
from geoscout.store.engine import Log
from geoscout.store.group import VisitGroup, write_group
from geoscout.warc import WarcRecord, parse_packed
from geoscout_cluster.engine.base import TABLES as WORK
from geoscout_cluster.engine.leases import LeaseClock
from geoscout_cluster.engine.roster import ENDED
from geoscout_cluster.postgres.database import Session, translated
from geoscout_places.clock import Clocks, steady_time

ARCHIVE_NOTE = "archive"  # the name of the note that says where the segments are
_AFTER = """
WITH position AS (
    SELECT number AS partition, coalesce(at, 0) AS at FROM partition
    LEFT JOIN unnest(:p::int[], :p::bigint[]) AS seen (partition, at)
        ON seen.partition = partition.number)
SELECT partition, number, {columns} FROM position CROSS JOIN LATERAL (
    SELECT {number} AS number, {columns} FROM {table} AS log
    WHERE log.partition = position.partition AND {number} > at AND {condition}
    ORDER BY {number} LIMIT :p
) AS next ORDER BY number - at, partition LIMIT :p
"""

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
FRONTIER_TABLES = POSTGRESQL.create(tables.TABLES)
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


class PostgresEngine(Session):
    """The tables and the archive of a crawl."""

    _segments: Segments | None = None

    def after(self, log: Log, positions: Mapping[int, int], limit: int) -> list[Row]:
        query = _AFTER.format(**log._asdict())
        return self.rows(query, list(positions), list(positions.values()), limit, limit)

    def write(self, group: VisitGroup) -> None:
        with translated(self.address), self.connection().transaction():
            write_group(PostgresRows(self.connection().cursor()), group)

    def record(self, file: str | int, offset: int, length: int) -> WarcRecord:
        return parse_packed(self.read(RecordSpot(file, offset, length)))

    def files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        query = "SELECT name, size FROM segment ORDER BY groups, partition"
        for name, size in self.stream(query):
            yield name, iter((self.read(RecordSpot(name, 0, size)),))

    def is_written(self) -> bool:
        return bool(self.rows("SELECT 1 FROM partition WHERE until > clock_timestamp() LIMIT 1"))

    def read(self, spot: RecordSpot) -> bytes:
        """Some bytes of the archive.

        Raises:
            DamagedDataError: they are not there.
        """
        if self._segments is None:
            rows = self.rows("SELECT value FROM note WHERE name = :p", ARCHIVE_NOTE)
            self._segments = open_segments(rows[0][0] if rows else "")
        return self._segments.read(spot)


class PostgresRows:
    """Writes rows to PostgreSQL, in one statement for all of a table; implements `Rows`."""

    dialect = POSTGRESQL

    def __init__(self, cursor: Cursor[Any]) -> None:
        self._cursor = cursor

    def add(self, table: Table, rows: Sequence[Row]) -> None:
        columns = table.columns(shared=True)
        names = ", ".join(f'"{column.name}"' for column in columns)
        statement = f"COPY {table.name} ({names}) FROM STDIN (FORMAT binary)"
        with self._cursor.copy(statement.encode()) as copy:
            copy.set_types([column.type for column in columns])
            for row in rows:
                copy.write_row(row if table.plain else [_without_nul(value) for value in row])

    def put(self, table: Table, rows: Sequence[Row], change: str = "") -> None:
        columns = table.columns(shared=True)
        names = ", ".join(f'"{column.name}"' for column in columns)
        arrays = ", ".join(f"%s::{column.type}[]" for column in columns)
        key = ", ".join(POSTGRESQL.key(table))
        action = f"UPDATE SET {change}" if change else "NOTHING"
        query = f"""INSERT INTO {table.name} ({names}) SELECT * FROM unnest({arrays})
            ON CONFLICT ({key}) DO {action}"""
        values = [[_without_nul(value) for value in column] for column in zip(*rows, strict=True)]
        self._cursor.execute(query.encode(), values)

    def update(self, update: Update, partition: int) -> None:
        types = {column.name: column.type for column in update.table.columns(shared=True)}
        key, *others = update.names
        change = update.change or ", ".join(f"{name} = new.{name}" for name in others)
        arrays = ", ".join(f"%s::{types[name]}[]" for name in update.names)
        query = f"""UPDATE {update.table.name} AS old SET {change}
            FROM unnest({arrays}) AS new({", ".join(update.names)})
            WHERE old.partition = %s AND old.{key} = new.{key}"""
        columns = [list(column) for column in zip(*update.rows, strict=True)]
        self._cursor.execute(query.encode(), (*columns, partition))

    def drop(self, table: Table, column: str, values: Collection[object]) -> None:
        query = f"DELETE FROM {table.name} WHERE {column} = ANY(%s)"
        self._cursor.execute(query.encode(), (list(values),))


def write_changes(cursor: Cursor[Any], changes: Changes, partition: int) -> None:
    """Write what changed in a frontier alone, without facts."""
    group = VisitGroup(0, partition).with_changes(*changes)
    write_group(PostgresRows(cursor), group)


def _without_nul(value: Any) -> Any:
    """A value as PostgreSQL can hold it: its texts have no character 0, those of pages may."""
    return value.replace("\0", "") if type(value) is str and "\0" in value else value


class PostgresFrontier(JournaledFrontier):
    """The frontier of one partition, restored from its rows."""

    def __init__(
        self,
        connection: Connection[Any],
        partition: int = 0,
        limits: Limits | None = None,
        now: Callable[[], float] = steady_time,
        *,
        lease: LeaseClock | None = None,
    ) -> None:
        """Read the partition through a connection, which is not needed afterwards.

        `now`: the clock that times are handed in by. Nothing is given out when its `lease` is about
        to end: a process that was stopped must not ask a host that another may be asking by now.
        """
        with connection.transaction(), connection.cursor() as cursor:
            super().__init__(partition, limits, _ahead_of_server(cursor, now()), lease)
            query = "SELECT coalesce(max(number), 0) FROM frontier_request WHERE partition = %s"
            (last,) = cursor.execute(query, (partition,)).fetchone() or (0,)
            hosts = list(_read(cursor, tables.HOST, HOST_NAMES, partition))
            self.restore(hosts, last, _read(cursor, tables.REQUEST, REQUEST_NAMES, partition))


def _ahead_of_server(cursor: Cursor[Any], now: float) -> float:
    """Seconds by which our clock is ahead of that of the server, which times in rows are of.

    Partitions go from one machine to another, and the clocks of machines differ.
    """
    query: LiteralString = "SELECT extract(epoch FROM clock_timestamp())::float8"
    (wall,) = cursor.execute(query).fetchone() or (0.0,)
    return -Clocks(now, wall).ahead()


def _read(cursor: Cursor[Any], table: Table, names: Sequence[str], partition: int) -> Iterator[Row]:
    """The rows of a partition in the order of their numbers, without holding them all."""
    types = {column.name: column.type for column in table.columns(shared=True)}
    query = f"""COPY (SELECT {", ".join(names)} FROM {table.name}
        WHERE partition = %s ORDER BY number) TO STDOUT (FORMAT binary)"""
    with cursor.copy(query.encode(), (partition,)) as copy:
        copy.set_types([types[name] for name in names])
        yield from copy.rows()


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
