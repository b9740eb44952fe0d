"""A worker of a cluster: READ THIS FIRST. It claims partitions and runs each of them as a lane.

    claim ─► restore ─► lane: crawl ◄─► rest ─► release        as many lanes as is its share
               ▲                │ ▲
      PostgreSQL: partition     │ └── what others sent (0.2 s)
                                └──► groups: facts, frontier, what goes to others, lease

A worker knows nothing of the others but how many there are: every second it says that it is alive
and hears that. It may hold the partitions divided by the workers; when it has fewer, it claims
one whose lease has ended, and when it has at least two too many, it gives some back. So dead
workers are replaced, and newcomers get their part, without anybody who decides.

The lanes share one strategy, one fetcher and the processes that read pages. A worker that cannot
reach PostgreSQL fetches nothing when its leases end, and goes on when it can again.
"""

import asyncio
import logging
import math
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from psycopg import Cursor

from geoscout.crawling.assemble import connections_of, make_barren_watch
from geoscout.crawling.ending import (
    BARREN,
    ENDING,
    BarrenWatch,
    ending_of,
    pack_ending,
    pack_stretch,
)
from geoscout.crawling.in_flight import Progress
from geoscout.crawling.steering import Wishes, ask_to_stop, unpack_wishes
from geoscout.store.base import Rest
from geoscout.strategy import LinkOutcome, abilities_of
from geoscout_cluster.engine.exchange import Parcel, waiting_parcels
from geoscout_cluster.engine.leases import LEASE_SECONDS, LeaseClock, claim
from geoscout_cluster.engine.roster import (
    Identity,
    News,
    count_alive,
    fair_share,
    is_spent,
    say_alive,
    say_goodbye,
    surplus,
)
from geoscout_cluster.lane import Lane, Workshop
from geoscout_cluster.outcomes import OutcomeFeed
from geoscout_cluster.postgres.database import STEERING_NOTE, read_note, set_note
from geoscout_cluster.shared_crawl import count_harvest, limit_pages
from geoscout_places.errors import DatabaseLostError, FencedError

_POLL_SECONDS = 0.2  # how often what others sent is looked for
_LEASES_TO_SETTLE = 3  # that a newcomer must live before it is given partitions of others

_LEARNED_AT_ONCE = 200  # outcomes of others, some 30 ms
_TICKS_TO_LOOK = 10  # between two looks at the harvest of the whole crawl

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WorkerTerms:
    until_done: bool = False  # it ends with the crawl
    most_partitions: int | None = None  # None: its share
    lease_seconds: float = LEASE_SECONDS
    tick_seconds: float = 1.0  # how often it says that it is alive, and hears of the others


class Worker:
    """One process of a cluster."""

    def __init__(
        self, shop: Workshop, identity: Identity, terms: WorkerTerms, wishes: Wishes
    ) -> None:
        """`wishes` are what was asked of the crawl when it joined."""
        self._shop, self._identity, self._terms = shop, identity, terms
        self._wishes, self._stop_before = wishes, wishes.stop
        self._barren: BarrenWatch | None = None  # while it holds the first partition
        self._has_ended = self._is_given_up = False  # the crawl; as one that is barren
        self.lanes: dict[int, Lane] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._is_stopping = False
        self.is_lost = False  # the server did not answer the last question
        self.times_fenced = 0  # partitions that others took over while we held them
        self._ticks = 0
        self._promises: Mapping[str, float] = {}  # of the other workers
        self._colleagues = Colleagues(shop, identity.name)

    async def run(self) -> None:
        """Work until `stop` is called, or the crawl has ended if that was asked for."""
        async with self._open_lanes():
            ticked_at = -math.inf
            while not self._is_stopping:
                with self._server_lost_for_a_while():
                    if time.monotonic() - ticked_at >= self._terms.tick_seconds:
                        ticked_at = time.monotonic()
                        await self._tick()
                    await self._deliver()
                    await self._rent_addresses()
                self._share_promises()
                self._colleagues.learn_some()
                self._complain()
                self._look_at_memory()
                await asyncio.sleep(_POLL_SECONDS)

    @property
    def name(self) -> str:
        return self._identity.name

    def stop(self) -> None:
        """Finish what is in flight, give the partitions back, and end."""
        self._is_stopping = True

    @property
    def was_stopped(self) -> bool:
        """Whether it has ended before the crawl."""
        return self._is_stopping and not (self._has_ended or self._is_given_up)

    @property
    def stop_reason(self) -> str:
        """Why it had to end, though it was not told to; "": it had not."""
        return self._shop.watch.stop_reason

    def _look_at_memory(self) -> None:
        if not self._shop.watch.may_start() and self.stop_reason:
            self.stop()  # others take its partitions, as does the one that is started in its place

    @asynccontextmanager
    async def _open_lanes(self) -> AsyncIterator[None]:
        """Give everything back in the end, in good order or not."""
        try:
            yield
        finally:
            for lane in self.lanes.values():
                lane.stop()
            self._is_stopping = True
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)
            with suppress(DatabaseLostError):
                await self._shop.session.ask(self._leave)

    def _leave(self, cursor: Cursor[Any]) -> None:
        """The last that leaves notes how the run ended, and one that gave the crawl up."""
        say_goodbye(cursor, self.name)
        if count_alive(cursor) and not self._is_given_up:
            return
        ending = ending_of(
            machine=self.stop_reason,
            barren=self._barren.text() if self._barren and self._is_given_up else "",
            is_stopped=not self._has_ended,
            is_full=self._has_ended and is_spent(cursor),
        )
        if not read_note(cursor, ENDING):
            set_note(cursor, ENDING, pack_ending(ending))

    async def _tick(self) -> None:
        lease = self._terms.lease_seconds
        # Shorter than a lease: when those of a dead worker end, the others know their new share.
        seconds, settling = (
            max(lease / 2, 2.5 * self._terms.tick_seconds),
            _LEASES_TO_SETTLE * lease,
        )
        promises = best_of(lane.promises() for lane in self.lanes.values())

        def question(cursor: Cursor[Any]) -> tuple[News, str]:
            news = say_alive(cursor, self._identity, seconds, settling, promises)
            return news, read_note(cursor, STEERING_NOTE)

        news, asked = await self._shop.session.ask(question)
        self._promises = news.promises
        await self._heed(unpack_wishes(asked.encode(), self._wishes))
        if news.has_ended and self._terms.until_done:
            _log.info("the crawl has ended")
            self._has_ended = True
            self.stop()
        if self._is_stopping:
            return
        self._ticks += 1
        if self._ticks > 1:  # others may be starting with us, and are heard of by the second
            await self._claim(news)
        self._give_back(news)
        for lane in list(self.lanes.values()):
            with suppress(FencedError):  # the lane finds out by itself, and ends
                await lane.top_up()
        await self._colleagues.listen()
        await self._look_for_relevant_pages()

    async def _heed(self, wishes: Wishes) -> None:
        """Do what is asked of the crawl now, where it is something else than before."""
        before, self._wishes = self._wishes, wishes
        if wishes.max_pages not in {0, before.max_pages}:
            await self._shop.session.ask(partial(limit_pages, max_pages=wishes.max_pages))
        if wishes.left_alone != before.left_alone:
            for lane in self.lanes.values():
                lane.heed(wishes)
        if wishes.stop != self._stop_before:
            _log.info("asked to stop")
            self.stop()

    async def _look_for_relevant_pages(self) -> None:
        """Notice that the crawl finds none any more: the holder of the first partition does."""
        if 0 not in self.lanes:
            self._barren = None
        elif self._ticks % _TICKS_TO_LOOK == 0:
            visits, relevant = await self._shop.session.ask(count_harvest)
            if self._barren is None:
                progress = Progress(visits=visits, relevant=relevant)
                self._barren = make_barren_watch(self._shop.blueprint, progress)
                await self._shop.session.ask(partial(set_note, name=BARREN, value=""))
            elif self._barren.count(visits, relevant):
                await self._tell_that_it_is_barren(self._barren)

    async def _tell_that_it_is_barren(self, watch: BarrenWatch) -> None:
        watch.tell()
        note = pack_stretch(watch.stretch)
        await self._shop.session.ask(partial(set_note, name=BARREN, value=note))
        if note and self._shop.blueprint.options.stop_when_barren:
            self._is_given_up = True
            await asyncio.to_thread(ask_to_stop, self._shop.where)

    async def _claim(self, news: News) -> None:
        share = fair_share(news.partitions, news.workers)
        if self._terms.most_partitions is not None:
            share = min(share, self._terms.most_partitions)
        name, seconds = self._identity.name, self._terms.lease_seconds
        while len(self._tasks) < share:
            asked_at = time.monotonic()
            question = partial(claim, owner=name, number=None, seconds=seconds)
            lease = await self._shop.session.ask(question)
            if lease is None:
                return
            _log.info("partition %d: claimed, epoch %d", lease.partition, lease.epoch)
            before = self._tasks.get(lease.partition)  # we may have lost it ourselves
            task = asyncio.create_task(self._hold(LeaseClock(lease, asked_at), before))
            self._tasks[lease.partition] = task

    def _give_back(self, news: News) -> None:
        """Leave partitions to newcomers, first those that have nothing to do."""
        share = fair_share(news.partitions, news.settled)
        lanes = sorted(self.lanes.values(), key=lambda lane: lane.rest is Rest.NONE)
        for lane in lanes[: surplus(len(lanes), share)]:
            lane.stop()

    async def _hold(self, clock: LeaseClock, before: asyncio.Task[None] | None) -> None:
        """Work on a partition from its claim to its release."""
        number, began = clock.lease.partition, time.monotonic()
        lane = None
        if before is not None:
            await asyncio.wait([before])
        try:
            lane = await asyncio.to_thread(Lane, self._shop, clock)
            lane.restore_seconds = seconds = time.monotonic() - began
            waiting = lane.counts().waiting
            _log.info("partition %d: %d requests restored in %.1f s", number, waiting, seconds)
            self._add(lane)
            await lane.work()
            _log.info("partition %d: given back", number)
        except (FencedError, DatabaseLostError) as error:
            self.times_fenced += isinstance(error, FencedError)
            _log.warning("partition %d: lost (%s)", number, error)
        finally:
            self.lanes.pop(number, None)
            if lane is not None:
                await asyncio.to_thread(lane.close)
            self._share_connections()

    def _add(self, lane: Lane) -> None:
        self.lanes[lane.number] = lane
        lane.heed(self._wishes)
        self._share_connections()
        if self._is_stopping:
            lane.stop()

    def _share_connections(self) -> None:
        blueprint = self._shop.blueprint
        most = connections_of(blueprint.options, blueprint.settings)
        for lane in self.lanes.values():
            lane.limit_connections(max(1, most // len(self.lanes)))

    async def _deliver(self) -> None:
        """Bring the lanes what others sent them."""
        if not self.lanes:
            return
        inboxes = [lane.inbox for lane in self.lanes.values()]
        parcels = await self._shop.session.ask(partial(waiting_parcels, inboxes=inboxes))
        by_target: defaultdict[int, list[Parcel]] = defaultdict(list)
        for parcel in parcels:
            by_target[parcel.target].append(parcel)
        for target, lane in self.lanes.items():  # others may have ended meanwhile
            lane.receive(by_target[target])

    async def _rent_addresses(self) -> None:
        """Rent the servers that the lanes want to ask, and give back those they are done with."""
        for lane in list(self.lanes.values()):
            if lane.rents.is_due():
                note = await self._shop.session.ask(lane.rents.settle)
                note()  # now it is committed

    def _share_promises(self) -> None:
        """Let no lane fetch poor pages while another has good ones."""
        lanes = list(self.lanes.values())
        promises = [lane.promises() for lane in lanes]
        for number, lane in enumerate(lanes):
            others = promises[:number] + promises[number + 1 :]
            lane.hear_promises(best_of([*others, self._promises]))

    @contextmanager
    def _server_lost_for_a_while(self) -> Iterator[None]:
        """A server that does not answer is waited for; the lanes know their leases themselves."""
        try:
            yield
        except DatabaseLostError as error:
            if not self.is_lost:
                _log.warning("%s; this worker waits for it", error)
            self.is_lost = True
        else:
            if self.is_lost:
                _log.info("the database answers again")
            self.is_lost = False

    def _complain(self) -> None:
        """Forget lanes that have ended; one that failed by a defect of ours ends the worker."""
        for number, task in list(self._tasks.items()):
            if task.done():
                del self._tasks[number]
                task.result()


class Colleagues:
    """What the visits of the other workers teach the strategy of this one."""

    def __init__(self, shop: Workshop, name: str) -> None:
        self._shop = shop
        self._name = name
        self._feed: OutcomeFeed | None = None
        self._heard: deque[LinkOutcome] = deque()
        self._learn = abilities_of(shop.strategy).learn

    async def listen(self) -> None:
        """Read what they have told since the last time."""
        ask = self._shop.session.ask
        if self._feed is None:
            begin = partial(OutcomeFeed.from_now_on, worker=self._name)
            self._feed = await ask(begin) if self._shop.has_learned else OutcomeFeed(self._name)
        self._heard += await ask(self._feed.read)

    def learn_some(self) -> None:
        """Learn from some of it; the loop must not stop for long."""
        for _ in range(min(len(self._heard), _LEARNED_AT_ONCE)):
            self._learn(self._heard.popleft())


def best_of(promises: Iterable[Mapping[str, float]]) -> Mapping[str, float]:
    """The highest of several promises, by node.

    >>> best_of([{"": 0.2}, {"": 0.7}, {}])
    {'': 0.7}
    """
    best: dict[str, float] = {}
    for promise in promises:
        for node, priority in promise.items():
            best[node] = max(priority, best.get(node, 0.0))
    return best
