"""Takes the facts of one partition, and writes them in groups, each in one transaction.

A commit waits for the disk of the server, and the loop of the crawl must not. So what is to be
written together is cut off as a value, a `VisitGroup`, and handed to a thread. Its transaction has:

1. the lease: the epoch is checked and the lease made longer, so nothing of an owner that was
   replaced is written;
2. the facts;
3. the changes of the frontier, and whatever the partners of the store add.

Its segment of the archive is on the disk before. The number of the last group is a column of the
partition. When the connection is lost during a commit, nobody knows whether it was applied; the
group is then sent again, and that number says whether there is anything left to do.

While the server does not answer, the thread asks again and again. Leases run out meanwhile, and so
the crawl fetches nothing; nobody else can claim the partition either, so it goes on afterwards.
"""

import asyncio
import logging
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from typing import Any, LiteralString

import psycopg

from geoscout.frontier.journal import Changes
from geoscout.sql import POSTGRESQL, Row
from geoscout.store.archive import GrowingSegment, RecordSpot, Segments, segment_name
from geoscout.store.base import PROVENANCE
from geoscout.store.group import (
    Counters,
    CrawlWriter,
    PendingRows,
    VisitGroup,
    last_page,
    write_group,
)
from geoscout.store.reader import CrawlReader
from geoscout.store.records import Original, read_provenance
from geoscout.store.schema import SEGMENT
from geoscout_cluster.engine.base import Write
from geoscout_cluster.engine.leases import Lease, LeaseClock, release, renew
from geoscout_cluster.postgres.database import (
    Connection,
    CrawlAddress,
    Session,
    connect,
    translated,
)
from geoscout_cluster.postgres.engine import PostgresEngine, PostgresRows
from geoscout_places.errors import DatabaseLostError, FencedError, GeoscoutError, NoRoomError
from geoscout_places.model import Request, RequestKind, Response

PATIENCE_SECONDS = 300.0  # how long a server may be away before a crawl gives up
_TICK_SECONDS = 0.5  # how often the leases are looked at while nothing is written
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0  # seconds between two tries to reach the server

_HELD: LiteralString = "SELECT epoch, groups FROM partition WHERE number = %s FOR UPDATE"
_MOVE_ON: LiteralString = """
UPDATE partition SET until = clock_timestamp() + make_interval(secs => %s), groups = %s
WHERE number = %s
"""

_log = logging.getLogger(__name__)

# What is written together with the facts. It is called when a group is cut off, and what it gives
# is called in the transaction, perhaps twice; so that must hold a value.
Partner = Callable[[], Write]


class GroupWriter:
    """A thread that writes groups and makes leases longer; several partitions may share it."""

    def __init__(
        self,
        address: CrawlAddress,
        segments: Segments,
        patience: float = PATIENCE_SECONDS,
        room_seconds: float = 0.0,
    ) -> None:
        """`patience`: how long a server may be away; `room_seconds`: how long one may be full."""
        self._address = address
        self._segments = segments
        self._patience, self._room_seconds = patience, room_seconds
        self._clocks: dict[int, LeaseClock] = {}  # by partition
        self._tasks: queue.SimpleQueue[tuple[Callable[[], None], Future[None]] | None]
        self._tasks = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._lost_at: float | None = None  # when the server was last seen to be away
        self._thread = threading.Thread(target=self._work, name="groups", daemon=True)
        self._thread.start()

    def hold(self, clock: LeaseClock) -> None:
        """Keep making a lease longer until it is given free."""
        self._clocks[clock.lease.partition] = clock

    def send(self, group: VisitGroup, clock: LeaseClock) -> Future[None]:
        """Write a group of a lease that is held; done when it lasts.

        The future may have as its result:
            FencedError: the partition has another owner; nothing was written.
            DatabaseLostError: the server was away for too long; perhaps it was written.
            UsageError: the server or the archive cannot take it; nothing was written.
        """
        return self._do(lambda: self._write(group, clock))

    def give_free(self, clock: LeaseClock, *, clean: bool) -> None:
        """Let others claim a partition; `clean` when all that was fetched has been written.

        When the server does not answer, its lease runs out by itself.
        """
        self._clocks.pop(clock.lease.partition, None)
        with suppress(GeoscoutError):
            self._do(lambda: self._release(clock.lease, clean=clean)).result()

    def hurry(self) -> None:
        """Wait no longer for a server that is away."""
        self._patience = self._room_seconds = 0.0

    def close(self) -> None:
        """End the thread after what was sent, without waiting for a server that is away."""
        self.hurry()
        self._tasks.put(None)
        self._thread.join()

    def _do(self, task: Callable[[], None]) -> Future[None]:
        future: Future[None] = Future()
        self._tasks.put((task, future))
        return future

    def _work(self) -> None:
        while True:
            try:
                item = self._tasks.get(timeout=_TICK_SECONDS)
            except queue.Empty:
                self._renew()
                continue
            if item is None:
                break
            task, future = item
            future.set_running_or_notify_cancel()  # from here on it cannot be cancelled
            try:
                task()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(None)
        self._disconnect()

    def _write(self, group: VisitGroup, clock: LeaseClock) -> None:
        try:
            clock.check()  # after a group that failed none of the next may be written
            self._write_until_it_lasts(group, clock)
        except Exception as error:
            clock.end(error)
            raise

    def _write_until_it_lasts(self, group: VisitGroup, clock: LeaseClock) -> None:
        full_since: float | None = None
        while True:
            try:
                if group.segment is not None:
                    self._segments.write(group.segment)
                asked_at = time.monotonic()
                self._try(group, clock.lease)
            except DatabaseLostError as error:
                self._wait_for_server(error)
            except NoRoomError as error:
                full_since = full_since or time.monotonic()
                self._wait_for_room(error, full_since)
            else:
                clock.extend(asked_at)
                return

    def _try(self, group: VisitGroup, lease: Lease) -> None:
        with translated(self._address):
            connection = self._connected()
            with connection.transaction(), connection.cursor() as cursor:
                if not _is_left_to_do(cursor, group, lease):
                    return
                cursor.execute(_MOVE_ON, (lease.seconds, group.number, lease.partition))
                write_group(PostgresRows(cursor), group)
                for write in group.writes:
                    write(cursor)

    def _renew(self) -> None:
        """Make the leases longer that no group has made longer in time."""
        for clock in list(self._clocks.values()):
            if clock.is_due():
                try:
                    self._renew_one(clock)
                except DatabaseLostError as error:
                    self._disconnect()
                    if self._is_too_late():
                        clock.end(error)
                except NoRoomError:
                    continue  # as with a group: there may be room again before the lease ends
                except GeoscoutError as error:
                    clock.end(error)

    def _renew_one(self, clock: LeaseClock) -> None:
        asked_at = time.monotonic()
        with translated(self._address):
            connection = self._connected()
            with connection.transaction(), connection.cursor() as cursor:
                if not renew(cursor, clock.lease):
                    raise _fenced(clock.lease)
        clock.extend(asked_at)

    def _release(self, lease: Lease, *, clean: bool) -> None:
        with translated(self._address):
            connection = self._connected()
            with connection.transaction(), connection.cursor() as cursor:
                release(cursor, lease, clean=clean)

    def _connected(self) -> Connection:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._address)
            if self._lost_at is not None:
                seconds = time.monotonic() - self._lost_at
                _log.info("%s answers again after %.0f s", self._address.shown, seconds)
                self._lost_at = None
        return self._connection

    def _wait_for_server(self, error: DatabaseLostError) -> None:
        """Pause before another try.

        Raises:
            DatabaseLostError: there have been enough of them.
        """
        self._disconnect()
        if self._lost_at is None:
            _log.warning("%s; the crawl waits for it", error)
        if self._is_too_late():
            raise error
        assert self._lost_at is not None
        away = time.monotonic() - self._lost_at
        time.sleep(min(max(away, _FIRST_PAUSE), _LONGEST_PAUSE))

    def _wait_for_room(self, error: NoRoomError, since: float) -> None:
        """Pause before another try, and keep the leases meanwhile.

        Raises:
            NoRoomError: there have been enough of them.
        """
        now = time.monotonic()
        if now - since >= self._room_seconds:
            raise error
        if now - since < _LONGEST_PAUSE:
            _log.warning("%s; the crawl waits for room", error)
        time.sleep(_LONGEST_PAUSE)
        self._renew()

    def _is_too_late(self) -> bool:
        """Whether the server, which is away now, has been for longer than we wait."""
        self._lost_at = self._lost_at or time.monotonic()
        return time.monotonic() - self._lost_at >= self._patience

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _is_left_to_do(cursor: psycopg.Cursor[Any], group: VisitGroup, lease: Lease) -> bool:
    """Whether a group has not been written yet.

    Raises:
        FencedError: the partition has another owner, or the group before is missing.
    """
    epoch, last = cursor.execute(_HELD, (lease.partition,)).fetchone() or (None, 0)
    if epoch != lease.epoch or last not in (group.number - 1, group.number):
        raise _fenced(lease)
    return bool(last != group.number)


def _fenced(lease: Lease) -> FencedError:
    return FencedError(f"another process has taken over partition {lease.partition} of the crawl")


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
    """The first visit of each body, in a temporary file: PostgreSQL is not asked for every page.

    It is filled from the rows when a partition is taken over.
    """

    def __init__(self, session: Session, partition: int) -> None:
        self._scratch = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._scratch.execute("PRAGMA journal_mode = OFF")
        self._scratch.execute(_TABLE)
        self._scratch.execute("BEGIN")  # for good: nothing here is ever committed
        rows = session.stream(_ARCHIVED, partition)
        self._scratch.executemany("INSERT OR IGNORE INTO body VALUES (?, ?, ?, ?)", rows)

    def find(self, digest: bytes) -> tuple[int, Original] | None:
        query = "SELECT visit, url, date FROM body WHERE digest = ?"
        found = self._scratch.execute(query, (digest,)).fetchone()
        return None if found is None else (found[0], Original(*found[1:]))

    def add(self, digest: bytes, n: int, original: Original) -> None:
        row = (digest, n, original.url, original.date)
        self._scratch.execute("INSERT OR IGNORE INTO body VALUES (?, ?, ?, ?)", row)

    def close(self) -> None:
        self._scratch.close()


_COUNTERS = """
SELECT (SELECT count(*) FROM partition),
    (SELECT coalesce(sum(visits), 0)::bigint FROM harvest WHERE partition = :p),
    (SELECT coalesce(max(number), 0) FROM change WHERE partition = :p)
"""


class PostgresStore(CrawlWriter):
    """The facts of one partition."""

    def __init__(self, address: CrawlAddress, lease: Lease, agent: str = "geoscout") -> None:
        """Go on after the last group; `agent` is the User-Agent that the fetcher sends."""
        self._lease = lease
        self._group = lease.groups + 1  # the number of the next one
        self._mark = secrets.token_hex(4)  # of all our segments
        self._committed = PostgresEngine(address)
        self._about = read_provenance(CrawlReader(self._committed).note(PROVENANCE))
        self._own = _OwnEngine(address, self._pending_rows)
        self._one_at_a_time = threading.Lock()  # for those who read in other threads
        self._first_of = ArchivedBodies(self._committed, lease.partition)
        pending = PendingRows(POSTGRESQL, self._read_counters())
        super().__init__(self._own, pending, self._first_of, agent)
        self._archive = self._begin_segment()
        self._settle: Callable[[], None] = lambda: None

    def before_reading(self, settle: Callable[[], None]) -> None:
        """Have something done before this store is read: groups that are under way must be over."""
        self._settle = settle

    def sites(self) -> Iterator[tuple[str, bytes]]:
        query = "SELECT name, packed FROM site WHERE partition = :p ORDER BY visits, name"
        for name, packed in self._rows(query, self._lease.partition):
            yield name, bytes(packed)

    async def seen(self, request: Request) -> Response | None:
        # What was not yet committed cannot be asked for again.
        if request.kind != RequestKind.REVISIT:
            return None
        return await asyncio.to_thread(self._last_page, request.url)

    def cut(self, partners: Iterable[Partner] = (), changes: Changes | None = None) -> VisitGroup:
        """All that waits, with what changed in the frontier and what the partners add."""
        group = self._with_segment(self._pending.take(self._group))
        if changes is not None:
            group = group.with_changes(*changes)
        group = replace(group, writes=[partner() for partner in partners])
        self._group += 1
        self._archive = self._begin_segment()
        self.unsaved = 0
        return group

    def is_clean(self) -> bool:
        """Whether nothing waits."""
        return not self._pending

    def close(self) -> None:
        self._first_of.close()
        self._committed.close()
        super().close()

    def _pending_rows(self) -> VisitGroup | None:
        self._settle()
        return self._with_segment(self._pending.copy(self._group)) if self._pending else None

    def _with_segment(self, group: VisitGroup) -> VisitGroup:
        whole = self._own.growing.whole()
        if whole is None:
            return group
        row = (self._lease.partition, self._group, whole.name, len(whole.data))
        return replace(group, rows={**group.rows, SEGMENT: (row,)}, segment=whole)

    def _begin_segment(self) -> GrowingSegment:
        lease = self._lease
        name = segment_name(lease.partition, lease.epoch, self._group, self._mark)
        self._own.growing = GrowingSegment(name, self._about)
        return self._own.growing

    def _read_counters(self) -> Counters:
        partition = self._lease.partition
        ((partitions, visits, changes),) = self._committed.rows(_COUNTERS, partition, partition)
        return Counters(partition, partitions, visits, changes)

    def _last_page(self, url: str) -> Response | None:
        with self._one_at_a_time:
            return last_page(CrawlReader(self._committed), url)


class _OwnEngine(PostgresEngine):
    """Queries that also see what is not yet committed."""

    growing: GrowingSegment

    def __init__(self, address: CrawlAddress, pending: Callable[[], VisitGroup | None]) -> None:
        super().__init__(address)
        self._pending = pending

    def rows(self, query: str, *parameters: object) -> list[Row]:
        group = self._pending()
        if group is None:
            return super().rows(query, *parameters)
        with (
            translated(self.address),
            self.connection().transaction(force_rollback=True),
            self.connection().cursor() as cursor,
        ):
            write_group(PostgresRows(cursor), group)
            return cursor.execute(POSTGRESQL.text(query).encode(), parameters).fetchall()

    def stream(self, query: str, *parameters: object) -> Iterator[Row]:
        # All at once: a query that is read slowly would keep the next group from being written.
        yield from self.rows(query, *parameters)

    def read(self, spot: RecordSpot) -> bytes:
        return self.growing.read(spot) if spot.file == self.growing.name else super().read(spot)
