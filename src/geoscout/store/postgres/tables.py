"""The tables of a crawl in PostgreSQL, except those of its frontier.

The work of a crawl is divided into partitions, sets of sites with one writer each; a crawl of one
process has one partition. Tables that every group of visits changes have room left in their pages
(`fillfactor`), so that a new version of a row lies next to the old one and no index changes.

The facts have the columns of a crawl in a folder (`store/sqlite/tables.py`), and these differ:
visits are numbered so that the partitions never meet (`visit_number`), the archive is in segments,
and what is counted is counted by partition, because one row that all of them change would have
them wait for each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import LiteralString

MOST_PARTITIONS = 1024

# Who works on what, and what goes between them.
WORK: LiteralString = """
CREATE TABLE partition (
    number smallint PRIMARY KEY,
    owner text NOT NULL DEFAULT '',
    epoch bigint NOT NULL DEFAULT 0,        -- one more for each owner: it fences the one before
    until timestamptz NOT NULL DEFAULT 'epoch',  -- the end of the owner's lease
    clean boolean NOT NULL DEFAULT true,    -- false from claim to release
    groups bigint NOT NULL DEFAULT 0,       -- the last group that was committed
    rest text NOT NULL DEFAULT '',          -- why its owner has nothing to do; '': it works
    granted bigint NOT NULL DEFAULT 0,      -- responses it may have in all, of the budget
    revisit float8,                         -- pages last asked for until then are to wait again
    waiting bigint NOT NULL DEFAULT 0,      -- these are for the status: nobody counts rows
    done bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    hosts integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE worker (
    name text PRIMARY KEY,
    machine text NOT NULL,
    version text NOT NULL,
    until timestamptz NOT NULL,             -- when it counts as dead
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    promises jsonb NOT NULL DEFAULT '{}'    -- the highest priority it can ask soon, by node
) WITH (fillfactor = 50);
CREATE TABLE exchange (                     -- requests of one group for another partition
    target smallint NOT NULL,
    source smallint NOT NULL,
    number bigint NOT NULL,                 -- counts by source
    requests bytea NOT NULL,
    PRIMARY KEY (target, source, number)
);
CREATE TABLE mark (                         -- how far a partition has read what others sent
    target smallint NOT NULL,
    source smallint NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (target, source)
) WITH (fillfactor = 50);
CREATE TABLE address_rent (                 -- which partition may ask a server now
    name text PRIMARY KEY,
    partition smallint NOT NULL,
    epoch bigint NOT NULL,
    until timestamptz NOT NULL,
    wanted boolean NOT NULL DEFAULT false   -- another partition waits for it
) WITH (fillfactor = 50);
CREATE TABLE outcome (                      -- what the visits of a group taught
    partition smallint NOT NULL,
    groups bigint NOT NULL,
    worker text NOT NULL,                   -- who wrote it, and need not read it
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    packed bytea NOT NULL,
    PRIMARY KEY (partition, groups)
);
CREATE TABLE budget (left_over bigint NOT NULL);
"""

FACTS: LiteralString = """
CREATE TABLE visit (
    n bigint PRIMARY KEY,
    partition smallint NOT NULL,
    url text NOT NULL,
    node text NOT NULL,
    status integer NOT NULL,
    relevant boolean NOT NULL,
    priority float8 NOT NULL,
    depth integer NOT NULL,
    distance integer NOT NULL,              -- links since the last relevant page or seed
    parent text NOT NULL,                   -- URL of the page the link was found on
    fetched_at float8 NOT NULL,             -- seconds since the epoch, UTC
    seconds float8 NOT NULL,
    address text NOT NULL,                  -- IP address
    size bigint NOT NULL,                   -- bytes of the decoded body
    title text NOT NULL,
    language text NOT NULL,
    digest bytea NOT NULL,                  -- SHA-1 of the body
    simhash bigint NOT NULL,
    is_page boolean NOT NULL,
    noindex boolean NOT NULL,               -- the page asks not to be found
    degree float8 NOT NULL,                 -- how much the page is about the region, 0 to 1
    segment text NOT NULL,                  -- the file of its archive records
    archive_offset bigint NOT NULL,
    archive_length integer NOT NULL,
    body_of bigint NOT NULL,                -- the visit whose record holds the body
    captured_at float8                      -- when an archive got it that was replayed
);
CREATE INDEX visit_url ON visit USING hash (url);  -- a B-tree takes 2.7 KB, and URLs can be longer
CREATE INDEX visit_partition ON visit (partition, n);
CREATE TABLE links (
    visit bigint PRIMARY KEY, count integer NOT NULL, packed bytea NOT NULL
);
CREATE TABLE address (
    visit bigint NOT NULL, position integer NOT NULL,
    start integer NOT NULL, "end" integer NOT NULL, text text NOT NULL,
    house_number text NOT NULL, street text NOT NULL, unit text NOT NULL, city text NOT NULL,
    region text NOT NULL, postcode text NOT NULL, country text NOT NULL,
    latitude float8, longitude float8, place bigint NOT NULL, source text NOT NULL,
    of_site boolean NOT NULL,               -- it stands in what many pages of its site have
    precision text NOT NULL,                -- of the point; '' where that is not known
    PRIMARY KEY (visit, position)
);
CREATE TABLE place (
    id bigint PRIMARY KEY,                  -- that of `model.Place`; GeoNames' if above 0
    name text NOT NULL, kind text NOT NULL, latitude float8 NOT NULL, longitude float8 NOT NULL,
    country text NOT NULL, population bigint NOT NULL, timezone text NOT NULL,
    parent bigint NOT NULL, feature text NOT NULL
);
CREATE TABLE visit_place (
    visit bigint NOT NULL, place bigint NOT NULL,
    mentions integer NOT NULL,              -- by the page itself
    confidence float8 NOT NULL,
    score float8 NOT NULL,                  -- share of the page's scope; 0 when only mentioned
    is_main boolean NOT NULL,               -- what the page is mainly about
    site_mentions integer NOT NULL,         -- in what many pages of its site have
    PRIMARY KEY (visit, place)
);
CREATE TABLE point (
    visit bigint NOT NULL, position integer NOT NULL,
    latitude float8 NOT NULL, longitude float8 NOT NULL, source text NOT NULL,
    PRIMARY KEY (visit, position)
);
CREATE TABLE page_entries (                 -- as in a folder
    visit bigint PRIMARY KEY, packed bytea NOT NULL
);
CREATE TABLE failure (
    at float8 NOT NULL, url text NOT NULL, kind text NOT NULL, detail text NOT NULL,
    tries integer NOT NULL
);
CREATE INDEX failure_at ON failure (at);
CREATE TABLE tally (
    partition smallint NOT NULL, topic text NOT NULL, name text NOT NULL, count bigint NOT NULL,
    PRIMARY KEY (partition, topic, name)
) WITH (fillfactor = 50);
CREATE TABLE change (
    partition smallint NOT NULL, number bigint NOT NULL, visit bigint NOT NULL,
    changed_at float8,                      -- seconds since the epoch; NULL where it was not kept
    PRIMARY KEY (partition, number)         -- one writer counts it, so none is seen late
);
CREATE TABLE harvest (                      -- what each group of visits added
    partition smallint NOT NULL, groups bigint NOT NULL,
    first_at float8 NOT NULL, last_at float8 NOT NULL,  -- when its visits were fetched
    visits integer NOT NULL, pages integer NOT NULL, relevant integer NOT NULL,
    degrees float8 NOT NULL,
    PRIMARY KEY (partition, groups)
);
CREATE TABLE segment (                      -- the files of the archive that belong to the crawl
    partition smallint NOT NULL, groups bigint NOT NULL, name text NOT NULL, size bigint NOT NULL,
    PRIMARY KEY (partition, groups)
);
CREATE TABLE model (                        -- what the strategy has learned
    partition smallint PRIMARY KEY, visits bigint NOT NULL, state bytea NOT NULL
);
CREATE TABLE site (                         -- what the crawl knows of the sites it was at last;
                                            -- named with a visit, what one of its pages told
    partition smallint NOT NULL, name text NOT NULL, visits bigint NOT NULL, packed bytea NOT NULL,
    PRIMARY KEY (partition, name)
);
CREATE INDEX site_name ON site (name);
CREATE TABLE note (name text PRIMARY KEY, value text NOT NULL);
CREATE VIEW fetch_log AS
    SELECT fetched_at AS at, url, status, '' AS kind, seconds, size, address, n FROM visit
    UNION ALL SELECT at, url, 0, kind, 0, 0, '', NULL FROM failure;
"""

# What each URL held when it was last fetched.
_PAGE: LiteralString = """
CREATE OR REPLACE VIEW page AS
    SELECT * FROM (
        SELECT DISTINCT ON (url) * FROM visit WHERE status <> 304
        ORDER BY url, fetched_at DESC, n DESC
    ) AS last WHERE is_page;
"""
TABLES: LiteralString = WORK + FACTS + _PAGE
# From a version to the next. Columns are added at the end only, so that views can follow.
UPGRADES: Mapping[int, LiteralString] = {
    3: """ALTER TABLE visit ADD COLUMN captured_at float8;
        ALTER TABLE change ADD COLUMN changed_at float8;"""
    + _PAGE,
    4: "CREATE TABLE page_entries (visit bigint PRIMARY KEY, packed bytea NOT NULL);",
}


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
