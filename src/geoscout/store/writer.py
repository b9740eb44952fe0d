"""Takes what a running crawl writes, over any engine. Who reads from it sees what waits, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from geoscout.store.archive import RecordSpot
from geoscout.store.base import Failure, Topic, Visit
from geoscout.store.engine import Engine
from geoscout.store.group import PendingRows
from geoscout.store.reader import CrawlReader
from geoscout.store.records import Exchange, Original, pack_exchange, pack_repeat
from geoscout_places.errors import DamagedDataError
from geoscout_places.model import Request, RequestKind, Response


class Archive(Protocol):
    """Where records go."""

    def append(self, record: bytes, at: float) -> RecordSpot:
        """Add a packed record; `at`, seconds since the epoch, dates a file that starts with it."""
        ...


class Bodies(Protocol):
    """Which bodies are archived, so that each is archived once."""

    def find(self, digest: bytes) -> tuple[int, Original] | None:
        """The first visit that had a body; None when there is none."""
        ...

    def add(self, digest: bytes, n: int, original: Original) -> None: ...


class CrawlWriter(CrawlReader):
    """What a running crawl writes. Nothing lasts, or is seen by others, before the commit."""

    def __init__(self, engine: Engine, pending: PendingRows, bodies: Bodies, agent: str) -> None:
        """`agent` is the User-Agent that the fetcher sends."""
        super().__init__(engine)
        self._pending, self._bodies, self._agent = pending, bodies, agent
        self._archive: Archive
        self.unsaved = 0  # visits and failures since the last group

    def add(self, visit: Visit, exchange: Exchange | None = None) -> int:
        """Keep a visit; returns its number.

        `exchange` is what `pack_exchange` makes of its response, where a worker has done that.
        """
        self.unsaved += 1
        response = visit.response
        exchange = exchange or pack_exchange(response, self._agent)
        known = self._bodies.find(exchange.digest) if response.body else None
        if known is not None:
            exchange = pack_repeat(response, exchange, known[1], self._agent)
        spot = self._archive.append(exchange.response, response.fetched_at)
        if exchange.request:
            self._archive.append(exchange.request, response.fetched_at)
        n = self._pending.add(visit, exchange, spot, known[0] if known else None)
        if known is None and response.body:
            self._bodies.add(exchange.digest, n, Original(response.url, response.answered_at))
        return n

    def add_failure(self, failure: Failure) -> None:
        """Log a request without a response, and count its kind."""
        self.unsaved += 1
        self._pending.add_failure(failure)

    def add_change(self, n: int) -> None:
        """Have a visit looked at again by those who follow the change log."""
        self._pending.add_change(n)

    def count_all(self, topic: Topic, counts: Mapping[str, int]) -> None:
        """Add to the counts of a topic."""
        for name, times in counts.items():
            if times:
                self._pending.count(topic, name, times)

    def set_note(self, name: str, value: str) -> None:
        """Note something about the crawl as a whole, such as what it was asked for."""
        self._pending.set_note(name, value)

    def keep_model(self, value: bytes) -> None:
        """Keep what the strategy has learned; nothing is kept when that is empty."""
        if value:
            self._pending.keep_model(value)

    def keep_sites(self, sites: Mapping[str, bytes]) -> None:
        """Keep what the crawl knows of some sites, by their names; a site without is forgotten."""
        self._pending.keep_sites(sites)

    async def seen(self, request: Request) -> Response | None:
        """The last response for a request that asks for a page again; None for any other."""
        return last_page(self, request.url) if request.kind == RequestKind.REVISIT else None


def last_page(reader: CrawlReader, url: str) -> Response | None:
    """The last page of a URL; where it is lost, it is fetched as if it were new."""
    visits = [visit for visit in reader.visits_of(url) if visit.is_page]
    try:
        return reader.response(visits[-1].n) if visits else None
    except DamagedDataError:
        return None
