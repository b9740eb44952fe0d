"""Reads a crawl, running or not, over any engine: only what has been committed is seen.

What is asked of many visits is one query, because each can be a journey to a server. A query that
is not read to its end keeps SQLite from emptying its log: so whoever reads everything gets numbers
first, and then rows in pieces.
"""

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Self

from geoscout.sql import Row
from geoscout.store.base import (
    ArchiveDamage,
    Change,
    Cursor,
    LinksTo,
    MappedPage,
    MappedPages,
    NodeTotals,
    PageHistory,
    PlaceCounts,
    Step,
    StoredAddress,
    StoredLink,
    StoredPlace,
    StoredReading,
    StoredVisit,
    Topic,
    Totals,
)
from geoscout.store.engine import TEXTS, Engine, Log, read_cursor, write_cursor
from geoscout.store.records import ReadPage, unpack_links, unpack_page, unpack_response
from geoscout.store.schema import (
    ADDRESS_FIELDS,
    VISIT_FIELDS,
    as_address,
    as_place,
    as_visit,
    find_links_to,
    place_path,
)
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.model import Link, OnProgress, Place, Point, Response

_TOTALS = """
SELECT CAST(coalesce(sum(visits), 0) AS int8), CAST(coalesce(sum(pages), 0) AS int8),
    CAST(coalesce(sum(relevant), 0) AS int8), coalesce(min(first_at), 0),
    coalesce(max(last_at), 0), coalesce(sum(degrees), 0) FROM $steps AS step
"""
_NODES = """
SELECT node, count(*), count(*) FILTER (WHERE is_page), count(*) FILTER (WHERE relevant)
FROM visit GROUP BY node ORDER BY node
"""
# An address first, then coordinates in the markup, then the town the page is mainly about, and at
# last the address of the site.
_SUREST_POINTS = """
SELECT visit, latitude, longitude FROM (
    SELECT visit, CASE WHEN of_site THEN 4 ELSE 1 END AS source, position AS turn,
        coalesce(address.latitude, place.latitude) AS latitude,
        coalesce(address.longitude, place.longitude) AS longitude
    FROM address LEFT JOIN place ON place.id = address.place WHERE visit :any
    UNION ALL SELECT visit, 2, position, latitude, longitude FROM point WHERE visit :any
    UNION ALL SELECT visit, 3, -score, latitude, longitude
    FROM visit_place JOIN place ON place.id = visit_place.place
    WHERE visit :any AND score > 0 AND kind IN ('city', 'neighbourhood', 'landmark')
) AS found WHERE latitude IS NOT NULL ORDER BY visit, source DESC, turn DESC
"""
_PIECE = 500  # visits read at a time
_VISIT = f"SELECT {', '.join(VISIT_FIELDS)} FROM"
_IN_TIME = "ORDER BY fetched_at, n"
_NUMBERED = f"{_VISIT} visit WHERE n :any {_IN_TIME}"
# Visits that were stored or read again since a time.
_SINCE = """n IN (SELECT change.visit FROM change JOIN visit AS changed ON changed.n = change.visit
    WHERE coalesce(change.changed_at, changed.fetched_at) >= :p)"""
# The pages that were last asked for until a time.
_ASKED_UNTIL = """page JOIN (SELECT url AS of, max(fetched_at) AS asked_at FROM visit GROUP BY url)
    AS asked ON of = url WHERE asked_at <= :p"""
# A visit with status 304 found the same text as the one before.
_HISTORIES = """
SELECT url, count(*), count(*) FILTER (WHERE changed), min(seen.fetched_at), max(seen.fetched_at),
    max(CASE WHEN page.relevant THEN 1 ELSE 0 END)
FROM (SELECT url, fetched_at, status <> 304 AND simhash <> lag(simhash) OVER (
        PARTITION BY url, status = 304 ORDER BY fetched_at, n) AS changed FROM visit) AS seen
JOIN page USING (url) GROUP BY url ORDER BY url
"""
_LISTS = """
SELECT DISTINCT url FROM visit WHERE status = 200 AND NOT is_page AND size > 0 ORDER BY url
"""
_ADDRESSES = f"""
SELECT n, url, relevant, {", ".join(f'"{name}"' for name in ADDRESS_FIELDS)}
FROM visit JOIN address ON visit = n WHERE n :any ORDER BY fetched_at, n, position
"""
_ALL_PLACES = """
SELECT place, count(*) FILTER (WHERE mentions > 0), count(*) FILTER (WHERE score > 0),
    count(*) FILTER (WHERE is_main), CAST(sum(mentions) AS int8)
FROM visit_place JOIN page ON visit = n WHERE (mentions > 0 OR score > 0)"""
_BY_PAGES = " GROUP BY place ORDER BY 3 DESC, 4 DESC, 2 DESC, 1"
_PLACES = """
SELECT visit, place, mentions, confidence, score, is_main, site_mentions FROM visit_place
WHERE visit :any
ORDER BY visit, is_main DESC, score DESC, mentions DESC, confidence DESC, place
"""
# The places of some numbers and all that are around them.
_PLACES_AROUND = """
WITH RECURSIVE around AS (SELECT * FROM place WHERE id :any
    UNION SELECT place.* FROM place JOIN around ON place.id = around.parent)
SELECT id, name, kind, latitude, longitude, country, population, timezone, parent, feature
FROM around
"""
_POINTS = """
SELECT visit, latitude, longitude, source FROM point WHERE visit :any ORDER BY visit, position
"""
_RESPONSES = """
SELECT visit.n, visit.address, visit.fetched_at, visit.seconds,
    visit.$file, visit.archive_offset, visit.archive_length,
    body.$file, body.archive_offset, body.archive_length
FROM visit LEFT JOIN visit AS body ON body.n = visit.body_of AND body.n <> visit.n
WHERE visit.n :any ORDER BY visit.$file, visit.archive_offset
"""


class CrawlReader:
    """A crawl as it was committed last, running or not, for everyone but the crawl itself."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._shared = engine.dialect.shared
        self._places: dict[int, Place] = {}  # that were read

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._engine.close()

    def totals(self) -> Totals:
        """All visits counted; takes time in proportion to them."""
        ((visits, pages, relevant, first_at, last_at, degrees),) = self._rows(_TOTALS)
        return Totals(visits, pages, relevant, first_at, last_at, degrees=degrees)

    def growth(self, after: Cursor = "", limit: int = 10_000) -> tuple[list[Step], Cursor]:
        """The next steps after a cursor, at most `limit`, none at the end; what to ask after next.

        Raises:
            UsageError: the cursor is not one of this store.
        """
        positions = read_cursor(after, shared=self._shared)
        steps = []
        log = Log(self._fill("$steps"), "groups", "visits, pages, relevant, last_at")
        for partition, group, *step in self._engine.after(log, positions, limit):
            steps.append(Step(*step))
            positions[partition] = group
        return steps, self._cursor(positions)

    def nodes(self) -> list[NodeTotals]:
        """What each node has come to, by name."""
        return [NodeTotals(*row) for row in self._rows(_NODES)]

    def sightings(self, after: Cursor = "", limit: int = 1000) -> MappedPages:
        """The pages with a point among the next `limit` pages.

        Raises:
            UsageError: the cursor is not one of this store.
        """
        positions = read_cursor(after, shared=self._shared)
        log = Log("visit", "n", "url, title, relevant", "is_page")
        rows = self._engine.after(log, positions, limit)
        numbers = [n for _, n, *_ in rows]
        points = {n: Point(*degrees) for n, *degrees in self._rows(_SUREST_POINTS, *[numbers] * 3)}
        positions.update((partition, n) for partition, n, *_ in rows)
        found = [
            MappedPage(n, url, title, bool(relevant), points[n])
            for _, n, url, title, relevant in rows
            if n in points
        ]
        return MappedPages(found, self._cursor(positions), len(rows) == limit)

    def recent(self, limit: int) -> list[tuple[float, float]]:
        """When the last responses came, the latest first, and how long the server took."""
        # By number: close enough to the order of time, and the last are found without a search.
        query = "SELECT fetched_at, seconds FROM visit ORDER BY n DESC LIMIT :p"
        return [(at, seconds) for at, seconds in self._rows(query, limit)]

    def failures_since(self, at: float) -> int:
        """How many requests failed at this time or later."""
        ((number,),) = self._rows("SELECT count(*) FROM failure WHERE at >= :p", at)
        return int(number)

    def visits(self, since: float = 0.0) -> Iterator[StoredVisit]:
        """Every visit in the order of time: by `fetched_at`, then by number.

        With `since`, here and below, only those that were stored or read again at this time or
        later, in seconds since the epoch.
        """
        return self._visits(self._since("visit", since))

    def pages(self, since: float = 0.0) -> Iterator[StoredVisit]:
        """The last visit of every URL that is a page, in the order of time."""
        return self._visits(self._since("page", since))

    def pages_of(self, urls: Collection[str]) -> dict[str, StoredVisit]:
        """Those of the pages that have one of these URLs."""
        return self._by_url(f"{_VISIT} page WHERE url :any", list(urls))

    def histories(self) -> Iterator[PageHistory]:
        """How often each page was asked for, and how often its text had changed."""
        for url, visits, changes, first_at, last_at, relevant in self._engine.stream(_HISTORIES):
            yield PageHistory(
                url, visits, changes, first_at=first_at, last_at=last_at, relevant=bool(relevant)
            )

    def lists(self) -> Iterator[str]:
        """The URLs of what was fetched and is not a page: sitemaps and feeds."""
        yield from (url for (url,) in self._engine.stream(_LISTS))

    def pages_asked_until(self, at: float) -> Iterator[StoredVisit]:
        """The pages that were last asked for at this time or earlier."""
        return self._visits(self._in_time(_ASKED_UNTIL, at))

    def visit(self, n: int) -> StoredVisit | None:
        rows = self._rows(f"{_VISIT} visit WHERE n = :p", n)
        return as_visit(rows[0]) if rows else None

    def visits_of(self, url: str) -> list[StoredVisit]:
        """The visits of a URL in normal form, first to last."""
        return list(map(as_visit, self._rows(f"{_VISIT} visit WHERE url = :p {_IN_TIME}", url)))

    def last_visits(self, urls: Collection[str]) -> dict[str, StoredVisit]:
        """The last visit of each of these URLs that was visited."""
        return self._by_url(f"{_VISIT} visit WHERE url :any {_IN_TIME}", list(urls))

    def addresses(self, since: float = 0.0) -> Iterator[StoredAddress]:
        """The addresses of all pages."""
        for numbers in self._since("page", since):
            yield from map(as_address, self._rows(_ADDRESSES, numbers))

    def addresses_of(self, n: int) -> list[StoredAddress]:
        """The addresses of a visit's page, in the order of the page."""
        return self._addresses_of([n]).get(n, [])

    def places(self, since: float = 0.0) -> Iterator[PlaceCounts]:
        """The places of all pages, those that most pages are about first.

        Those that only the repeated parts of sites name are left out.
        """
        condition, parameters = (f" AND {_SINCE}", (since,)) if since else ("", ())
        rows = self._rows(_ALL_PLACES + condition + _BY_PAGES, *parameters)
        places = self._known_places({id for id, *_ in rows})
        for id, *counts in rows:
            if place := places.get(id):
                names = ("mentioned_by", "about", "main_of", "mentions")
                path = place_path(place, places.get)
                yield PlaceCounts(place, path, **dict(zip(names, counts, strict=True)))

    def places_of(self, n: int) -> list[StoredPlace]:
        """The places of a visit: the main one, the rest of its scope, then what it mentions."""
        return self._places_of([n]).get(n, [])

    def points_of(self, n: int) -> list[tuple[Point, str]]:
        """The coordinates in the markup of a visit's page, each with its source."""
        return self._points_of([n]).get(n, [])

    def readings_of(self, visits: Collection[int]) -> dict[int, StoredReading]:
        """The places, addresses and points of some visits; without those that have none."""
        numbers = list(visits)
        places, addresses = self._places_of(numbers), self._addresses_of(numbers)
        points = self._points_of(numbers)
        return {
            n: StoredReading(places.get(n, []), addresses.get(n, []), points.get(n, []))
            for n in {*places, *addresses, *points}
        }

    def read_pages(self, visits: Collection[int]) -> dict[int, ReadPage]:
        """What was read of the pages of some visits, each with the links that are kept of it.

        Those of which this was not kept, or by another version, are left out.
        """
        query = """SELECT read_page.visit, read_page.packed, links.packed FROM read_page
            LEFT JOIN links ON links.visit = read_page.visit WHERE read_page.visit :any
            ORDER BY read_page.visit"""
        rows = self._rows(query, list(visits))
        found = {n: unpack_page(packed, links) for n, packed, links in rows}
        return {n: read for n, read in found.items() if read is not None}

    def links(self, since: float = 0.0) -> Iterator[StoredLink]:
        """The links of all pages."""
        query = f"SELECT n, url, packed FROM visit JOIN links ON visit = n WHERE n :any {_IN_TIME}"
        for numbers in self._since("page", since):
            for n, url, packed in self._rows(query, numbers):
                for link in unpack_links(packed):
                    yield StoredLink(n, url, link)

    def links_of(self, n: int) -> list[Link]:
        """The links of a visit's page, in the order of the page."""
        rows = self._rows("SELECT packed FROM links WHERE visit = :p", n)
        return unpack_links(rows[0][0]) if rows else []

    def links_to(self, url: str, most: int, until: float) -> LinksTo:
        """Pages with a link to a URL, looked for until a time of `time.monotonic`."""
        ((pages,),) = self._rows("SELECT count(*) FROM links")
        return find_links_to(url, self._packed_links(), pages, most, until)

    def changes(self, after: Cursor = "", limit: int = 1000) -> list[Change]:
        """What an index that has followed the log up to a cursor must look at next.

        Raises:
            UsageError: the cursor is not one of this store.
        """
        positions = read_cursor(after, shared=self._shared)
        log = Log("change", self._fill("$sequence"), "visit")
        while rows := self._engine.after(log, positions, limit):
            query = "SELECT n, url FROM $ever AS visit WHERE n :any"
            urls: dict[int, str] = dict(self._rows(query, [n for _, _, n in rows]))
            found = []
            for partition, number, n in rows:
                positions[partition] = number
                if n in urls:
                    found.append(Change(self._cursor(positions), n, urls[n]))
            if found:
                return found
        last = read_cursor(self.last_change(), shared=self._shared)
        if not self._shared and positions.get(0, 0) > last.get(0, 0):
            raise UsageError(f"the cursor {after} is ahead of the crawl, which is an older copy")
        return []

    def changes_left(self, after: Cursor = "") -> int:
        """About how many changes there are after a cursor."""
        positions, last = (
            read_cursor(after, shared=self._shared),
            read_cursor(self.last_change(), shared=self._shared),
        )
        return sum(max(number - positions.get(p, 0), 0) for p, number in last.items())

    def last_change(self) -> Cursor:
        """The cursor of the last change; "" when there is none."""
        rows = self._rows("$last_changes")
        return self._cursor({p: number for p, number in rows if number is not None})

    def tally(self, topic: Topic) -> dict[str, int]:
        """The counts of a topic, the largest first."""
        query = """SELECT name, CAST(sum(count) AS int8) FROM tally WHERE topic = :p
            GROUP BY name ORDER BY 2 DESC, name"""
        return dict(self._rows(query, str(topic)))

    def note(self, name: str) -> str | None:
        """What was noted about the crawl under a name; None for nothing."""
        rows = self._rows("SELECT value FROM $note WHERE name = :p", name)
        return str(rows[0][0]) if rows else None

    def model(self) -> bytes:
        """What the strategy had learned when it was last kept; empty for nothing."""
        rows = self._rows("$model")
        return bytes(rows[0][0]) if rows else b""

    def site(self, name: str) -> bytes:
        """What the crawl knows of a site; empty for nothing."""
        rows = self._rows("SELECT packed FROM site WHERE name = :p", name)
        return bytes(rows[0][0]) if rows else b""

    def sites(self) -> Iterator[tuple[str, bytes]]:
        """The sites that something is known of, with that, the ones kept last at the end.

        A writer of one of several partitions gives only its own.
        """
        rows = self._engine.stream(self._fill("SELECT name, packed FROM site ORDER BY $as_kept"))
        yield from ((name, bytes(packed)) for name, packed in rows)

    def response(self, n: int) -> Response:
        """The response of a visit, from the archive.

        Raises:
            DamagedDataError: the archive does not hold it.
        """
        rows = self._rows(_RESPONSES, [n])
        if not rows:
            raise DamagedDataError(f"there is no visit {n}")
        return self._response(rows[0])

    def responses(self, visits: Collection[int]) -> Iterator[tuple[int, Response]]:
        """The responses of some visits, with their numbers, in the order quickest to read.

        Those that the archive has lost are left out.
        """
        for row in self._rows(_RESPONSES, list(visits)):
            with suppress(DamagedDataError):
                yield row[0], self._response(row)

    def archive_files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The files of the archive, each with its name and its bytes in pieces.

        The bytes of one are to be read before the next is asked for.

        Raises:
            DamagedDataError: it cannot be read.
        """
        return self._engine.files()

    def damage(self, progress: OnProgress) -> ArchiveDamage:
        """Read every response and compare it with its row; nothing is changed."""
        lost: list[int] = []
        done, in_all = 0, self.totals().visits
        for numbers in self._in_time("visit"):
            rows = self._rows("SELECT n, digest FROM visit WHERE n :any", numbers)
            digests: dict[int, bytes] = dict(rows)
            for n, found in self.responses(numbers):
                if hashlib.sha1(found.body, usedforsecurity=False).digest() == digests[n]:
                    del digests[n]
            lost += sorted(digests)
            done += len(numbers)
            progress(done, max(in_all, done))
        return ArchiveDamage(done, lost)

    def is_running(self) -> bool:
        """Whether somebody writes to the crawl right now; asking never gets in their way."""
        return self._engine.is_written()

    def _cursor(self, positions: dict[int, int]) -> Cursor:
        return write_cursor(positions, shared=self._shared)

    def _fill(self, query: str) -> str:
        return TEXTS.fill(query, shared=self._shared)

    def _rows(self, query: str, *parameters: object) -> list[Row]:
        return self._engine.rows(self._fill(query), *parameters)

    def _visits(self, pieces: Iterator[list[int]]) -> Iterator[StoredVisit]:
        return (as_visit(row) for numbers in pieces for row in self._rows(_NUMBERED, numbers))

    def _by_url(self, query: str, urls: list[str]) -> dict[str, StoredVisit]:
        return {visit.url: visit for visit in map(as_visit, self._rows(query, urls))}

    def _since(self, source: str, since: float) -> Iterator[list[int]]:
        """The numbers of those visits or pages that were stored or read again since a time."""
        return self._in_time(f"{source} WHERE {_SINCE}", since) if since else self._in_time(source)

    def _in_time(self, source: str, *parameters: object) -> Iterator[list[int]]:
        """The numbers of visits or pages in the order of time, in pieces for a query."""
        rows = self._engine.stream(f"SELECT n FROM {source} {_IN_TIME}", *parameters)
        numbers = array("q", (n for (n,) in rows))
        for start in range(0, len(numbers), _PIECE):
            yield list(numbers[start : start + _PIECE])

    def _places_of(self, visits: list[int]) -> dict[int, list[StoredPlace]]:
        rows = self._rows(_PLACES, visits)
        places = self._known_places({id for _, id, *_ in rows})
        found = defaultdict(list)
        for n, id, *values in rows:
            if place := places.get(id):
                found[n].append(as_place(place, place_path(place, places.get), values))
        return found

    def _addresses_of(self, visits: list[int]) -> dict[int, list[StoredAddress]]:
        found = defaultdict(list)
        for row in self._rows(_ADDRESSES, visits):
            found[row[0]].append(as_address(row))
        return found

    def _points_of(self, visits: list[int]) -> dict[int, list[tuple[Point, str]]]:
        found = defaultdict(list)
        for n, *degrees, source in self._rows(_POINTS, visits):
            found[n].append((Point(*degrees), source))
        return found

    def _known_places(self, ids: set[int]) -> dict[int, Place]:
        """All places that were read, among them these and those around them."""
        if missing := ids - self._places.keys():
            rows = self._rows(_PLACES_AROUND, list(missing))
            self._places.update((row[0], Place.from_row(row)) for row in rows)
        return self._places

    def _packed_links(self) -> Iterator[tuple[str, bytes]]:
        """The URL and the packed links of every page, read as far as they are asked for."""
        query = """SELECT visit, url, packed FROM links JOIN visit ON visit = n
            WHERE visit > :p ORDER BY visit LIMIT :p"""
        last = 0
        while rows := self._rows(query, last, _PIECE):
            for last, url, packed in rows:  # noqa: B007 - the last one is needed
                yield url, packed

    def _response(self, row: Row) -> Response:
        n, address, fetched_at, seconds, *spots = row
        if not spots[2]:
            raise DamagedDataError(f"the archive has lost the response of visit {n}")
        try:
            body = self._engine.record(*spots[3:]) if spots[3] is not None else None
            record = self._engine.record(*spots[:3])
        except DamagedDataError as error:
            raise DamagedDataError(f"visit {n}: {error}") from error
        return unpack_response(record, body, address, fetched_at, seconds)
