"""A connection for those who read a crawl: opened when it is needed, and again after a loss."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import closing, suppress

from geoscout.sql import POSTGRESQL, Row
from geoscout_cluster.postgres.database import (
    Connection,
    CrawlAddress,
    check_crawl,
    connect,
    translated,
)
from geoscout_cluster.postgres.idle import IdleConnections
from geoscout_places.errors import DatabaseLostError

_PIECE = 1000  # rows fetched at a time


class Session:
    """Queries on a crawl, each of which sees what was committed before it; implements `Queries`."""

    dialect = POSTGRESQL

    def __init__(self, address: CrawlAddress, idle: IdleConnections | None = None) -> None:
        """Ask a crawl, through a connection of `idle` where there is one."""
        self.address = address
        self._idle = idle
        self._connection: Connection | None = None
        self._cursors = itertools.count(1)

    def rows(self, query: str, *parameters: object) -> list[Row]:
        """All rows of a small answer; asked again once when the server was restarted meanwhile.

        Raises:
            DatabaseLostError: the server does not answer.
        """
        was_open = self._connection is not None
        try:
            return self._rows(query, parameters)
        except DatabaseLostError:
            self._drop()
            if not was_open:
                raise
            return self._rows(query, parameters)

    def stream(self, query: str, *parameters: object) -> Iterator[Row]:
        """The rows of an answer of any size, a piece at a time.

        The server keeps the whole answer, so that no transaction stays open for as long as
        somebody reads: that would keep it from clearing away old rows.
        """
        with translated(self.address):
            name = f"stream_{next(self._cursors)}"
            with closing(self.connection().cursor(name, withhold=True)) as cursor:
                cursor.itersize = _PIECE
                cursor.execute(POSTGRESQL.text(query).encode(), parameters)
                yield from cursor

    def connection(self) -> Connection:
        """The connection, on which each statement is a transaction of its own."""
        if self._connection is None or self._connection.closed:
            self._connection = connect(self.address)
            self._connection.set_autocommit(True)
        return self._connection

    def check(self) -> None:
        """Refuse a crawl that is not there or has other tables.

        Raises:
            UsageError: it is one of these, or the user may not read it.
            DatabaseLostError: the server does not answer.
        """
        if self._idle is not None and self._connection is None:
            self._connection = self._idle.take(self.address)
            if self._connection is not None:
                with suppress(DatabaseLostError), translated(self.address):
                    check_crawl(self._connection, self.address)
                    return
                self._drop()  # the server was restarted meanwhile
        with translated(self.address):
            check_crawl(self.connection(), self.address)

    def close(self) -> None:
        """Give the connection back or close it; the next query opens another one."""
        if self._connection is not None and self._idle is not None:
            self._idle.give(self.address, self._connection)
            self._connection = None
        self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _rows(self, query: str, parameters: tuple[object, ...]) -> list[Row]:
        with translated(self.address):
            text = POSTGRESQL.text(query).encode()
            return self.connection().execute(text, parameters).fetchall()
