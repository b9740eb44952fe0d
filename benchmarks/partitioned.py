"""A crawl of a world by several workers, each with its own sites and its own model.

Every worker owns the sites whose registrable domain falls to it, visits one page a turn, and sends
links to sites of others to their owners. What it sends, and what it tells the others of its visits,
arrives with a delay, as the groups of a cluster do (docs/scale.md). The question is how much of
the focus of a single process is left.

- `Sharing.ALONE`: each worker learns from its own visits only.
- `Sharing.OUTCOMES`: each also learns from what became of the links of the others.
- `Sharing.ONE_MODEL`: one model, asked and taught by all without delay. No cluster can have that;
  the distance to it is what late outcomes cost, and its own distance to a single process is what
  the division of the frontier costs.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar
from zlib import crc32

from msgspec.structs import replace

from geoscout.crawling.requests import SEED_PRIORITY
from geoscout.strategy import LinkOutcome, Strategy
from geoscout_lab.simulation.simulate import (
    Simulation,
    SimulationPlan,
    Trace,
    WaitingPage,
    trace_of,
)
from geoscout_lab.worlds.truth import World
from geoscout_places.urls import host_of, registrable_domain


class Sharing(StrEnum):
    """What the workers of a crawl learn from each other."""

    ALONE = "alone"
    OUTCOMES = "outcomes"
    ONE_MODEL = "one model"


@dataclass(frozen=True, slots=True)
class ClusterPlan:
    """How the workers of a simulated cluster work together."""

    workers: int
    sharing: Sharing = Sharing.OUTCOMES
    delay: int = 64  # turns until what a worker sends is there; a group is 64 visits
    # A worker skips its turn while its best page promises less than this share of the best page of
    # all workers, as they knew it `delay` turns ago. 0: it never does.
    least_share: float = 0.0


@dataclass(frozen=True, slots=True)
class ClusterTrace:
    """What the workers did together."""

    trace: Trace  # the visits of all, in the order of turns
    sent: int  # links that went to another worker
    skipped: int  # turns in which a worker waited for better pages
    visits: tuple[int, ...]  # of each worker


_Item = TypeVar("_Item")


class _Late(Generic[_Item]):
    """What is on its way, in the order it was sent."""

    def __init__(self, delay: int) -> None:
        self._delay = delay
        self._queue: deque[tuple[int, _Item]] = deque()

    def send(self, turn: int, item: _Item) -> None:
        self._queue.append((turn + self._delay, item))

    def __len__(self) -> int:
        """How much has not arrived yet."""
        return len(self._queue)

    def arrived(self, turn: int) -> Iterator[_Item]:
        """Takes out what has arrived by a turn."""
        while self._queue and self._queue[0][0] <= turn:
            yield self._queue.popleft()[1]


class _Worker(Simulation):
    """One worker: a simulation that keeps to its own pages and tells what it learns."""

    def __init__(self, number: int, cluster: _Cluster, strategy: Strategy) -> None:
        super().__init__(cluster.world, strategy, cluster.simulation)
        self._number = number
        self._cluster = cluster
        self._sent: dict[int, float] = {}  # the highest priority by page
        self.receive = self._waiting.put  # a page of its own
        self.hear = self._strategy.learn  # of a visit of another worker
        self.promise = self._waiting.best  # the priority of its best page

    def step(self) -> bool:
        """Visit its best page; False: none waits."""
        if not self._step():
            return False
        self._cluster.visits.append((self._visits[-1], self._relevant[-1], self._statuses[-1]))
        return True

    def __len__(self) -> int:
        """How many pages it visited."""
        return len(self._visits)

    def _wants(self, page: int, priority: float) -> bool:
        if self._cluster.owner(page) == self._number:
            return super()._wants(page, priority)
        return priority > self._sent.get(page, -1.0)

    def _let_wait(self, entry: WaitingPage) -> None:
        owner = self._cluster.owner(entry.page)
        if owner == self._number:
            super()._let_wait(entry)
        elif entry.priority > self._sent.get(entry.page, -1.0):
            self._sent[entry.page] = entry.priority
            self._cluster.send(owner, entry)

    def _learn(self, outcome: LinkOutcome) -> None:
        super()._learn(outcome)
        self._cluster.tell(self._number, outcome)


class _Cluster:
    """The workers, and what is on its way between them."""

    def __init__(
        self,
        world: World,
        strategies: Sequence[Strategy],
        simulation: SimulationPlan,
        plan: ClusterPlan,
    ) -> None:
        self.world = world
        self.simulation, self._plan = simulation, plan
        self.visits: list[tuple[WaitingPage, bool, int]] = []
        self.sent = self.skipped = self._turn = 0
        self._links = _Late[tuple[int, WaitingPage]](self._plan.delay)
        self._outcomes = _Late[tuple[int, LinkOutcome]](self._plan.delay)
        self._promises = _Late[float](self._plan.delay)
        self._best = 0.0  # promise of all workers, as last heard
        self._owners: dict[int, int] = {}  # by host
        self.workers = [
            _Worker(number, self, strategies[number % len(strategies)])
            for number in range(self._plan.workers)
        ]

    def owner(self, page: int) -> int:
        """The worker that has the site of a page."""
        host = self.world.host(page)
        found = self._owners.get(host)
        if found is None:
            domain = registrable_domain(host_of(self.world.url(page)))
            found = self._owners[host] = crc32(domain.encode()) % self._plan.workers
        return found

    def send(self, owner: int, entry: WaitingPage) -> None:
        self.sent += 1
        self._links.send(self._turn, (owner, entry))

    def tell(self, worker: int, outcome: LinkOutcome) -> None:
        if self._plan.sharing == Sharing.OUTCOMES:
            self._outcomes.send(self._turn, (worker, replace(outcome, reading=None)))

    def run(self) -> None:
        for seed in self.world.seeds:
            self.workers[self.owner(seed)].receive(WaitingPage(seed, SEED_PRIORITY))
        while len(self.visits) < self.simulation.budget and self._take_turns():
            pass

    def _take_turns(self) -> bool:
        """One turn of each worker; False when nothing waits and nothing is on its way."""
        self._turn += 1
        self._deliver()
        moved = False
        for worker in self.workers:
            if len(self.visits) >= self.simulation.budget:
                break
            promise = worker.promise()
            if 0 <= promise < self._plan.least_share * self._best:
                self.skipped += 1
            elif worker.step():
                moved = True
        return (
            moved or len(self._links) > 0 or max(worker.promise() for worker in self.workers) >= 0
        )

    def _deliver(self) -> None:
        for owner, entry in self._links.arrived(self._turn):
            self.workers[owner].receive(entry)
        for sender, outcome in self._outcomes.arrived(self._turn):
            for number, worker in enumerate(self.workers):
                if number != sender:
                    worker.hear(outcome)
        self._promises.send(self._turn, max(worker.promise() for worker in self.workers))
        for best in self._promises.arrived(self._turn):
            self._best = best


def simulate_cluster(
    world: World, make: Callable[[], Strategy], simulation: SimulationPlan, plan: ClusterPlan
) -> ClusterTrace:
    """Crawl with several workers; `make` gives the strategy of one, before it has learned."""
    started = time.process_time()
    models = 1 if plan.sharing == Sharing.ONE_MODEL else plan.workers
    cluster = _Cluster(world, [make() for _ in range(models)], simulation, plan)
    cluster.run()
    visits, relevant, statuses = zip(*cluster.visits, strict=True) if cluster.visits else ((),) * 3
    trace = trace_of(visits, relevant, statuses, time.process_time() - started)
    return ClusterTrace(trace, cluster.sent, cluster.skipped, tuple(map(len, cluster.workers)))
