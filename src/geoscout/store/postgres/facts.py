"""What a group of visits adds to the tables, as one value that can be written again.

Rows are collected while the crawl goes on. `take` cuts them off as `GroupFacts`, which nothing
alters afterwards: another thread can write them, and write them again when the answer to a commit
was lost. New rows go in by COPY.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, LiteralString

from psycopg import Cursor

from geoscout.model import Place, Reading
from geoscout.store.base import Failure, Topic, Visit
from geoscout.store.postgres.tables import visit_number
from geoscout.store.records import Exchange, pack_links
from geoscout.store.rows import (
    address_values,
    place_values,
    places_in,
    visit_places,
    visit_values,
)
from geoscout.store.segments import SegmentSpot

Row = tuple[Any, ...]

_PLACES_REMEMBERED = 50_000  # about 4 MB
# The types of the columns, by table, in the order of `tables.FACTS`.
_TYPES: Mapping[str, Sequence[str]] = {
    "visit": (
        "int8 int2 text text int4 bool float8 int4 int4 text float8 float8 text int8 text text"
        " bytea int8 bool bool float8 text int8 int4 int8 float8"
    ).split(),
    "links": ("int8", "int4", "bytea"),
    "address": (
        "int8 int4 int4 int4 text text text text text text text text float8 float8 int8 text bool"
        " text"
    ).split(),
    "visit_place": ("int8", "int8", "int4", "float8", "float8", "bool", "int4"),
    "point": ("int8", "int4", "float8", "float8", "text"),
    "page_entries": ("int8", "bytea"),
    "failure": ("float8", "text", "text", "text", "int4"),
    "change": ("int2", "int8", "int8", "float8"),
    "harvest": ("int2", "int8", "float8", "float8", "int4", "int4", "int4", "float8"),
    "segment": ("int2", "int8", "text", "int8"),
}
# Where a row of `visit` has whether it is relevant, its time, whether it is a page, its degree.
_HARVESTED = (5, 10, 18, 20)
_ADD_PLACES: LiteralString = """
INSERT INTO place SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::float8[],
    %s::float8[], %s::text[], %s::bigint[], %s::text[], %s::bigint[], %s::text[])
ON CONFLICT (id) DO NOTHING
"""
_ADD_TO_TALLY: LiteralString = """
INSERT INTO tally SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::bigint[])
ON CONFLICT (partition, topic, name) DO UPDATE SET count = tally.count + excluded.count
"""
_SET_NOTES: LiteralString = """
INSERT INTO note SELECT * FROM unnest(%s::text[], %s::text[])
ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""
_KEEP_MODEL: LiteralString = """
INSERT INTO model VALUES (%s, %s, %s)
ON CONFLICT (partition) DO UPDATE SET visits = excluded.visits, state = excluded.state
"""
_KEEP_SITES: LiteralString = """
INSERT INTO site SELECT %s, name, %s, packed FROM unnest(%s::text[], %s::bytea[]) AS _(name, packed)
ON CONFLICT (partition, name) DO UPDATE SET visits = excluded.visits, packed = excluded.packed
"""
_FORGET_SITES: LiteralString = "DELETE FROM site WHERE partition = %s AND name = ANY(%s)"


@dataclass(frozen=True, slots=True)
class GroupFacts:
    """What is added to the tables of a partition."""

    partition: int
    rows: Mapping[str, Sequence[Row]] = field(default_factory=dict)  # by table
    places: Sequence[Row] = ()  # some may be there already
    tally: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by topic and name
    notes: Mapping[str, str] = field(default_factory=dict)
    model: bytes = b""  # empty: nothing to keep
    sites: Mapping[str, bytes] = field(default_factory=dict)  # empty bytes: to be forgotten
    visits: int = 0  # of the partition, so far


@dataclass(frozen=True, slots=True)
class Counters:
    """How far the numbers of a partition have come."""

    partition: int = 0
    partitions: int = 1  # of the crawl
    visits: int = 0
    changes: int = 0


class PendingFacts:
    """The facts of a partition that are not yet in a group."""

    def __init__(self, counters: Counters) -> None:
        self._partition, self._partitions = counters.partition, counters.partitions
        self._visits, self._changes = counters.visits, counters.changes
        self._known_places: set[int] = set()
        self._begin()

    def _begin(self) -> None:
        self._rows: dict[str, list[Row]] = defaultdict(list)
        self._new_places: dict[int, Place] = {}
        self._tally: Counter[tuple[str, str]] = Counter()
        self._notes: dict[str, str] = {}
        self._model = b""
        self._sites: dict[str, bytes] = {}

    def next_number(self) -> int:
        """The number the next visit gets."""
        return visit_number(self._visits + 1, self._partition, self._partitions)

    def add(self, visit: Visit, exchange: Exchange, spot: SegmentSpot, body_of: int) -> int:
        """Note a visit, its links and its places; `spot` and `body_of` tell where the bytes are."""
        n = self.next_number()
        self._visits += 1
        *values, captured_at = visit_values(visit, exchange.digest)
        where = (spot.segment, spot.offset, spot.length, body_of)
        self._rows["visit"].append((n, self._partition, *values, *where, captured_at))
        self.add_change(n)
        if visit.page is not None:
            links = exchange.links or pack_links(visit.page.links)
            if links.number:
                self._rows["links"].append((n, links.number, links.packed))
        if visit.reading is not None:
            self._add_reading(n, visit.reading)
        return n

    def add_failure(self, failure: Failure) -> None:
        request = failure.request
        row = (failure.at, request.url, failure.kind, failure.detail, request.tries)
        self._rows["failure"].append(row)
        self.count(Topic.FAILURE, failure.kind)

    def add_change(self, n: int) -> None:
        """Tell those who follow the change log to look at a visit."""
        self._changes += 1
        self._rows["change"].append((self._partition, self._changes, n, time.time()))

    def count(self, topic: Topic, name: str, times: int = 1) -> None:
        self._tally[topic.value, name] += times

    def set_note(self, name: str, value: str) -> None:
        self._notes[name] = value

    def keep_model(self, value: bytes) -> None:
        self._model = value

    def keep_sites(self, sites: Mapping[str, bytes]) -> None:
        self._sites.update(sites)

    def __bool__(self) -> bool:
        return bool(self._rows or self._tally or self._notes or self._model or self._sites)

    def copy(self, group: int) -> GroupFacts:
        """Everything that is pending, as the group of this number; it stays pending."""
        rows = {table: tuple(rows) for table, rows in self._rows.items()}
        if visits := rows.get("visit"):
            rows["harvest"] = (_harvest(self._partition, group, visits),)
        return GroupFacts(
            self._partition,
            rows=rows,
            places=[place_values(place) for place in self._new_places.values()],
            tally=dict(self._tally),
            notes=dict(self._notes),
            model=self._model,
            sites=dict(self._sites),
            visits=self._visits,
        )

    def take(self, group: int) -> GroupFacts:
        """Everything that is pending, as the group of this number; then nothing is."""
        facts = self.copy(group)
        if len(self._known_places) > _PLACES_REMEMBERED:
            self._known_places.clear()
        self._known_places.update(self._new_places)
        self._begin()
        return facts

    def _add_reading(self, n: int, reading: Reading) -> None:
        for position, address in enumerate(reading.addresses):
            self._rows["address"].append((n, position, *address_values(address)))
        for position, (point, source) in enumerate(reading.points):
            row = (n, position, point.latitude, point.longitude, source)
            self._rows["point"].append(row)
        if reading.entries is not None:
            self._rows["page_entries"].append((n, reading.entries))
        for place in places_in(reading):
            if place.id not in self._known_places:
                self._new_places[place.id] = place
        self._rows["visit_place"].extend((n, *row) for row in visit_places(reading))


def write_facts(cursor: Cursor[Any], facts: GroupFacts) -> None:
    """Add facts to the tables; the caller commits."""
    for table, rows in facts.rows.items():
        _copy_rows(cursor, table, rows)
    if facts.places:
        # In the order of their key: two writers that add the same places never wait for each
        # other in a circle.
        cursor.execute(_ADD_PLACES, _columns(sorted(facts.places)))
    if facts.tally:
        counts = [(topic, name, count) for (topic, name), count in sorted(facts.tally.items())]
        cursor.execute(_ADD_TO_TALLY, (facts.partition, *_columns(counts)))
    if facts.notes:
        cursor.execute(_SET_NOTES, _columns(sorted(facts.notes.items())))
    if facts.model:
        cursor.execute(_KEEP_MODEL, (facts.partition, facts.visits, facts.model))
    if facts.sites:
        _write_sites(cursor, facts)


def _write_sites(cursor: Cursor[Any], facts: GroupFacts) -> None:
    kept = {name: packed for name, packed in facts.sites.items() if packed}
    cursor.execute(_KEEP_SITES, (facts.partition, facts.visits, list(kept), list(kept.values())))
    gone = [name for name in facts.sites if name not in kept]
    cursor.execute(_FORGET_SITES, (facts.partition, gone))


def _copy_rows(cursor: Cursor[Any], table: str, rows: Iterable[Row]) -> None:
    with cursor.copy(f"COPY {table} FROM STDIN (FORMAT binary)".encode()) as copy:
        copy.set_types(_TYPES[table])
        for row in rows:
            copy.write_row([_without_nul(value) for value in row])


def _columns(rows: Sequence[Row]) -> list[list[Any]]:
    """The columns of some rows, each an array for PostgreSQL."""
    return [[_without_nul(value) for value in column] for column in zip(*rows, strict=True)]


def _without_nul(value: Any) -> Any:
    """A value as PostgreSQL can hold it: its texts have no character 0, those of pages may."""
    return value.replace("\0", "") if type(value) is str and "\0" in value else value


def _harvest(partition: int, group: int, visits: Sequence[Row]) -> Row:
    """What the visits of a group add to the figures of the crawl."""
    relevant, fetched_at, is_page, degree = ([visit[i] for visit in visits] for i in _HARVESTED)
    times = (min(fetched_at), max(fetched_at))
    return (partition, group, *times, len(visits), sum(is_page), sum(relevant), sum(degree))
