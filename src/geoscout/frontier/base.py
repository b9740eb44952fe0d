"""What a frontier is asked for and what others may see of it, as records.

The frontier alone decides order and politeness; a strategy only scores. There is no clock in it:
times are handed in, in seconds that never fall below 0, so that a simulation or a replay runs by
the same code as the live web. What is in flight lives in memory only; after a crash it is simply
still waiting.

In a collaborative crawl a request belongs to a node. Each node knows what it has seen and has a
queue of its own, and `next` goes round the nodes; a host and an address are still asked one thing
at a time, whichever node asks.
"""

import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from msgspec import Struct

from geoscout_places.model import Request


class Limits(Struct, frozen=True):
    """How much of the crawl one host may take, and how much memory all of them."""

    pages_per_host: int | None = None  # done and failed for good; None is without limit
    near_tie: float = 0.01  # hosts whose best priorities differ by less take turns; 0: equals only
    hosts_in_memory: int = 20_000  # about; where the frontier is on disk, the others are there too
    # Another limit for single hosts, 0 for none; None where it has none for a host.
    pages_of: Callable[[str], int | None] | None = None

    def most_pages(self, host: str) -> int | None:
        """How many pages a host may take; None is without limit."""
        own = self.pages_of(host) if self.pages_of else None
        return self.pages_per_host if own is None else own or None


class WaitReason(StrEnum):
    """What requests wait for. The reason of a block is any other text."""

    READY = "ready"  # their host may be asked
    BUSY = "busy"  # another request to their host is in flight
    POLITENESS = "politeness"  # their host is given its pause
    ADDRESS = "address"  # another host of the same address is asked or given its pause
    RETRY = "retry"  # they failed, and wait for their time
    BUDGET = "budget"  # their host has had all the requests that one host may take
    HELD = "held"  # they have no priority yet
    NOTHING = "nothing"  # a host without requests


class Wait(NamedTuple):
    """Requests of a host that wait for one thing."""

    reason: str  # a `WaitReason`, or the reason of a block
    until: float  # infinity: no lapse of time will do
    requests: int


class Waiting(Struct, frozen=True):
    """Why the waiting requests are not being fetched, and until when."""

    reasons: tuple[tuple[str, int], ...]  # waiting requests by reason, the most first
    until: float | None  # when the first may go; None: only the end of one in flight can help


class HostCounts(Struct, frozen=True):
    host: str
    waiting: int
    done: int
    failed: int


class Counts(Struct, frozen=True):
    """Every request the frontier knows is in one of the first four."""

    waiting: int
    busy: int
    done: int
    failed: int  # for good
    hosts: int
    top: tuple[HostCounts, ...]  # the hosts with the most waiting requests, the most first


class HostState(Struct, frozen=True):
    """A host and its requests; times are seconds since the epoch.

    What a frontier says of its hosts, and what others see of them, is decided here alone. Only a
    running frontier knows what is in flight.
    """

    host: str
    queued: int  # requests without a time of their own
    postponed: int  # requests that failed and wait for their time
    done: int
    failed: int
    all_held: bool = False  # none of those queued may go before it gets another priority
    retry_at: float = math.inf  # when the first of those postponed may go
    free_at: float = 0.0  # by politeness
    blocked_until: float = 0.0
    blocked_for: str = ""  # the reason of the block
    is_spent: bool = False  # it has had all the requests that `Limits` allow a host
    is_busy: bool = False  # a request is in flight
    server_free_at: float = 0.0  # as `free_at`, by what other nodes ask; infinity: one asks now
    address_free_at: float = 0.0  # the same, by what other hosts of its address are asked

    @property
    def waiting(self) -> int:
        return self.queued + self.postponed

    def waits_for(self, now: float) -> tuple[str, float]:
        """What the host waits for as a whole, and until when; infinity: no lapse of time will do.

        That is the reason of a block, and otherwise what the first of its requests wait for.
        """
        waits = self.waits(now)
        if not waits:
            return WaitReason.NOTHING, now
        if self.blocked_until > now and not self.is_spent:
            return self.blocked_for or "blocked", self.blocked_until
        first = min(waits, key=lambda wait: wait.until)
        return first.reason, first.until

    def waits(self, now: float) -> Sequence[Wait]:
        """What its requests wait for, those without a time of their own first."""
        if self.is_spent:
            return [Wait(WaitReason.BUDGET, math.inf, self.waiting)] if self.waiting else []
        times = self.free_at, self.blocked_until, self.server_free_at, self.address_free_at
        free_at = math.inf if self.is_busy else max(now, *times)
        waits = []
        if self.queued:
            until = math.inf if self.all_held else free_at
            waits.append(Wait(self._queue_waits_for(now), until, self.queued))
        if self.postponed:
            waits.append(Wait(WaitReason.RETRY, max(free_at, self.retry_at), self.postponed))
        return waits

    def _queue_waits_for(self, now: float) -> str:
        """What the requests without a time of their own wait for."""
        if self.all_held:
            return WaitReason.HELD
        if self.is_busy:
            return WaitReason.BUSY
        if self.blocked_until > now:
            return self.blocked_for or "blocked"
        if self.free_at <= now and self.server_free_at == math.inf:
            return WaitReason.BUSY
        if max(self.free_at, self.server_free_at) > now:
            return WaitReason.POLITENESS
        return WaitReason.ADDRESS if self.address_free_at > now else WaitReason.READY


class Bin(Struct, frozen=True):
    """Waiting requests with a priority from `low` to `high`."""

    low: float
    high: float
    requests: int


class Known(Struct, frozen=True):
    """A request the frontier knows: how it came in, and whether it still waits."""

    request: Request  # its priority is that with which it waits, or came in
    waits: bool  # False: it was fetched, or given up


class Tenure(Protocol):
    """How long a frontier may begin something; in a cluster as long as its lease lasts."""

    def left(self) -> float:
        """Seconds that are left; 0 or less: nothing may be begun now."""

    def check(self) -> None:
        """Raise why it is over for good, if it is.

        Raises:
            GeoscoutError: it is.
        """


class Owner(Protocol):
    """What is not up to one frontier, where several share a crawl: other sites, common servers."""

    def sends(self, request: Request) -> bool:
        """Whether it belongs to another frontier; then it is on its way there."""

    def wait_for(self, address: str) -> float:
        """Seconds until an address may be asked from here; 0: now."""

    def begin(self, host: int, address: str) -> None:
        """A request of a host, by its number here, is bound to an address."""

    def end(self, host: int, delay: float) -> None:
        """A request of a host ended, bound or not; its server is due a pause of so many seconds."""
