"""The state of a crawl in PostgreSQL: facts and frontier of one partition, held under a lease.

A commit is a group (`store/postgres/groups.py`), written by a thread: the segment of the archive
first, then facts and frontier in one transaction with the lease. The loop only waits for it when
two groups are under way, or when it asks for a commit that lasts.

A crawl of one process has one partition. Those of a cluster have many, and each of them has a
state of this kind in the process that holds it.
"""

import asyncio
import time
import uuid
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

from psycopg import Cursor

from geoscout.frontier.tables import TableView
from geoscout.sql import POSTGRESQL
from geoscout.state.base import (
    ARCHIVES,
    LOST,
    LOST_DETAIL,
    Beginning,
    CrawlView,
    Writing,
    folder_below,
    requests_again,
)
from geoscout.store.archive import FolderSegments, Segments, open_segments
from geoscout.store.base import Failure
from geoscout.store.group import Counters, PendingRows, VisitGroup, without_visits, write_group
from geoscout.store.reader import CrawlReader
from geoscout_cluster.engine.base import MOST_PARTITIONS
from geoscout_cluster.engine.leases import (
    LEASE_SECONDS,
    LeaseClock,
    claim,
    end_lease_of_the_dead,
    holder_of,
    is_here,
    this_process,
)
from geoscout_cluster.postgres.database import (
    CrawlAddress,
    IdleConnections,
    NoteSlot,
    check_crawl,
    connect,
    create_tables,
    read_address,
    server_addresses,
    translated,
)
from geoscout_cluster.postgres.engine import (
    ARCHIVE_NOTE,
    FRONTIER_TABLES,
    TABLES,
    PostgresEngine,
    PostgresFrontier,
    PostgresRows,
    read_overview,
    write_changes,
)
from geoscout_cluster.postgres.groups import GroupWriter, Partner, PostgresStore
from geoscout_places.errors import GeoscoutError, UsageError
from geoscout_places.model import Request

IDENTITY_NOTE = "identity"  # tells a crawl from any other that was or will be at its address
_MOST_UNDER_WAY = 2  # groups; with more, a crash would repeat more
_LOOK_AGAIN_SECONDS = 0.25  # while somebody else's lease runs out
_IDLE = IdleConnections()


class PostgresState:
    """The state of one partition of a running crawl; implements `CrawlState`."""

    def __init__(self, address: CrawlAddress, clock: LeaseClock, writing: Writing) -> None:
        """Take up a partition that was claimed.

        Raises:
            UsageError: its archive cannot be used.
            DatabaseLostError: the server does not answer.
        """
        self._address, self._clock = address, clock
        self._under_way: deque[Future[None]] = deque()
        self._is_closed = False
        # Groups so far, and how long they took from handing them over until they last, added up.
        self.written, self.write_seconds = 0, 0.0
        with ExitStack() as on_error, translated(address):
            connection = on_error.enter_context(connect(address))
            segments = segments_of(address)
            self.disk = segments.folder if isinstance(segments, FolderSegments) else None
            self._groups = GroupWriter(address, segments, room_seconds=writing.room_seconds)
            on_error.callback(self._groups.close)
            self._groups.hold(clock)  # restoring may take longer than the lease lasts
            on_error.callback(self._groups.give_free, clock, clean=True)
            partition = clock.lease.partition
            self.frontier = PostgresFrontier(connection, partition, writing.limits, lease=clock)
            on_error.callback(self.frontier.close)
            self.writer = self.reader = PostgresStore(address, clock.lease, writing.agent)
            on_error.callback(self.writer.close)
            self.writer.before_reading(self._wait_for_all)
            connection.close()
            on_error.pop_all()
        self._partners: list[Partner] = []
        self._cut_at = time.monotonic()

    def addresses(self) -> tuple[str, ...]:
        with translated(self._address), connect(self._address) as connection:
            return server_addresses(connection)

    def add_partner(self, partner: Partner) -> None:
        """Have something written in the same transactions as facts and frontier."""
        self._partners.append(partner)

    async def commit(self) -> None:
        await self._cut()
        while self._under_way:
            await self._wait_for_first()

    async def commit_when_due(self, visits: int, seconds: float) -> None:
        unsaved, since = self.writer.unsaved, time.monotonic() - self._cut_at
        if unsaved >= visits or (unsaved and since >= seconds):
            await self._cut()

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._groups.hurry()
        with suppress(GeoscoutError):
            self._wait_for_all()
        self._groups.give_free(self._clock, clean=self.writer.is_clean())
        self._groups.close()
        self.writer.close()
        self.frontier.close()

    async def _cut(self) -> None:
        while len(self._under_way) >= _MOST_UNDER_WAY:
            await self._wait_for_first()
        while self._under_way and self._under_way[0].done():
            self._under_way.popleft().result()
        group = self.writer.cut(self._partners, self.frontier.cut())
        self._cut_at = time.monotonic()
        sent = self._groups.send(group, self._clock)
        sent.add_done_callback(partial(self._note_written, self._cut_at))
        self._under_way.append(sent)

    def under_way(self) -> int:
        """How many groups are on their way."""
        return sum(not sent.done() for sent in self._under_way)

    def _note_written(self, sent_at: float, sent: Future[None]) -> None:
        """Called by the thread that writes, which is the only one to change these figures."""
        if not sent.cancelled() and sent.exception() is None:
            self.written += 1
            self.write_seconds += time.monotonic() - sent_at

    async def _wait_for_first(self) -> None:
        # A crawl that is cancelled must not cancel what it handed over.
        await asyncio.shield(asyncio.wrap_future(self._under_way[0]))
        self._under_way.popleft()

    def _wait_for_all(self) -> None:
        while self._under_way:
            self._under_way.popleft().result()


class PostgresBackend:
    """Crawls in PostgreSQL; implements `StateBackend`."""

    def address(self, where: str) -> CrawlAddress:
        return read_address(where)

    def create(self, where: str, beginning: Beginning, writing: Writing) -> PostgresState:
        address = self.address(where)
        begin_crawl(address, beginning, {0: beginning.requests}, writing)
        return PostgresState(address, take_partition(address, 0), writing)

    def resume(self, where: str, writing: Writing) -> PostgresState:
        address = self.address(where)
        partitions = count_partitions(address)
        if partitions != 1:
            raise UsageError(
                f"{address.shown} is a crawl of {partitions} partitions, for several processes:"
                " start `geoscout cluster work` instead"
            )
        return PostgresState(address, take_partition(address, 0), writing)

    def open(self, where: str) -> CrawlView:
        session = PostgresEngine(self.address(where), _IDLE)
        with ExitStack() as on_error:
            on_error.callback(session.close)
            session.check()
            on_error.pop_all()
        frontier = TableView(session)
        return CrawlView(CrawlReader(session), frontier, partial(read_overview, session))

    def repair(self, where: str, lost: Sequence[int]) -> None:
        """Forget visits, each partition under its lease, in one transaction with its frontier.

        Segments are not changed: they may lie where nothing can be overwritten, and other crawls
        may share them. No row points to what is damaged in one. The index is not told.
        """
        with self.open(where) as crawl:
            visits = [visit for n in lost if (visit := crawl.reader.visit(n))]
            again = list(requests_again(visits, crawl.reader, crawl.frontier))
        address = self.address(where)
        partitions = count_partitions(address)
        for partition in sorted({(n - 1) % partitions for n in lost}):
            own = [visit for visit in visits if (visit.n - 1) % partitions == partition]
            keys = {(visit.url, visit.node) for visit in own}
            requests = [request for request in again if (request.url, request.node) in keys]
            state = PostgresState(address, take_partition(address, partition), Writing())
            with closing(state):
                _forget(state, [visit.n for visit in own], requests)

    def holds(self, where: str) -> bool:
        address = self.address(where)
        with translated(address), connect(address) as connection:
            query = "SELECT to_regclass(format('%%I.version', %s::text)) IS NOT NULL"
            (found,) = connection.execute(query, (address.schema,)).fetchone() or (False,)
        return bool(found)

    def slot(self, where: str) -> NoteSlot:
        return NoteSlot(self.address(where), _IDLE)

    def index_folder(self, where: str, home: Path) -> Path:
        # A crawl can be deleted and another begun at the same address: each has its own index.
        with self.open(where) as view:
            identity = view.reader.note(IDENTITY_NOTE)
        return folder_below(home, f"{self.address(where).shown}#{identity}")


def _forget(state: PostgresState, numbers: list[int], again: Sequence[Request]) -> None:
    """Forget visits of one partition."""

    def delete(cursor: Cursor[Any]) -> None:
        write_group(PostgresRows(cursor), VisitGroup(gone=without_visits(numbers)))

    state.add_partner(lambda: delete)
    for request in again:
        state.writer.add_failure(Failure(request, time.time(), LOST, LOST_DETAIL))
    state.frontier.put_back(again)
    asyncio.run(state.commit())


def begin_crawl(
    address: CrawlAddress,
    beginning: Beginning,
    seeds: Mapping[int, Sequence[Request]],
    writing: Writing,
) -> None:
    """Make a crawl with its tables, notes and seeds, in one transaction.

    `seeds` has the seeds of each partition, and so says how many there are. What is in
    `beginning.requests` is not looked at. The crawl has a folder of its own in its archive: another
    one could be there, or begin there later.
    """
    if not 1 <= len(seeds) <= MOST_PARTITIONS:
        raise UsageError(f"a crawl has 1 to {MOST_PARTITIONS} partitions, not {len(seeds)}")
    identity = uuid.uuid4().hex[:12]
    archive = f"{_archive_of(address, beginning, writing)}/{address.name}-{identity}"
    open_segments(archive).prepare()
    pending = PendingRows(POSTGRESQL, Counters())
    own = {ARCHIVE_NOTE: archive, IDENTITY_NOTE: identity}
    for name, value in {**beginning.notes, **own}.items():
        pending.set_note(name, value)
    pending.keep_model(beginning.learned)
    with translated(address), connect(address) as connection, connection.cursor() as cursor:
        create_tables(connection, address, (TABLES, FRONTIER_TABLES))
        write_group(PostgresRows(cursor), pending.take())
        for partition, requests in seeds.items():
            cursor.execute("INSERT INTO partition (number) VALUES (%s)", (partition,))
            frontier = PostgresFrontier(connection, partition, writing.limits)
            frontier.put(requests)
            write_changes(cursor, frontier.cut(), partition)
            frontier.close()


def _archive_of(address: CrawlAddress, beginning: Beginning, writing: Writing) -> str:
    if beginning.archive:
        return beginning.archive.rstrip("/")
    if writing.home is None:
        raise UsageError(f"the crawl at {address.shown} needs a place for its archive")
    return str((writing.home / ARCHIVES).absolute())


def local_archive(address: CrawlAddress) -> Path | None:
    """The folder of a crawl's archive on this machine; None where it is elsewhere."""
    segments = segments_of(address)
    return segments.folder if isinstance(segments, FolderSegments) else None


def segments_of(address: CrawlAddress) -> Segments:
    """Where the responses of a crawl are."""
    with CrawlReader(PostgresEngine(address)) as where:
        return open_segments(where.note(ARCHIVE_NOTE) or "")


def count_partitions(address: CrawlAddress) -> int:
    """How many partitions a crawl has."""
    with translated(address), connect(address) as connection:
        check_crawl(connection, address)
        (count,) = connection.execute("SELECT count(*) FROM partition").fetchone() or (0,)
    return int(count)


def take_partition(
    address: CrawlAddress, number: int, seconds: float = LEASE_SECONDS
) -> LeaseClock:
    """Claim a partition for this process.

    The lease of a process that died on this machine is taken at once. That of another machine is
    waited for: it ends, or is made longer, which shows that its owner lives.
    """
    seen_until = None
    with translated(address), connect(address) as connection:
        while True:
            asked_at = time.monotonic()
            with connection.transaction(), connection.cursor() as cursor:
                if lease := claim(cursor, this_process(), number, seconds):
                    return LeaseClock(lease, asked_at)
                holder = holder_of(cursor, number)
                if holder is None:
                    raise UsageError(f"{address.shown} has no partition {number}")
                if end_lease_of_the_dead(cursor, number, holder):
                    continue
            if is_here(holder.owner) or seen_until not in (None, holder.until):
                raise UsageError(f"another process is writing to the crawl at {address.shown}")
            seen_until = holder.until
            time.sleep(_LOOK_AGAIN_SECONDS)


def create() -> PostgresBackend:
    return PostgresBackend()
