"""A partition from its claim to its release: the loop of `crawl.py`, run whenever it can go on.

The loop ends when its frontier has nothing more. In a cluster that is not the end: another
partition may send something, and then the lane runs it again. Until then the lane rests, and says
so in its row (`roster.py`).
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from psycopg import Cursor

from geoscout.cluster.addresses import AddressRents
from geoscout.cluster.budget import MOST_DRAWN, draw, give_back, granted
from geoscout.cluster.exchange import Inbox, Outbox, Parcel
from geoscout.cluster.fetching import LeasedFetcher
from geoscout.cluster.outcomes import NotingStrategy
from geoscout.cluster.partitions import partition_of_url
from geoscout.cluster.routing import RoutedFrontier
from geoscout.cluster.session import WorkerSession
from geoscout.crawl import Crawl
from geoscout.crawling.assemble import Blueprint, Read, make_crawl, writing_of
from geoscout.crawling.progress import Progress
from geoscout.errors import DatabaseLostError
from geoscout.fetch.base import Fetcher
from geoscout.frontier.base import Counts
from geoscout.frontier.postgres import Send
from geoscout.state.postgres import GroupFigures, PostgresState
from geoscout.store.base import CrawlReader, CrawlWriter
from geoscout.store.crew import Rest
from geoscout.store.postgres.database import CrawlAddress, connect, translated
from geoscout.store.postgres.leases import LeaseClock
from geoscout.strategy import Strategy

_LOOK_AGAIN_SECONDS = 1.0  # at the lease, while a lane rests
# A lane that has nothing left waits this long for links of others, and then takes all that came:
# each time that it goes on is a commit, and those with few pages cost the server the most.
_GATHER_SECONDS = 0.5

# A group that was cut before tickets were drawn must not say again that there were none: the crawl
# would end with tickets that nobody has used.
_FIGURES = """
UPDATE partition SET waiting = %(waiting)s, done = %(done)s, failed = %(failed)s, hosts = %(hosts)s,
    rest = CASE WHEN granted = coalesce(%(granted)s, granted) THEN %(rest)s ELSE rest END
WHERE number = %(number)s
"""
_VISITS = "SELECT coalesce(sum(visits), 0)::bigint FROM harvest WHERE partition = %s"


@dataclass(frozen=True, slots=True)
class Workshop:
    """What all lanes of a worker share."""

    worker: str  # its name
    address: CrawlAddress
    blueprint: Blueprint
    partitions: int
    fetcher: Fetcher
    read: Read
    strategy: Strategy
    has_learned: bool  # whether the strategy began with what others had learned
    session: WorkerSession


class LaneState:
    """The state of a partition, whose frontier sends on what is not its own; a `CrawlState`."""

    def __init__(self, state: PostgresState, frontier: RoutedFrontier) -> None:
        self._state = state
        self.frontier = frontier
        self.writer: CrawlWriter = state.writer
        self.reader: CrawlReader = state.reader

    async def commit(self) -> None:
        await self._state.commit()

    async def commit_when_due(self, visits: int, seconds: float) -> None:
        await self._state.commit_when_due(visits, seconds)

    def close(self) -> None:
        self._state.close()


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
        self.rents = AddressRents(clock.lease)
        self._strategy = NotingStrategy(shop.strategy, shop.worker, self.number)
        with ExitStack() as on_error:
            self._state = PostgresState(shop.address, clock, writing_of(shop.blueprint.settings))
            on_error.callback(self._state.close)
            if not clock.lease.was_clean and not shop.blueprint.options.replay:
                least = shop.blueprint.settings.delay_seconds
                self._state.frontier.rest_all(time.time(), least)
            with translated(shop.address), connect(shop.address) as connection:
                visits = self._open_boxes(connection.cursor())
            self._add_partners()
            self._crawl = self._make_crawl(visits)
            on_error.pop_all()

    def _open_boxes(self, cursor: Cursor[Any]) -> int:
        """Go on where the owner before ended; returns how many visits the partition has had."""
        self._outbox = Outbox.open(cursor, self.number)
        self.inbox = Inbox.open(cursor, self.number)
        limit = granted(cursor, self.number)
        self._limit = math.inf if limit is None else limit
        (visits,) = cursor.execute(_VISITS, (self.number,)).fetchone() or (0,)
        return int(visits)

    def _add_partners(self) -> None:
        cuts = (self._outbox.cut, self.inbox.cut, self._strategy.cut, self._cut_figures)
        for partner in cuts:
            self._state.add_partner(partner)

    def _make_crawl(self, visits: int) -> Crawl:
        shop = self._shop
        frontier = RoutedFrontier(self._state.frontier, self._outbox, self._owner_of, self.rents)
        state = LaneState(self._state, frontier)
        fetcher = LeasedFetcher(shop.fetcher, self._clock)
        crawl = make_crawl(shop.blueprint, state, fetcher, shop.read, self._strategy)
        crawl.progress = Progress(visits)
        crawl.plan = replace(crawl.plan, max_pages=self._limit)
        return crawl

    def _owner_of(self, url: str) -> int | None:
        number = partition_of_url(url, self._shop.partitions)
        return None if number == self.number else number

    async def work(self) -> None:
        """Crawl until `stop` is called.

        Raises:
            FencedError: another worker has taken the partition over.
            DatabaseLostError: the server has been away for too long.
        """
        while not self._is_stopping:
            self._awake.clear()
            await self._crawl.run()
            if not self._is_stopping and not (self._is_used_up() and await self._draw()):
                await self._have_a_rest()
        await self._crawl.run()  # ends at once, with a commit
        await self._give_back()
        await self._shop.session.ask(self.rents.leave)

    def stop(self) -> None:
        """Finish what is in flight, and end."""
        self._is_stopping = True
        self._strategy.save_soon()
        self._crawl.stop()
        self._awake.set()

    def close(self) -> None:
        """Let others claim the partition. This may wait for the server: do it in a thread."""
        self._state.close()

    def receive(self, parcels: Sequence[Parcel]) -> None:
        """Take what others sent; there may be nothing."""
        self.rows_waiting = len(parcels)
        if not parcels:
            return
        self._state.frontier.put(self.inbox.take(parcels))
        if self.rest is Rest.EMPTY:
            self.rest = Rest.NONE
        self._awake.set()

    def limit_connections(self, most: int) -> None:
        """How many requests may be in flight at a time."""
        self._crawl.plan = replace(self._crawl.plan, connections=most)

    def promises(self) -> Mapping[str, float]:
        """What it can ask soon: the highest priority, by node."""
        return self._state.frontier.promises(time.time())

    def hear_promises(self, promises: Mapping[str, float]) -> None:
        """What the other lanes of the crawl can ask soon; poorer requests wait for it."""
        self._state.frontier.hear_promises(promises)

    @property
    def crawl(self) -> Crawl:
        """The loop that it runs."""
        return self._crawl

    @property
    def groups(self) -> GroupFigures:
        """How many groups it has written, and how long that took."""
        return self._state.groups

    @property
    def lease_seconds_left(self) -> float:
        """In which something may still be begun."""
        return self._clock.left()

    @property
    def progress(self) -> Progress:
        """What the lane has done."""
        return self._crawl.progress

    def counts(self) -> Counts:
        """How many requests are where."""
        return self._state.frontier.counts(0)

    async def top_up(self) -> None:
        """Draw tickets before the last are used, or when there may be some again."""
        is_short = self._limit - self.progress.visits < MOST_DRAWN // 2
        if is_short and self.rest is not Rest.EMPTY and await self._draw():
            self.rest = Rest.NONE
            self._awake.set()

    async def _have_a_rest(self) -> None:
        """Until there is something to do."""
        rest = Rest.SPENT if self._is_used_up() else Rest.EMPTY
        if rest is Rest.EMPTY:
            await asyncio.sleep(_GATHER_SECONDS)
            if self._awake.is_set() and self._can_go_on():
                return
            await self._give_back()  # before others can see that we rest, or they would all end
        while not self._is_stopping:
            if not self._awake.is_set():
                self.rest = rest
                await self._state.commit()
                await self._wait()
            if self.rest is Rest.NONE and self._can_go_on():
                return
            self._awake.clear()

    async def _wait(self) -> None:
        """Until somebody wakes us, or the lease is lost."""
        while not self._awake.is_set():
            self._clock.check()
            try:
                await asyncio.wait_for(self._awake.wait(), _LOOK_AGAIN_SECONDS)
            except TimeoutError:
                continue

    def _can_go_on(self) -> bool:
        return self._state.frontier.wake_at(time.time()) is not None

    def _is_used_up(self) -> bool:
        return self.progress.visits >= self._limit

    async def _draw(self) -> bool:
        try:
            drawn = await self._shop.session.ask(partial(draw, lease=self._clock.lease))
        except DatabaseLostError:
            return False  # `top_up` tries again
        self._set_limit(self._limit + drawn)
        return drawn > 0

    async def _give_back(self) -> None:
        unused = self._limit - self.progress.visits
        if 0 < unused < math.inf:
            question = partial(give_back, lease=self._clock.lease, tickets=int(unused))
            await self._shop.session.ask(question)
            self._set_limit(self.progress.visits)

    def _set_limit(self, limit: float) -> None:
        self._limit = limit
        self._crawl.plan = replace(self._crawl.plan, max_pages=limit)

    def _cut_figures(self) -> Send:
        counts = self.counts()
        row = {
            "waiting": counts.waiting + counts.busy,
            "done": counts.done,
            "failed": counts.failed,
            "hosts": counts.hosts,
            "granted": None if self._limit == math.inf else int(self._limit),
            "rest": self.rest,
            "number": self.number,
        }
        return partial(write_figures, row=row)


def write_figures(cursor: Cursor[Any], row: Mapping[str, Any]) -> None:
    """Say in the row of a partition how far it is; the end of a crawl is seen by that."""
    cursor.execute(_FIGURES, row)
