"""The tables of a crawl in PostgreSQL, except those of its frontier.

The work of a crawl is divided into partitions, sets of sites with one writer each; a crawl of one
process has one partition. Their tables are those of the engine, and the tables of the facts are
those of every crawl (`store/schema.py`).
"""

from __future__ import annotations

from typing import LiteralString

from geoscout.sql import POSTGRESQL
from geoscout.store import schema
from geoscout_cluster.engine.base import TABLES as WORK

_OUTCOMES: LiteralString = """
CREATE TABLE outcome (                      -- what the visits of a group taught
    partition smallint NOT NULL,
    groups bigint NOT NULL,
    worker text NOT NULL,                   -- who wrote it, and need not read it
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    packed bytea NOT NULL,
    PRIMARY KEY (partition, groups)
);
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
TABLES = f"{WORK}{_OUTCOMES}{POSTGRESQL.create(schema.TABLES)}{_INDEXES}{_PAGE}{schema.FETCH_LOG}"
