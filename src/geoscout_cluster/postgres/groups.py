"""Writes groups of visits in a thread of its own, each in one transaction.

A commit waits for the disk of the server, and the loop of the crawl must not. So what is to be
written together is cut off as a value, a `VisitGroup`, and handed over. The transaction has in it:

1. the lease: the epoch is checked and the lease made longer, so nothing of an owner that was
   replaced is written;
2. the facts;
3. whatever the partners of the store add: the changes of the frontier, for one.

Its segment of the archive is on the disk before. The number of the last group is a column of the
partition. When the connection is lost during a commit, nobody knows whether it was applied; the
group is then sent again, and that number says whether there is anything left to do.

While the server does not answer, the thread asks again and again. Leases run out meanwhile, and so
the crawl fetches nothing; nobody else can claim the partition either, so it goes on afterwards.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, LiteralString

import psycopg

from geoscout.store.group import VisitGroup, write_group
from geoscout.store.segments import Segments
from geoscout_cluster.postgres.database import Connection, CrawlAddress, connect, translated
from geoscout_cluster.postgres.engine import PostgresRows
from geoscout_cluster.postgres.leases import Lease, LeaseClock, release, renew
from geoscout_places.errors import DatabaseLostError, FencedError, GeoscoutError

PATIENCE_SECONDS = 300.0  # how long a server may be away before a crawl gives up
_TICK_SECONDS = 0.5  # how often the leases are looked at while nothing is written
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0  # seconds between two tries to reach the server

_HELD: LiteralString = "SELECT epoch, groups FROM partition WHERE number = %s FOR UPDATE"
_MOVE_ON: LiteralString = """
UPDATE partition SET until = clock_timestamp() + make_interval(secs => %s), groups = %s
WHERE number = %s
"""

_log = logging.getLogger(__name__)

Write = Callable[[psycopg.Cursor[Any]], None]
# What is written together with the facts. It is called when a group is cut off, and what it gives
# is called in the transaction, perhaps twice; so that must hold a value.
Partner = Callable[[], Write]


class GroupWriter:
    """A thread that writes groups and makes leases longer; several partitions may share it."""

    def __init__(
        self, address: CrawlAddress, segments: Segments, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._address = address
        self._segments = segments
        self._patience = patience
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
        self._patience = 0.0

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
        if group.segment is not None:
            self._segments.write(group.segment)
        while True:
            try:
                asked_at = time.monotonic()
                self._try(group, clock.lease)
            except DatabaseLostError as error:
                self._wait_for_server(error)
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
