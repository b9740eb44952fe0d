"""The tables of the facts, for every database that can keep a crawl.

Names are whole words, so that SQL over a crawl reads well. A column that is added here is there in
all of them: a record in `base.py` has it, and below the tables records become rows, and rows
records again, by the names of the columns.

Links are one packed row a page instead of a row each: a page has dozens, and rows would take
three times the time and five times the space (docs/why/store.md). Whoever needs them by target
reads them all.

Visits of partitions are numbered so that they never meet (`visit_number`), and what is counted is
counted by partition, because one row that all of them change would have them wait for each other.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from geoscout.sql import Table
from geoscout.store.base import LinksTo, StoredAddress, StoredPlace, StoredVisit, Visit
from geoscout.store.records import unpack_links
from geoscout.warc import unpack
from geoscout_places.model import Address, Place, Point, Precision, Reading
from geoscout_places.urls import normalise

VISIT = Table(
    "visit",
    """
    n               int8 key            -- the order of writing; see `visit_number`
    partition       int2   @shared
    url             text
    node            text
    status          int4
    relevant        bool
    priority        float8
    depth           int4
    distance        int4            -- links since the last relevant page or seed
    parent          text            -- URL of the page the link was found on
    fetched_at      float8          -- seconds since the epoch, UTC
    seconds         float8
    address         text            -- IP address
    size            int8            -- bytes of the decoded body
    title           text
    language        text
    digest          bytea           -- SHA-1 of the body
    simhash         int8
    is_page         bool
    noindex         bool            -- the page asks not to be found
    degree          float8          -- how much the page is about the region, 0 to 1
    archive_file    int8   @alone   -- the file of its records
    segment         text   @shared
    archive_offset  int8
    archive_length  int4            -- 0 when the record was lost
    body_of         int8            -- the visit whose record holds the body
    captured_at     float8 null     -- when an archive got it that was replayed; NULL: we did
    """,
)
LINKS = Table("links", "visit int8 key \n count int4 \n packed bytea")
ADDRESS = Table(
    "address",
    """
    visit           int8 key
    position        int4 key
    start           int4
    end             int4
    text            text
    house_number    text
    street          text
    unit            text
    city            text
    region          text
    postcode        text
    country         text
    latitude        float8 null
    longitude       float8 null
    place           int8
    source          text
    of_site         bool            -- it stands in what many pages of its site have
    precision       text            -- of the point; '' where that is not known
    """,
)
PLACE = Table(
    "place",
    """
    id              int8 key            -- that of `model.Place`; GeoNames' if above 0
    name            text
    kind            text
    latitude        float8
    longitude       float8
    country         text
    population      int8
    timezone        text
    parent          int8
    feature         text
    """,
)
VISIT_PLACE = Table(
    "visit_place",
    """
    visit           int8 key
    place           int8 key
    mentions        int4            -- by the page itself
    confidence      float8
    score           float8          -- share of the page's scope; 0 when only mentioned
    is_main         bool            -- what the page is mainly about
    site_mentions   int4            -- in what many pages of its site have
    """,
)
POINT = Table(
    "point",
    "visit int8 key \n position int4 key \n latitude float8 \n longitude float8 \n source text",
)
# What was read of a page, as `records.pack_page` packs it.
READ_PAGE = Table("read_page", "visit int8 key \n packed bytea")
FAILURE = Table("failure", "at float8 \n url text \n kind text \n detail text \n tries int4")
TALLY = Table(
    "tally", "partition int2 key @shared \n topic text key \n name text key \n count int8", room=50
)
# Whoever follows it looks at these visits. One writer counts a partition, so none is seen late.
CHANGE = Table(
    "change",
    """
    partition       int2 key   @shared
    number          int8 key   @shared
    sequence        int8 key   @alone
    visit           int8
    changed_at      float8 null     -- seconds since the epoch; NULL where it was not kept
    """,
)
# What the crawl knows of the sites it was at last. Alone, the order of writing says which was last.
SITE = Table(
    "site",
    "partition int2 key @shared \n name text key \n visits int8 @shared \n packed bytea",
    "ordered",
)
OF_VISIT = (LINKS, ADDRESS, VISIT_PLACE, POINT, READ_PAGE)  # what goes with a visit that is lost

_NAMED = "name text key \n value text"
CRAWL = Table("crawl", _NAMED, "@alone")
NOTE = Table("note", _NAMED, "@shared")
# What the strategy has learned.
STATE = Table("state", "name text key \n value bytea", "@alone")
MODEL = Table("model", "partition int2 key \n visits int8 \n state bytea", "@shared")
# The first visit that had a body; visits whose responses the archive has lost; its files.
PAYLOAD = Table("payload", "digest bytea key \n visit int8", "@alone")
LOST = Table("lost", "visit int8 key \n url text \n at float8", "@alone")
ARCHIVE = Table("archive", "file int8 key \n size int8", "@alone")
# What each group of visits added, and the files of the archive that belong to the crawl.
HARVEST = Table(
    "harvest",
    """
    partition int2 key
    groups    int8 key
    first_at  float8                -- when its visits were fetched
    last_at   float8
    visits    int4
    pages     int4
    relevant  int4
    degrees   float8
    """,
    "@shared",
)
SEGMENT = Table(
    "segment", "partition int2 key \n groups int8 key \n name text \n size int8", "@shared"
)

TABLES = (
    VISIT, LINKS, ADDRESS, PLACE, VISIT_PLACE, POINT, READ_PAGE, FAILURE, TALLY, CHANGE, SITE,
    CRAWL, NOTE, STATE, MODEL, PAYLOAD, LOST, ARCHIVE, HARVEST, SEGMENT,
)  # fmt: skip
# What the page of each URL was when it was last fetched is the view `page`.
FETCH_LOG = """
DROP VIEW IF EXISTS fetch_log;
CREATE VIEW fetch_log AS
    SELECT fetched_at AS at, url, status, '' AS kind, seconds, size, address, n FROM visit
    UNION ALL SELECT at, url, 0, kind, 0, 0, '', NULL FROM failure;
"""


def visit_number(counter: int, partition: int, partitions: int) -> int:
    """The number of the `counter`-th visit of a partition, counted from 1.

    The partitions take turns, so none of them needs to know how far the others are, and the visits
    of a crawl with one partition are numbered as those in a folder.

    >>> [visit_number(counter, 0, 1) for counter in (1, 2)]
    [1, 2]
    >>> [visit_number(counter, 2, 16) for counter in (1, 2)]
    [3, 19]
    """
    return (counter - 1) * partitions + partition + 1


VISIT_FIELDS = StoredVisit.__struct_fields__  # the columns have these names
ADDRESS_FIELDS = tuple(column.name for column in ADDRESS.columns(shared=True) if not column.is_key)
# The columns that have what these records have under the same names.
_OF_VISIT = ("relevant", "noindex", "degree")
_OF_REQUEST = ("url", "node", "priority", "depth", "distance", "parent")
_OF_RESPONSE = ("status", "fetched_at", "seconds", "address", "captured_at")
_OF_ADDRESS = tuple(
    name
    for name in ADDRESS_FIELDS
    if name in Address.__struct_fields__ and name not in ("place", "precision")
)
_DEEPEST_PATH = 12  # of places; the gazetteer has seven levels, and a local name is one more


def visit_row(visit: Visit, digest: bytes) -> dict[str, Any]:
    """What a visit is itself, without its number; `digest` is the SHA-1 of the body."""
    response, page = visit.response, visit.page
    parts = ((visit, _OF_VISIT), (visit.request, _OF_REQUEST), (response, _OF_RESPONSE))
    return {
        **{name: getattr(part, name) for part, names in parts for name in names},
        "size": len(response.body),
        "title": page.title if page else "",
        "language": page.language if page else "",
        "digest": digest,
        # The integers of databases are signed: the upper half of the hashes becomes negative.
        "simhash": visit.simhash - (1 << 64) if visit.simhash >> 63 else visit.simhash,
        "is_page": page is not None,
    }


def as_visit(row: Sequence[Any]) -> StoredVisit:
    """The record of a row with the columns `VISIT_FIELDS`."""
    values = dict(zip(VISIT_FIELDS, row, strict=True))
    values["simhash"] %= 1 << 64
    for flag in ("relevant", "is_page", "noindex"):
        values[flag] = bool(values[flag])
    return StoredVisit(**values)


def address_row(visit: int, position: int, address: Address) -> dict[str, Any]:
    point, place = address.point, address.place
    return {
        **{name: getattr(address, name) for name in _OF_ADDRESS},
        "visit": visit,
        "position": position,
        "latitude": point.latitude if point else None,
        "longitude": point.longitude if point else None,
        "place": place.id if place else 0,
        "precision": address.precision or "",
    }


def as_address(row: Sequence[Any]) -> StoredAddress:
    """The record of a row with number, URL and relevance of the visit, then `ADDRESS_FIELDS`."""
    n, url, relevant, *values = row
    found = dict(zip(ADDRESS_FIELDS, values, strict=True))
    latitude, longitude = found.pop("latitude"), found.pop("longitude")
    place_id, precision = found.pop("place"), found.pop("precision")
    address = Address(
        **{**found, "of_site": bool(found["of_site"])},
        point=None if latitude is None else Point(latitude, longitude),
        place=None,
        precision=Precision(precision) if precision else None,
    )
    return StoredAddress(n, url, bool(relevant), address, place_id)


def place_values(place: Place) -> tuple[Any, ...]:
    """The values of a place; `Place.from_row` reads them."""
    return (
        place.id, place.name, place.kind.value, place.point.latitude, place.point.longitude,
        place.country, place.population, place.timezone, place.parent, place.feature,
    )  # fmt: skip


def places_in(reading: Reading) -> Iterator[Place]:
    """Every place that a reading names, with those around them; some come twice."""
    for mention in reading.mentions:
        if mention.place is not None:
            yield mention.place
    for part in reading.scope:
        yield from (*part.path, part.place)
    yield from reading.around


def visit_places(reading: Reading) -> Iterator[tuple[int, int, float, float, bool, int]]:
    """What is kept of each place of a page: its id, how often and how surely it is mentioned.

    Then its share of the page's scope, whether it is what the page is mainly about, and how often
    it is mentioned in what many pages of the site have.
    """
    mentions: Counter[int] = Counter()
    of_site: Counter[int] = Counter()
    confidence: dict[int, float] = {}
    for mention in reading.mentions:
        if mention.place is not None:
            id = mention.place.id
            (of_site if mention.of_site else mentions)[id] += 1
            confidence[id] = max(confidence.get(id, 0.0), mention.confidence)
    main = reading.scope[0].place.id if reading.scope else 0
    scores: dict[int, float] = {}
    for part in reading.scope:
        scores.setdefault(part.place.id, part.score)
    for id in {**scores, **mentions, **of_site}:
        surest, share = confidence.get(id, 0.0), scores.get(id, 0.0)
        yield id, mentions[id], surest, share, id == main, of_site[id]


def as_place(place: Place, path: tuple[str, ...], values: Sequence[Any]) -> StoredPlace:
    """What a page says of a place: the values of `visit_places` without the id."""
    mentions, confidence, score, main, of_site = values
    return StoredPlace(
        place, path, mentions, confidence, score,
        is_main=bool(main), site_mentions=of_site,
    )  # fmt: skip


def place_path(place: Place, find: Callable[[int], Place | None]) -> tuple[str, ...]:
    """The names of the places around a place and its own, from the broad to the narrow."""
    names = [place.name]
    while place.parent and (above := find(place.parent)) and len(names) < _DEEPEST_PATH:
        names.append(above.name)
        place = above
    return tuple(reversed(names))


def find_links_to(
    url: str, rows: Iterable[tuple[str, bytes]], pages: int, most: int, until: float
) -> LinksTo:
    """The pages with a link to a URL, among these with their packed links.

    `pages` is how many there are, and `until` a time of `time.monotonic`.
    """
    host, _, path = url.partition("://")[2].partition("/")
    needle = (path or host).encode()  # most packed rows need not be parsed to rule them out
    found: dict[str, None] = {}
    looked_at = 0
    for source, packed in rows:
        if time.monotonic() > until or len(found) >= most:
            break
        looked_at += 1
        if source not in found and needle in unpack(packed) and _leads(packed, url):
            found[source] = None
    return LinksTo(tuple(found), looked_at, pages)


def _leads(packed: bytes, url: str) -> bool:
    return any(normalise(link.url) == url for link in unpack_links(packed))
