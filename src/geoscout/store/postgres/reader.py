"""Reads a crawl in PostgreSQL, running or not: only what has been committed is seen.

What is asked of many visits is one query, because each query is a journey to the server.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, LiteralString, Self

from geoscout.errors import DamagedDataError
from geoscout.model import Link, OnProgress, Place, Point, Response
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
from geoscout.store.damage import read_all_responses
from geoscout.store.figures import Cursor
from geoscout.store.postgres.cursors import read_positions, write_positions
from geoscout.store.postgres.figures import AFTER, PostgresFigures
from geoscout.store.postgres.session import Session
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
from geoscout.store.segments import Segments, SegmentSpot, open_segments
from geoscout.warc import WarcRecord, parse_packed

ARCHIVE_NOTE = "archive"  # the name of the note that says where the segments are
_PIECE = 500  # visits whose links are read at a time

# The columns of a `StoredVisit`, as `VISIT_FIELDS` names them.
_VISIT: LiteralString = """n, url, node, status, relevant, priority, depth, distance, parent,
    fetched_at, seconds, visit.address, size, title, language, digest, simhash, is_page, noindex,
    degree, captured_at"""
_PAGES: LiteralString = f"SELECT {_VISIT} FROM page AS visit"
_VISITS: LiteralString = f"SELECT {_VISIT} FROM visit"
_IN_TIME: LiteralString = " ORDER BY fetched_at, n"
_ASKED_UNTIL: LiteralString = f"""{_PAGES} JOIN (
    SELECT url AS of, max(fetched_at) AS asked_at FROM visit GROUP BY url
) AS last ON of = url WHERE asked_at <= %s{_IN_TIME}"""
# A visit with status 304 found the same text as the one before.
_HISTORIES: LiteralString = """
SELECT url, count(*), coalesce(sum(changed::int), 0), min(seen.fetched_at), max(seen.fetched_at),
    bool_or(page.relevant)
FROM (SELECT url, fetched_at, status <> 304 AND simhash <> lag(simhash) OVER (
        PARTITION BY url, status = 304 ORDER BY fetched_at, n) AS changed FROM visit) AS seen
JOIN page USING (url) GROUP BY url ORDER BY url
"""
_LISTS: LiteralString = """
SELECT DISTINCT url FROM visit WHERE status = 200 AND NOT is_page AND size > 0 ORDER BY url
"""
_ADDRESS: LiteralString = """start, "end", text, house_number, street, unit, city, region,
    postcode, country, latitude, longitude, place, source, of_site, precision"""
_ALL_ADDRESSES: LiteralString = f"""
SELECT n, url, relevant, {_ADDRESS} FROM page JOIN address ON visit = n
"""
# Visits that were stored or read again since a time; 0 is all of them.
_SINCE: LiteralString = """ WHERE (%s = 0 OR n IN (
    SELECT change.visit FROM change JOIN visit AS changed ON changed.n = change.visit
    WHERE coalesce(change.changed_at, changed.fetched_at) >= %s))"""
_ALL_PLACES: LiteralString = f"""
SELECT place, count(*) FILTER (WHERE mentions > 0), count(*) FILTER (WHERE score > 0),
    count(*) FILTER (WHERE is_main), sum(mentions)::bigint
FROM visit_place JOIN page ON visit = n{_SINCE} AND place <> 0 AND (mentions > 0 OR score > 0)
GROUP BY place ORDER BY 3 DESC, 4 DESC, 2 DESC, 1
"""
_ADDRESSES: LiteralString = f"""
SELECT n, url, relevant, {_ADDRESS} FROM visit JOIN address ON visit = n
WHERE visit = ANY(%s) ORDER BY visit, position
"""
# In crawls of earlier versions all names that no gazetteer has are one place, with the id 0.
_PLACES: LiteralString = """
SELECT visit, place, mentions, confidence, score, is_main, site_mentions FROM visit_place
WHERE visit = ANY(%s) AND place <> 0
ORDER BY visit, is_main DESC, score DESC, mentions DESC, confidence DESC, place
"""
_POINTS: LiteralString = """
SELECT visit, latitude, longitude, source FROM point WHERE visit = ANY(%s) ORDER BY visit, position
"""
_ENTRIES: LiteralString = "SELECT visit, packed FROM page_entries WHERE visit = ANY(%s)"
# The places of some numbers and all that are around them.
_PLACES_AROUND: LiteralString = """
WITH RECURSIVE around AS (
    SELECT * FROM place WHERE id = ANY(%s)
    UNION SELECT place.* FROM place JOIN around ON place.id = around.parent)
SELECT * FROM around
"""
_CHANGES: LiteralString = (
    AFTER
    + """
SELECT next.partition, number, n, url FROM position CROSS JOIN LATERAL (
    SELECT partition, number, visit FROM change
    WHERE change.partition = position.partition AND number > at ORDER BY number LIMIT %s
) AS next JOIN visit ON n = next.visit ORDER BY number - at, next.partition LIMIT %s
"""
)
_LAST_CHANGES: LiteralString = """
SELECT number, (SELECT max(change.number) FROM change WHERE change.partition = partition.number)
FROM partition
"""
_RESPONSES: LiteralString = """
SELECT visit.n, visit.address, visit.fetched_at, visit.seconds,
    visit.segment, visit.archive_offset, visit.archive_length,
    body.segment, body.archive_offset, body.archive_length
FROM visit LEFT JOIN visit AS body ON body.n = visit.body_of AND body.n <> visit.n
WHERE visit.n = ANY(%s) ORDER BY visit.segment, visit.archive_offset
"""
_LINKS: LiteralString = "SELECT visit, packed FROM links WHERE visit = ANY(%s)"


class PostgresReader(PostgresFigures, BatchedReadings):
    """The facts and the archive of a crawl in PostgreSQL; implements `CrawlReader`."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._segments: Segments | None = None
        self._places: dict[int, Place] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._session.close()

    def visits(self, since: float = 0.0) -> Iterator[StoredVisit]:
        return map(as_visit, self._session.stream(_VISITS + _SINCE + _IN_TIME, since, since))

    def pages(self, since: float = 0.0) -> Iterator[StoredVisit]:
        return map(as_visit, self._session.stream(_PAGES + _SINCE + _IN_TIME, since, since))

    def pages_of(self, urls: Collection[str]) -> dict[str, StoredVisit]:
        return _by_url(self._rows(f"{_PAGES} WHERE url = ANY(%s)", list(urls)))

    def histories(self) -> Iterator[PageHistory]:
        for url, visits, changes, first_at, last_at, relevant in self._session.stream(_HISTORIES):
            yield PageHistory(
                url, visits, changes, first_at=first_at, last_at=last_at, relevant=relevant
            )

    def lists(self) -> Iterator[str]:
        yield from (url for (url,) in self._session.stream(_LISTS))

    def pages_asked_until(self, at: float) -> Iterator[StoredVisit]:
        return map(as_visit, self._session.stream(_ASKED_UNTIL, at))

    def visit(self, n: int) -> StoredVisit | None:
        rows = self._rows(f"{_VISITS} WHERE n = %s", n)
        return as_visit(rows[0]) if rows else None

    def visits_of(self, url: str) -> list[StoredVisit]:
        rows = self._rows(f"{_VISITS} WHERE url = %s{_IN_TIME}", url)
        return [as_visit(row) for row in rows]

    def last_visits(self, urls: Collection[str]) -> dict[str, StoredVisit]:
        return _by_url(self._rows(f"{_VISITS} WHERE url = ANY(%s){_IN_TIME}", list(urls)))

    def addresses(self, since: float = 0.0) -> Iterator[StoredAddress]:
        query = f"{_ALL_ADDRESSES}{_SINCE}{_IN_TIME}, position"
        return map(as_address, self._session.stream(query, since, since))

    def places(self, since: float = 0.0) -> Iterator[PlaceCounts]:
        rows = self._rows(_ALL_PLACES, since, since)
        self._load_places({row[0] for row in rows})
        for id, *counts in rows:
            if place := self._places.get(id):
                path = place_path(place, self._places.get)
                yield as_place_counts(place, path, counts)

    def entries_of(self, visits: Collection[int]) -> dict[int, bytes]:
        return {n: bytes(packed) for n, packed in self._rows(_ENTRIES, list(visits))}

    def links(self, since: float = 0.0) -> Iterator[StoredLink]:
        query: LiteralString = f"SELECT n, url FROM page{_SINCE}{_IN_TIME}"
        for pages in _in_pieces(self._session.stream(query, since, since)):
            packed = dict(self._rows(_LINKS, [n for n, _ in pages]))
            for n, url in pages:
                for link in unpack_links(packed[n]) if n in packed else ():
                    yield StoredLink(n, url, link)

    def links_of(self, n: int) -> list[Link]:
        rows = self._rows(_LINKS, [n])
        return unpack_links(rows[0][1]) if rows else []

    def links_to(self, url: str, most: int, until: float) -> LinksTo:
        ((pages,),) = self._rows("SELECT count(*) FROM links")
        return find_links_to(url, self._packed_links(), pages, most, until)

    def changes(self, after: Cursor = "", limit: int = 1000) -> list[Change]:
        positions = read_positions(after)
        found = []
        for partition, number, n, url in self._after(_CHANGES, positions, limit):
            positions[partition] = number
            found.append(Change(write_positions(positions), n, url))
        return found

    def changes_left(self, after: Cursor = "") -> int:
        positions, last = read_positions(after), read_positions(self.last_change())
        return sum(max(last[p] - positions.get(p, 0), 0) for p in last)

    def last_change(self) -> Cursor:
        return write_positions({p: n for p, n in self._rows(_LAST_CHANGES) if n is not None})

    def tally(self, topic: Topic) -> dict[str, int]:
        query: LiteralString = """SELECT name, sum(count)::bigint AS count FROM tally
            WHERE topic = %s GROUP BY name ORDER BY count DESC, name"""
        return dict(self._rows(query, topic.value))

    def note(self, name: str) -> str | None:
        rows = self._rows("SELECT value FROM note WHERE name = %s", name)
        return str(rows[0][0]) if rows else None

    def model(self) -> bytes:
        query: LiteralString = "SELECT state FROM model ORDER BY visits DESC, partition LIMIT 1"
        rows = self._rows(query)
        return bytes(rows[0][0]) if rows else b""

    def site(self, name: str) -> bytes:
        rows = self._rows("SELECT packed FROM site WHERE name = %s", name)
        return bytes(rows[0][0]) if rows else b""

    def sites(self) -> Iterator[tuple[str, bytes]]:
        query: LiteralString = "SELECT name, packed FROM site ORDER BY visits, name"
        for name, packed in self._session.stream(query):
            yield name, bytes(packed)

    def response(self, n: int) -> Response:
        rows = self._rows(_RESPONSES, [n])
        if not rows:
            raise DamagedDataError(f"there is no visit {n}")
        return self._response(rows[0])

    def responses(self, visits: Collection[int]) -> Iterator[tuple[int, Response]]:
        for row in self._rows(_RESPONSES, list(visits)):
            with suppress(DamagedDataError):
                yield row[0], self._response(row)

    def archive_files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        query: LiteralString = "SELECT name, size FROM segment ORDER BY groups, partition"
        for name, size in self._session.stream(query):
            yield name, iter((self._read(SegmentSpot(name, 0, size)),))

    def damage(self, progress: OnProgress) -> ArchiveDamage:
        return read_all_responses(self, progress)

    def is_running(self) -> bool:
        query: LiteralString = "SELECT 1 FROM partition WHERE until > clock_timestamp() LIMIT 1"
        return bool(self._rows(query))

    def _places_of(self, visits: Collection[int]) -> dict[int, list[StoredPlace]]:
        rows = self._rows(_PLACES, list(visits))
        self._load_places({row[1] for row in rows})
        found = defaultdict(list)
        for n, id, *values in rows:
            if place := self._places.get(id):
                path = place_path(place, self._places.get)
                found[n].append(as_place(place, path, values))
        return found

    def _load_places(self, ids: set[int]) -> None:
        if missing := ids - self._places.keys():
            rows = self._rows(_PLACES_AROUND, list(missing))
            self._places.update({row[0]: Place.from_row(row) for row in rows})

    def _addresses_of(self, visits: Collection[int]) -> dict[int, list[StoredAddress]]:
        found = defaultdict(list)
        for row in self._rows(_ADDRESSES, list(visits)):
            found[row[0]].append(as_address(row))
        return found

    def _points_of(self, visits: Collection[int]) -> dict[int, list[tuple[Point, str]]]:
        found = defaultdict(list)
        for n, *degrees, source in self._rows(_POINTS, list(visits)):
            found[n].append((Point(*degrees), source))
        return found

    def _packed_links(self) -> Iterator[tuple[str, bytes]]:
        """The URL and the packed links of every page, read as far as they are asked for."""
        query: LiteralString = """SELECT visit, url, packed FROM links JOIN visit ON visit = n
            WHERE visit > %s ORDER BY visit LIMIT %s"""
        last = 0
        while rows := self._rows(query, last, _PIECE):
            for last, url, packed in rows:  # noqa: B007 - the last one is needed
                yield url, packed

    def _response(self, row: tuple[Any, ...]) -> Response:
        _, address, fetched_at, seconds, *spots = row
        body = self._record(SegmentSpot(*spots[3:])) if spots[3] is not None else None
        record = self._record(SegmentSpot(*spots[:3]))
        return unpack_response(record, body, address, fetched_at, seconds)

    def _record(self, spot: SegmentSpot) -> WarcRecord:
        return parse_packed(self._read(spot))

    def _read(self, spot: SegmentSpot) -> bytes:
        if self._segments is None:
            self._segments = open_segments(self.note(ARCHIVE_NOTE) or "")
        return self._segments.read(spot)


def _by_url(rows: Iterable[Sequence[Any]]) -> dict[str, StoredVisit]:
    return {visit.url: visit for visit in map(as_visit, rows)}


def _in_pieces(rows: Iterator[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    while piece := list(islice(rows, _PIECE)):
        yield piece
