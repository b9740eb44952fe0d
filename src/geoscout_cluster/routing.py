"""The frontier of a lane: its own partition, and a way to all others.

Requests for sites of other partitions go to the outbox. A server that another partition is asking
is left alone: its address must be rented (`addresses.py`) before a request is bound to it. The
frontier of the partition itself gives nothing out in the last second of its lease or after it
(`state/postgres.py`): a process that was stopped for a while must not ask a host that another
worker may be asking by now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from geoscout.frontier.base import Counts, Frontier, Waiting
from geoscout.store.reader import CrawlReader
from geoscout.store.writer import CrawlWriter
from geoscout_cluster.addresses import AddressRents
from geoscout_cluster.exchange import Outbox
from geoscout_cluster.postgres.state import PostgresState
from geoscout_places.model import Request
from geoscout_places.urls import host_of


class RoutedFrontier:
    """A frontier of one partition that sends on what is not its own; implements `Frontier`."""

    def __init__(
        self,
        own: Frontier,
        outbox: Outbox,
        owner_of: Callable[[str], int | None],
        rents: AddressRents,
    ) -> None:
        """`owner_of` gives the partition of a URL that is not our own, and None for others."""
        self._own = own
        self._outbox = outbox
        self._owner_of = owner_of
        self._rents = rents
        self._in_flight: dict[tuple[str, str], str] = {}  # addresses by node and host

    def put(self, requests: Sequence[Request]) -> int:
        ours = []
        for request in requests:
            target = self._owner_of(request.url)
            if target is None:
                ours.append(request)
            else:
                self._outbox.put(target, request)
        return self._own.put(ours)

    def next(self, now: float, share: float = 0.0) -> Request | None:
        return self._own.next(now, share)

    def bind(self, host: str, address: str, now: float, node: str = "") -> bool:
        if address and (wait := self._rents.wait_for(address)):
            self._own.rest_address(address, now + wait)
        is_bound = self._own.bind(host, address, now, node)
        if is_bound and address:
            self._rents.begin(address)
            self._in_flight[node, host] = address
        return is_bound

    def done(self, request: Request, now: float, delay: float) -> None:
        self._own.done(request, now, delay)
        self._end(request, delay)

    def fail(
        self,
        request: Request,
        now: float,
        delay: float,
        until: float | None,
        *,
        counts: bool = True,
    ) -> None:
        self._own.fail(request, now, delay, until, counts=counts)
        self._end(request, delay)

    def block(self, host: str, until: float, reason: str) -> None:
        self._own.block(host, until, reason)

    def unblock(self, host: str, reason: str) -> None:
        self._own.unblock(host, reason)

    def rest_address(self, address: str, until: float) -> None:
        self._own.rest_address(address, until)

    def promises(self, now: float) -> Mapping[str, float]:
        return self._own.promises(now)

    def hear_promises(self, promises: Mapping[str, float]) -> None:
        self._own.hear_promises(promises)

    def wake_at(self, now: float, share: float = 0.0) -> float | None:
        return self._own.wake_at(now, share)

    def waiting(self, now: float) -> Waiting:
        return self._own.waiting(now)

    def counts(self, top: int = 10) -> Counts:
        return self._own.counts(top)

    def reprioritise(self, pairs: Iterable[tuple[Request, float]]) -> int:
        return self._own.reprioritise(pairs)

    def reorder(self, limit: int, rescore: Callable[[Sequence[Request]], Sequence[float]]) -> int:
        return self._own.reorder(limit, rescore)

    def peek(self, limit: int) -> Sequence[Request]:
        return self._own.peek(limit)

    def of_host(self, host: str, limit: int) -> Sequence[Request]:
        return self._own.of_host(host, limit)

    def _end(self, request: Request, delay: float) -> None:
        """The server of a request may be asked again after `delay`, by whoever has rented it."""
        if address := self._in_flight.pop((request.node, host_of(request.url)), ""):
            self._rents.end(address, delay)


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
