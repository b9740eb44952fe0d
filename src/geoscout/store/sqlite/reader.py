"""Reads a crawl at rest, or one that is running: only what has been committed is seen."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import orjson

from geoscout.errors import DamagedDataError
from geoscout.model import Address, Kind, Link, Part, Place, Point, Response
from geoscout.store.archive import Spot, archive_file
from geoscout.store.base import (
    Change,
    StoredAddress,
    StoredLink,
    StoredPlace,
    StoredVisit,
)
from geoscout.store.sqlite.database import read_database
from geoscout.warc import WarcRecord, parse_http, read_record, unpack

ARCHIVE_FOLDER = "archive"
_VISIT = """n, url, node, status, relevant, priority, depth, distance, parent, fetched_at, seconds,
    address, size, title, language, digest, simhash, is_page, noindex"""
_ADDRESS = """start, end, text, house_number, street, unit, city, region, postcode, country,
    latitude, longitude, place, source"""
_DEEPEST_PATH = 12  # of places; the gazetteer has seven levels


class ReadOnlyStore:
    """The facts and the archive of a crawl, for everyone but the crawl itself."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self.connection = connection
        self._archives: dict[int, int] = {}  # open descriptors by number of the file
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
        self.connection.close()
        for file in self._archives.values():
            os.close(file)
        self._archives.clear()

    def visits(self) -> Iterator[StoredVisit]:
        """Every visit in the order of fetching."""
        yield from self._visits(f"SELECT {_VISIT} FROM visit ORDER BY n")  # noqa: S608

    def pages(self) -> Iterator[StoredVisit]:
        """The last visit of every URL that is a page."""
        yield from self._visits(f"SELECT {_VISIT} FROM page ORDER BY n")  # noqa: S608

    def visit(self, n: int) -> StoredVisit | None:
        return next(self._visits(f"SELECT {_VISIT} FROM visit WHERE n = ?", n), None)  # noqa: S608

    def visits_of(self, url: str) -> list[StoredVisit]:
        """The visits of a URL in normal form, first to last."""
        query = f"SELECT {_VISIT} FROM visit WHERE url = ? ORDER BY n"  # noqa: S608
        return list(self._visits(query, url))

    def addresses(self) -> Iterator[StoredAddress]:
        """The addresses of all pages."""
        query = f"""SELECT n, url, relevant, {_ADDRESS}
            FROM page JOIN address ON visit = n ORDER BY n, position"""  # noqa: S608
        yield from map(_address, self._rows(query))

    def addresses_of(self, n: int) -> list[StoredAddress]:
        """The addresses of a visit's page, in the order of the page."""
        query = f"""SELECT n, url, relevant, {_ADDRESS}
            FROM visit JOIN address ON visit = n WHERE n = ? ORDER BY position"""  # noqa: S608
        return [_address(row) for row in self._rows(query, n)]

    def places_of(self, n: int) -> list[StoredPlace]:
        """The places of a visit: its scope, the main place first, then what is only mentioned."""
        query = """SELECT place, mentions, confidence, score FROM visit_place WHERE visit = ?
            ORDER BY score DESC, mentions DESC, confidence DESC, place"""
        found = [(self._place(id), *rest) for id, *rest in self._rows(query, n)]
        return [StoredPlace(place, self._path(place), *rest) for place, *rest in found if place]

    def points_of(self, n: int) -> list[tuple[Point, str]]:
        """The coordinates in the markup of a visit's page, each with its source."""
        query = "SELECT latitude, longitude, source FROM point WHERE visit = ? ORDER BY position"
        return [(Point(*degrees), source) for *degrees, source in self._rows(query, n)]

    def links(self) -> Iterator[StoredLink]:
        """The links of all pages."""
        for n, url, packed in self._rows(
            "SELECT n, url, packed FROM page JOIN links ON visit = n ORDER BY n"
        ):
            for link in unpack_links(packed):
                yield StoredLink(n, url, link)

    def links_of(self, n: int) -> list[Link]:
        found = self._rows("SELECT packed FROM links WHERE visit = ?", n).fetchone()
        return unpack_links(found[0]) if found else []

    def changes(self, after: int = 0, limit: int = 1000) -> list[Change]:
        """What an index that has followed the log up to `after` must look at next."""
        query = "SELECT sequence, visit FROM change WHERE sequence > ? ORDER BY sequence LIMIT ?"
        return [Change(*row) for row in self._rows(query, after, limit)]

    def tally(self, topic: str) -> dict[str, int]:
        """The counts of a topic, such as the kinds of "failure", the largest first."""
        query = "SELECT name, count FROM tally WHERE topic = ? ORDER BY count DESC, name"
        return dict(self._rows(query, topic))

    def note(self, name: str) -> str | None:
        """What was noted about the crawl under a name, such as its region; None for nothing."""
        found = self._rows("SELECT value FROM crawl WHERE name = ?", name).fetchone()
        return None if found is None else str(found[0])

    def state(self) -> bytes:
        """What the strategy had learned when it was last kept; empty for nothing."""
        found = self._rows("SELECT value FROM state WHERE name = 'strategy'").fetchone()
        return bytes(found[0]) if found else b""

    def response(self, n: int) -> Response:
        """The answer of a visit, from the archive.

        Raises:
            DamagedDataError: the archive does not hold it.
        """
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

    def archives(self) -> list[tuple[Path, int]]:
        """The files of the archive, each with the size up to which it is committed."""
        rows = self._rows("SELECT file, size FROM archive ORDER BY file")
        return [(archive_file(self.folder / ARCHIVE_FOLDER, file), size) for file, size in rows]

    def _ready(self) -> None:
        """Make visible what has been added; here nothing ever is."""

    def _rows(self, query: str, *parameters: object) -> sqlite3.Cursor:
        self._ready()
        return self.connection.execute(query, parameters)

    def _visits(self, query: str, *parameters: object) -> Iterator[StoredVisit]:
        for n, url, node, status, relevant, *more, simhash, is_page, noindex in self._rows(
            query, *parameters
        ):
            hashed = simhash % (1 << 64)  # SQLite's integers are signed
            flags = (bool(is_page), bool(noindex))
            values = (n, url, node, status, bool(relevant), *more, hashed, *flags)
            yield StoredVisit(*values)

    def _record(self, n: int) -> WarcRecord:
        query = "SELECT archive_file, archive_offset, archive_length FROM visit WHERE n = ?"
        spot = Spot(*self._rows(query, n).fetchone())
        if not spot.length:
            raise DamagedDataError(f"the archive has lost the answer of visit {n}")
        return read_record(self._archive(spot.file), spot.offset, spot.length)

    def _archive(self, number: int) -> int:
        if number not in self._archives:
            path = archive_file(self.folder / ARCHIVE_FOLDER, number)
            try:
                self._archives[number] = os.open(path, os.O_RDONLY)
            except OSError as error:
                raise DamagedDataError(f"cannot read {path}: {error.strerror}") from error
        return self._archives[number]

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
