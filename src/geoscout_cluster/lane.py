"""A partition from its claim to its release: the loop of `crawl.py`, run whenever it can go on.

The loop ends when its frontier has nothing more. In a cluster that is not the end: another
partition may send something, and then the lane runs it again. Until then the lane rests, and says
so in its row (`engine/roster.py`).
"""

import asyncio
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from msgspec.structs import replace
from psycopg import Cursor

from geoscout.crawl import Crawl
from geoscout.crawling.assemble import Blueprint, Read, make_crawl, writing_of
from geoscout.crawling.ending import MachineWatch
from geoscout.crawling.in_flight import Progress
from geoscout.crawling.steering import LeftAlone, Wishes
from geoscout.fetch.base import Fetcher
from geoscout.frontier.base import Counts
from geoscout.scope_rules import HostTable
from geoscout.settings import Settings
from geoscout.store.base import Rest
from geoscout.strategy import Strategy
from geoscout_cluster.engine.base import WorkerSession, Write
from geoscout_cluster.engine.budget import MOST_DRAWN, draw_more, granted, keep_only
from geoscout_cluster.engine.exchange import Inbox, Outbox, Parcel
from geoscout_cluster.engine.leases import LeaseClock
from geoscout_cluster.engine.rents import Rents
from geoscout_cluster.engine.roster import say_rest, write_figures
from geoscout_cluster.outcomes import NotingStrategy
from geoscout_cluster.postgres.database import CrawlAddress, connect, translated
from geoscout_cluster.postgres.state import PostgresState
from geoscout_cluster.routing import (
    LeasedFetcher,
    Routing,
    pack_requests,
    partition_of_host,
    partition_of_url,
    unpack_requests,
)
from geoscout_places.clock import steady_time
from geoscout_places.errors import DatabaseLostError
from geoscout_places.urls import without_port

_LOOK_AGAIN_SECONDS = 1.0  # at the lease, while a lane rests
# A lane that has nothing left waits this long for links of others, and then takes all that came:
# each time that it goes on is a commit, and those with few pages cost the server the most.
_GATHER_SECONDS = 0.5
_PATIENCE_SECONDS = 5.0  # that a lane waits for pages which others promise
_SOON_SECONDS = 3.0  # a lane whose hosts all rest for longer leaves its tickets to others

_VISITS = "SELECT coalesce(sum(visits), 0)::bigint FROM harvest WHERE partition = %s"


@dataclass(frozen=True, slots=True)
class Workshop:
    """What all lanes of a worker share."""

    worker: str  # its name
    where: str  # the crawl, as it was named
    address: CrawlAddress
    blueprint: Blueprint
    partitions: int
    fetcher: Fetcher
    read: Read
    strategy: Strategy
    has_learned: bool  # whether the strategy began with what others had learned
    session: WorkerSession
    watch: MachineWatch  # of the disk and memory of this machine


class Lane:
    """One partition that this worker holds."""

    def __init__(self, shop: Workshop, clock: LeaseClock) -> None:
        """Restore a partition that was claimed. This takes its time: do it in a thread.

        Raises:
            FencedError: another worker has taken it over meanwhile.
            DatabaseLostError: the server does not answer.
        """
        self._shop, self._clock = shop, clock
        self.number = clock.lease.partition
        self.rest = Rest.NONE
        self.restore_seconds = 0.0  # how long it took to take it up; its worker knows
        self.rows_waiting = 0  # rows that others had sent, at the last look
        self._is_stopping = False
        self._awake = asyncio.Event()
        self._others: Mapping[str, float] = {}  # what other lanes can ask soon
        self._owes_tickets = False
        self._waits_since, self._visits_then = 0.0, -1  # how long it waits for better pages
        self.rents = Rents(clock.lease)
        self._strategy = NotingStrategy(shop.strategy, shop.worker, self.number)
        with ExitStack() as on_error:
            self.state = PostgresState(shop.address, clock, writing_of(shop.blueprint.settings))
            on_error.callback(self.state.close)
            if not clock.lease.was_clean and not shop.blueprint.options.replay:
                self.state.frontier.rest_all(steady_time(), pause_of(shop.blueprint.settings))
            with translated(shop.address), connect(shop.address) as connection:
                visits = self._open_boxes(connection.cursor())
            self._left_alone = LeftAlone(self.state, self.number, self._is_ours)
            self._add_partners()
            self._crawl = self._make_crawl(visits)
            on_error.pop_all()

    def _open_boxes(self, cursor: Cursor[Any]) -> int:
        """Go on where the owner before ended; returns how many visits the partition has had."""
        self._outbox = Outbox.open(cursor, self.number, pack_requests)
        self.inbox = Inbox.open(cursor, self.number)
        limit = granted(cursor, self.number)
        self._limit = math.inf if limit is None else limit
        (visits,) = cursor.execute(_VISITS, (self.number,)).fetchone() or (0,)
        return int(visits)

    def _add_partners(self) -> None:
        cuts = (self._outbox.cut, self.inbox.cut, self._strategy.cut, self._cut_figures)
        for partner in cuts:
            self.state.add_partner(partner)

    def _make_crawl(self, visits: int) -> Crawl:
        shop = self._shop
        self.state.frontier.owner = Routing(self._outbox, self._owner_of, self.rents)
        fetcher = LeasedFetcher(shop.fetcher, self._clock)
        crawl = make_crawl(shop.blueprint, self.state, fetcher, shop.read, self._strategy)
        crawl.progress.visits = visits
        crawl.watch = shop.watch
        crawl.plan = replace(crawl.plan, max_pages=self._limit)
        return crawl

    def _owner_of(self, url: str) -> int | None:
        number = partition_of_url(url, self._shop.partitions)
        return None if number == self.number else number

    def _is_ours(self, host: str) -> bool:
        return partition_of_host(host, self._shop.partitions) == self.number

    async def work(self) -> None:
        """Crawl until `stop` is called.

        Raises:
            FencedError: another worker has taken the partition over.
            DatabaseLostError: the server has been away for too long.
        """
        await self._work()
        await self._crawl.run()  # ends at once, with a commit
        await self._give_back()
        await self._shop.session.ask(self.rents.leave)

    async def _work(self) -> None:
        while not self._is_stopping:
            self._awake.clear()
            await self._crawl.run()
            if self._is_stopping or await self._has_tickets_again():
                continue
            await self._have_a_rest()

    def stop(self) -> None:
        self._is_stopping = True
        self._strategy.save_soon()
        self._crawl.stop()
        self._awake.set()

    def close(self) -> None:
        """Let others claim the partition. This may wait for the server: do it in a thread."""
        self.state.close()

    def receive(self, parcels: Sequence[Parcel]) -> None:
        """Take what others sent; there may be nothing."""
        self.rows_waiting = len(parcels)
        if not parcels:
            return
        for packed in self.inbox.take(parcels):
            self.state.frontier.put(unpack_requests(packed))
        self._wake()

    def heed(self, wishes: Wishes) -> None:
        """Leave hosts alone that others want to be left alone, and no others."""
        if self._left_alone.heed(wishes):
            self._wake()

    def _wake(self) -> None:
        if self.rest is Rest.EMPTY:
            self.rest = Rest.NONE
        self._awake.set()

    def limit_connections(self, most: int) -> None:
        """How many requests may be in flight at a time."""
        self._crawl.plan = replace(self._crawl.plan, connections=most)

    def promises(self) -> Mapping[str, float]:
        """What it can ask soon: the highest priority, by node."""
        return self.state.frontier.promises(steady_time())

    def hear_promises(self, promises: Mapping[str, float]) -> None:
        """What the other lanes of the crawl can ask soon; poorer requests wait for it.

        Not for ever: a promise that is not kept within seconds does not hold up this lane.
        """
        now, visits = time.monotonic(), self.progress.visits
        self._others = promises
        if visits != self._visits_then or not self.is_poor():
            self._waits_since, self._visits_then = now, visits
        elif now - self._waits_since > _PATIENCE_SECONDS:
            self._others = {}
        self.state.frontier.hear_promises(self._others)

    def is_poor(self) -> bool:
        """Whether all that it can ask soon has to wait for what other lanes have."""
        return is_poorer(self.promises(), self._others, self._strategy.traits.least_share)

    @property
    def crawl(self) -> Crawl:
        return self._crawl

    @property
    def lease_seconds_left(self) -> float:
        """In which something may still be begun."""
        return self._clock.left()

    @property
    def progress(self) -> Progress:
        return self._crawl.progress

    def counts(self) -> Counts:
        return self.state.frontier.counts(0)

    async def top_up(self) -> None:
        """Draw tickets before the last are used, or when there may be some again.

        Leave them to others while they have better pages: tickets that wait here are pages that
        nobody fetches.
        """
        if self._owes_tickets:
            await self._give_back()
        if self.rest is Rest.EMPTY or self._limit == math.inf:
            return
        if not self._can_use_tickets():
            await self._give_back()
        elif self._limit - self.progress.visits < MOST_DRAWN // 2 and await self._draw():
            self.rest = Rest.NONE
            self._awake.set()

    async def _have_a_rest(self) -> None:
        """Until there is something to do."""
        if not self._is_used_up():
            await asyncio.sleep(_GATHER_SECONDS)
            if self._awake.is_set() and self._can_go_on():
                return
        while not self._is_stopping:
            if not self._awake.is_set():
                is_spent = self._is_used_up() and self._can_go_on()
                self.rest = Rest.SPENT if is_spent else Rest.EMPTY
                await self.state.commit()
                await self._wait()
            if self.rest is Rest.NONE and self._can_go_on():
                return
            self._awake.clear()

    async def _wait(self) -> None:
        """Until somebody wakes us, or the lease is lost."""
        is_said = False
        while not self._awake.is_set():
            self._clock.check()
            is_said = is_said or await self._say_that_it_rests()
            try:
                await asyncio.wait_for(self._awake.wait(), _LOOK_AGAIN_SECONDS)
            except TimeoutError:
                continue

    async def _say_that_it_rests(self) -> bool:
        """False when it could not be said yet."""
        if self.rest is Rest.EMPTY:
            await self._give_back()  # before others can see that we rest, or they would all end
        try:
            return await self._shop.session.ask(partial(say_rest, row=self._row()))
        except DatabaseLostError:
            return False

    def _can_go_on(self) -> bool:
        return self.state.frontier.wake_at(steady_time()) is not None

    def _is_used_up(self) -> bool:
        return self.progress.visits >= self._limit

    async def _has_tickets_again(self) -> bool:
        """Whether only tickets were missing, and are not any more."""
        return self._is_used_up() and self._can_use_tickets() and await self._draw()

    def _can_use_tickets(self) -> bool:
        """Whether it has something to ask soon that need not wait for better pages of others."""
        if self.is_poor() or self.counts().busy >= self._crawl.plan.connections:
            return False  # servers that do not answer can hold all of its connections
        now = steady_time()
        wake_at = self.state.frontier.wake_at(now)
        return wake_at is not None and wake_at <= now + _SOON_SECONDS

    async def _draw(self) -> bool:
        before = self._limit
        try:
            limit = await self._shop.session.ask(partial(draw_more, lease=self._clock.lease))
        except DatabaseLostError:
            return False  # `top_up` tries again
        self._set_limit(limit)
        return limit > before

    async def _give_back(self) -> None:
        """Leave the tickets to others that nothing in flight needs."""
        if self._limit == math.inf:
            return
        kept = self.progress.visits + self.counts().busy
        if kept >= self._limit and not self._owes_tickets:
            return
        # First nothing more may be begun: the answer takes its time.
        self._set_limit(min(self._limit, kept))
        question = partial(keep_only, lease=self._clock.lease, tickets=int(self._limit))
        self._owes_tickets = True  # until we know that they were taken back
        with suppress(DatabaseLostError):  # `top_up` tries again
            await self._shop.session.ask(question)
            self._owes_tickets = False

    def _set_limit(self, limit: float) -> None:
        self._limit = limit
        self._crawl.plan = replace(self._crawl.plan, max_pages=limit)

    def _cut_figures(self) -> Write:
        counts = self.counts()
        figures = {
            "waiting": counts.waiting + counts.busy,
            "done": counts.done,
            "failed": counts.failed,
            "hosts": counts.hosts,
            "works": self.rest is Rest.NONE,
        }
        return partial(write_figures, row=self._row() | figures)

    def _row(self) -> dict[str, Any]:
        lease, limit = self._clock.lease, self._limit
        granted_so_far = None if limit == math.inf else int(limit)
        key = {"number": self.number, "epoch": lease.epoch}
        return key | {"rest": self.rest, "granted": granted_so_far}


def pause_of(settings: Settings) -> Callable[[str], float]:
    """The shortest pause of a host, by its name: its own where it has one."""
    table = HostTable(settings.hosts)

    def pause(host: str) -> float:
        own = table.of(without_port(host)).delay_seconds
        return settings.delay_seconds if own is None else own

    return pause


def is_poorer(ours: Mapping[str, float], others: Mapping[str, float], share: float) -> bool:
    """Whether what we promise is less than this share of what others do, for every node.

    Who promises nothing may still have requests that are worth 0.

    >>> is_poorer({"": 0.1}, {"": 0.9}, 0.2), is_poorer({}, {"": 0.9}, 0.2)
    (True, True)
    >>> is_poorer({"": 0.5}, {"": 0.9}, 0.2), is_poorer({"north": 0.1}, {"": 0.9}, 0.2)
    (False, False)
    >>> is_poorer({}, {}, 0.2), is_poorer({"": 0.1}, {"": 0.9}, 0.0)
    (False, False)
    """
    if not share or not others:
        return False
    return all(ours.get(node, 0.0) < share * others.get(node, 0.0) for node in {*ours, *others})
