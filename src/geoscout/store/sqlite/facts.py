"""Writes what is known of visits to SQLite, in batches.

Rows wait in lists and go in by `executemany` before a commit or a read: a statement for each row
would cost three times as much. Places are written once; which ones are known is remembered for
the most frequent ones only, the rest is left to the table.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from geoscout.model import Place, Reading
from geoscout.store.archive import Position, RecordSpot
from geoscout.store.base import Failure, StoredVisit, Topic, Visit
from geoscout.store.records import Exchange, Original, pack_links
from geoscout.store.rows import (
    address_values,
    place_values,
    places_in,
    visit_places,
    visit_values,
)

_PLACES_REMEMBERED = 50_000  # about 4 MB
_COLUMNS = {
    "visit": 25, "links": 3, "address": 18, "visit_place": 7, "point": 5, "page_entries": 2,
    "failure": 5,
}  # fmt: skip
_INSERT = {
    table: f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"  # noqa: S608 - our own names
    for table, columns in _COLUMNS.items()
}
_OF_VISIT = ("links", "address", "visit_place", "point", "page_entries")
_INSERT_PLACE = "INSERT OR IGNORE INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_CHANGE = "INSERT INTO change (visit, changed_at) VALUES (?, ?)"
_ADD_TO_TALLY = """INSERT INTO tally VALUES (?, ?, ?)
    ON CONFLICT (topic, name) DO UPDATE SET count = count + excluded.count"""


class FactsWriter:
    """Adds rows to the tables of `tables.TABLES`; the caller commits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._rows: dict[str, list[Sequence[object]]] = defaultdict(list)
        self._changes: list[tuple[int, float]] = []  # visits, and when
        self._new_places: dict[int, Place] = {}
        self._known_places: set[int] = set()
        self._tally: Counter[tuple[str, str]] = Counter()
        self._bodies: dict[bytes, int] = {}  # the visits that hold them, by digest
        self._sites: dict[str, bytes] = {}
        # The number of a visit that was lost is not given again.
        given = "SELECT max(ifnull((SELECT max(n) FROM visit), 0), ifnull(max(visit), 0)) FROM lost"
        self._last = self._flushed = int(connection.execute(given).fetchone()[0])

    def next_number(self) -> int:
        """The number the next visit gets."""
        return self._last + 1

    def add(self, visit: Visit, exchange: Exchange, spot: RecordSpot, body_of: int) -> int:
        """Note a visit, its links and its places; `spot` and `body_of` tell where the bytes are."""
        self._last = n = self._last + 1
        *values, degree, captured_at = visit_values(visit, exchange.digest)
        where = (spot.file, spot.offset, spot.length, body_of)
        self._rows["visit"].append((n, *values, *where, degree, captured_at))
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
        """Tell those who follow the change log to look at a visit again."""
        self._changes.append((n, time.time()))

    def count(self, topic: Topic, name: str, times: int = 1) -> None:
        self._tally[topic, name] += times

    def set_archive_end(self, end: Position) -> None:
        if end.offset:
            self._connection.execute("INSERT OR REPLACE INTO archive VALUES (?, ?)", _pair(end))

    def set_note(self, name: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO crawl VALUES (?, ?)", (name, value))

    def keep_model(self, value: bytes) -> None:
        self._connection.execute("INSERT OR REPLACE INTO state VALUES ('strategy', ?)", (value,))

    def keep_sites(self, sites: Mapping[str, bytes]) -> None:
        """A row that is replaced becomes the last one: `sites` gives them in this order."""
        for name, packed in sites.items():
            self._sites.pop(name, None)
            self._sites[name] = packed

    def archived(self, digest: bytes) -> tuple[int, Original] | None:
        """The first visit that had this body; None when there is none."""
        if digest in self._bodies:
            self.flush()
        query = "SELECT visit FROM payload WHERE digest = ?"
        found = self._connection.execute(query, (digest,)).fetchone()
        if found is None:
            return None
        if found[0] > self._flushed:
            self.flush()
        query = "SELECT url, coalesce(captured_at, fetched_at) FROM visit WHERE n = ?"
        return found[0], Original(*self._connection.execute(query, found).fetchone())

    def remember_body(self, digest: bytes, n: int) -> None:
        self._bodies[digest] = n

    def renumber(self, n: int, spot: RecordSpot, digest: bytes) -> None:
        """Give a visit a new number, whose record with its body is at a spot.

        Numbers and places in the archive have the same order, so it cannot keep the old one.
        """
        self.flush()
        self._last = self._flushed = last = self._last + 1
        write = self._connection.execute
        write(
            "UPDATE visit SET n = ?1, archive_file = ?2, archive_offset = ?3, archive_length = ?4,"
            " body_of = ?1 WHERE n = ?5",
            (last, spot.file, spot.offset, spot.length, n),
        )
        for table in _OF_VISIT:
            write(f"UPDATE {table} SET visit = ? WHERE visit = ?", (last, n))  # noqa: S608
        write("INSERT OR REPLACE INTO payload VALUES (?, ?)", (digest, last))
        self.add_change(last)

    def lose(self, visits: Collection[StoredVisit], at: float) -> None:
        """Forget visits, and tell those who follow the change log that they are gone."""
        self.flush()
        write = self._connection.executemany
        numbers = [(visit.n,) for visit in visits]
        write("INSERT OR REPLACE INTO lost VALUES (?, ?, ?)", [(v.n, v.url, at) for v in visits])
        for table in _OF_VISIT:
            write(f"DELETE FROM {table} WHERE visit = ?", numbers)  # noqa: S608 - our own names
        bodies = [(visit.digest, visit.n) for visit in visits]
        write("DELETE FROM payload WHERE digest = ? AND visit = ?", bodies)
        write("DELETE FROM visit WHERE n = ?", numbers)
        for visit in visits:
            self.add_change(visit.n)
        self.flush()

    def flush(self) -> None:
        """Hand all waiting rows to SQLite."""
        write = self._connection.executemany
        if self._new_places:
            write(_INSERT_PLACE, map(place_values, self._new_places.values()))
            self._remember_places()
        for table, rows in self._rows.items():
            if rows:
                write(_INSERT[table], rows)
                rows.clear()
        if self._changes:
            write(_INSERT_CHANGE, self._changes)
            self._changes.clear()
        if self._tally:
            write(_ADD_TO_TALLY, [(*key, count) for key, count in self._tally.items()])
            self._tally.clear()
        if self._bodies:
            write("INSERT INTO payload VALUES (?, ?)", self._bodies.items())
            self._bodies.clear()
        if self._sites:
            self._write_sites()
        self._flushed = self._last

    def _write_sites(self) -> None:
        write, sites = self._connection.executemany, self._sites
        kept = [(name, packed) for name, packed in sites.items() if packed]
        write("INSERT OR REPLACE INTO site VALUES (?, ?)", kept)
        write("DELETE FROM site WHERE name = ?", [(name,) for name in sites if not sites[name]])
        sites.clear()

    def _add_reading(self, n: int, reading: Reading) -> None:
        for position, address in enumerate(reading.addresses):
            self._rows["address"].append((n, position, *address_values(address)))
        for position, (point, source) in enumerate(reading.points):
            row = (n, position, point.latitude, point.longitude, source)
            self._rows["point"].append(row)
        if reading.entries is not None:
            self._rows["page_entries"].append((n, reading.entries))
        self._note_places(places_in(reading))
        self._rows["visit_place"].extend((n, *row) for row in visit_places(reading))

    def _note_places(self, places: Iterable[Place]) -> None:
        for place in places:
            if place.id not in self._known_places:
                self._new_places[place.id] = place

    def _remember_places(self) -> None:
        if len(self._known_places) > _PLACES_REMEMBERED:
            self._known_places.clear()
        self._known_places.update(self._new_places)
        self._new_places.clear()


def _pair(end: Position) -> tuple[int, int]:
    return end.file, end.offset
