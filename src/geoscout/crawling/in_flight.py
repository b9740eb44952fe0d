"""The requests that are in flight, how they end, and what a crawl counts of them.

A request in flight is in flight in memory only, so one that is cancelled is still waiting in the
frontier. That is why a crawl that is told to stop need not wait for servers, name servers or pages
that take long to read: what does not end by itself within half a second is asked for again later.
The counts are kept by the loop for the store, for the log, and for those who watch.
"""

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Coroutine
from dataclasses import dataclass, field

from geoscout.crawling.ending import BARREN, BarrenWatch, pack_stretch
from geoscout.crawling.follow import Lead
from geoscout.crawling.read_result import ReadResult
from geoscout.fetch.base import Fetcher, statuses_unseen
from geoscout.fetch.retries import Verdict, log_failure, log_response
from geoscout.store.base import Failure, Topic, harvest_of
from geoscout.store.group import CrawlWriter
from geoscout_places.model import Request, Response

GRACE_SECONDS = 0.5  # for what is in flight when a crawl is told to stop
_CANCEL_SECONDS = 0.3  # for what cancelled requests have to clean up
_DOUBLES_SECONDS = 10.0  # after which twice as many requests are tried after a lack
_BURST_SECONDS = 1.0  # in which several lacks count as one
_LEAST_SHARE = 1 / 64

_log = logging.getLogger(__name__)


class InFlight:
    """Tasks, one for each request."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: list[asyncio.Task[None]] = []  # that nobody has looked at yet
        self._waiter: asyncio.Future[None] | None = None  # of whoever waits for the next to end
        self._alarm: asyncio.TimerHandle | None = None  # that wakes it
        self._is_stopping = False
        self._share, self._lacked_at = 1.0, 0.0

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, request: Coroutine[None, None, None]) -> None:
        """Have one more in flight."""
        task = asyncio.create_task(request)
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._ended.append(task)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    @property
    def is_stopping(self) -> bool:
        return self._is_stopping

    def stop(self) -> None:
        """Let nobody wait any longer."""
        self._is_stopping = True
        self._wake()

    def most(self, asked_for: int, set_aside: int) -> int:
        """How many there may be.

        Pages that are `set_aside`, because reading them takes long, do not count: good ones would
        wait for their connections. They are bounded, because each is held in memory.
        """
        if self._share < 1.0:
            doublings = (time.monotonic() - self._lacked_at) / _DOUBLES_SECONDS
            if self._share * 2.0**doublings >= 1.0:
                self._share = 1.0
                _log.info("%d requests at a time again", asked_for)
            else:
                asked_for = max(int(asked_for * self._share * 2.0**doublings), 1)
        return asked_for + min(set_aside, asked_for // 2)

    def lacks(self, detail: str) -> None:
        """Have half as many for a while: for one there were too few files, memory or threads."""
        now = time.monotonic()
        if now - self._lacked_at <= _BURST_SECONDS:
            return
        if self._share == 1.0:
            _log.warning("fewer requests at a time for a while: %s", detail)
        self._share, self._lacked_at = max(self._share / 2, _LEAST_SHARE), now

    async def wait(self, seconds: float | None) -> None:
        """Until one has ended, `stop` was called, or this much time has passed.

        It may be shorter, by an alarm of an earlier wait.

        Raises:
            Exception: of one that has ended.
        """
        if not self._ended and not self._is_stopping:
            await self._until_woken(seconds)
        self._raise_errors()

    def _raise_errors(self) -> None:
        ended, self._ended = self._ended, []
        for task in ended:
            if not task.cancelled():  # by us, when there was no time left
                task.result()

    async def _until_woken(self, seconds: float | None) -> None:
        """Wait on one future: `asyncio.wait` would be told to listen to each task every time."""
        self._waiter = asyncio.get_running_loop().create_future()
        if seconds is not None:
            self._set_alarm(seconds)
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _set_alarm(self, seconds: float) -> None:
        """Have an alarm that is not later; the one before is kept if it will do."""
        loop = asyncio.get_running_loop()
        at = loop.time() + seconds
        if self._alarm is not None:
            if self._alarm.when() <= at:
                return
            self._alarm.cancel()
        self._alarm = loop.call_at(at, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._wake()

    async def finish(self) -> None:
        """Until all have ended; after `stop`, those that take long are cancelled.

        Raises:
            Exception: of one that has ended.
        """
        while self._tasks and not self.is_stopping:
            await self.wait(None)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=GRACE_SECONDS)
        self._raise_errors()
        if self._tasks:
            tasks = self.cancel()
            await asyncio.wait(tasks, timeout=_CANCEL_SECONDS)

    def cancel(self) -> set[asyncio.Task[None]]:
        """Have all end at once; returns them."""
        tasks = set(self._tasks)
        for task in tasks:
            task.cancel()
        return tasks


ENTITY_STEP = 100  # visits between two points of the curve of new entities
_RATE_SECONDS = 60.0  # over which the present rate is taken


@dataclass(slots=True)
class Progress:
    """Counts over every resume of a crawl; rate, failures and statuses are those of this run."""

    visits: int = 0
    pages: int = 0
    relevant: int = 0
    failures: Counter[str] = field(default_factory=Counter)  # by kind
    statuses: Counter[str] = field(default_factory=Counter)  # responses by HTTP status
    nodes: dict[str, Counter[str]] = field(default_factory=dict)  # visits, pages, relevant
    _ticks: deque[tuple[float, int]] = field(default_factory=deque)  # time and visits then

    def add(self, node: str, *, page: bool, relevant: bool) -> None:
        self.visits += 1
        self.pages += page
        self.relevant += relevant
        if node:
            counts = self.nodes.setdefault(node, Counter())
            counts.update(visits=1, pages=int(page), relevant=int(relevant))
        now = time.monotonic()
        if not self._ticks or now - self._ticks[-1][0] >= 1.0:
            self._ticks.append((now, self.visits))
            while now - self._ticks[0][0] > _RATE_SECONDS:
                self._ticks.popleft()

    def add_failure(self, kind: str) -> None:
        """Count a failure."""
        self.failures[kind] += 1

    @property
    def rate(self) -> float:
        """Visits a second over the last minute."""
        if not self._ticks:
            return 0.0
        at, visits = self._ticks[0]
        return (self.visits - visits) / max(time.monotonic() - at, 1.0)

    @property
    def harvest(self) -> float:
        """Relevant pages among those fetched."""
        return harvest_of(self.relevant, self.pages)


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
