"""A crawl at rest that is written to: one commit covers facts, frontier and archive.

The order matters. Records are handed to the system first, then the position behind them becomes a
row like any other, then SQLite commits. Killed before the commit, everything since the last one
is undone: the rows by SQLite, the archive by cutting it when the store is opened again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

from geoscout.errors import DamagedDataError, UsageError
from geoscout.model import Request, RequestKind, Response
from geoscout.store.archive import LARGEST_FILE, ArchiveWriter, Position, archive_file
from geoscout.store.base import Failure, Visit
from geoscout.store.records import Exchange, pack_exchange, pack_repeat
from geoscout.store.sqlite.database import FILE, open_database
from geoscout.store.sqlite.facts import FactsWriter
from geoscout.store.sqlite.reader import ARCHIVE_FOLDER, ReadOnlyStore
from geoscout.store.sqlite.tables import TABLES

_log = logging.getLogger(__name__)


class Store(ReadOnlyStore):
    """The store of the crawl that is running. Nothing lasts before `commit`."""

    def __init__(
        self,
        folder: Path,
        *,
        tables: Iterable[str] = (),
        agent: str = "geoscout",
        largest_file: int = LARGEST_FILE,
    ) -> None:
        """Open the store of a folder, new or not.

        `tables` are those of others who write through `connection`, `agent` the User-Agent that
        the fetcher sends, and `largest_file` the bytes after which a new archive file is begun.

        Raises:
            UsageError: another process writes to the folder, or another version of geoscout did.
            DamagedDataError: the database cannot be used.
        """
        super().__init__(folder, open_database(folder, (TABLES, *tables)))
        self._agent = agent
        self._committed_at, self._uncommitted = time.monotonic(), 0
        self._facts = FactsWriter(self.connection)
        archive = folder / ARCHIVE_FOLDER
        self._writer = ArchiveWriter(archive, self._archive_end(archive), largest_file)

    @classmethod
    def create(cls, folder: Path, tables: Iterable[str] = (), agent: str = "geoscout") -> Self:
        """Start a new crawl.

        Raises:
            UsageError: there is one already.
        """
        if (folder / FILE).exists():
            raise UsageError(f"{folder} holds a crawl already: resume it or take another folder")
        return cls(folder, tables=tables, agent=agent)

    @classmethod
    def resume(cls, folder: Path, tables: Iterable[str] = (), agent: str = "geoscout") -> Self:
        """Go on with a crawl, from its last commit.

        Raises:
            UsageError: there is none.
        """
        if not (folder / FILE).exists():
            raise UsageError(f"there is no crawl in {folder}: it has no {FILE}")
        return cls(folder, tables=tables, agent=agent)

    def add(self, visit: Visit, exchange: Exchange | None = None) -> int:
        """Keep a visit; returns its number.

        `exchange` is what `pack_exchange` makes of its response, where a worker has done that.
        """
        self._uncommitted += 1
        response = visit.response
        exchange = exchange or pack_exchange(response, self._agent)
        exchange, body_of = self._without_repeated_body(response, exchange)
        spot = self._writer.append(exchange.response, response.fetched_at)
        self._writer.append(exchange.request, response.fetched_at)
        return self._facts.add(visit, exchange, spot, body_of)

    def add_failure(self, failure: Failure) -> None:
        """Log a request without an answer, and count its kind."""
        self._uncommitted += 1
        self._facts.add_failure(failure)

    def add_change(self, n: int) -> None:
        """Have a visit looked at again by those who follow the change log."""
        self._facts.add_change(n)

    def count(self, topic: str, name: str, times: int = 1) -> None:
        """Count something under a name, such as a rejected link under its rule's."""
        self._facts.count(topic, name, times)

    def set_note(self, name: str, value: str) -> None:
        """Note something about the crawl as a whole: its region, a setting, an index's place."""
        self._facts.set_note(name, value)

    def count_all(self, topic: str, counts: Mapping[str, int]) -> None:
        """Count several names of a topic."""
        for name, times in counts.items():
            if times:
                self._facts.count(topic, name, times)

    def keep_state(self, value: bytes) -> None:
        """Keep what the strategy has learned."""
        if value:
            self._facts.keep_state(value)

    def seen(self, request: Request) -> Response | None:
        """The last answer for a request that asks for a page again; None for any other."""
        if request.kind != RequestKind.REVISIT:
            return None
        visits = [visit for visit in self.visits_of(request.url) if visit.is_page]
        try:
            return self.response(visits[-1].n) if visits else None
        except DamagedDataError:
            return None  # then it is fetched as if it were new

    def commit_when_due(self, visits: int, seconds: float) -> None:
        """Commit when so many visits or failures wait for it, or some for so long."""
        since = time.monotonic() - self._committed_at
        if self._uncommitted >= visits or (self._uncommitted and since >= seconds):
            self.commit()

    def commit(self) -> None:
        """Make everything last that was written since the last commit, all of it or nothing."""
        self._writer.flush()
        for end in self._writer.take_ends():
            self._facts.set_archive_end(end)
        self._facts.flush()
        self.connection.commit()
        self._committed_at, self._uncommitted = time.monotonic(), 0

    def close(self) -> None:
        """Close the files; what has not been committed is lost."""
        self._writer.close()
        super().close()

    def _ready(self) -> None:
        self._writer.flush()
        self._facts.flush()

    def _without_repeated_body(
        self, response: Response, exchange: Exchange
    ) -> tuple[Exchange, int]:
        """The records to keep, and the number of the visit that holds the body."""
        n = self._facts.next_number()
        if not response.body:
            return exchange, n
        known = self._facts.archived(exchange.digest)
        if known is None:
            self._facts.remember_body(exchange.digest, n)
            return exchange, n
        body_of, original = known
        return pack_repeat(response, exchange, original, self._agent), body_of

    def _archive_end(self, archive: Path) -> Position:
        """Where the archive was committed up to, or still is whole after a power failure."""
        end = Position(0, 0)
        for file, size in self.connection.execute("SELECT file, size FROM archive ORDER BY file"):
            path = archive_file(archive, file)
            actual = path.stat().st_size if path.exists() else 0
            if actual < size:
                _log.warning(
                    "archive cut short", extra={"file": str(path), "missing": size - actual}
                )
                return self._facts.lose_records(file, actual)
            end = Position(file, size)
        return end
