"""Any sequence of calls gives what the simple model gives, on every implementation."""

import math
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as some
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from geoscout.frontier.base import Limits
from geoscout.frontier.frontier import Frontier
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.store.sqlite.database import Database, open_database
from geoscout_places.model import Request
from geoscout_places.urls import host_of
from tests.contract.conftest import PostgresFrontiers
from tests.contract.frontier_model import ModelFrontier
from tests.memory.frontier import MemoryFrontier

HOSTS = ["a.example", "b.example", "c.example", "d.example"]
URLS = [f"http://{host}/{page}" for host in HOSTS for page in range(4)]
hosts = some.sampled_from(HOSTS)
urls = some.sampled_from(URLS)
priorities = some.sampled_from([-2.0, -1.0, 0.0, 0.1, 0.5, 0.504, 0.6, 1.0])
seconds = some.sampled_from([0.0, 0.5, 1.0, 3.0])
addresses = some.sampled_from(["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", ""])
requests = some.builds(
    Request,
    url=urls,
    priority=priorities,
    depth=some.integers(0, 3),
    distance=some.integers(0, 3),
    parent=some.sampled_from(["", "http://a.example/0"]),
    node=some.just(""),
)
limits = some.builds(
    Limits,
    pages_per_host=some.sampled_from([None, 1, 3]),
    near_tie=some.sampled_from([0.0, 0.01, 0.25]),
)


class MemoryMachine(RuleBasedStateMachine):
    """Does the same to a frontier and to the model, and compares."""

    frontier: Frontier
    model: ModelFrontier

    @initialize(limits=limits)
    def begin(self, limits: Limits) -> None:
        self.now = self.told = 0.0  # told: what the frontier has heard of it
        self.limits = limits
        self.model = ModelFrontier(limits)
        self.frontier = self.open()

    def open(self) -> Frontier:
        return MemoryFrontier(self.limits)

    @rule(batch=some.lists(requests, max_size=6))
    def put(self, batch: list[Request]) -> None:
        assert self.frontier.put(batch) == self.model.put(batch)

    @rule()
    def take(self) -> None:
        self.told = self.now
        assert self.frontier.next(self.now) == self.model.next(self.now)

    @precondition(lambda self: self.keeping())
    @rule(data=some.data(), delay=seconds)
    def free_host(self, data: some.DataObject, delay: float) -> None:
        request = data.draw(some.sampled_from(self.keeping()))
        self.told = self.now
        expected = self.model.free_host(request.url, self.now, delay)
        assert self.frontier.free_host(request, self.now, delay) == expected

    @precondition(lambda self: self.keeping())
    @rule(data=some.data(), address=addresses)
    def bind(self, data: some.DataObject, address: str) -> None:
        host = host_of(data.draw(some.sampled_from(self.keeping())).url)

        # It wakes no other host, so that the frontier has not heard of the time by this.
        expected = self.model.bind(host, address, self.now)
        assert self.frontier.bind(host, address, self.now) == expected

    @precondition(lambda self: self.in_flight())
    @rule(data=some.data(), delay=seconds)
    def done(self, data: some.DataObject, delay: float) -> None:
        request = data.draw(some.sampled_from(self.in_flight()))
        self.told = self.now
        self.frontier.done(request, self.now, delay)
        self.model.finish(request.url, self.now, delay, None)
        self.model.done += 1

    @precondition(lambda self: self.in_flight())
    @rule(data=some.data(), delay=seconds, retry=some.none() | seconds)
    def fail(self, data: some.DataObject, delay: float, retry: float | None) -> None:
        request = data.draw(some.sampled_from(self.in_flight()))
        until = None if retry is None else self.now + retry
        self.told = self.now
        self.frontier.fail(request, self.now, delay, until)
        self.model.finish(request.url, self.now, delay, until)
        self.model.failed += until is None

    @rule(host=hosts, seconds=seconds | some.just(math.inf))
    def block(self, host: str, seconds: float) -> None:
        self.frontier.block(host, self.now + seconds, "parked")
        self.model.block(host, self.now + seconds)

    @rule(url=urls, priority=priorities)
    def reprioritise(self, url: str, priority: float) -> None:
        changed = self.frontier.reprioritise([(Request(url), priority)])
        assert changed == self.model.reprioritise(url, priority)

    @rule(limit=some.integers(1, len(URLS)), priority=priorities)
    def reorder(self, limit: int, priority: float) -> None:
        """The best get this priority and its opposite in turns."""
        seen: list[Request] = []
        given: list[float] = []

        def rescore(waiting: Sequence[Request]) -> list[float]:
            seen.extend(waiting)
            given.extend((priority, -priority)[n % 2] for n in range(len(waiting)))
            return given

        changed = self.frontier.reorder(limit, rescore)
        pairs = list(zip(seen, given, strict=True))
        assert changed == sum(new != request.priority for request, new in pairs)
        for request, new in pairs:
            assert self.model.reprioritise(request.url, new) == 1

    @rule(passed=seconds)
    def wait(self, passed: float) -> None:
        self.now += passed

    @rule()
    def wait_as_told(self) -> None:
        self.told = self.now
        wake_at = self.frontier.wake_at(self.now)
        first = self.model.first_time(self.now)
        if first is None:
            assert self.frontier.next(self.now) is None
        else:
            assert wake_at is not None
            assert self.now <= wake_at <= max(first, self.now)
            self.now = wake_at

    @invariant()
    def says_why_and_until_when(self) -> None:
        waiting = self.frontier.waiting(self.now)
        first = self.model.first_time(self.now)

        assert waiting.until == (None if first is None else max(first, self.now))
        in_flight = len(self.in_flight())
        assert sum(count for _, count in waiting.reasons) == len(self.model.entries) - in_flight

    @invariant()
    def counts_all(self) -> None:
        counts = self.frontier.counts()
        in_flight = len(self.in_flight())

        assert (counts.done, counts.failed) == (self.model.done, self.model.failed)
        assert (counts.waiting, counts.busy) == (len(self.model.entries) - in_flight, in_flight)
        assert counts.hosts == len(self.model.hosts)

    @invariant()
    def shows_the_best(self) -> None:
        peeked = [request for request in self.frontier.peek(len(URLS)) if not request.tries]
        expected = [request for request in self.model.peek(len(URLS)) if not request.tries]

        # Those of hosts that rest need not be there, as far as the frontier has been told the time.
        assert peeked == [
            request
            for request in expected
            if request in peeked or not self.model.rests(request, self.told)
        ]

    def in_flight(self) -> list[Request]:
        apart = [Request(host.apart) for host in self.model.hosts.values() if host.apart]
        return [*self.keeping(), *apart]

    def keeping(self) -> list[Request]:
        """Those in flight that keep their hosts."""
        return [host.busy for host in self.model.hosts.values() if host.busy]


# Thousands of commits: on a disk each waits for it, and no restart here is one of the machine.
IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


class SqliteMachine(MemoryMachine):
    """The same on SQLite, with restarts in between."""

    connection: Database | None = None

    def open(self) -> Frontier:
        if self.connection is None:
            self.folder = Path(tempfile.mkdtemp(dir=IN_MEMORY))
        else:
            self.connection.close()
        self.connection = open_database(self.folder, [TABLES])
        return SqliteFrontier(self.connection, self.limits)

    @rule()
    def restart(self) -> None:
        assert self.connection is not None
        assert isinstance(self.frontier, SqliteFrontier)
        self.frontier.flush()
        self.connection.commit()
        self.frontier = self.open()
        self.model.restart()
        self.told = 0.0

    def teardown(self) -> None:
        if self.connection is not None:
            self.connection.close()
            shutil.rmtree(self.folder)


class CrampedMachine(SqliteMachine):
    """The same with nearly all hosts at rest."""

    def open(self) -> Frontier:
        self.limits = replace(self.limits, hosts_in_memory=1)
        return super().open()


class PostgresMachine(MemoryMachine):
    """The same on PostgreSQL, with commits and restarts in between."""

    frontiers: ClassVar[PostgresFrontiers]

    def open(self) -> Frontier:
        return self.frontiers.open(self.limits)

    @rule()
    def commit(self) -> None:
        self.frontiers.commit()

    @rule()
    def restart(self) -> None:
        self.frontier = self.frontiers.reopen(self.limits)
        self.model.restart()
        self.told = 0.0


many = settings(
    max_examples=100,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.mark.slow
@pytest.mark.parametrize("machine", [MemoryMachine, SqliteMachine, CrampedMachine])
def test_any_sequence_of_calls_gives_what_the_model_gives(machine):
    run_state_machine_as_test(machine, settings=many)


@pytest.mark.slow
def test_the_same_holds_in_postgresql(postgres_frontiers):
    PostgresMachine.frontiers = postgres_frontiers
    run_state_machine_as_test(PostgresMachine, settings=many)
