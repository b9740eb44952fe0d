"""Reads a crawl at rest, or one that is running: only what has been committed is seen."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import orjson
from msgspec.structs import astuple

from geoscout.errors import DamagedDataError, UsageError
from geoscout.model import Link, OnProgress, Place, Point, Response
from geoscout.store.archive import (
    ARCHIVE_FOLDER,
    ArchiveReader,
    Position,
    RecordSpot,
    archive_file,
)
from geoscout.store.base import (
    ArchiveDamage,
    Change,
    LinksTo,
    PageHistory,
    PlaceCounts,
    StoredAddress,
    StoredLink,
    StoredPlace,
    StoredVisit,
    Topic,
)
from geoscout.store.figures import Cursor
from geoscout.store.readings import BatchedReadings
from geoscout.store.records import unpack_links, unpack_response
from geoscout.store.rows import (
    as_address,
    as_place,
    as_place_counts,
    as_visit,
    find_links_to,
    place_path,
)
from geoscout.store.sqlite.database import FILE, Database, read_database
from geoscout.store.sqlite.figures import SqliteFigures, read_cursor
from geoscout.store.sqlite.lock import is_written
from geoscout.store.sqlite.mending import examine_archive
from geoscout.store.sqlite.rows import (
    ADDRESSES,
    ADDRESSES_IN_TIME,
    ALL_PLACES,
    CHANGED_SINCE,
    CHANGES,
    CHANGES_OF_OLD,
    ENTRIES,
    HISTORIES,
    LAST,
    LINKS_IN_TIME,
    PLACES,
    POINTS,
    VISITS,
    visit_columns,
)
from geoscout.warc import WarcRecord

_PIECE = 500  # visits read at a time


class SqliteReader(SqliteFigures, BatchedReadings):
    """The facts and the archive of a crawl in a folder; implements `CrawlReader`."""

    def __init__(self, folder: Path, database: Database) -> None:
        super().__init__(database)
        self._folder = folder
        self._archive = ArchiveReader(folder / ARCHIVE_FOLDER)
        self._visit = visit_columns(self._columns)
        self._places: dict[int, Place | None] = {}

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open a crawl to read it.

        Raises:
            UsageError: there is no crawl in this folder, or one of another version.
        """
        return cls(folder, read_database(folder))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()
        self._archive.close()

    def visits(self, since: float = 0.0) -> Iterator[StoredVisit]:
        for numbers in self._since("visit", since):
            yield from self._visits(VISITS.format(columns=self._visit), numbers)

    def pages(self, since: float = 0.0) -> Iterator[StoredVisit]:
        for numbers in self._since("page", since):
            yield from self._visits(VISITS.format(columns=self._visit), numbers)

    def pages_of(self, urls: Collection[str]) -> dict[str, StoredVisit]:
        query = f"SELECT {self._visit} FROM page WHERE url IN (SELECT value FROM json_each(?))"  # noqa: S608
        return {page.url: page for page in self._visits(query, _as_json(urls))}

    def histories(self) -> Iterator[PageHistory]:
        for url, visits, changes, first_at, last_at, relevant in self._rows(HISTORIES):
            yield PageHistory(
                url, visits, changes or 0,
                first_at=first_at, last_at=last_at, relevant=bool(relevant),
            )  # fmt: skip

    def lists(self) -> Iterator[str]:
        query = "SELECT DISTINCT url FROM visit WHERE status = 200 AND NOT is_page AND size > 0"
        yield from (url for (url,) in self._rows(query))

    def pages_asked_until(self, at: float) -> Iterator[StoredVisit]:
        asked_at = "(SELECT max(fetched_at) FROM visit WHERE visit.url = page.url)"
        for numbers in self._in_time(f"page WHERE {asked_at} <= ?", at):
            yield from self._visits(VISITS.format(columns=self._visit), numbers)

    def visit(self, n: int) -> StoredVisit | None:
        return next(self._visits(f"SELECT {self._visit} FROM visit WHERE n = ?", n), None)  # noqa: S608

    def visits_of(self, url: str) -> list[StoredVisit]:
        query = f"SELECT {self._visit} FROM visit WHERE url = ? ORDER BY fetched_at, n"  # noqa: S608
        return list(self._visits(query, url))

    def last_visits(self, urls: Collection[str]) -> dict[str, StoredVisit]:
        query = LAST.format(columns=self._visit)
        return {visit.url: visit for visit in self._visits(query, _as_json(urls))}

    def addresses(self, since: float = 0.0) -> Iterator[StoredAddress]:
        query = ADDRESSES_IN_TIME.format(**self._columns)
        for numbers in self._since("page", since):
            yield from map(as_address, self._rows(query, numbers).fetchall())

    def places(self, since: float = 0.0) -> Iterator[PlaceCounts]:
        condition = CHANGED_SINCE.format(**self._columns) if since else "?"
        query = ALL_PLACES.format(**self._columns, condition=condition)
        for id, *counts in self._rows(query, since or 1).fetchall():
            if place := self._place(id):
                yield as_place_counts(place, place_path(place, self._place), counts)

    def _places_of(self, visits: Collection[int]) -> dict[int, list[StoredPlace]]:
        found = defaultdict(list)
        rows = self._rows(PLACES.format(**self._columns), _as_json(visits))
        for n, id, *values in rows:
            if place := self._place(id):
                found[n].append(as_place(place, place_path(place, self._place), values))
        return found

    def _addresses_of(self, visits: Collection[int]) -> dict[int, list[StoredAddress]]:
        found = defaultdict(list)
        for row in self._rows(ADDRESSES.format(**self._columns), _as_json(visits)):
            found[row[0]].append(as_address(row))
        return found

    def _points_of(self, visits: Collection[int]) -> dict[int, list[tuple[Point, str]]]:
        found = defaultdict(list)
        for n, *degrees, source in self._rows(POINTS, _as_json(visits)):
            found[n].append((Point(*degrees), source))
        return found

    def entries_of(self, visits: Collection[int]) -> dict[int, bytes]:
        if not self._has_table("page_entries"):
            return {}
        return dict(self._rows(ENTRIES, _as_json(visits)))

    def links(self, since: float = 0.0) -> Iterator[StoredLink]:
        for numbers in self._since("page", since):
            for n, url, packed in self._rows(LINKS_IN_TIME, numbers).fetchall():
                for link in unpack_links(packed):
                    yield StoredLink(n, url, link)

    def links_of(self, n: int) -> list[Link]:
        found = self._rows("SELECT packed FROM links WHERE visit = ?", n).fetchone()
        return unpack_links(found[0]) if found else []

    def links_to(self, url: str, most: int, until: float) -> LinksTo:
        (pages,) = self._rows("SELECT count(*) FROM links").fetchone()
        rows = self._rows("SELECT url, packed FROM links JOIN visit ON visit = n")
        return find_links_to(url, rows, pages, most, until)

    def changes(self, after: Cursor = "", limit: int = 1000) -> list[Change]:
        query = CHANGES if self._has_table("lost") else CHANGES_OF_OLD
        position = read_cursor(after)
        rows = self._rows(query, position, limit).fetchall()
        if not rows and position > read_cursor(self.last_change()):
            raise UsageError(f"the cursor {after} is ahead of {self._folder / FILE}, an older copy")
        return [Change(str(sequence), n, url) for sequence, n, url in rows]

    def changes_left(self, after: Cursor = "") -> int:
        return max(read_cursor(self.last_change()) - read_cursor(after), 0)

    def last_change(self) -> Cursor:
        (last,) = self._rows("SELECT max(sequence) FROM change").fetchone()
        return "" if last is None else str(last)

    def tally(self, topic: Topic) -> dict[str, int]:
        query = "SELECT name, count FROM tally WHERE topic = ? ORDER BY count DESC, name"
        return dict(self._rows(query, topic))

    def note(self, name: str) -> str | None:
        found = self._rows("SELECT value FROM crawl WHERE name = ?", name).fetchone()
        return None if found is None else str(found[0])

    def model(self) -> bytes:
        found = self._rows("SELECT value FROM state WHERE name = 'strategy'").fetchone()
        return bytes(found[0]) if found else b""

    def site(self, name: str) -> bytes:
        query = f"SELECT packed FROM {self._columns['site']} WHERE name = ?"  # noqa: S608
        found = self._rows(query, name).fetchone()
        return bytes(found[0]) if found else b""

    def sites(self) -> Iterator[tuple[str, bytes]]:
        query = f"SELECT name, packed FROM {self._columns['site']} ORDER BY rowid"  # noqa: S608
        yield from self._rows(query)

    def response(self, n: int) -> Response:
        query = """SELECT fetched_at, seconds, address, body_of FROM visit WHERE n = ?"""
        found = self._rows(query, n).fetchone()
        if found is None:
            raise DamagedDataError(f"there is no visit {n}")
        fetched_at, seconds, address, body_of = found
        body = None if body_of == n else self._record(body_of)
        return unpack_response(self._record(n), body, address, fetched_at, seconds)

    def responses(self, visits: Collection[int]) -> Iterator[tuple[int, Response]]:
        for n in sorted(visits):  # that is the order of the archive
            with suppress(DamagedDataError):
                yield n, self.response(n)

    def archive_files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        for end in self._archive_ends():
            yield archive_file(Path(), end.file).name, self._archive.pieces(end)

    def damage(self, progress: OnProgress) -> ArchiveDamage:
        problems = [
            f"{FILE}: {line}" for (line,) in self._rows("PRAGMA quick_check") if line != "ok"
        ]
        archive = self._folder / ARCHIVE_FOLDER
        found = examine_archive(self._connection, archive, math.inf, progress)
        return ArchiveDamage(found.looked_at, sorted(found.lost), problems + found.lines())

    def is_running(self) -> bool:
        return is_written(self._folder)

    def _visits(self, query: str, *parameters: object) -> Iterator[StoredVisit]:
        return map(as_visit, self._rows(query, *parameters).fetchall())

    def _since(self, source: str, since: float) -> Iterator[str]:
        """The numbers of those visits or pages that were stored or read again since a time."""
        if not since:
            return self._in_time(source)
        return self._in_time(f"{source} WHERE {CHANGED_SINCE.format(**self._columns)}", since)

    def _in_time(self, source: str, *parameters: object) -> Iterator[str]:
        """The numbers of visits or pages in the order of time, in pieces for a query.

        Whoever reads them may be slow. A query that is not read to its end keeps the crawl from
        emptying its log (`Database`), so there is none while somebody else has the turn.
        """
        query = f"SELECT n FROM {source} ORDER BY fetched_at, n"  # noqa: S608
        numbers = array("q", (n for (n,) in self._rows(query, *parameters)))
        for start in range(0, len(numbers), _PIECE):
            yield _as_json(numbers[start : start + _PIECE])

    def _record(self, n: int) -> WarcRecord:
        query = "SELECT archive_file, archive_offset, archive_length FROM visit WHERE n = ?"
        spot = RecordSpot(*self._rows(query, n).fetchone())
        if not all(isinstance(number, int) for number in astuple(spot)):
            raise DamagedDataError(f"visit {n}: its place in the archive is not a number")
        if not spot.length:
            raise DamagedDataError(f"the archive has lost the response of visit {n}")
        try:
            return self._archive.read(spot)
        except DamagedDataError as error:
            raise DamagedDataError(f"visit {n}: {error}") from error

    def _has_table(self, name: str) -> bool:
        """Whether there is a table, which crawls of earlier versions lack until they go on."""
        query = "SELECT 1 FROM sqlite_master WHERE name = ?"
        return self._rows(query, name).fetchone() is not None

    def _archive_ends(self) -> list[Position]:
        """Up to where each file of the archive is committed."""
        rows = self._connection.execute("SELECT file, size FROM archive ORDER BY file")
        return [Position(*row) for row in rows]

    def _place(self, id: int) -> Place | None:
        if id not in self._places:
            found = self._rows("SELECT * FROM place WHERE id = ?", id).fetchone()
            self._places[id] = Place.from_row(found) if found else None
        return self._places[id]


def _as_json(values: Collection[object]) -> str:
    return orjson.dumps(list(values)).decode()
