"""The crawl: READ THIS FIRST. The way of a page from the frontier to the store, in one file.

    frontier ─► fetch ─► read (parse, geo, judge) ─► follow (learn, score links) ─► store, frontier

Fetching waits on one event loop; reading is work for other processes; only this loop writes. What
it writes and the frontier are one state (`state/base.py`): a commit covers both, and the archive,
so that a crash loses nothing that was not in flight.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from msgspec import Struct, field

from geoscout.crawling.ending import MachineLimits, MachineWatch
from geoscout.crawling.follow import Follower
from geoscout.crawling.in_flight import InFlight, Ledger, Progress
from geoscout.crawling.read_result import ReadResult
from geoscout.crawling.requests import is_absent
from geoscout.crawling.site_memory import SiteMemory
from geoscout.fetch.base import Fetcher
from geoscout.fetch.retries import CROWDED, Health, Verdict
from geoscout.state.base import CrawlState
from geoscout.strategy import Strategy, abilities_of
from geoscout_places.clock import steady_time
from geoscout_places.errors import FetchError
from geoscout_places.model import Request, RequestKind, Response, SiteKnowledge
from geoscout_places.urls import host_of

COMMIT_VISITS = 64  # a group; a crash repeats at most what is in flight besides it
COMMIT_SECONDS = 2.0
LONG_READING_SECONDS = 2.0  # an ordinary page takes a hundredth, and may have to wait
PACKED_HERE = 64 * 1024  # bytes of an error page; to compress more would hold up the loop
KEEP_MODEL_VISITS = 1000  # a crash forgets no more than that of what the strategy learned


class Plan(Struct, frozen=True):
    """How far a crawl goes, and how hard it works."""

    max_pages: float = math.inf  # responses in all, over every resume
    connections: int = 50  # requests in flight
    stops_when_barren: bool = False  # after a long stretch without a relevant page


class Stages(Struct, frozen=True):
    """What the loop joins: what it keeps, then what a page meets, in this order."""

    state: CrawlState
    fetcher: Fetcher
    health: Health
    read: Callable[[Response, RequestKind, SiteKnowledge | None], Awaitable[ReadResult]]
    strategy: Strategy
    follower: Follower
    sites: SiteMemory = field(default_factory=SiteMemory)
    set_aside: Callable[[], int] = lambda: 0  # pages that take long to read, at present


class Crawl:
    """One crawl, from its frontier's present state until it is done or told to stop."""

    def __init__(self, stages: Stages, plan: Plan, progress: Progress | None = None) -> None:
        self._stages = stages
        self.plan = plan  # another one may take its place while it runs
        self._in_flight = InFlight()
        self.frontier, self.strategy = stages.state.frontier, stages.strategy
        self._abilities = abilities_of(stages.strategy)
        self.progress = progress or Progress()
        self.watch = MachineWatch(MachineLimits())  # as with the plan
        self.ledger = Ledger(stages.state.writer, stages.fetcher, self.progress)

    async def run(self) -> None:
        """Crawl until the plan is fulfilled, nothing is left, or `stop` is called."""
        try:
            while self.may_go_on():
                if not await self._wait(is_full=self._start_requests()):
                    break
                await self._stages.state.commit_when_due(COMMIT_VISITS, COMMIT_SECONDS)
            await self._in_flight.finish()
        finally:
            self._in_flight.cancel()  # what an error or a cancellation left
        self.ledger.answered()
        self._stages.state.writer.keep_model(self._abilities.save())
        self._stages.state.writer.keep_sites(self._stages.sites.take_changes())
        await self._stages.state.commit()

    def stop(self) -> None:
        """Finish what takes less than a second of what is in flight, and end."""
        self._in_flight.stop()

    @property
    def is_stopped(self) -> bool:
        return self._in_flight.is_stopping

    def may_go_on(self) -> bool:
        """Whether neither the plan nor the user says stop."""
        is_given_up = self.plan.stops_when_barren and self.ledger.is_barren
        is_stopped = self._in_flight.is_stopping or is_given_up
        return not is_stopped and self.progress.visits < self.plan.max_pages

    def _start_requests(self) -> bool:
        """Start what may go now; True when there is no room for more."""
        if not self.watch.may_start():
            return True
        left = self.plan.max_pages - self.progress.visits
        most = self._in_flight.most(self.plan.connections, self._stages.set_aside())
        room = min(most, left) - len(self._in_flight)
        while room > 0:
            request = self.frontier.next(steady_time(), self._abilities.traits.least_share)
            if request is None:
                return False
            if self._stages.follower.is_answered(request):
                self.ledger.skipped()
                self.frontier.done(request, steady_time(), 0.0)  # nobody was asked
                continue
            room -= 1
            self._in_flight.start(self._visit(request))
        return True

    async def _wait(self, *, is_full: bool) -> bool:
        """Until something may have changed; False when nothing ever will."""
        share = self._abilities.traits.least_share
        wake_at = None if is_full else self.frontier.wake_at(steady_time(), share)
        rest = COMMIT_SECONDS if wake_at is None else max(wake_at - steady_time(), 0.0)
        pause = min(rest, COMMIT_SECONDS)
        if self.watch.stop_reason or (not self._in_flight and wake_at is None and not is_full):
            return False
        await self._in_flight.wait(pause)  # what is not a FetchError is a bug, and ends the crawl
        return True

    async def _visit(self, request: Request) -> None:
        stages, host = self._stages, host_of(request.url)
        try:
            address = await stages.fetcher.resolve(host)
            if not stages.follower.admits(host, address):
                self._fail(request, CROWDED, request.url)
                return
            if not self.frontier.bind(host, address, steady_time(), request.node):
                return  # the address is busy with another host; the request waits again
            response = await stages.fetcher.fetch(request, await stages.state.writer.seen(request))
            self.ledger.answered(response)
            verdict = stages.health.after_response(request, response)
            if verdict is not None:
                self._fail(request, verdict, request.url)
                return
            result = ReadResult()
            if response.status == HTTPStatus.OK or len(response.body) > PACKED_HERE:
                result = await self._read(request, response)
        except FetchError as error:
            self.ledger.answered()
            self._fail(request, stages.health.after_error(request, error), str(error))
            return
        self._take(request, response, result)

    async def _read(self, request: Request, response: Response) -> ReadResult:
        """Read a response; where that takes long, its host is asked for other pages meanwhile."""

        def go_on() -> None:
            delay = stages.fetcher.delay_after(response)
            self.frontier.free_host(request, steady_time(), delay)

        stages = self._stages
        alarm = asyncio.get_running_loop().call_later(LONG_READING_SECONDS, go_on)
        try:
            return await stages.read(response, request.kind, stages.sites.recall(request.url))
        finally:
            alarm.cancel()

    def _take(self, request: Request, response: Response, result: ReadResult) -> None:
        """A response that stays: follow it and keep it."""
        stages = self._stages
        lead = stages.follower.follow(request, response, result)
        self.frontier.put(lead.requests)
        self.frontier.done(request, steady_time(), stages.fetcher.delay_after(response))
        if is_absent(request, response):
            return  # as with a robots.txt that is not there, nothing was visited
        stages.state.writer.add(result.visit(request, response), result.exchange)
        stages.sites.learn(request.url, None if lead.is_copy else result.told)
        self.ledger.kept(request, response, result, lead)
        self._let_strategy_catch_up()

    def _fail(self, request: Request, verdict: Verdict, detail: str) -> None:
        """No response, or none of use: try again later, or give up."""
        stages, now = self._stages, steady_time()
        self.ledger.failed(request, verdict, detail)
        if verdict.reason == "local":
            self._in_flight.lacks(detail)
        if verdict.again_in is None:
            stages.follower.give_up(request)
        delay = stages.fetcher.delay_after_failure(request.url)
        # After two turns of its host: a page that fails must not take all of them.
        until = None if verdict.again_in is None else now + max(verdict.again_in, 2.5 * delay)
        self.frontier.fail(request, now, delay, until, counts=verdict.counts)
        if verdict.host_rests:
            self.frontier.block(host_of(request.url), now + verdict.host_rests, verdict.reason)

    def _let_strategy_catch_up(self) -> None:
        """Have it score again what waits, and keep what it learned, when the time has come."""
        stages, visits = self._stages, self.progress.visits
        if most := self._abilities.due(visits):
            self.frontier.reorder(most, self._abilities.rescore)
        if visits % KEEP_MODEL_VISITS == 0:
            stages.state.writer.keep_model(self._abilities.save())
        stages.state.writer.keep_sites(stages.sites.take_changes(when_due=True))
