"""Takes the facts and the responses of one partition of a running crawl.

Nothing is written here: what is added waits until `cut` hands it over as a group. Who reads from
this store sees what waits, too: it is written for the time of a query and taken back.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, LiteralString

from geoscout.errors import DamagedDataError
from geoscout.model import Request, RequestKind, Response
from geoscout.store.base import PROVENANCE, Failure, Topic, Visit
from geoscout.store.postgres.bodies import ArchivedBodies
from geoscout.store.postgres.database import CrawlAddress, translated
from geoscout.store.postgres.facts import Counters, GroupFacts, PendingFacts, write_facts
from geoscout.store.postgres.groups import Partner, VisitGroup
from geoscout.store.postgres.leases import Lease
from geoscout.store.postgres.reader import PostgresReader
from geoscout.store.postgres.session import Session
from geoscout.store.records import (
    Exchange,
    Original,
    pack_exchange,
    pack_repeat,
    read_provenance,
)
from geoscout.store.segments import (
    GrowingSegment,
    Segments,
    SegmentSpot,
    segment_name,
)

_COUNTERS: LiteralString = """
SELECT (SELECT count(*) FROM partition),
    (SELECT coalesce(sum(visits), 0)::bigint FROM harvest WHERE partition = %s),
    (SELECT coalesce(max(number), 0) FROM change WHERE partition = %s)
"""


class PostgresStore(PostgresReader):
    """The facts of one partition; implements `CrawlWriter`."""

    def __init__(
        self, address: CrawlAddress, lease: Lease, segments: Segments, agent: str = "geoscout"
    ) -> None:
        """Go on after the last group; `agent` is the User-Agent that the fetcher sends."""
        self._own = _OwnSession(address, self._pending_facts)
        super().__init__(self._own)
        self._lease, self._agent = lease, agent
        self._segments = segments
        self._group = lease.groups + 1  # the number of the next one
        self._mark = secrets.token_hex(4)  # of all our segments
        self._committed = Session(address)
        self._about = read_provenance(PostgresReader(self._committed).note(PROVENANCE))
        self._segment = self._new_segment()
        self._one_at_a_time = threading.Lock()  # for those who read in other threads
        self._pending = PendingFacts(self._read_counters())
        self._bodies = ArchivedBodies(self._committed, lease.partition)
        self._settle: Callable[[], None] = lambda: None
        self.unsaved = 0  # visits and failures since the last `cut`

    def before_reading(self, settle: Callable[[], None]) -> None:
        """Have something done before this store is read: groups that are under way must be over."""
        self._settle = settle

    def add(self, visit: Visit, exchange: Exchange | None = None) -> int:
        self.unsaved += 1
        response = visit.response
        exchange = exchange or pack_exchange(response, self._agent)
        exchange, body_of = self._without_repeated_body(response, exchange)
        spot = self._segment.append(exchange.response, response.fetched_at)
        if exchange.request:
            self._segment.append(exchange.request, response.fetched_at)
        return self._pending.add(visit, exchange, spot, body_of)

    def add_failure(self, failure: Failure) -> None:
        self.unsaved += 1
        self._pending.add_failure(failure)

    def add_change(self, n: int) -> None:
        self._pending.add_change(n)

    def set_note(self, name: str, value: str) -> None:
        self._pending.set_note(name, value)

    def count_all(self, topic: Topic, counts: Mapping[str, int]) -> None:
        for name, times in counts.items():
            if times:
                self._pending.count(topic, name, times)

    def keep_model(self, value: bytes) -> None:
        if value:
            self._pending.keep_model(value)

    def keep_sites(self, sites: Mapping[str, bytes]) -> None:
        self._pending.keep_sites(sites)

    def sites(self) -> Iterator[tuple[str, bytes]]:
        query: LiteralString = """SELECT name, packed FROM site WHERE partition = %s
            ORDER BY visits, name"""
        for name, packed in self._session.rows(query, self._lease.partition):
            yield name, bytes(packed)

    async def seen(self, request: Request) -> Response | None:
        if request.kind != RequestKind.REVISIT:
            return None
        return await asyncio.to_thread(self._last_response, request.url)

    def cut(self, partners: Iterable[Partner] = ()) -> VisitGroup:
        """All that waits, and what the partners add to it, as the next group."""
        facts = self._with_segment(self._pending.take(self._group))
        writes = [partner() for partner in partners]
        group = VisitGroup(self._group, facts, writes, self._segment.whole())
        self._group += 1
        self._segment = self._new_segment()
        self.unsaved = 0
        return group

    def is_clean(self) -> bool:
        """Whether nothing waits."""
        return not self._pending

    def close(self) -> None:
        self._bodies.close()
        self._committed.close()
        super().close()

    def _read(self, spot: SegmentSpot) -> bytes:
        if spot.segment == self._segment.name:
            return self._segment.read(spot)
        return super()._read(spot)

    def _pending_facts(self) -> GroupFacts | None:
        self._settle()
        return self._with_segment(self._pending.copy(self._group)) if self._pending else None

    def _with_segment(self, facts: GroupFacts) -> GroupFacts:
        whole = self._segment.whole()
        if whole is None:
            return facts
        row = (self._lease.partition, self._group, whole.name, len(whole.data))
        return replace(facts, rows={**facts.rows, "segment": (row,)})

    def _new_segment(self) -> GrowingSegment:
        lease = self._lease
        name = segment_name(lease.partition, lease.epoch, self._group, self._mark)
        return GrowingSegment(name, self._about)

    def _read_counters(self) -> Counters:
        partition = self._lease.partition
        ((partitions, visits, changes),) = self._committed.rows(_COUNTERS, partition, partition)
        return Counters(partition, partitions, visits, changes)

    def _last_response(self, url: str) -> Response | None:
        """The last page of a URL; what was not yet committed cannot be asked for again."""
        with self._one_at_a_time:
            reader = PostgresReader(self._committed)
            visits = [visit for visit in reader.visits_of(url) if visit.is_page]
            try:
                return reader.response(visits[-1].n) if visits else None
            except DamagedDataError:
                return None  # then it is fetched as if it were new

    def _without_repeated_body(
        self, response: Response, exchange: Exchange
    ) -> tuple[Exchange, int]:
        """The records to keep, and the number of the visit that holds the body."""
        n = self._pending.next_number()
        if not response.body:
            return exchange, n
        known = self._bodies.find(exchange.digest)
        if known is None:
            original = Original(response.url, response.answered_at)
            self._bodies.add(exchange.digest, n, original)
            return exchange, n
        body_of, original = known
        return pack_repeat(response, exchange, original, self._agent), body_of


class _OwnSession(Session):
    """Queries that also see what is not yet committed."""

    def __init__(self, address: CrawlAddress, pending: Callable[[], GroupFacts | None]) -> None:
        super().__init__(address)
        self._pending = pending

    def rows(self, query: LiteralString, *parameters: object) -> list[tuple[Any, ...]]:
        facts = self._pending()
        if facts is None:
            return super().rows(query, *parameters)
        with (
            translated(self.address),
            self.connection().transaction(force_rollback=True),
            self.connection().cursor() as cursor,
        ):
            write_facts(cursor, facts)
            return cursor.execute(query, parameters).fetchall()

    def stream(self, query: LiteralString, *parameters: object) -> Iterator[tuple[Any, ...]]:
        # All at once: a query that is read slowly would keep the next group from being written.
        yield from self.rows(query, *parameters)
