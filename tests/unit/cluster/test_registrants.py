"""Questions to registries, divided among workers by the partitions of the domains."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from geoscout.cluster.partitions import partition_of_host
from geoscout.cluster.registrants import (
    AskingLane,
    ReplyFeed,
    SharedInquiry,
    find_reply,
    keep_reply,
)
from geoscout.cluster.registry_rents import RegistryRents
from geoscout.cluster.session import WorkerSession
from geoscout.errors import DamagedDataError
from geoscout.fetch.failures import failure
from geoscout.fetch.registry.lookup import RegistrationCache, Registrations
from geoscout.frontier import MemoryFrontier
from geoscout.model import HELD, Request
from geoscout.registrations import RegistrationRecord
from geoscout.store.postgres.database import Connection, read_address
from geoscout.store.postgres.leases import Lease, claim
from geoscout.strategy import StrategyAim, create_strategy
from tests.unit.strategy.american_places import GAZETTEER

PARTITIONS = 3  # as the fixture `connection` has them
BOSTON = RegistrationRecord("a.example", "Boston", "", "US", "admin", source="whois")


def domain_of(partition: int) -> str:
    """A domain of this partition."""
    names = (f"site{n}.example" for n in range(100))
    return next(name for name in names if partition_of_host(name, PARTITIONS) == partition)


OURS, THEIRS = domain_of(0), domain_of(1)


class Source:
    """A registry that knows one place for all, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked: list[str] = []
        self.error = error

    async def ask(self, domain: str) -> RegistrationRecord | None:
        self.asked.append(domain)
        if self.error is not None:
            raise self.error
        return RegistrationRecord(domain, "Boston", "", "US", "admin", source="whois")


class Asker:
    """A worker that asks, and one lane of it."""

    def __init__(self, where: str, folder: Path, source: Source) -> None:
        self.session = WorkerSession(read_address(where))
        self.source, self.woken = source, 0
        self._cache = RegistrationCache(folder / f"{id(self)}.sqlite")
        strategy = create_strategy("rank:admission=either", StrategyAim(None, GAZETTEER))
        registrations = Registrations([source], self._cache)
        self.inquiry = SharedInquiry(
            strategy, self.session, PARTITIONS, registrations, RegistryRents()
        )
        self.frontier = MemoryFrontier()

    def wake(self) -> None:
        self.woken += 1

    async def answer(self) -> None:
        """Until nothing is open."""
        while self.inquiry.is_open:
            self.inquiry.pump()
            await asyncio.sleep(0.01)

    def close(self) -> None:
        self.session.close()
        self._cache.close()


@pytest.fixture
def make(
    connection: Connection, postgres_address: str, tmp_path: Path
) -> Iterator[Callable[..., Asker]]:
    made: list[Asker] = []

    def new(error: Exception | None = None) -> Asker:
        made.append(Asker(postgres_address, tmp_path, Source(error)))
        return made[-1]

    yield new
    for asker in made:
        asker.close()


def claimed(connection: Connection, number: int) -> Lease:
    with connection.cursor() as cursor:
        lease = claim(cursor, "ann", number)
    connection.commit()
    assert lease is not None
    return lease


def held(domain: str) -> Request:
    return Request(f"http://www.{domain}/", HELD)


def priorities(frontier: MemoryFrontier, domain: str) -> Sequence[float]:
    return [request.priority for request in frontier.of_host(f"www.{domain}", 9)]


def join(asker: Asker, lease: Lease, *domains: str) -> None:
    asker.frontier.put([held(domain) for domain in domains])
    asker.inquiry.join(AskingLane(lease, asker.frontier, asker.wake))


def test_a_reply_releases_what_is_held_and_is_told_to_all(
    make: Callable[..., Asker], connection: Connection
) -> None:
    ann, ben = make(), make()
    join(ann, claimed(connection, 0), OURS)

    async def run() -> None:
        await ann.answer()
        await ben.inquiry.listen()
        await ben.inquiry.listen()

    asyncio.run(run())

    assert ann.source.asked == [OURS]
    assert ann.woken
    assert min(priorities(ann.frontier, OURS)) > HELD
    assert [request.priority > HELD for request in ben.inquiry.receive([held(OURS)])] == [True]
    assert not ben.inquiry.is_open


def test_the_owner_of_a_domain_asks_and_nobody_else(
    make: Callable[..., Asker], connection: Connection
) -> None:
    """Until its partition is taken over."""
    ann = make()
    lease = claimed(connection, 1)

    async def run() -> list[str]:
        ann.inquiry.receive([held(THEIRS)])
        await ann.answer()
        before = list(ann.source.asked)
        join(ann, lease)
        await ann.answer()
        return before

    assert asyncio.run(run()) == []
    assert ann.source.asked == [THEIRS]


def test_what_another_was_told_is_not_asked_again(
    make: Callable[..., Asker], connection: Connection
) -> None:
    ann, lease = make(), claimed(connection, 0)
    record = RegistrationRecord(OURS, "Boston", "", "US", "admin", source="rdap")
    keep_reply(connection.cursor(), lease, record)
    connection.commit()
    join(ann, lease, OURS)

    asyncio.run(ann.answer())

    assert ann.source.asked == []
    assert min(priorities(ann.frontier, OURS)) > HELD


def test_a_registry_that_does_not_answer_leaves_no_question_open(
    make: Callable[..., Asker], connection: Connection
) -> None:
    ann = make(failure("timeout"))
    join(ann, claimed(connection, 0), OURS)

    asyncio.run(ann.answer())

    assert ann.inquiry.counts.failed == 1
    assert priorities(ann.frontier, OURS) == [HELD]
    assert find_reply(connection.cursor(), OURS) is None  # the next owner asks


def test_a_question_whose_rent_ended_is_asked_again(
    make: Callable[..., Asker], connection: Connection
) -> None:
    ann = make(failure("lease"))
    join(ann, claimed(connection, 0), OURS)

    async def run() -> None:
        while len(ann.source.asked) < 2:
            ann.inquiry.pump()
            await asyncio.sleep(0.01)
        ann.source.error = None
        await ann.answer()

    asyncio.run(run())

    assert min(priorities(ann.frontier, OURS)) > HELD


def test_replies_that_cannot_be_kept_end_the_worker(
    make: Callable[..., Asker], connection: Connection
) -> None:
    ann = make(DamagedDataError("the disk is full"))
    join(ann, claimed(connection, 0), OURS)

    async def run() -> None:
        ann.inquiry.pump()
        await ann.answer()
        ann.inquiry.pump()

    with pytest.raises(DamagedDataError, match="full"):
        asyncio.run(run())


def test_a_replaced_owner_tells_nothing(connection: Connection) -> None:
    old = claimed(connection, 0)
    connection.execute("UPDATE partition SET until = 'epoch'")
    claimed(connection, 0)
    keep_reply(connection.cursor(), old, BOSTON)

    assert find_reply(connection.cursor(), BOSTON.domain) is None


def test_a_feed_reads_every_reply_once(connection: Connection) -> None:
    leases, feed = [claimed(connection, number) for number in range(2)], ReplyFeed()
    cursor = connection.cursor()
    keep_reply(cursor, leases[0], BOSTON)
    first = feed.read(cursor)
    keep_reply(cursor, leases[1], RegistrationRecord("b.example"))
    keep_reply(cursor, leases[0], RegistrationRecord("c.example"))
    keep_reply(cursor, leases[0], BOSTON)

    assert first == [BOSTON]
    assert {record.domain for record in feed.read(cursor)} == {"b.example", "c.example"}
    assert feed.read(cursor) == []
