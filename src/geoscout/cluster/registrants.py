"""Registries asked by a cluster: each domain once, each server by one worker at a time.

Who asks about a domain is decided as for its pages: the worker that holds its partition. What it
hears is a row that all workers read within about a second, so their strategies know it when they
score links to that domain, and a worker that takes the partition over need not ask again.

How fast a server is asked is up to `registry_rents.py`.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from psycopg import Cursor

from geoscout.cluster.partitions import partition_of_host
from geoscout.cluster.registry_rents import RegistryRents
from geoscout.cluster.session import WorkerSession
from geoscout.crawling.registrants import AT_A_TIME, QuestionCounts, rescore_host, waiting_hosts
from geoscout.errors import DatabaseLostError, FetchError
from geoscout.fetch.registry.lookup import Registrations
from geoscout.frontier.base import Frontier
from geoscout.model import Request
from geoscout.registrations import RegistrantReader, RegistrationRecord
from geoscout.store.postgres.leases import Lease
from geoscout.strategy import Strategy, abilities_of
from geoscout.urls import host_of, registrable_domain

_FINISH_SECONDS = 5.0  # that a question in flight gets when its partition is given back
_MOST_ROWS = 1000  # read at a time

_FIND = """
SELECT domain, city, region, country, contact, source FROM registration WHERE domain = %s
"""
# Only the owner of a partition writes its rows, one after another, so they become visible in the
# order of their numbers.
_KEEP = """
INSERT INTO registration (domain, partition, number, city, region, country, contact, source)
SELECT %(domain)s, number, 1 + coalesce(
        (SELECT max(number) FROM registration WHERE partition = %(partition)s), 0),
    %(city)s, %(region)s, %(country)s, %(contact)s, %(source)s
FROM partition WHERE number = %(partition)s AND epoch = %(epoch)s
ON CONFLICT DO NOTHING
"""
_NEW = """
SELECT partition, number, domain, city, region, country, contact, source FROM registration
LEFT JOIN unnest(%s::smallint[], %s::bigint[]) AS heard(partition, last) USING (partition)
WHERE number > coalesce(heard.last, 0) ORDER BY partition, number LIMIT %s
"""


def find_reply(cursor: Cursor[Any], domain: str) -> RegistrationRecord | None:
    """What a registry has told some worker of a domain; None when none was asked."""
    row = cursor.execute(_FIND, (domain,)).fetchone()
    return None if row is None else _record(row)


def keep_reply(cursor: Cursor[Any], lease: Lease, record: RegistrationRecord) -> None:
    """Tell all workers what a registry says, unless the lease is over. The caller commits."""
    names = ("domain", "city", "region", "country", "contact", "source")
    values = {name: getattr(record, name).replace("\0", "") for name in names}
    cursor.execute(_KEEP, values | {"partition": lease.partition, "epoch": lease.epoch})


class ReplyFeed:
    """What registries have told all workers, each row once."""

    def __init__(self) -> None:
        self._heard: dict[int, int] = {}  # by partition, the last number

    def read(self, cursor: Cursor[Any]) -> list[RegistrationRecord]:
        """The next replies; fewer than the most there can be: that was all."""
        asked = list(self._heard), list(self._heard.values()), _MOST_ROWS
        found = []
        for partition, number, *row in cursor.execute(_NEW, asked).fetchall():
            self._heard[partition] = number
            found.append(_record(row))
        return found


def _record(row: Sequence[str]) -> RegistrationRecord:
    domain, city, region, country, contact, source = row
    return RegistrationRecord(domain, city, region, country, contact, source=source)


@dataclass(frozen=True, slots=True)
class AskingLane:
    """What must be known of a lane to ask for it."""

    lease: Lease
    frontier: Frontier
    wake: Callable[[], None]  # it may have something to do again


@dataclass(frozen=True, slots=True)
class _Question:
    domain: str
    lane: AskingLane
    task: asyncio.Task[None]


class SharedInquiry:
    """Asks registries about the domains of the partitions that this worker holds.

    A domain is in the strategy's questions until it is taken from there; then it is in
    `_under_way`, or in `_again` to be taken next, or in `_elsewhere` while its partition is not
    ours, until it is in `_answered` for good or could not be asked.
    """

    def __init__(
        self,
        strategy: Strategy,
        session: WorkerSession,
        partitions: int,
        registrations: Registrations,
        servers: RegistryRents,
    ) -> None:
        """`registrations` must keep its pauses by `servers.pace`."""
        if not isinstance(strategy, RegistrantReader):
            raise TypeError("the strategy does not read registrations")
        self._reader: RegistrantReader = strategy
        self._rescore = abilities_of(strategy).rescore
        self._session, self._partitions = session, partitions
        self._registrations, self._servers = registrations, servers
        self._feed = ReplyFeed()
        self._lanes: dict[int, AskingLane] = {}
        self._under_way: dict[str, _Question] = {}
        self._again: deque[str] = deque()
        self._elsewhere: defaultdict[int, set[str]] = defaultdict(set)
        self._answered: set[str] = set()
        self._placed: set[str] = set()  # those of them whose registrant has a place
        self._defect: BaseException | None = None  # what ended a question and is not its fault
        self.counts = QuestionCounts()
        strategy.open_questions()

    @property
    def is_open(self) -> bool:
        """Whether a reply is still to come."""
        return bool(self._under_way or self._again) or self._reader.has_questions

    def join(self, lane: AskingLane) -> None:
        """Ask for a partition from now on; first for what an earlier owner left waiting."""
        number = lane.lease.partition
        self._lanes[number] = lane
        self._again.extend(self._elsewhere.pop(number, ()))
        hosts = waiting_hosts(lane.frontier)
        self._reader.ask_about(hosts)
        self._score_again(lane, [host for host in hosts if self._is_placed(host)])

    async def leave(self, number: int, *, in_order: bool) -> None:
        """Ask no more for a partition; `in_order`: let questions in flight be answered."""
        if self._lanes.pop(number, None) is None:
            return
        ours = [one for one in self._under_way.values() if one.lane.lease.partition == number]
        asking = [one.task for one in ours if in_order and one.task in self._servers.asking]
        for one in ours:
            if one.task not in asking:
                one.task.cancel()
        if asking:
            await asyncio.wait(asking, timeout=_FINISH_SECONDS)
        for task in asking:
            task.cancel()

    def receive(self, requests: Sequence[Request]) -> Sequence[Request]:
        """Ask about requests that others have sent, and score those whose reply is there."""
        self._reader.ask_about(host_of(request.url) for request in requests)
        known = [request for request in requests if self._is_placed(host_of(request.url))]
        scores = dict(zip(map(id, known), self._rescore(known), strict=True)) if known else {}
        return [
            msgspec.structs.replace(request, priority=scores[id(request)])
            if id(request) in scores
            else request
            for request in requests
        ]

    async def listen(self) -> None:
        """Take what the other workers were told since the last time.

        Raises:
            DatabaseLostError: the server does not answer.
        """
        while True:
            records = await self._session.ask(self._feed.read)
            for record in records:
                self._take(record)
            if len(records) < _MOST_ROWS:
                return

    def pump(self) -> None:
        """Ask the next questions, as many as may be under way.

        Raises:
            DamagedDataError: replies cannot be kept on this machine.
        """
        if self._defect is not None:
            raise self._defect
        while len(self._under_way) < AT_A_TIME and (found := self._next()):
            domain, lane = found
            task = asyncio.create_task(self._answer(domain, lane))
            self._under_way[domain] = _Question(domain, lane, task)
            task.add_done_callback(partial(self._end, domain))

    async def settle(self) -> None:
        """Rent the servers that questions wait for, and give back those that are not needed.

        Raises:
            DatabaseLostError: the server does not answer.
        """
        if self._servers.rents.is_due():
            await self._session.ask(self._servers.rents.settle)

    async def close(self) -> None:
        """End all questions, and give the servers back."""
        for number in list(self._lanes):
            await self.leave(number, in_order=False)
        tasks = [question.task for question in self._under_way.values()]
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(DatabaseLostError):
            await self._session.ask(self._servers.rents.leave)

    def _next(self) -> tuple[str, AskingLane] | None:
        while domain := self._again.popleft() if self._again else self._reader.next_question():
            number = self._partition(domain)
            if number not in self._lanes:
                self._elsewhere[number].add(domain)  # its owner asks, and we read the reply
            elif domain not in self._answered and domain not in self._under_way:
                return domain, self._lanes[number]
        return None

    async def _answer(self, domain: str, lane: AskingLane) -> None:
        record = await self._session.ask(partial(find_reply, domain=domain))
        if record is None:
            self.counts.asked += 1
            record = self._registrations.known(domain) or await self._registrations.ask(domain)
            await self._session.ask(partial(keep_reply, lease=lane.lease, record=record))
            self.counts.placed += record.has_place
        self._take(record)

    def _end(self, domain: str, task: asyncio.Task[None]) -> None:
        del self._under_way[domain]
        error = None if task.cancelled() else task.exception()
        if task.cancelled() and self._partition(domain) not in self._lanes:
            self._elsewhere[self._partition(domain)].add(domain)
        elif isinstance(error, DatabaseLostError) or _is_lease(error):
            self._again.append(domain)
        elif isinstance(error, FetchError):
            self.counts.failed += 1
            self._reader.add_reply(RegistrationRecord(domain))  # until the next owner asks
        elif error is not None:
            self._defect = error
        elif not task.cancelled():
            self.pump()

    def _take(self, record: RegistrationRecord) -> None:
        """Score again what waits at the hosts that a reply concerns."""
        if record.domain in self._answered:
            return
        self._answered.add(record.domain)
        hosts = self._reader.add_reply(record)
        if not record.has_place:
            return
        self._placed.add(record.domain)
        if lane := self._lanes.get(self._partition(record.domain)):
            self._score_again(lane, hosts)

    def _score_again(self, lane: AskingLane, hosts: Iterable[str]) -> None:
        for host in hosts:
            rescore_host(lane.frontier, host, self._rescore)
        lane.wake()

    def _partition(self, domain: str) -> int:
        return partition_of_host(domain, self._partitions)

    def _is_placed(self, host: str) -> bool:
        return bool(self._placed) and registrable_domain(host) in self._placed


def _is_lease(error: BaseException | None) -> bool:
    """Whether a question was ended because its rent was."""
    return isinstance(error, FetchError) and error.kind == "lease"
