"""Any sequence of calls keeps what `schedule.py` says must stay true."""

import math
import random
from collections.abc import Callable
from contextlib import closing

import pytest

from geoscout.frontier.base import Limits
from geoscout.frontier.frontier import Frontier
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.store.sqlite.database import open_database
from geoscout_places.model import HELD, Request
from geoscout_places.urls import host_of
from tests.memory.frontier import MemoryFrontier, MemoryQueues
from tests.unit.frontier.invariants import check_hosts, check_rest, check_schedule

HOSTS = [f"{letter}.example" for letter in "abcdefgh"]
ADDRESSES = ["192.0.2.1", "192.0.2.1", "192.0.2.2", ""]
PRIORITIES = [HELD, -1.0, 0.0, 0.1, 0.5, 0.504, 1.0]
DELAYS = [0.0, 0.0, 1.0, 5.0, 90.0]


class Walk:
    """Does things at random to a frontier of two nodes, or of one."""

    def __init__(self, seed: int, open_frontier: Callable[[Limits], Frontier]) -> None:
        self.chance = random.Random(seed)
        self.nodes = self.chance.choice([[""], ["north", "south"]])
        pages = self.chance.choice([None, 3])
        limits = Limits(pages, self.chance.choice([0.0, 0.01, 0.25]), hosts_in_memory=2)
        self.frontier = open_frontier(limits)
        self.now = 0.0
        self.in_flight: list[Request] = []

    def step(self) -> None:
        calls: list[Callable[[], None]] = [
            self.put, self.take, self.take, self.bind, self.finish, self.finish,
            self.block, self.change, self.wait, self.look,
        ]  # fmt: skip
        self.chance.choice(calls)()

    def request(self) -> Request:
        url = f"http://{self.chance.choice(HOSTS)}/{self.chance.randrange(5)}"
        kind = self.chance.choice(["page", "page", "revisit"])
        priority, node = self.chance.choice(PRIORITIES), self.chance.choice(self.nodes)
        return Request(url, priority, node=node, kind=kind)

    def put(self) -> None:
        self.frontier.put([self.request() for _ in range(self.chance.randrange(5))])

    def take(self) -> None:
        if request := self.frontier.next(self.now, self.chance.choice([0.0, 0.3])):
            self.in_flight.append(request)

    def bind(self) -> None:
        if self.in_flight:
            request = self.chance.choice(self.in_flight)
            address = self.chance.choice(ADDRESSES)
            if not self.frontier.bind(host_of(request.url), address, self.now, request.node):
                self.in_flight.remove(request)

    def finish(self) -> None:
        if not self.in_flight:
            return
        request = self.in_flight.pop(self.chance.randrange(len(self.in_flight)))
        delay = self.chance.choice(DELAYS)
        if self.chance.random() < 0.6:
            self.frontier.done(request, self.now, delay)
        else:
            until = self.chance.choice([None, self.now + self.chance.choice(DELAYS)])
            self.frontier.fail(request, self.now, delay, until)

    def block(self) -> None:
        until = self.now + self.chance.choice([*DELAYS, math.inf] if self.now > 50 else DELAYS)
        self.frontier.block(self.chance.choice(HOSTS), until, "parked")

    def change(self) -> None:
        pairs = [(self.request(), self.chance.choice(PRIORITIES)) for _ in range(3)]
        self.frontier.reprioritise(pairs)

    def wait(self) -> None:
        self.now += self.chance.choice([0.5, 1.0, 4.0, 30.0])

    def look(self) -> None:
        self.frontier.wake_at(self.now, self.chance.choice([0.0, 0.3]))
        self.frontier.peek(5)
        self.frontier.waiting(self.now)


@pytest.mark.parametrize("seed", range(40))
def test_any_sequence_of_calls_keeps_the_invariants(seed):
    walk = Walk(seed, MemoryFrontier)
    schedule, queues = walk.frontier._schedule, walk.frontier._queues
    assert isinstance(queues, MemoryQueues)
    for _ in range(400):
        walk.step()

        check_schedule(schedule)
        check_hosts(schedule, queues)


@pytest.mark.parametrize("seed", range(20))
def test_the_same_holds_where_nearly_all_hosts_rest(tmp_path, seed):
    with closing(open_database(tmp_path, [TABLES])) as connection:
        walk = Walk(seed, lambda limits: SqliteFrontier(connection, limits))
        for _ in range(400):
            walk.step()

            check_schedule(walk.frontier._schedule)
            check_rest(walk.frontier._schedule)
