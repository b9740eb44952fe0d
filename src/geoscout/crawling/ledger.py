"""Counts what becomes of requests: for the store, for those who watch, and for the log."""

from __future__ import annotations

import time

from geoscout.crawling.barren import BARREN, BarrenWatch, pack_stretch
from geoscout.crawling.follow import Lead
from geoscout.crawling.progress import ENTITY_STEP, Progress
from geoscout.crawling.read_result import ReadResult
from geoscout.fetch.base import Fetcher, statuses_unseen
from geoscout.fetch.retries import Verdict, log_failure, log_response
from geoscout.store.base import Failure, Topic
from geoscout.store.group import CrawlWriter
from geoscout_places.model import Request, Response


class Ledger:
    """What a crawl counts; nothing here decides what happens next."""

    def __init__(self, writer: CrawlWriter, fetcher: Fetcher, progress: Progress) -> None:
        self._writer, self.progress = writer, progress
        self._statuses_unseen = statuses_unseen(fetcher)
        self.barren: BarrenWatch | None = None  # given by who runs the crawl

    @property
    def is_barren(self) -> bool:
        """Whether nothing relevant has been found for long."""
        return self.barren is not None and self.barren.stretch is not None

    def stretch(self) -> str:
        """For how long nothing relevant has been found, in words; "" where that is not long."""
        return self.barren.text() if self.barren else ""

    def answered(self, response: Response | None = None) -> None:
        """Count what servers sent: this response, and what only the fetcher has seen."""
        if response is not None:
            self._count_status(response.status, 1)
        for status, times in self._statuses_unseen().items():
            self._count_status(status, times)

    def kept(self, request: Request, response: Response, result: ReadResult, lead: Lead) -> None:
        """Count a response that the store has."""
        if result.unread:
            self._count_failure(request, f"unread: {result.unread}", request.url)
        if response.browser:
            self._writer.count_all(Topic.BROWSER, {response.browser: 1})
        self._writer.count_all(Topic.LINKS, lead.refused)
        self._writer.count_all(Topic.EXCHANGED, {request.node: lead.exchanged})
        self._count_entities(lead)
        self.progress.add(request.node, page=result.page is not None, relevant=result.relevant)
        log_response(response, relevant=result.relevant)
        if self.barren and self.barren.see(result.reading, relevant=result.relevant):
            self.barren.tell()
            self._writer.set_note(BARREN, pack_stretch(self.barren.stretch))

    def _count_entities(self, lead: Lead) -> None:
        """Count new entities by hundreds of visits, which are the points of their curve."""
        if lead.new_entities is not None:
            place = str(self.progress.visits // ENTITY_STEP)
            self._writer.count_all(Topic.ENTITIES, {place: lead.new_entities})

    def failed(self, request: Request, decision: Verdict, detail: str) -> None:
        """Count a request without a response of use."""
        self._count_failure(request, decision.reason, detail)
        log_failure(request, decision, detail)

    def _count_status(self, status: int, times: int) -> None:
        self.progress.statuses[str(status)] += times
        self._writer.count_all(Topic.STATUS, {str(status): times})

    def skipped(self) -> None:
        """Count a request whose page has come under another URL."""
        self._writer.count_all(Topic.LINKS, {"other form": 1})

    def _count_failure(self, request: Request, kind: str, detail: str) -> None:
        self.progress.add_failure(kind)
        self._writer.add_failure(Failure(request, time.time(), kind, detail))
