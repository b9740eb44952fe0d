"""Hosts, the gates they go through, and what a store must do to keep the requests of each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from geoscout.frontier.base import Limits
from geoscout_places.model import Request

Head = tuple[float, int]  # the negated priority of a request and its number: lower comes first
HeapEntry = tuple[float, int, int]  # band of priority, turn, number of the host
SOON = 3.0  # seconds that a better host is worth waiting for
LONG = 60.0  # seconds; a host that rests longer is not looked at before its rest is over


@dataclass(slots=True, eq=False)
class Gate:
    """What one host at a time goes through: an IP address, or a server that several nodes ask."""

    name: str  # the address, or the name of the server
    holder: Host | None = None
    free_at: float = 0.0  # by politeness, once nobody holds it
    pause: float = 0.0  # seconds after the last request
    put_off_until: float = 0.0  # that long no host at rest is asked for it
    queue: list[HeapEntry] = field(default_factory=list)  # a heap of the hosts that wait for it
    alarm: float = math.inf  # the earliest valid one among the alarms

    def is_free(self, now: float) -> bool:
        return self.holder is None and self.free_at <= now


@dataclass(slots=True, eq=False)
class Host:
    """What is known of a host besides its requests.

    `head`, `waiting`, `later` and `retry_at` repeat what the queues of the store hold, so that
    deciding needs no look at the store; `Frontier` keeps them true.
    """

    number: int
    name: str
    node: str = ""  # that it belongs to in a collaborative crawl
    head: Head | None = None  # its best request that need not wait for a time of its own
    following: Head | None = None  # while it is busy, the best of the others
    waiting: int = 0  # requests without a time of their own, the one in flight among them
    later: int = 0  # requests that failed and wait for their time
    retry_at: float = math.inf  # the earliest such time
    done: int = 0
    failed: int = 0
    turn: int = 0
    busy: int = 0  # the number of the request in flight
    held_at: float = 0.0  # when it was last taken
    free_at: float = 0.0  # by politeness
    pause: float = 0.0  # seconds it was given after its last request
    blocked_until: float = 0.0
    reason: str = ""  # of the block
    address: Gate | None = None
    slot: Gate | None = None  # shared with the host of this name in other nodes, if any
    others: list[Host] = field(default_factory=list)  # those, and itself; empty where alone
    entry: HeapEntry | None = None  # the valid one in a heap of ready hosts or in a line
    alarm: float = math.inf  # the earliest valid one among the alarms

    def next_soon(self, now: float) -> Head | None:
        """What it can be asked for soon, unless it is slow to answer."""
        if self.busy:
            return self.following if now <= self.held_at + SOON else None
        return self.head if self.may_be_asked_at() <= now + SOON else None

    def may_be_asked_at(self) -> float:
        return max(self.free_at, self.blocked_until)

    def has_requests(self) -> bool:
        return self.head is not None or self.later > 0

    def is_spent(self, limits: Limits) -> bool:
        most = limits.most_pages(self.name)
        if most is None:
            return False
        if not self.others:
            return self.done + self.failed >= most
        return sum(host.done + host.failed for host in self.others) >= most

    def gates(self) -> Iterator[Gate]:
        """What it holds while it is busy."""
        if self.slot is not None:
            yield self.slot
        if self.address is not None:
            yield self.address

    def closed_gate(self, now: float) -> Gate | None:
        """The first of them that it cannot hold now."""
        return next((gate for gate in self.gates() if not gate.is_free(now)), None)


NumberedRequest = tuple[Host, int, Request]  # a request with its host and its number
Move = tuple[Host, Head, Head]  # a request's place in the queue of its host, old and new


class Queues(Protocol):
    """The waiting requests of each host, at rest: in a queue by priority, or each for its time."""

    def add(self, hosts: Sequence[Host], rows: Sequence[NumberedRequest]) -> None:
        """Keep new hosts and new requests."""
        ...

    def read(self, heads: Sequence[Head]) -> list[Request]:
        """The requests with these numbers and priorities."""
        ...

    def rewrite(self, number: int, request: Request) -> None:
        """Replace what is kept of a request, except its tries."""
        ...

    def revive(self, host: Host, number: int, request: Request) -> None:
        """Let a finished request wait again."""
        ...

    def move(self, moves: Sequence[Move]) -> bool:
        """Change the priorities of requests in a queue or of some that wait for their time.

        False when one of the latter was among them.
        """
        ...

    def remove(self, host: Host, head: Head) -> None:
        """Take a request out of the queue for good."""
        ...

    def postpone(self, host: Host, head: Head, until: float, tries: int) -> None:
        """Let a request leave the queue until its time, and count these tries."""
        ...

    def wake(self, host: Host, now: float) -> Sequence[int]:
        """Move the requests whose time has come to the queue; return their numbers."""
        ...

    def next_time(self, host: Host) -> float:
        """The earliest time a request of the host waits for; infinity when none does."""
        ...

    def heads(self, host: Host) -> Iterator[Head]:
        """The queue of a host, best first."""
        ...

    def save(self, host: Host) -> None:
        """Keep what changes about a host: address, times and counts."""
        ...
