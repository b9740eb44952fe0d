"""What a crawl found, as rows for other programs, written in any format that is installed.

A source is one kind of row, made one by one, so that a crawl of any size can be exported. Rows are
flat dictionaries whose keys are stable; `KINDS` has the columns and their types, and docs/export.md
explains them. Times are text here, ISO 8601 in UTC; formats with a type for times use it.
`fetched_at` is when a server sent a response, also to the archive that a crawl replays, and
`visited_at` when the crawl took it.

A format is an `ExportFormat`, found by its entry point; ours are in `export_tables.py` and
`export_archives.py`, and yours can be one of them: docs/extend/plugins.md.

Addresses can be counted: a site has its address on every page, and others write it in other ways.
Two are equal when house number, unit, postal code and town are, and the street is one in the normal
form of street names, so "Theaterstr. 5" and "Theaterstraße 5" are one. Where an address has no
street, its text decides.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import Any, BinaryIO, Self
from urllib.parse import urlsplit

import msgspec

from geoscout.store.base import StoredAddress, StoredPlace, StoredReading, StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout.store.records import date_text
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.names import fold_street
from geoscout_places.model import Address, Place, Precision, point_as_json
from geoscout_places.plugins import load_plugin, plugin_names

GROUP = "geoscout.exporters"
_AGO = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
Row = dict[str, Any]
Columns = Mapping[str, str]  # the type of each column, as Apache Arrow calls it
_TOGETHER = 200  # pages whose places are asked for together
_SURER = tuple(Precision)  # from the surest on
_COUNT_TABLES = """
CREATE TABLE counted (
    id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, first BLOB NOT NULL, rank INTEGER NOT NULL,
    pages INTEGER NOT NULL, last INTEGER NOT NULL, relevant INTEGER NOT NULL,
    of_site INTEGER NOT NULL
);
CREATE TABLE seen (counted INTEGER NOT NULL, host TEXT NOT NULL, PRIMARY KEY (counted, host))
    WITHOUT ROWID;
"""
# The addresses of a page come together. The one whose point is the most exact is kept.
_COUNT = """
INSERT INTO counted VALUES (NULL, :key, :packed, :rank, 1, :n, :relevant, :of_site)
ON CONFLICT (key) DO UPDATE SET
    pages = pages + (last <> excluded.last), last = excluded.last,
    relevant = max(relevant, excluded.relevant), of_site = min(of_site, excluded.of_site),
    first = iif(excluded.rank < rank, excluded.first, first), rank = min(rank, excluded.rank)
RETURNING id
"""
_COUNTED = """
SELECT first, pages, (SELECT count(*) FROM seen WHERE counted = id) AS sites, relevant, of_site
FROM counted ORDER BY sites DESC, pages DESC, id
"""


@dataclass(frozen=True, slots=True)
class ExportSource:
    """What is to be written: one kind of row."""

    what: str  # its name: a key of `KINDS`, or that of other rows
    columns: Columns  # by the keys of every row, in order; those with a point have "lat"
    rows: Callable[[], Iterator[Row]]  # the rows, made one by one
    reader: CrawlReader | None = None  # of the crawl, when all of it is exported
    store: CrawlReader | None = None  # of the crawl, whatever is exported of it


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: how a source is written to a stream; also the plug-in that gives it.

    `write` raises a `UsageError` for rows that the format, or this machine, cannot have.
    """

    media_type: str  # for a browser that is sent the file
    suffix: str  # of the file's name, without the dot
    write: Callable[[ExportSource, BinaryIO], None]

    def create(self) -> Self:
        """What an entry point names has a `create`: a module of one format, or a format in one."""
        return self


def format_names() -> tuple[str, ...]:
    return plugin_names(GROUP)


def load_format(name: str) -> ExportFormat:
    """The format of a name."""
    format: ExportFormat = load_plugin(GROUP, name, "format").create()
    return format


def crawl_source(
    reader: CrawlReader, what: str, since: float = 0.0, *, distinct: bool = False
) -> ExportSource:
    """Rows of a crawl; `what` is a key of `KINDS`.

    `since`: only what was stored or read again since, in seconds since the epoch; `distinct`: one
    row for all that is the same, with counts.
    """
    if what not in KINDS:
        raise UsageError(f"cannot export {what!r}; there are {', '.join(KINDS)}")
    if distinct and what not in DISTINCT:
        raise UsageError(f"distinct is for {' and '.join(DISTINCT)}, not for {what}")
    kind = (DISTINCT if distinct else KINDS)[what]
    rows = partial(kind.rows, reader, since)
    return ExportSource(what, kind.columns, rows, None if since else reader, store=reader)


def typed(columns: str) -> Columns:
    """Columns and their types from a text.

    >>> typed("url status:int64")
    {'url': 'string', 'status': 'int64'}
    """
    pairs = (column.partition(":") for column in columns.split())
    return {name: type or "string" for name, _, type in pairs}


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of row: its columns, and how the rows are made of a crawl, since a time."""

    columns: Columns
    rows: Callable[[CrawlReader, float], Iterator[Row]]


def read_since(text: str, now: float) -> float:
    """A time in seconds since the epoch: ISO 8601, in UTC where it has no zone, or how long ago.

    >>> read_since("2001-09-09T01:46:40Z", 0), read_since("2d", 1e6), read_since("90m", 1e6)
    (1000000000.0, 827200.0, 994600.0)
    """
    if ago := _AGO.fullmatch(text):
        return now - float(ago[1]) * _SECONDS[ago[2]]
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{text!r} is not a time: write 2026-03-01, 2026-03-01T08:30:00Z, or how long ago,"
            " such as 90m, 12h, 2d or 1w"
        ) from error
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def _row(columns: Columns, record: object, **more: object) -> Row:
    """A row of these columns: what is handed in, else what the record has under the name."""
    return {name: more[name] if name in more else getattr(record, name) for name in columns}


def visit_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every response, in the order of the visits."""
    for visit in store.visits(since):
        own = {"relevance": round(visit.degree, 4), "bridge": visit.distance, "from": visit.parent}
        yield _row(_VISIT, visit, **own, **_times(visit))


def page_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every page as it was last seen, with its places, the main one first."""
    for visit, reading in _with_readings(store, since):
        places = [_place(found) for found in reading.places]
        main = places[0] if places and places[0]["score"] else {}
        where = {name: main.get(name) for name in ("lat", "lon", "precision")}
        own = {"relevance": round(visit.degree, 4), "digest": f"sha1:{visit.digest.hex()}"}
        yield _row(_PAGE, visit, **own, **_times(visit), **where, places=places)


def address_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every address of every page."""
    for stored in store.addresses(since):
        about = {"source": stored.address.source, "of_site": stored.address.of_site}
        yield _row(_EACH_ADDRESS, stored, **_address(stored), **about)


def distinct_address_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every address once, those of the most sites first; what is counted is in a scratch file."""
    with closing(sqlite3.connect("", isolation_level=None)) as scratch:
        scratch.execute("PRAGMA journal_mode = OFF")
        scratch.executescript(_COUNT_TABLES)
        scratch.execute("BEGIN")  # for good: nothing here is ever committed
        for stored in store.addresses(since):
            ((id,),) = scratch.execute(_COUNT, _counted(stored)).fetchall()
            host = urlsplit(stored.url).hostname or ""
            scratch.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (id, host))
        for packed, pages, sites, relevant, of_site in scratch.execute(_COUNTED):
            first = msgspec.msgpack.decode(packed, type=StoredAddress)
            about = {"pages": pages, "sites": sites, "of_site": bool(of_site)}
            yield _row(
                _DISTINCT_ADDRESS, first, **_address(first), **about, relevant=bool(relevant)
            )


def place_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every place of the crawl, those that most pages are about first."""
    for found in store.places(since):
        counts = {
            "pages_mentioning": found.mentioned_by,
            "pages_about": found.about,
            "pages_mainly_about": found.main_of,
            "mentions": found.mentions,
        }
        yield _row(_OF_CRAWL, found.place, **_of_place(found.place, found.path), **counts)


def link_rows(store: CrawlReader, since: float = 0.0) -> Iterator[Row]:
    """Every link of every page, in the order of the page."""
    for stored in store.links(since):
        link = stored.link
        source = {"n": stored.n, "from": stored.source}
        yield _row(_LINK, link, **source, rel=" ".join(link.rel), part=str(link.part))


def _with_readings(store: CrawlReader, since: float) -> Iterator[tuple[StoredVisit, StoredReading]]:
    """Every page with what was found in it, asked for in groups."""
    pages = store.pages(since)
    while group := list(islice(pages, _TOGETHER)):
        readings = store.readings_of([page.n for page in group])
        yield from ((page, readings.get(page.n, StoredReading())) for page in group)


def _times(visit: StoredVisit) -> Row:
    return {"fetched_at": date_text(visit.answered_at), "visited_at": date_text(visit.fetched_at)}


def _place(found: StoredPlace) -> Row:
    counts = {name: getattr(found, name) for name in ("mentions", "site_mentions", "score")}
    return _row(PLACE, found.place, **_of_place(found.place, found.path), **counts)


def _of_place(place: Place, path: Iterable[str]) -> Row:
    where = point_as_json(place.point)
    return {"path": list(path), "geonameid": place.geonames_id, "kind": str(place.kind), **where}


def _address(stored: StoredAddress) -> Row:
    address = stored.address
    return {
        "text": address.text,
        **address.parts(),
        **point_as_json(address.point),
        "precision": address.precision,
        "geonameid": stored.place_id if stored.place_id > 0 else None,
    }


def address_key(stored: StoredAddress) -> str:
    """A text that equal addresses share."""
    address = stored.address
    if not address.street:
        return f"text {_folded(address.text)}"
    town = str(stored.place_id) if stored.place_id else _folded(address.city)
    parts = (address.house_number, address.unit, address.postcode, address.country)
    return "\n".join((fold_street(address.street), *map(_folded, parts), town))


def _counted(stored: StoredAddress) -> dict[str, object]:
    return {
        "key": address_key(stored),
        "packed": msgspec.msgpack.encode(stored),
        "rank": _rank(stored.address),
        "n": stored.n,
        "relevant": stored.relevant,
        "of_site": stored.address.of_site,
    }


def _rank(address: Address) -> int:
    if address.point is None or address.precision is None:
        return len(_SURER)
    return _SURER.index(address.precision)


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()


_JUDGED = "relevant:bool relevance:float64"
_TIMES = "fetched_at:time visited_at:time"
_POINT = "lat:float64 lon:float64 precision"
_ADDRESS = f"text house_number street unit city region postcode country {_POINT} geonameid:int64"
PLACE = typed(  # each of the places of a page
    f"name path:list<string> country {_POINT} id:int64 geonameid:int64 kind mentions:int64"
    " site_mentions:int64 score:float64"
)
_VISIT = typed(
    f"n:int64 url node status:int64 {_JUDGED} priority:float64 depth:int64 bridge:int64"
    f" from {_TIMES}"
)
_PAGE = typed(
    f"n:int64 url title language {_JUDGED} {_TIMES} size:int64 digest {_POINT} places:places"
)
_EACH_ADDRESS = typed(f"n:int64 url relevant:bool {_ADDRESS} source of_site:bool")
_DISTINCT_ADDRESS = typed(
    f"{_ADDRESS} pages:int64 sites:int64 relevant:bool of_site:bool n:int64 url"
)
_OF_CRAWL = typed(  # each of the places of the crawl
    f"id:int64 geonameid:int64 name kind path:list<string> country {_POINT} population:int64"
    " pages_mentioning:int64 pages_about:int64 pages_mainly_about:int64 mentions:int64"
)
_LINK = typed("n:int64 from url anchor title alt rel part")
KINDS = {
    "pages": RowKind(_PAGE, page_rows),
    "addresses": RowKind(_EACH_ADDRESS, address_rows),
    "places": RowKind(_OF_CRAWL, place_rows),
    "links": RowKind(_LINK, link_rows),
    "visits": RowKind(_VISIT, visit_rows),
}
DISTINCT = {"addresses": RowKind(_DISTINCT_ADDRESS, distinct_address_rows)}
