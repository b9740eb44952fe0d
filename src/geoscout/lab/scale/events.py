"""A slice of a cluster, event by event: hosts that want a pause, cores, connections and commits.

All workers are alike, so a few of them are simulated in full, with their share of PostgreSQL: of a
thousand workers and eight cores of the server, eight simulated workers see 0.064 of a core. What
they wait for, the whole cluster waits for.

The way of a page: a host is free and a connection too, the answer comes, a core reads the page, and
the page joins the group of its worker. A group goes to PostgreSQL when it has 64 pages or is two
seconds old. When two groups of a worker are under way, its next one has to wait, and so does the
worker: that is how a slow server slows the crawl down.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from geoscout.lab.scale.sizes import ClusterSize

MOST_WORKERS = 4  # simulated in full
GROUP_PAGES, GROUP_SECONDS = 64, 2.0  # as the crawl has them
_GROUPS_UNDER_WAY = 2
_MOST_HOSTS = 20_000  # of a worker that are simulated; more of them are never busy at once

Action = Callable[[], None]


class Clock:
    """Time, and what happens when."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Action]] = []
        self._count = 0

    def after(self, seconds: float, action: Action) -> None:
        self._count += 1
        heapq.heappush(self._events, (self.now + seconds, self._count, action))

    def run(self, until: float) -> None:
        while self._events and self._events[0][0] <= until:
            self.now, _, action = heapq.heappop(self._events)
            action()
        self.now = until


class Desk:
    """A number of equal servers with one line: the cores of a machine, or of PostgreSQL."""

    def __init__(self, clock: Clock, servers: int, speed: float = 1.0) -> None:
        self._clock = clock
        self._free = servers
        self._speed = speed
        self._line: deque[tuple[float, Action]] = deque()
        self.busy_seconds = 0.0  # of all servers together

    def serve(self, seconds: float, done: Action) -> None:
        """Work for some seconds, as soon as a server is free."""
        self._line.append((seconds / self._speed, done))
        self._begin()

    def _begin(self) -> None:
        while self._free and self._line:
            seconds, done = self._line.popleft()
            self._free -= 1
            self.busy_seconds += seconds
            self._clock.after(seconds, partial(self._end, done))

    def _end(self, done: Action) -> None:
        self._free += 1
        done()
        self._begin()


@dataclass(slots=True)
class SliceCounts:
    """What the workers of the slice did."""

    pages: int = 0  # read
    committed: int = 0  # pages that are in PostgreSQL
    core_seconds: float = 0.0  # that the cores of the workers worked
    waited_for_hosts: int = 0  # times that a connection was free and no host was
    waited_for_commits: int = 0


@dataclass(slots=True)
class _Worker:
    """The state of one worker."""

    cores: Desk
    free_hosts: int
    connections: int
    group: int = 0  # pages in the group that is being filled
    under_way: int = 0  # groups
    commits_waiting: deque[int] = field(default_factory=deque)


class Slice:
    """Some workers of a cluster and their share of PostgreSQL."""

    def __init__(self, size: ClusterSize, random_seed: int = 1) -> None:
        self.size = size
        self.workers_simulated = min(size.workers, MOST_WORKERS)
        self.clock = Clock()
        self.counts = SliceCounts()
        self._chance = random.Random(random_seed)
        part = self.workers_simulated / size.workers
        server = size.server
        cores = server.cores * server.servers * part
        self.server = Desk(self.clock, max(1, math.floor(cores)), min(1.0, cores))
        log = server.log_bytes_per_second * server.servers * part
        self._log_seconds = size.page.log_bytes / log  # a page
        self.disk = Desk(self.clock, 1)
        hosts = min(_MOST_HOSTS, self.hosts_of_a_worker())
        self._workers = [
            _Worker(Desk(self.clock, size.machine.cores), hosts, size.machine.connections)
            for _ in range(self.workers_simulated)
        ]

    def hosts_of_a_worker(self) -> int:
        """How many hosts a worker may ask, if none of them wants a pause."""
        size = self.size
        hosts = size.urls / size.workers / size.hosts.urls_per_host * size.hosts.in_play
        return max(1, round(hosts))

    def start(self) -> None:
        """Let every worker begin."""
        for worker in self._workers:
            self._ask(worker)
            self.clock.after(GROUP_SECONDS, partial(self._tick, worker))

    def run(self, until: float) -> SliceCounts:
        """Let the slice work until a time; returns what it has done in all."""
        self.clock.run(until)
        self.counts.core_seconds = sum(worker.cores.busy_seconds for worker in self._workers)
        return replace(self.counts)

    def outcomes_per_second(self) -> float:
        """What a worker hears from the others and learns from, given the pages so far."""
        size, pages = self.size, self.counts.pages
        if not self.clock.now:
            return 0.0
        others = pages / self.clock.now / self.workers_simulated * (size.workers - 1)
        return min(others, size.most_outcomes) if size.most_outcomes else others

    def _ask(self, worker: _Worker) -> None:
        """Start requests while there are connections and hosts, and commits keep up."""
        while worker.connections and not worker.commits_waiting:
            if not worker.free_hosts:
                self.counts.waited_for_hosts += 1
                return
            worker.connections -= 1
            worker.free_hosts -= 1
            hosts = self.size.hosts
            wait = hosts.answer_seconds * math.exp(self._chance.gauss(0, hosts.answer_spread))
            self.clock.after(wait, partial(self._answered, worker))
        if worker.commits_waiting:
            self.counts.waited_for_commits += 1

    def _answered(self, worker: _Worker) -> None:
        self.clock.after(self.size.hosts.delay_seconds, partial(self._host_free, worker))
        learning = 0.0
        if self.counts.pages:
            rate = self.counts.pages / self.clock.now / self.workers_simulated
            learning = self.outcomes_per_second() / rate * self.size.page.outcome_cpu
        worker.cores.serve(self.size.page.worker_cpu + learning, partial(self._read, worker))

    def _host_free(self, worker: _Worker) -> None:
        worker.free_hosts += 1
        self._ask(worker)

    def _read(self, worker: _Worker) -> None:
        """A page has been read: its connection is free, and it joins the group."""
        self.counts.pages += 1
        worker.connections += 1
        worker.group += 1
        if worker.group == GROUP_PAGES:
            self._cut(worker)
        self._ask(worker)

    def _tick(self, worker: _Worker) -> None:
        if worker.group:
            self._cut(worker)
        self.clock.after(GROUP_SECONDS, partial(self._tick, worker))

    def _cut(self, worker: _Worker) -> None:
        pages, worker.group = worker.group, 0
        if worker.under_way < _GROUPS_UNDER_WAY:
            self._commit(worker, pages)
        else:
            worker.commits_waiting.append(pages)

    def _commit(self, worker: _Worker, pages: int) -> None:
        worker.under_way += 1
        work = pages * self.size.page.server_cpu
        self.server.serve(work, partial(self._write_log, worker, pages))

    def _write_log(self, worker: _Worker, pages: int) -> None:
        self.disk.serve(pages * self._log_seconds, partial(self._flush, worker, pages))

    def _flush(self, worker: _Worker, pages: int) -> None:
        done = partial(self._committed, worker, pages)
        self.clock.after(self.size.server.flush_seconds, done)

    def _committed(self, worker: _Worker, pages: int) -> None:
        self.counts.committed += pages
        worker.under_way -= 1
        if worker.commits_waiting:
            self._commit(worker, worker.commits_waiting.popleft())
            self._ask(worker)
