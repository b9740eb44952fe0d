"""Processes that make rows of pages. A page that ends or blocks its process costs only itself.

A process has two pages at a time, so when it ends, one of two pages is to blame. Both are then read
again, each alone in a process for such pages: the innocent one gets its row, the other is given up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from geoscout.batch.documents import ArchivedDocument, document_codec
from geoscout.batch.rows import EncodedRow, row_codec
from geoscout.crawling.processes import Processes, Responder
from geoscout.errors import last_line

PATIENCE_SECONDS = 60.0  # for a page and the one before it; the largest take a few seconds


class UnreadPageError(Exception):
    """A page could not be read; the message says why."""


class PagePool:
    """A number of processes, started with the first page."""

    def __init__(
        self,
        prepare: Callable[[], Responder],
        workers: int,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        """`prepare` is called in each process; see `page_reader.row_responder`."""
        # "spawn", because Ray and progress bars have threads, with which "fork" may block for ever.
        self._processes = Processes(prepare, workers, patience, "spawn")
        self._suspects = Processes(prepare, 1, patience, "spawn")
        self._one_suspect = asyncio.Lock()

    async def read(self, document: ArchivedDocument) -> EncodedRow:
        """The row of a page.

        Raises:
            UnreadPageError: the page cannot be read.
        """
        try:
            return row_codec.decode(await self._ask(document_codec.encode(document)))
        except ConnectionError as error:
            raise UnreadPageError(f"{document.url} ends or blocks its process") from error
        except (RuntimeError, UnicodeEncodeError) as error:
            raise UnreadPageError(f"{document.url}: {last_line(error)}") from error

    async def _ask(self, question: bytes) -> bytes:
        try:
            return await self._processes.ask(question, again=False)
        except ConnectionError:
            async with self._one_suspect:
                return await self._suspects.ask(question, again=False)

    def close(self) -> None:
        """End the processes."""
        self._processes.close()
        self._suspects.close()
