"""The tables of a crawl in PostgreSQL, except those of its frontier.

The work of a crawl is divided into partitions, sets of sites with one writer each; a crawl of one
process has one partition. Tables that every group of visits changes have room left in their pages
(`fillfactor`), so that a new version of a row lies next to the old one and no index changes.

The tables of the facts are those of every crawl (`store/schema.py`).
"""

from __future__ import annotations

from typing import LiteralString

from geoscout.sql import POSTGRESQL
from geoscout.store import schema

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

_INDEXES: LiteralString = """
CREATE INDEX visit_url ON visit USING hash (url);  -- a B-tree takes 2.7 KB, and URLs can be longer
CREATE INDEX visit_partition ON visit (partition, n);
CREATE INDEX failure_at ON failure (at);
CREATE INDEX site_name ON site (name);
"""
# What each URL held when it was last fetched.
_PAGE: LiteralString = """
CREATE VIEW page AS
    SELECT * FROM (
        SELECT DISTINCT ON (url) * FROM visit WHERE status <> 304
        ORDER BY url, fetched_at DESC, n DESC
    ) AS last WHERE is_page;
"""
TABLES = f"{WORK}{POSTGRESQL.create(schema.TABLES)}{_INDEXES}{_PAGE}{schema.FETCH_LOG}"
