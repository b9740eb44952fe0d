"""Writes the facts of a crawl to SQLite and its responses to the archive.

Killed before the commit, everything since the last one is undone: the rows by SQLite, the archive
by setting it aside when the store is opened again.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from pathlib import Path

from msgspec.structs import replace

from geoscout.errors import DamagedDataError
from geoscout.model import Request, RequestKind, Response
from geoscout.store.archive import (
    ARCHIVE_FOLDER,
    LARGEST_FILE,
    ArchiveWriter,
)
from geoscout.store.base import PROVENANCE, Failure, StoredVisit, Topic, Visit
from geoscout.store.records import Exchange, pack_exchange, pack_repeat, read_provenance
from geoscout.store.sqlite.database import Database
from geoscout.store.sqlite.facts import FactsWriter
from geoscout.store.sqlite.mending import ENOUGH, examine_archive, mend_archive
from geoscout.store.sqlite.reader import SqliteReader


class SqliteStore(SqliteReader):
    """The facts and the archive of the running crawl; implements `CrawlWriter`.

    It reads, too, and sees what it wrote. Nothing lasts before the connection that it was handed
    is committed, which is up to whoever handed it in, and `flush` comes first.
    """

    def __init__(
        self,
        folder: Path,
        database: Database,
        agent: str = "geoscout",
        *,
        largest_file: int = LARGEST_FILE,
        enough: float = ENOUGH,
    ) -> None:
        """Write to a folder whose database has the tables of `tables.TABLES`.

        `agent` is the User-Agent that the fetcher sends, and `largest_file` the bytes after which
        a new archive file is begun. The archive is compared with the rows, from its end on, until
        `enough` records in a row are whole.
        """
        super().__init__(folder, database)
        self._agent = agent
        self._facts = FactsWriter(database)
        archive = folder / ARCHIVE_FOLDER
        found = examine_archive(database, archive, enough)
        end = mend_archive(database, archive, found)
        self._writer = ArchiveWriter(
            archive, end, largest_file, lambda: read_provenance(self.note(PROVENANCE))
        )
        # Forgotten now, because their responses are gone.
        self.lost = [visit for n in sorted(found.lost) if (visit := self.visit(n))]
        if self.lost:
            self._facts.lose(self.lost, time.time())
        self.unsaved = 0  # visits and failures since the last `flush`

    def add(self, visit: Visit, exchange: Exchange | None = None) -> int:
        self.unsaved += 1
        response = visit.response
        exchange = exchange or pack_exchange(response, self._agent)
        exchange, body_of = self._without_repeated_body(response, exchange)
        spot = self._writer.append(exchange.response, response.fetched_at)
        if exchange.request:
            self._writer.append(exchange.request, response.fetched_at)
        return self._facts.add(visit, exchange, spot, body_of)

    def add_failure(self, failure: Failure) -> None:
        self.unsaved += 1
        self._facts.add_failure(failure)

    def add_change(self, n: int) -> None:
        self._facts.add_change(n)

    def set_note(self, name: str, value: str) -> None:
        self._facts.set_note(name, value)

    def count_all(self, topic: Topic, counts: Mapping[str, int]) -> None:
        for name, times in counts.items():
            if times:
                self._facts.count(topic, name, times)

    def keep_model(self, value: bytes) -> None:
        if value:
            self._facts.keep_model(value)

    def keep_sites(self, sites: Mapping[str, bytes]) -> None:
        self._facts.keep_sites(sites)

    async def seen(self, request: Request) -> Response | None:
        if request.kind != RequestKind.REVISIT:
            return None
        visits = [visit for visit in self.visits_of(request.url) if visit.is_page]
        try:
            return self.response(visits[-1].n) if visits else None
        except DamagedDataError:
            return None  # then it is fetched as if it were new

    def forget(self, visits: Collection[StoredVisit]) -> None:
        """Forget visits for good; those who follow the change log are told. Records stay."""
        self._facts.lose(visits, time.time())

    def give_own_body(self, n: int) -> None:
        """Archive a response whole whose body the record of another visit holds, as a new visit."""
        visit = self.visit(n)
        if visit is None:
            return
        response = replace(self.response(n), captured_at=visit.captured_at)
        exchange = pack_exchange(response, self._agent)
        spot = self._writer.append(exchange.response, response.fetched_at)
        if exchange.request:
            self._writer.append(exchange.request, response.fetched_at)
        self._facts.renumber(n, spot, exchange.digest)

    def sync(self) -> None:
        """Have all responses reach the disk; `flush` does it, too."""
        self._writer.sync()

    def flush(self) -> None:
        """Hand everything to the disk and the database, so that a commit covers it.

        The order matters. Records reach the disk first, then the position behind them becomes a
        row like any other.
        """
        self.sync()
        for end in self._writer.take_ends():
            self._facts.set_archive_end(end)
        self._facts.flush()
        self.unsaved = 0

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
