"""Connections that nobody uses at the moment, kept for the next who looks at the same crawl.

A web page asks for a crawl several times a second, and opening a connection takes ten times as
long as most queries (docs/why/postgres.md).
"""

from __future__ import annotations

import atexit
import threading
import time
from collections import deque

from psycopg.pq import TransactionStatus

from geoscout_cluster.postgres.database import Connection, CrawlAddress

MOST_IDLE = 8  # of all crawls together; a server has room for a hundred
_SECONDS = 60.0  # after which a connection is not trusted to be alive


class IdleConnections:
    """The last connections that were given back; several threads may share it."""

    def __init__(self) -> None:
        self._kept: deque[tuple[CrawlAddress, Connection, float]] = deque()
        self._lock = threading.Lock()
        atexit.register(self.close)

    def take(self, address: CrawlAddress) -> Connection | None:
        """A connection to a crawl; None when none is kept."""
        with self._lock:
            found = [entry for entry in self._kept if entry[0] == address]
            if not found:
                return None
            self._kept.remove(found[-1])
        _, connection, since = found[-1]
        if time.monotonic() - since < _SECONDS:
            return connection
        connection.close()
        return None

    def give(self, address: CrawlAddress, connection: Connection) -> None:
        """Keep a connection that is not used any more, or close it."""
        if connection.info.transaction_status != TransactionStatus.IDLE:
            connection.close()
            return
        with self._lock:
            self._kept.append((address, connection, time.monotonic()))
            oldest = self._kept.popleft() if len(self._kept) > MOST_IDLE else None
        if oldest is not None:
            oldest[1].close()

    def close(self) -> None:
        """Close all of them."""
        while self._kept:
            self._kept.popleft()[1].close()
