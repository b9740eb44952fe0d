"""The tables of the facts, for every database that can keep a crawl.

Names are whole words, so that SQL over a crawl reads well. A column that is added here is there in
all of them: `rows.py` fills it, and a record in `base.py` has it.

Links are one packed row a page instead of a row each: a page has dozens, and rows would take
three times the time and five times the space (docs/why/store.md). Whoever needs them by target
reads them all.

Visits of partitions are numbered so that they never meet (`visit_number`), and what is counted is
counted by partition, because one row that all of them change would have them wait for each other.
"""

from __future__ import annotations

from geoscout.sql import Table

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
    "tally",
    "partition int2 key @shared \n topic text key \n name text key \n count int8",
    room=50,
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
    "segment",
    "partition int2 key \n groups int8 key \n name text \n size int8",
    "@shared",
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
