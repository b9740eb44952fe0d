"""The crawl: READ THIS FIRST. The way of a page from the frontier to the store, in one file.

    frontier ─► fetch ─► read (parse, geo, judge) ─► score links ─► store, frontier ─► commit

Fetching waits on one event loop; reading is work and may go to other processes; only this loop
writes. A commit covers facts, frontier and archive together, so that a crash loses nothing that
was not in flight.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace

from geoscout.errors import FetchError
from geoscout.fetch.base import Fetcher
from geoscout.fetch.politeness import page_directives
from geoscout.fetch.redirects import is_redirect, next_hop
from geoscout.fetch.retries import Patience, Verdict, after_error, after_status, parked_for
from geoscout.frontier import Frontier
from geoscout.model import Link, Request, Response
from geoscout.store.base import Failure, Visit
from geoscout.store.store import Store
from geoscout.strategy import Source, Strategy
from geoscout.urls import host_of, normalise, trap
from geoscout.work import Work

COMMIT_VISITS = 64  # a group; a crash repeats at most what is in flight besides it
COMMIT_SECONDS = 2.0
OK = 200


@dataclass(frozen=True, slots=True)
class Plan:
    """How far a crawl goes, and how hard it works."""

    max_pages: int | None = None  # answers in all, over every resume
    max_depth: int | None = None  # links since a seed
    connections: int = 50  # requests in flight
    agent: str = "geoscout"
    patience: Patience = field(default_factory=Patience)


@dataclass(slots=True)
class Progress:
    """What a crawl has done; read by who shows it."""

    visits: int = 0
    pages: int = 0
    relevant: int = 0
    failures: int = 0


@dataclass(frozen=True, slots=True)
class Stages:
    """What the loop joins."""

    frontier: Frontier
    fetcher: Fetcher
    read: Callable[[Response], Awaitable[Work]]
    strategy: Strategy
    store: Store


class Crawl:
    """One crawl, from its frontier's present state until it is done or told to stop."""

    def __init__(self, stages: Stages, plan: Plan, chance: random.Random) -> None:
        self._stages = stages
        self._plan = plan
        self._chance = chance
        self._chains: dict[str, tuple[str, ...]] = {}  # URL -> the redirects that led to it
        self._ailing: dict[str, int] = {}  # host -> failures in a row
        self._in_flight: set[asyncio.Task[None]] = set()
        self._committed_at = time.monotonic()
        self._uncommitted = 0
        self.progress = Progress()
        self.stopping = False

    async def run(self) -> None:
        """Crawl until the plan is fulfilled, nothing is left, or `stopping` is set."""
        while not self._is_over():
            self._start_requests()
            if not await self._wait():
                break
        if self._in_flight:
            await asyncio.wait(self._in_flight)
        self._stages.store.commit()

    def _is_over(self) -> bool:
        planned = self._plan.max_pages
        return self.stopping or (planned is not None and self.progress.visits >= planned)

    def _start_requests(self) -> None:
        room = self._plan.connections - len(self._in_flight)
        if self._plan.max_pages is not None:
            left = self._plan.max_pages - self.progress.visits - len(self._in_flight)
            room = min(room, left)
        for _ in range(room):
            request = self._stages.frontier.next(time.time())
            if request is None:
                return
            task = asyncio.create_task(self._visit(request))
            self._in_flight.add(task)
            task.add_done_callback(self._in_flight.discard)

    async def _wait(self) -> bool:
        """Until something may have changed; False when nothing ever will."""
        wake_at = self._stages.frontier.wake_at(time.time())
        pause = COMMIT_SECONDS
        if wake_at is not None:
            pause = min(max(wake_at - time.time(), 0.0), COMMIT_SECONDS)
        if self._in_flight:
            done = asyncio.FIRST_COMPLETED
            finished, _ = await asyncio.wait(self._in_flight, timeout=pause, return_when=done)
            for task in finished:
                task.result()  # what is not a FetchError is a bug, and ends the crawl
        elif wake_at is None:
            return False
        else:
            await asyncio.sleep(pause)
        self._commit_when_due()
        return True

    async def _visit(self, request: Request) -> None:
        fetcher, frontier = self._stages.fetcher, self._stages.frontier
        try:
            address = await fetcher.resolve(host_of(request.url))
            if not frontier.bind(host_of(request.url), address, time.time()):
                return  # the address is busy with another host; the request waits again
            response = await fetcher.fetch(request)
        except FetchError as error:
            verdict = after_error(error, request.tries, self._plan.patience, self._chance.random())
            self._fail(request, verdict, error.kind, str(error))
            return
        verdict_or_none = after_status(
            response, request.tries, self._plan.patience, self._chance.random()
        )
        if verdict_or_none is not None:
            self._fail(request, verdict_or_none, verdict_or_none.reason, request.url)
            return
        await self._take(request, response)

    async def _take(self, request: Request, response: Response) -> None:
        """An answer that stays: read it, keep it, follow it."""
        work = Work()
        if response.status == OK:
            work = await self._stages.read(response)
        source = Source(request, work.page, work.relevant, work.reading) if work.page else None
        found = list(self._links(source, response)) if source else self._hop(request, response)
        visit = Visit(request, response, work.page, work.reading, work.relevant)
        self._stages.store.add(visit, work.exchange)
        self._stages.frontier.put(found)
        self._ailing.pop(host_of(request.url), None)
        now, delay = time.time(), self._stages.fetcher.delay_after(response)
        self._stages.frontier.done(request, now, delay)
        self._count(work)

    def _links(self, source: Source, response: Response) -> Iterator[Request]:
        """The links of a page worth waiting for, scored."""
        request, page, store = source.request, source.page, self._stages.store
        depth = request.depth + 1
        if self._plan.max_depth is not None and depth > self._plan.max_depth:
            return
        if not page_directives(self._plan.agent, response.headers, page.meta).follow:
            store.count("links", "nofollow page", len(page.links))
            return
        kept = []
        for link in page.links:
            url = normalise(link.url)
            rule = self._refusal(link, url)
            asked = self._stages.fetcher.known_as(url) if url and not rule else None
            if asked is None:
                store.count("links", rule or "outside")
            else:
                kept.append(replace(link, url=asked))
        distance = 1 if source.relevant else request.distance + 1
        for link, (priority, features) in zip(
            kept, self._stages.strategy.score(source, kept), strict=True
        ):
            yield Request(
                link.url, priority, depth, distance, request.url, request.node, features=features
            )

    def _refusal(self, link: Link, url: str | None) -> str | None:
        """The name of the rule that leaves a link out; None when none does."""
        if url is None:
            return "not http"
        return "nofollow" if "nofollow" in link.rel else trap(url)

    def _hop(self, request: Request, response: Response) -> list[Request]:
        """Where a redirect leads, as a request of its own; nothing for other answers."""
        chain = (*self._chains.pop(request.url, ()), request.url)
        if not is_redirect(response):
            return []
        try:
            target = next_hop(response, chain[:-1])
        except FetchError as error:
            self._stages.store.count("redirects", error.kind)
            return []
        if rule := trap(target):
            self._stages.store.count("links", rule)
            return []
        self._chains[target] = chain
        return [replace(request, url=target, parent=request.url, tries=0)]

    def _fail(self, request: Request, verdict: Verdict, kind: str, detail: str) -> None:
        now, host = time.time(), host_of(request.url)
        self.progress.failures += 1
        self._stages.store.add_failure(Failure(request, now, kind, detail))
        if verdict.counts and verdict.again_in is not None:
            self._ailing[host] = self._ailing.get(host, 0) + 1
            rests = max(verdict.host_rests, parked_for(self._ailing[host], self._plan.patience))
        else:
            rests = verdict.host_rests
        until = None if verdict.again_in is None else now + verdict.again_in
        failed = replace(request, tries=request.tries + 1) if verdict.counts else request
        delay = self._stages.fetcher.delay_after_failure(request.url)
        self._stages.frontier.fail(failed, now, delay, until)
        if rests:
            self._stages.frontier.block(host, now + rests, verdict.reason)
        self._uncommitted += 1

    def _count(self, work: Work) -> None:
        self.progress.visits += 1
        self.progress.pages += work.page is not None
        self.progress.relevant += work.relevant
        self._uncommitted += 1

    def _commit_when_due(self) -> None:
        since = time.monotonic() - self._committed_at
        if self._uncommitted and (self._uncommitted >= COMMIT_VISITS or since >= COMMIT_SECONDS):
            self._stages.store.commit()
            self._committed_at, self._uncommitted = time.monotonic(), 0
