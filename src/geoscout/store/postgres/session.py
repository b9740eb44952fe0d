"""A connection for those who read a crawl: opened when it is needed, and again after a loss."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import closing
from typing import Any, LiteralString

from geoscout.errors import DatabaseLostError
from geoscout.store.postgres.database import Connection, CrawlAddress, connect, translated

_PIECE = 1000  # rows fetched at a time


class Session:
    """Queries on a crawl, each of which sees what was committed before it."""

    def __init__(self, address: CrawlAddress) -> None:
        self.address = address
        self._connection: Connection | None = None
        self._cursors = itertools.count(1)

    def rows(self, query: LiteralString, *parameters: object) -> list[tuple[Any, ...]]:
        """All rows of a small answer; asked again once when the server was restarted meanwhile.

        Raises:
            DatabaseLostError: the server does not answer.
        """
        was_open = self._connection is not None
        try:
            return self._rows(query, parameters)
        except DatabaseLostError:
            self.close()
            if not was_open:
                raise
            return self._rows(query, parameters)

    def stream(self, query: LiteralString, *parameters: object) -> Iterator[tuple[Any, ...]]:
        """The rows of an answer of any size, a piece at a time.

        The server keeps the whole answer, so that no transaction stays open for as long as
        somebody reads: that would keep it from clearing away old rows.
        """
        with translated(self.address):
            name = f"stream_{next(self._cursors)}"
            with closing(self.connection().cursor(name, withhold=True)) as cursor:
                cursor.itersize = _PIECE
                cursor.execute(query, parameters)
                yield from cursor

    def connection(self) -> Connection:
        """The connection, on which each statement is a transaction of its own."""
        if self._connection is None or self._connection.closed:
            self._connection = connect(self.address)
            self._connection.set_autocommit(True)
        return self._connection

    def close(self) -> None:
        """Close the connection; the next query opens another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _rows(self, query: LiteralString, parameters: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with translated(self.address):
            return self.connection().execute(query, parameters).fetchall()
