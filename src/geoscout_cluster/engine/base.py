"""The tables of the engine, what is written with a group, and small questions to PostgreSQL.

Tables that every commit changes have room left in their pages (`fillfactor`), so that a new version
of a row lies next to the old one and no index changes.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, LiteralString, TypeVar

from psycopg import Cursor

from geoscout_cluster.postgres.database import Connection, CrawlAddress, connect, translated
from geoscout_places.errors import DatabaseLostError

MOST_PARTITIONS = 1024

# What is written in the transaction of somebody else: called there, perhaps twice, so it must hold
# values and not what may change meanwhile.
Write = Callable[[Cursor[Any]], None]

TABLES: LiteralString = """
CREATE TABLE partition (
    number smallint PRIMARY KEY,
    owner text NOT NULL DEFAULT '',
    epoch bigint NOT NULL DEFAULT 0,        -- one more for each owner: it fences the one before
    until timestamptz NOT NULL DEFAULT 'epoch',  -- the end of the owner's lease
    clean boolean NOT NULL DEFAULT true,    -- false from claim to release
    groups bigint NOT NULL DEFAULT 0,       -- the last group that was committed
    rest text NOT NULL DEFAULT '',          -- why its owner has nothing to do; '': it works
    granted bigint NOT NULL DEFAULT 0,      -- what it may use in all, of the budget
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
CREATE TABLE exchange (                     -- what one commit sends another partition
    target smallint NOT NULL,
    source smallint NOT NULL,               -- -1: from outside
    number bigint NOT NULL,                 -- counts by source
    packed bytea NOT NULL,
    PRIMARY KEY (target, source, number)
);
CREATE TABLE mark (                         -- how far a partition has read what others sent
    target smallint NOT NULL,
    source smallint NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (target, source)
) WITH (fillfactor = 50);
CREATE TABLE rent (                         -- which partition may use a thing now
    name text PRIMARY KEY,
    partition smallint NOT NULL,
    epoch bigint NOT NULL,
    until timestamptz NOT NULL,
    wanted boolean NOT NULL DEFAULT false   -- another partition waits for it
) WITH (fillfactor = 50);
CREATE TABLE budget (left_over bigint NOT NULL);
"""


Answer = TypeVar("Answer")


class WorkerSession:
    """A connection that is made again when it was lost; each question is a transaction."""

    def __init__(self, address: CrawlAddress) -> None:
        self._address = address
        self._connection: Connection | None = None
        self._thread = ThreadPoolExecutor(1, "session")

    async def ask(self, question: Callable[[Cursor[Any]], Answer]) -> Answer:
        """Have a question answered without stopping the loop.

        Raises:
            DatabaseLostError: the server does not answer; perhaps it did what was asked.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._ask, question)

    def close(self) -> None:
        """End the thread and the connection."""
        self._thread.shutdown()
        self._disconnect()

    def _ask(self, question: Callable[[Cursor[Any]], Answer]) -> Answer:
        try:
            with translated(self._address):
                if self._connection is None or self._connection.closed:
                    self._connection = connect(self._address)
                with self._connection.transaction(), self._connection.cursor() as cursor:
                    return question(cursor)
        except DatabaseLostError:
            self._disconnect()
            raise

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
