"""What is written together: a group of visits with all that belongs to them, as one value.

Rows are collected while the crawl goes on. `take` cuts them off as a `VisitGroup`, which nothing
alters afterwards: another thread can write it, and write it again when the answer to a commit was
lost. Nothing else is written to a crawl. Who reads from a `CrawlWriter` sees what waits, too.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, Protocol

from geoscout.sql import Dialect, Queries, Row, Table, Update
from geoscout.store import schema
from geoscout.store.archive import ArchiveSegment, RecordSpot
from geoscout.store.base import Failure, Topic, Visit
from geoscout.store.engine import Engine, Rows
from geoscout.store.reader import CrawlReader
from geoscout.store.records import Exchange, Original, pack_exchange, pack_links, pack_repeat
from geoscout.store.schema import address_row, place_values, places_in, visit_places, visit_row
from geoscout_places.errors import DamagedDataError
from geoscout_places.model import Place, Reading, Request, RequestKind, Response

_PLACES_REMEMBERED = 50_000  # about 4 MB
Gone = tuple[Table, str, Collection[object]]  # rows that have one of these values in a column
# The number of a visit that was lost is not given again.
_GIVEN = """SELECT max(coalesce((SELECT max(n) FROM visit), 0), coalesce(max(visit), 0)),
    (SELECT coalesce(max(sequence), 0) FROM change) FROM lost"""
_ADD = "count = tally.count + excluded.count"


@dataclass(frozen=True, slots=True)
class VisitGroup:
    """What is written together, in one transaction."""

    number: int = 0  # counts by partition, from 1; 0 where there are no partitions
    partition: int = 0
    rows: Mapping[Table, Sequence[Row]] = field(default_factory=dict)  # new ones
    changed: Mapping[Table, Sequence[Row]] = field(default_factory=dict)  # they replace others
    places: Sequence[Row] = ()  # some may be there already
    tally: Sequence[Row] = ()  # counts to be added
    updates: Sequence[Update] = ()  # of rows that are there: those of the frontier
    gone: Sequence[Gone] = ()  # before anything is written
    writes: Sequence[Callable[[Any], None]] = ()  # of the partners: requests for other partitions
    segment: ArchiveSegment | None = None  # of the archive; None when nothing was archived

    def with_changes(
        self,
        new: Mapping[Table, Sequence[Row]],
        changed: Mapping[Table, Sequence[Row]],
        updates: Sequence[Update],
    ) -> VisitGroup:
        """The same with what changed in the frontier."""
        rows, changed = {**self.rows, **new}, {**self.changed, **changed}
        return replace(self, rows=rows, changed=changed, updates=updates)


@dataclass(frozen=True, slots=True)
class Counters:
    """How far the numbers of a partition have come."""

    partition: int = 0
    partitions: int = 1  # of the crawl
    visits: int = 0
    changes: int = 0


class PendingRows:
    """What is not yet in a group."""

    def __init__(self, dialect: Dialect, counters: Counters) -> None:
        self._partition, self._partitions = counters.partition, counters.partitions
        self._visits, self._changes = counters.visits, counters.changes
        self._dialect = dialect
        self._known_places: set[int] = set()
        self._pickers: dict[Table, Callable[[Mapping[str, Any]], Row]] = {}
        self._begin()

    def _begin(self) -> None:
        self._rows: dict[Table, list[Row]] = defaultdict(list)
        self._new_places: dict[int, Place] = {}
        self._tally: Counter[tuple[str, str]] = Counter()
        self._notes: dict[str, str] = {}
        self._model = b""
        self._sites: dict[str, bytes] = {}
        self._stale: set[int] = set()
        self._harvest = _Harvest()

    def take_number(self) -> int:
        n = schema.visit_number(self._visits + 1, self._partition, self._partitions)
        self._visits += 1
        return n

    def add(self, visit: Visit, exchange: Exchange, spot: RecordSpot, body_of: int | None) -> int:
        """Note a visit, its links and its places.

        `spot` tells where the bytes are, and `body_of` whose record has the body; None: its own.
        """
        n = self.take_number()
        row = visit_row(visit, exchange.digest)
        row["n"], row["partition"] = n, self._partition
        row["archive_file"] = row["segment"] = spot.file
        row["archive_offset"], row["archive_length"] = spot.offset, spot.length
        row["body_of"] = n if body_of is None else body_of
        self._rows[schema.VISIT].append(self._pick(schema.VISIT, row))
        if self._dialect.shared:
            self._harvest.add(row)
        elif body_of is None and visit.response.body:
            self._rows[schema.PAYLOAD].append((exchange.digest, n))
        self.add_change(n)
        if visit.page is not None:
            links = exchange.links or pack_links(visit.page.links)
            if links.number:
                self._rows[schema.LINKS].append((n, links.number, links.packed))
        if exchange.page:
            self._rows[schema.READ_PAGE].append((n, exchange.page))
        if visit.reading is not None:
            self._add_reading(n, visit.reading)
        return n

    def add_failure(self, failure: Failure) -> None:
        request = failure.request
        row = (failure.at, request.url, failure.kind, failure.detail, request.tries)
        self._rows[schema.FAILURE].append(row)
        self.count(Topic.FAILURE, failure.kind)

    def add_change(self, n: int) -> None:
        """Tell those who follow the change log to look at a visit."""
        self._changes += 1
        row = (self._changes, n, time.time())
        self._rows[schema.CHANGE].append((self._partition, *row) if self._dialect.shared else row)

    def count(self, topic: Topic, name: str, times: int = 1) -> None:
        self._tally[topic.value, name] += times

    def set_note(self, name: str, value: str) -> None:
        self._notes[name] = value

    def keep_model(self, value: bytes) -> None:
        self._model = value

    def drop_pages(self, visits: Iterable[int]) -> None:
        """Keep no longer what was read of the pages of some visits."""
        self._stale.update(visits)

    def keep_sites(self, sites: Mapping[str, bytes]) -> None:
        for name, packed in sites.items():
            self._sites.pop(name, None)  # what is kept last comes last
            self._sites[name] = packed

    def __bool__(self) -> bool:
        return bool(
            any(self._rows.values()) or self._tally or self._notes or self._model or self._sites
        )

    def copy(self, group: int = 0) -> VisitGroup:
        """Everything that is pending, as the group of this number; it stays pending."""
        where = {"partition": self._partition, "groups": group, "visits": self._visits}
        rows = {table: tuple(rows) for table, rows in self._rows.items() if rows}
        if self._harvest.visits:
            rows[schema.HARVEST] = (self._pick(schema.HARVEST, where | self._harvest.row()),)
        kept = [where | {"name": name, "packed": packed} for name, packed in self._sites.items()]
        if sites := [self._pick(schema.SITE, row) for row in kept if row["packed"]]:
            rows[schema.SITE] = tuple(sites)
        return VisitGroup(
            group,
            self._partition,
            rows=rows,
            changed=self._changed(where),
            # In the order of their keys: two writers that add the same rows never wait for each
            # other in a circle.
            places=sorted(place_values(place) for place in self._new_places.values()),
            tally=sorted(
                self._pick(schema.TALLY, where | {"topic": topic, "name": name, "count": count})
                for (topic, name), count in self._tally.items()
            ),
            gone=list(self._gone()),
        )

    def _gone(self) -> Iterator[Gone]:
        """Rows of sites that are replaced or forgotten, and of pages that were read again."""
        if self._sites:
            yield schema.SITE, "name", tuple(self._sites)
        if self._stale:
            yield schema.READ_PAGE, "visit", tuple(self._stale)

    def take(self, group: int = 0) -> VisitGroup:
        """Everything that is pending, as the group of this number; then nothing is."""
        taken = self.copy(group)
        if len(self._known_places) > _PLACES_REMEMBERED:
            self._known_places.clear()
        self._known_places.update(self._new_places)
        self._begin()
        return taken

    def _changed(self, where: dict[str, Any]) -> dict[Table, Sequence[Row]]:
        """Notes, and what the strategy has learned."""
        shared = self._dialect.shared
        changed: dict[Table, Sequence[Row]] = {}
        if self._notes:
            changed[schema.NOTE if shared else schema.CRAWL] = sorted(self._notes.items())
        if self._model:
            table = schema.MODEL if shared else schema.STATE
            row = where | {"name": "strategy", "value": self._model, "state": self._model}
            changed[table] = [self._pick(table, row)]
        return changed

    def _add_reading(self, n: int, reading: Reading) -> None:
        addresses = self._rows[schema.ADDRESS]
        for position, address in enumerate(reading.addresses):
            addresses.append(self._pick(schema.ADDRESS, address_row(n, position, address)))
        for position, (point, source) in enumerate(reading.points):
            self._rows[schema.POINT].append((n, position, point.latitude, point.longitude, source))
        for place in places_in(reading):
            if place.id not in self._known_places:
                self._new_places[place.id] = place
        self._rows[schema.VISIT_PLACE].extend((n, *row) for row in visit_places(reading))

    def _pick(self, table: Table, row: Mapping[str, Any]) -> Row:
        """The values of a row in the order of the columns."""
        picker = self._pickers.get(table)
        if picker is None:
            picker = self._pickers[table] = itemgetter(*self._dialect.names(table))
        return picker(row)


@dataclass(slots=True)
class _Harvest:
    """What the visits of a group add to the figures of the crawl."""

    first_at: float = 0.0
    last_at: float = 0.0
    visits: int = 0
    pages: int = 0
    relevant: int = 0
    degrees: float = 0.0

    def add(self, visit: Mapping[str, Any]) -> None:
        at = visit["fetched_at"]
        self.first_at = min(self.first_at, at) if self.visits else at
        self.last_at = max(self.last_at, at)
        self.visits += 1
        self.pages += visit["is_page"]
        self.relevant += visit["relevant"]
        self.degrees += visit["degree"]

    def row(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def write_group(target: Rows, group: VisitGroup) -> None:
    """Write the rows of a group; the caller commits."""
    for gone in group.gone:
        target.drop(*gone)
    for table, rows in group.rows.items():
        target.add(table, rows)
    if group.places:
        target.put(schema.PLACE, group.places)
    if group.tally:
        target.put(schema.TALLY, group.tally, _ADD)
    for table, rows in group.changed.items():
        names = target.dialect.names(table)
        target.put(table, rows, ", ".join(f"{name} = excluded.{name}" for name in names))
    for update in group.updates:
        target.update(update, group.partition)


def without_visits(visits: Collection[int]) -> list[Gone]:
    """All rows of visits; their changes stay."""
    return [*((table, "visit", visits) for table in schema.OF_VISIT), (schema.VISIT, "n", visits)]


class Archive(Protocol):
    """Where records go."""

    def append(self, record: bytes, at: float) -> RecordSpot:
        """Add a packed record; `at`, seconds since the epoch, dates a file that starts with it."""


class Bodies(Protocol):
    """Which bodies are archived, so that each is archived once."""

    def find(self, digest: bytes) -> tuple[int, Original] | None:
        """The first visit that had a body; None when there is none."""

    def add(self, digest: bytes, n: int, original: Original) -> None: ...


class CrawlWriter(CrawlReader):
    """What a running crawl writes. Nothing lasts, or is seen by others, before the commit."""

    def __init__(self, engine: Engine, pending: PendingRows, bodies: Bodies, agent: str) -> None:
        """`agent` is the User-Agent that the fetcher sends."""
        super().__init__(engine)
        self._pending, self._bodies, self._agent = pending, bodies, agent
        self._archive: Archive
        self.unsaved = 0  # visits and failures since the last group

    def add(self, visit: Visit, exchange: Exchange | None = None) -> int:
        """Keep a visit; returns its number.

        `exchange` is what `pack_exchange` makes of its response, where a worker has done that.
        """
        self.unsaved += 1
        response = visit.response
        exchange = exchange or pack_exchange(response, self._agent)
        known = self._bodies.find(exchange.digest) if response.body else None
        if known is not None:
            exchange = pack_repeat(response, exchange, known[1], self._agent)
        if exchange.page and visit.request.kind == RequestKind.REVISIT:
            self._pending.drop_pages(old.n for old in self.visits_of(visit.request.url))
        spot = self._archive.append(exchange.response, response.fetched_at)
        if exchange.request:
            self._archive.append(exchange.request, response.fetched_at)
        n = self._pending.add(visit, exchange, spot, known[0] if known else None)
        if known is None and response.body:
            self._bodies.add(exchange.digest, n, Original(response.url, response.answered_at))
        return n

    def add_failure(self, failure: Failure) -> None:
        """Log a request without a response, and count its kind."""
        self.unsaved += 1
        self._pending.add_failure(failure)

    def add_change(self, n: int) -> None:
        """Have a visit looked at again by those who follow the change log."""
        self._pending.add_change(n)

    def count_all(self, topic: Topic, counts: Mapping[str, int]) -> None:
        """Add to the counts of a topic."""
        for name, times in counts.items():
            if times:
                self._pending.count(topic, name, times)

    def set_note(self, name: str, value: str) -> None:
        """Note something about the crawl as a whole, such as what it was asked for."""
        self._pending.set_note(name, value)

    def keep_model(self, value: bytes) -> None:
        """Keep what the strategy has learned; nothing is kept when that is empty."""
        if value:
            self._pending.keep_model(value)

    def keep_sites(self, sites: Mapping[str, bytes]) -> None:
        """Keep what the crawl knows of some sites, by their names; a site without is forgotten."""
        self._pending.keep_sites(sites)

    async def seen(self, request: Request) -> Response | None:
        """The last response for a request that asks for a page again; None for any other."""
        return last_page(self, request.url) if request.kind == RequestKind.REVISIT else None


def last_page(reader: CrawlReader, url: str) -> Response | None:
    """The last page of a URL; where it is lost, it is fetched as if it were new."""
    visits = [visit for visit in reader.visits_of(url) if visit.is_page]
    try:
        return reader.response(visits[-1].n) if visits else None
    except DamagedDataError:
        return None


class LoneWriter(CrawlWriter):
    """What writes to a crawl that has one writer, over any engine.

    It reads, too, and sees what it wrote, if its engine calls `write_pending` before each query.
    """

    def __init__(self, engine: Engine, queries: Queries, archive: Archive, agent: str) -> None:
        """`queries`: the database as it is, without what waits; asked for each body."""
        ((visits, changes),) = queries.rows(_GIVEN)
        pending = PendingRows(engine.dialect, Counters(visits=visits, changes=changes))
        self._first = FirstBodies(queries)
        super().__init__(engine, pending, self._first, agent)
        self._archive = archive

    def write_pending(self) -> None:
        """Hand what waits to the database."""
        if self._pending:
            self._engine.write(self._pending.take())
            self._first.forget()

    def flush(self) -> None:
        """Hand everything to the database, so that a commit covers it."""
        self.write_pending()
        self.unsaved = 0


class FirstBodies:
    """The first visit of each body, in a table and, for those not yet written, in memory."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries
        self._new: dict[bytes, tuple[int, Original]] = {}

    def find(self, digest: bytes) -> tuple[int, Original] | None:
        if digest in self._new:
            return self._new[digest]
        query = """SELECT n, url, coalesce(captured_at, fetched_at) FROM payload JOIN visit
            ON n = payload.visit WHERE payload.digest = :p"""
        found = self._queries.rows(query, digest)
        return (found[0][0], Original(*found[0][1:])) if found else None

    def add(self, digest: bytes, n: int, original: Original) -> None:
        self._new[digest] = n, original

    def forget(self) -> None:
        self._new.clear()
