"""Takes the facts and the responses of one partition of a running crawl.

Nothing is written here: what is added waits until `cut` hands it over as a group. Who reads from
this store sees what waits, too: it is written for the time of a query and taken back.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from geoscout.frontier.journal import Changes
from geoscout.sql import POSTGRESQL, Row
from geoscout.store.archive import RecordSpot
from geoscout.store.base import PROVENANCE
from geoscout.store.group import Counters, PendingRows, VisitGroup, write_group
from geoscout.store.reader import CrawlReader
from geoscout.store.records import read_provenance
from geoscout.store.schema import SEGMENT
from geoscout.store.segments import GrowingSegment, segment_name
from geoscout.store.writer import CrawlWriter, last_page
from geoscout_cluster.postgres.bodies import ArchivedBodies
from geoscout_cluster.postgres.database import CrawlAddress, translated
from geoscout_cluster.postgres.engine import PostgresEngine, PostgresRows
from geoscout_cluster.postgres.groups import Partner
from geoscout_cluster.postgres.leases import Lease
from geoscout_places.model import Request, RequestKind, Response

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
