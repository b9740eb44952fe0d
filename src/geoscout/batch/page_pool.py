"""Processes that make rows of pages. A page that ends or blocks its process costs only itself."""

from __future__ import annotations

from collections.abc import Callable

from geoscout.batch.documents import ArchivedDocument, document_codec
from geoscout.batch.rows import EncodedRow, row_codec
from geoscout.crawling.processes import Processes, ReplyLimits, Responder
from geoscout_places.errors import last_line

PATIENCE_SECONDS = 60.0  # for a page; the largest take a few seconds


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
        self._processes = Processes(prepare, workers, ReplyLimits(patience=patience), "spawn")

    async def read(self, document: ArchivedDocument) -> EncodedRow:
        """The row of a page.

        Raises:
            UnreadPageError: the page cannot be read.
        """
        try:
            question = document_codec.encode(document)
            return row_codec.decode(await self._processes.ask(question))
        except ConnectionError as error:
            raise UnreadPageError(f"{document.url} ends or blocks its process") from error
        except (RuntimeError, UnicodeEncodeError) as error:
            raise UnreadPageError(f"{document.url}: {last_line(error)}") from error

    def close(self) -> None:
        """End the processes."""
        self._processes.close()
