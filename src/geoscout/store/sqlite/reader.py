"""Reads a crawl at rest, or one that is running: only what has been committed is seen."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Self

import orjson

from geoscout.errors import DamagedDataError
from geoscout.model import Address, Kind, Link, Part, Place, Point, Response
from geoscout.store.archive import ArchiveReader, Position, RecordSpot
from geoscout.store.base import (
    Change,
    LinksTo,
    StoredAddress,
    StoredLink,
    StoredPlace,
    StoredVisit,
    Topic,
)
from geoscout.store.figures import Cursor
from geoscout.store.sqlite.database import Database, check_version, read_database
from geoscout.store.sqlite.figures import SqliteFigures, read_cursor
from geoscout.store.sqlite.lock import is_written
from geoscout.urls import normalise
from geoscout.warc import WarcRecord, parse_http, unpack

ARCHIVE_FOLDER = "archive"
_VISIT_FIELDS = tuple(field.name for field in fields(StoredVisit))  # the columns have these names
_VISIT = ", ".join(_VISIT_FIELDS)
_ADDRESS = """start, end, text, house_number, street, unit, city, region, postcode, country,
    latitude, longitude, place, source"""
_LAST = """SELECT {columns} FROM visit WHERE url IN (SELECT value FROM json_each(?))
    ORDER BY fetched_at, n"""
_WITH_MAIN = 3  # the first version of the tables that says which place is the main one
_DEEPEST_PATH = 12  # of places; the gazetteer has seven levels


class SqliteReader(SqliteFigures):
    """The facts and the archive of a crawl in a folder; implements `CrawlReader`."""

    def __init__(self, folder: Path, database: Database) -> None:
        super().__init__(database)
        self._folder = folder
        has_main = check_version(database) >= _WITH_MAIN
        self._main = "is_main" if has_main else "NULL"  # the column, where there is one
        self._archive = ArchiveReader(folder / ARCHIVE_FOLDER)
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

    def visits(self) -> Iterator[StoredVisit]:
        yield from self._visits(f"SELECT {_VISIT} FROM visit ORDER BY fetched_at, n")  # noqa: S608

    def pages(self) -> Iterator[StoredVisit]:
        yield from self._visits(f"SELECT {_VISIT} FROM page ORDER BY fetched_at, n")  # noqa: S608

    def pages_asked_until(self, at: float) -> Iterator[StoredVisit]:
        query = f"""SELECT {_VISIT} FROM page WHERE
            (SELECT max(fetched_at) FROM visit WHERE visit.url = page.url) <= ?
            ORDER BY fetched_at, n"""  # noqa: S608
        yield from self._visits(query, at)

    def visit(self, n: int) -> StoredVisit | None:
        return next(self._visits(f"SELECT {_VISIT} FROM visit WHERE n = ?", n), None)  # noqa: S608

    def visits_of(self, url: str) -> list[StoredVisit]:
        query = f"SELECT {_VISIT} FROM visit WHERE url = ? ORDER BY fetched_at, n"  # noqa: S608
        return list(self._visits(query, url))

    def last_visits(self, urls: Collection[str]) -> dict[str, StoredVisit]:
        wanted = orjson.dumps(sorted(urls)).decode()
        return {v.url: v for v in self._visits(_LAST.format(columns=_VISIT), wanted)}

    def addresses(self) -> Iterator[StoredAddress]:
        query = f"""SELECT n, url, relevant, {_ADDRESS}
            FROM page JOIN address ON visit = n ORDER BY fetched_at, n, position"""  # noqa: S608
        yield from map(_address, self._rows(query))

    def addresses_of(self, n: int) -> list[StoredAddress]:
        query = f"""SELECT n, url, relevant, {_ADDRESS}
            FROM visit JOIN address ON visit = n WHERE n = ? ORDER BY position"""  # noqa: S608
        return [_address(row) for row in self._rows(query, n)]

    def places_of(self, n: int) -> list[StoredPlace]:
        query = f"""SELECT place, mentions, confidence, score, {self._main} FROM visit_place
            WHERE visit = ? ORDER BY score DESC, mentions DESC, confidence DESC, place"""  # noqa: S608
        found = []
        for id, mentions, confidence, score, main in self._rows(query, n):
            place, is_main = self._place(id), None if main is None else bool(main)
            if place is not None:
                path = self._path(place)
                found.append(StoredPlace(place, path, mentions, confidence, score, is_main=is_main))
        return found

    def points_of(self, n: int) -> list[tuple[Point, str]]:
        query = "SELECT latitude, longitude, source FROM point WHERE visit = ? ORDER BY position"
        return [(Point(*degrees), source) for *degrees, source in self._rows(query, n)]

    def links(self) -> Iterator[StoredLink]:
        for n, url, packed in self._rows(
            "SELECT n, url, packed FROM page JOIN links ON visit = n ORDER BY fetched_at, n"
        ):
            for link in unpack_links(packed):
                yield StoredLink(n, url, link)

    def links_of(self, n: int) -> list[Link]:
        found = self._rows("SELECT packed FROM links WHERE visit = ?", n).fetchone()
        return unpack_links(found[0]) if found else []

    def links_to(self, url: str, most: int, until: float) -> LinksTo:
        (pages,) = self._rows("SELECT count(*) FROM links").fetchone()
        host, _, path = url.partition("://")[2].partition("/")
        needle = (path or host).encode()  # most packed rows need not be parsed to rule them out
        found: dict[str, None] = {}
        looked_at = 0
        for source, packed in self._rows("SELECT url, packed FROM links JOIN visit ON visit = n"):
            if time.monotonic() > until or len(found) >= most:
                break
            looked_at += 1
            if source not in found and needle in unpack(packed) and _leads(packed, url):
                found[source] = None
        return LinksTo(tuple(found), looked_at, pages)

    def changes(self, after: Cursor = "", limit: int = 1000) -> list[Change]:
        query = "SELECT sequence, visit FROM change WHERE sequence > ? ORDER BY sequence LIMIT ?"
        rows = self._rows(query, read_cursor(after), limit)
        return [Change(str(sequence), visit) for sequence, visit in rows]

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

    def state(self) -> bytes:
        found = self._rows("SELECT value FROM state WHERE name = 'strategy'").fetchone()
        return bytes(found[0]) if found else b""

    def response(self, n: int) -> Response:
        query = """SELECT fetched_at, seconds, address, body_of FROM visit WHERE n = ?"""
        found = self._rows(query, n).fetchone()
        if found is None:
            raise DamagedDataError(f"there is no visit {n}")
        fetched_at, seconds, address, body_of = found
        record = self._record(n)
        answer = parse_http(record.block)
        body = answer.body if body_of == n else parse_http(self._record(body_of).block).body
        headers = answer.headers
        return Response(
            record.target,
            answer.status,
            headers,
            body,
            address,
            fetched_at=fetched_at,
            seconds=seconds,
        )

    def archive(self) -> Iterator[bytes]:
        # Gzip members in a row are a gzip file again, so the files need only follow each other.
        for end in self._archive_ends():
            yield from self._archive.pieces(end)

    def is_running(self) -> bool:
        return is_written(self._folder)

    def _visits(self, query: str, *parameters: object) -> Iterator[StoredVisit]:
        for row in self._rows(query, *parameters):
            values = dict(zip(_VISIT_FIELDS, row, strict=True))
            values["simhash"] %= 1 << 64  # SQLite's integers are signed
            for flag in ("relevant", "is_page", "noindex"):
                values[flag] = bool(values[flag])
            yield StoredVisit(**values)

    def _record(self, n: int) -> WarcRecord:
        query = "SELECT archive_file, archive_offset, archive_length FROM visit WHERE n = ?"
        spot = RecordSpot(*self._rows(query, n).fetchone())
        if not spot.length:
            raise DamagedDataError(f"the archive has lost the answer of visit {n}")
        return self._archive.read(spot)

    def _archive_ends(self) -> list[Position]:
        """Up to where each file of the archive is committed."""
        rows = self._connection.execute("SELECT file, size FROM archive ORDER BY file")
        return [Position(*row) for row in rows]

    def _place(self, id: int) -> Place | None:
        if id not in self._places:
            found = self._rows("SELECT * FROM place WHERE id = ?", id).fetchone()
            self._places[id] = _place(found) if found else None
        return self._places[id]

    def _path(self, place: Place) -> tuple[str, ...]:
        names = [place.name]
        above = self._place(place.parent)
        while above is not None and len(names) < _DEEPEST_PATH:
            names.append(above.name)
            above = self._place(above.parent)
        return tuple(reversed(names))


def unpack_links(packed: bytes) -> list[Link]:
    rows = orjson.loads(unpack(packed))
    return [
        Link(url, anchor, title=title, rel=tuple(rel), alt=alt, part=Part(part))
        for url, anchor, title, rel, alt, part in rows
    ]


def _leads(packed: bytes, url: str) -> bool:
    return any(normalise(link.url) == url for link in unpack_links(packed))


def _address(row: tuple[Any, ...]) -> StoredAddress:
    n, url, relevant, start, end, text, house_number, street, unit, city, region, postcode = row[
        :12
    ]
    country, latitude, longitude, place_id, source = row[12:]
    address = Address(
        start, end, text, house_number, street,
        unit=unit, city=city, region=region, postcode=postcode, country=country,
        point=None if latitude is None else Point(latitude, longitude), place=None, source=source,
    )  # fmt: skip
    return StoredAddress(n, url, bool(relevant), address, place_id)


def _place(row: tuple[Any, ...]) -> Place:
    id, name, kind, latitude, longitude, country, population, timezone, parent, feature = row
    point = Point(latitude, longitude)
    return Place(
        id,
        name,
        Kind(kind),
        point,
        country,
        population=population,
        timezone=timezone,
        parent=parent,
        feature=feature,
    )
