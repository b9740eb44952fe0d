"""The frontier that survives kill -9: in the database of the crawl, committed with the facts.

It writes through a connection it is handed, inside whatever transaction is open there, and never
commits: a page, its links and the frontier's change become durable at once or not at all. What a
put costs is the insertion at a random place of a B-tree, so there is only one such place: requests
are appended in the order of their numbers and never searched by URL (the fingerprints in memory
know the number), and the entries of the queue are as small as they can be (docs/why/frontier.md).
Changes wait in memory (`sqlite_queues.py`), so `flush` comes before the commit.
"""

from __future__ import annotations

import math
import sqlite3

from geoscout.frontier import tables
from geoscout.frontier.base import Limits
from geoscout.frontier.frontier import Frontier, request_key
from geoscout.frontier.known import KnownUrls
from geoscout.frontier.resting import RestingHosts
from geoscout.frontier.restoring import Left, WaitingByHost, restore_hosts
from geoscout.frontier.sqlite_queues import SqliteQueues
from geoscout.sql import SQLITE

TABLES = SQLITE.create(tables.TABLES)


class SqliteFrontier(Frontier):
    """A frontier in the tables `TABLES` of an open database; implements `Frontier`."""

    def __init__(self, connection: sqlite3.Connection, limits: Limits | None = None) -> None:
        limits = limits or Limits()
        resting = RestingHosts()
        queues = SqliteQueues(connection)
        super().__init__(queues, limits, resting)
        self.flush = queues.flush  # hands all changes to the connection, before a commit
        _keep_limits(connection, limits)
        self._restore(connection, resting)

    def _restore(self, connection: sqlite3.Connection, resting: RestingHosts) -> None:
        """Read what an earlier process left; nothing is in flight then."""
        self._restore_urls(connection)
        hosts, latest = connection.execute(
            "SELECT count(*), coalesce(max(free_at), 0) FROM frontier_host"
        ).fetchone()
        waiting = WaitingByHost(hosts)
        self._hosts.expect(hosts)
        rows = connection.execute("SELECT host, rank, number FROM frontier_queue")
        for host, rank, request in rows:
            self._priorities[request] = -rank
            waiting.add_queued(host, rank, request)
        rows = connection.execute("SELECT host, rank, number, until FROM frontier_later")
        for host, rank, request, until in rows:
            self._priorities[request] = -rank
            waiting.add_postponed(host, until)
        rows = connection.execute(
            "SELECT name, node, address, free_at, blocked_until, reason, done, failed, 0.0"
            " FROM frontier_host ORDER BY number"
        )
        restore_hosts(self._schedule, resting, Left(rows, waiting, _shared(connection), latest))

    def _restore_urls(self, connection: sqlite3.Connection) -> None:
        query = "SELECT coalesce(max(number), 0) FROM frontier_request"
        (count,) = connection.execute(query).fetchone()
        self._known = KnownUrls(count)
        self._priorities.extend([math.nan] * count)
        query = "SELECT url, node FROM frontier_request ORDER BY number"
        for url, node in connection.execute(query):
            self._known.add(request_key(url, node))


def _shared(connection: sqlite3.Connection) -> set[str]:
    """The names of hosts that several nodes have."""
    (nodes,) = connection.execute("SELECT count(DISTINCT node) FROM frontier_host").fetchone()
    if nodes < 2:
        return set()
    query = "SELECT name FROM frontier_host GROUP BY name HAVING count(*) > 1"
    return {name for (name,) in connection.execute(query)}


def _keep_limits(connection: sqlite3.Connection, limits: Limits) -> None:
    """Write the limits down for others, who see by them which hosts are spent."""
    rows = connection.execute("SELECT pages_per_host FROM frontier_limits").fetchall()
    if rows != [(limits.pages_per_host,)]:
        connection.execute("DELETE FROM frontier_limits")
        connection.execute("INSERT INTO frontier_limits VALUES (?)", (limits.pages_per_host,))
