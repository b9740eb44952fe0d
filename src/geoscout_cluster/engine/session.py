"""The small questions of a worker to PostgreSQL, one after another, in a thread of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from psycopg import Cursor

from geoscout_cluster.postgres.database import Connection, CrawlAddress, connect, translated
from geoscout_places.errors import DatabaseLostError

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
