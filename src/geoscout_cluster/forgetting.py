"""Forgets all that a crawl in PostgreSQL has of a host, as `state/forgetting.py` does in a folder.

One transaction deletes the rows and notes which bytes of the archive are to go; nobody can claim a
partition meanwhile. Then the segments are written again, with records that say nothing in these
places, so that no other record moves. Whoever is killed in between finds the note when the next
host is forgotten. Bodies that other visits share with the host are archived again before that.

Counts of groups stay as they are: by them the visits to come are numbered. So does what other
sites say of the host, with their links to it: that is theirs.
"""

import re
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import msgspec
from psycopg import Cursor

from geoscout.state.forgetting import FILLER, HostTraces, host_test
from geoscout.store.archive import (
    ArchiveSegment,
    GrowingSegment,
    RecordSpot,
    Segments,
    segment_name,
)
from geoscout.store.base import PROVENANCE
from geoscout.store.reader import CrawlReader
from geoscout.store.records import pack_exchange, pack_filler, read_provenance
from geoscout.store.schema import OF_VISIT
from geoscout_cluster.postgres.database import (
    Connection,
    CrawlAddress,
    check_crawl,
    connect,
    read_address,
    read_note,
    set_note,
    translated,
)
from geoscout_cluster.postgres.engine import PostgresEngine
from geoscout_cluster.postgres.state import segments_of
from geoscout_cluster.routing import pack_requests, unpack_requests
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.urls import without_port

_NOTE = "forgetting"  # the name of the note with what is still to be overwritten
_CLEARED = (*(table.name for table in OF_VISIT), "visit", "failure", "site", "frontier_request")
_Span = tuple[str, int, int, int]  # a segment, its size, and which of its bytes

_SPANS = """
SELECT visit.segment, archive_offset, n, file.size FROM visit
JOIN segment AS file ON file.name = visit.segment
WHERE archive_length > 0 AND visit.segment = ANY(%s) ORDER BY visit.segment, archive_offset
"""
_FORGET = (
    "DELETE FROM failure WHERE url ~ %(url)s",
    "UPDATE visit SET parent = '' WHERE parent ~ %(url)s",
    """DELETE FROM site WHERE split_part(name, ' ', 1) ~ %(name)s
        OR 'www.' || split_part(name, ' ', 1) ~ %(name)s""",
    """UPDATE frontier_request SET url = 'forgotten:' || number, parent = '', features = '',
        priority = NULL, later = NULL WHERE url ~ %(url)s""",
    "UPDATE frontier_request SET parent = '' WHERE parent ~ %(url)s",
    "UPDATE frontier_host SET done = 0, failed = 0, address = '' WHERE name ~ %(name)s",
    "DELETE FROM outcome",  # of the last minutes; they name URLs
)


def trace_shared(where: str, host: str) -> HostTraces:
    """What a crawl has of a host, as it was committed last; the crawl may be running."""
    address = read_address(where)
    with translated(address), connect(address) as connection:
        check_crawl(connection, address)
        return _trace(connection.cursor(), host)


def forget_shared(where: str, host: str) -> None:
    """Forget all that a crawl has of a host.

    Raises:
        UsageError: somebody works on the crawl, or there is none.
        DamagedDataError: the archive is damaged.
        DatabaseLostError: the server does not answer.
    """
    address = read_address(where)
    with translated(address), connect(address) as connection:
        check_crawl(connection, address)
        segments = segments_of(address)
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE partition IN EXCLUSIVE MODE")
            query = "SELECT 1 FROM partition WHERE until > clock_timestamp() LIMIT 1"
            if cursor.execute(query).fetchone():
                raise UsageError(f"another process is writing to the crawl at {address.shown}")
            _Forgetting(address, cursor, segments, host).forget()
        connection.commit()
        _erase_noted(connection, segments)
        connection.set_autocommit(True)
        connection.execute(f"VACUUM {', '.join(_CLEARED)}".encode())


def _patterns(host: str) -> dict[str, Any]:
    name = rf"([^/?#@]*\.)?{re.escape(host)}(:\d+)?"
    return {"url": rf"^[a-z]+://([^/?#]*@)?{name}([/?#]|$)", "name": f"^{name}$"}


def _trace(cursor: Cursor[Any], host: str) -> HostTraces:
    asked = _patterns(host)

    def one(query: str) -> int:
        (count,) = cursor.execute(query.encode(), asked).fetchone() or (0,)
        return int(count or 0)

    names = cursor.execute("SELECT DISTINCT name FROM frontier_host WHERE name ~ %(name)s", asked)
    return HostTraces(
        hosts=tuple(sorted({without_port(name) for (name,) in names.fetchall()})),
        visits=one("SELECT count(*) FROM visit WHERE url ~ %(url)s"),
        pages=one("SELECT count(*) FROM page WHERE url ~ %(url)s"),
        failures=one("SELECT count(*) FROM failure WHERE url ~ %(url)s"),
        waiting=one(
            "SELECT count(*) FROM frontier_request WHERE url ~ %(url)s AND priority IS NOT NULL"
        ),
        archive_bytes=one("SELECT sum(archive_length) FROM visit WHERE url ~ %(url)s"),
    )


class _Forgetting:
    """The rows of a host, deleted in the transaction of a cursor."""

    def __init__(
        self, address: CrawlAddress, cursor: Cursor[Any], segments: Segments, host: str
    ) -> None:
        self._address, self._cursor, self._segments = address, cursor, segments
        self._asked, self._is_ours = _patterns(host), host_test(host)

    def forget(self) -> None:
        """Delete the rows, and note the parts of the archive that are to be overwritten."""
        query = "SELECT n FROM visit WHERE url ~ %(url)s"
        ours = [n for (n,) in self._cursor.execute(query, self._asked).fetchall()]
        query = "SELECT n FROM visit WHERE body_of = ANY(%s) AND n <> ALL(%s)"
        sharing = [n for (n,) in self._cursor.execute(query, (ours, ours)).fetchall()]
        noted = read_note(self._cursor, _NOTE)
        spans = msgspec.json.decode(noted or "[]", type=list[_Span])
        spans += self._spans({*ours, *sharing})
        self._give_own_bodies(sharing)
        for table, column in (*((table.name, "visit") for table in OF_VISIT), ("visit", "n")):
            query = f"DELETE FROM {table} WHERE {column} = ANY(%s)"  # noqa: S608 - our own words
            self._cursor.execute(query.encode(), (ours,))
        for statement in _FORGET:
            self._cursor.execute(statement.encode(), self._asked)
        self._forget_parcels()
        set_note(self._cursor, _NOTE, msgspec.json.encode(spans).decode())

    def _spans(self, wanted: set[int]) -> Iterator[_Span]:
        """Where the records of visits lie, each with that of its request, which follows it."""
        query = "SELECT DISTINCT segment FROM visit WHERE n = ANY(%s) AND archive_length > 0"
        names = [name for (name,) in self._cursor.execute(query, (list(wanted),)).fetchall()]
        rows = self._cursor.execute(_SPANS, (names,)).fetchall()
        for row, follows in zip(rows, [*rows[1:], ("", 0, 0, 0)], strict=True):
            name, start, n, size = row
            if n in wanted:
                yield name, size, start, follows[1] if follows[0] == name else size

    def _give_own_bodies(self, sharing: Sequence[int]) -> None:
        """Archive the responses whole whose bodies the records of the host hold."""
        if not sharing:
            return
        with closing(CrawlReader(PostgresEngine(self._address))) as reader:
            about = read_provenance(reader.note(PROVENANCE))
            mark = f"{time.time_ns():x}"[-8:]
            growing = GrowingSegment(segment_name(0, 0, 0, mark), about)
            for n, response in reader.responses(sharing):
                exchange = pack_exchange(response, "geoscout")
                spot = growing.append(exchange.response, response.fetched_at)
                if exchange.request:
                    growing.append(exchange.request, response.fetched_at)
                self._cursor.execute(
                    "UPDATE visit SET segment = %s, archive_offset = %s, archive_length = %s,"
                    " body_of = n WHERE n = %s",
                    (spot.file, spot.offset, spot.length, n),
                )
        whole = growing.whole()
        assert whole is not None  # there is a response in it
        self._segments.write(whole)
        query = "SELECT coalesce(min(groups), 0) - 1 FROM segment WHERE partition = 0"
        (group,) = self._cursor.execute(query).fetchone() or (-1,)
        row = (group, whole.name, len(whole.data))
        self._cursor.execute("INSERT INTO segment VALUES (0, %s, %s, %s)", row)

    def _forget_parcels(self) -> None:
        """Requests that are on their way to their partition."""
        rows = self._cursor.execute("SELECT target, source, number, packed FROM exchange")
        for target, source, number, packed in rows.fetchall():
            requests = unpack_requests(packed)
            kept = [request for request in requests if not self._is_ours(request.url)]
            if len(kept) < len(requests):
                self._cursor.execute(
                    "UPDATE exchange SET packed = %s"
                    " WHERE target = %s AND source = %s AND number = %s",
                    (pack_requests(kept), target, source, number),
                )


def _erase_noted(connection: Connection, segments: Segments) -> None:
    """Overwrite what is noted to be forgotten; again and again makes no difference."""
    noted = read_note(connection.cursor(), _NOTE)
    by_segment: defaultdict[str, list[_Span]] = defaultdict(list)
    for span in msgspec.json.decode(noted or "[]", type=list[_Span]):
        by_segment[span[0]].append(span)
    for name, spans in by_segment.items():
        data = bytearray(segments.read(RecordSpot(name, 0, spans[0][1])))
        for _, _, start, end in spans:
            filler = pack_filler(end - start, time.time(), FILLER)
            if filler is None or end > len(data):
                raise DamagedDataError(f"segment {name} does not have what is to be forgotten")
            data[start:end] = filler
        segments.write(ArchiveSegment(name, bytes(data)))
    connection.execute("DELETE FROM note WHERE name = %s", (_NOTE,))
    connection.commit()
