"""Hosts, the gates they go through, which of them are ready, and what keeps their requests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush, heapreplace
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
    apart: int = 0  # requests in flight besides, which do not keep it
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

    @property
    def in_flight(self) -> int:
        return (self.busy > 0) + self.apart

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
        hosts = self.others or (self,)
        return sum(host.done + host.failed + host.apart for host in hosts) >= most

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

    def read(self, heads: Sequence[Head]) -> list[Request]:
        """The requests with these numbers and priorities."""

    def rewrite(self, number: int, request: Request) -> None:
        """Replace what is kept of a request, except its tries."""

    def revive(self, host: Host, number: int, request: Request) -> None:
        """Let a finished request wait again."""

    def move(self, moves: Sequence[Move]) -> bool:
        """Change the priorities of requests in a queue or of some that wait for their time.

        False when one of the latter was among them.
        """

    def remove(self, host: Host, head: Head) -> None:
        """Take a request out of the queue for good."""

    def postpone(self, host: Host, head: Head, until: float, tries: int) -> None:
        """Let a request leave the queue until its time, and count these tries."""

    def wake(self, host: Host, now: float) -> Sequence[int]:
        """Move the requests whose time has come to the queue; return their numbers."""

    def next_time(self, host: Host) -> float:
        """The earliest time a request of the host waits for; infinity when none does."""

    def heads(self, host: Host) -> Iterator[Head]: ...

    def save(self, host: Host) -> None:
        """Keep what changes about a host: address, times and counts."""


_Alarm = tuple[float, int, Host | Gate]  # when, a number against ties, whom to wake


class Alarms:
    """When to look at a host or a gate again, in one heap of times.

    An alarm that is no longer wanted is not searched for: a sleeper knows the time of its earliest
    alarm, and one with another time is outdated. What must stay true: `sleeper.alarm` is infinite,
    or an alarm of that time is in the heap.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._heap: list[_Alarm] = []
        self._set = 0  # tells alarms of the same time apart

    def set(self, sleeper: Host | Gate, time: float) -> None:
        """Wake a sleeper at this time, or at the earlier one that is set already."""
        if time < sleeper.alarm:
            sleeper.alarm = time
            self._set += 1
            heappush(self._heap, (time, self._set, sleeper))

    def due(self, now: float) -> Iterator[Host | Gate]:
        """Those whose time has come; their alarm is then over."""
        while self._heap and self._heap[0][0] <= now:
            time, _, sleeper = heappop(self._heap)
            if time == sleeper.alarm:
                sleeper.alarm = math.inf
                yield sleeper

    def first(self) -> float | None:
        """When the first one rings that somebody waits for; None where there is none."""
        while self._heap and self._is_needless(self._heap[0]):
            heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def drop_outdated(self) -> None:
        """Forget the alarms of those that have another one, or left."""
        self._heap = [alarm for alarm in self._heap if alarm[0] == alarm[2].alarm]
        heapify(self._heap)

    def _is_needless(self, alarm: _Alarm) -> bool:
        """Whether nobody would get up; the sleeper then sets another when it has a reason."""
        time, _, sleeper = alarm
        if time != sleeper.alarm:
            return True
        if isinstance(sleeper, Gate):
            needless = sleeper.holder is not None or not sleeper.queue
        else:
            spent = sleeper.is_spent(self._limits)
            needless = bool(sleeper.busy) or spent or not sleeper.has_requests()
        if needless:
            sleeper.alarm = math.inf
        return needless


_SLACK = 1000  # entries for each node that may be outdated however few hosts there are


class ReadyHosts:
    """The hosts that may be asked, best first, and the lines at gates that are closed.

    A heap for each node holds the ready hosts. A host that comes up while one of its gates is
    closed lines up there. Only the first in line comes back when the gate opens, so ten thousand
    hosts behind one address cost no more than one.

    Entries are not searched for when a host changes: it gets a new one, and `Host.entry` tells
    which one is valid. What must stay true of the hosts in memory:

    - A valid entry lies in the heap of the host's node or in the line of one of its gates. It may
      lie there twice, when a host changed and changed back; outdated entries may lie anywhere.
    - Where hosts line up, something will call the first: a host holds the gate and lets go; or it
      has an alarm; or an entry of a host behind it is in a heap. So an entry that leaves a heap
      without its host being taken must call the next at the gates of that host: it may have been
      the one called.
    - `_gates` has every gate with a line.
    """

    def __init__(self, hosts: Mapping[int, Host], alarms: Alarms) -> None:
        """`hosts`: those in memory, by number; they come and go."""
        self.heaps: dict[str, list[HeapEntry]] = {}  # by node; the node whose turn it is first
        self._hosts = hosts
        self._alarms = alarms
        self._gates: set[Gate] = set()

    def add_node(self, node: str) -> None:
        self.heaps.setdefault(node, [])

    def pass_turn(self, node: str) -> None:
        """Let a node be the last whose turn it is."""
        self.heaps[node] = self.heaps.pop(node)

    def put(self, host: Host, entry: HeapEntry | None) -> None:
        """Give a host another entry; None where it is not ready."""
        heap = self.heaps[host.node]
        if entry is not None and entry != host.entry:
            heappush(heap, entry)
        host.entry = entry
        if len(heap) > 2 * len(self._hosts) + _SLACK:
            self._drop_outdated()

    def line_up(self, host: Host, gate: Gate, entry: HeapEntry, now: float) -> None:
        """Let a host wait at a closed gate, and the next go to another it was called for."""
        heappush(gate.queue, entry)
        self._gates.add(gate)
        if gate.holder is None:
            self._alarms.set(gate, gate.free_at)
        for other in host.gates():
            if other is not gate:
                self.call_next(other, now)

    def call_all(self, host: Host, now: float) -> None:
        """Call the next at the gates of a host whose entry has left the heap."""
        for gate in host.gates():
            self.call_next(gate, now)

    def call_next(self, gate: Gate, now: float) -> None:
        """Make the first in line ready again, if the gate is open."""
        if gate.holder is not None or not gate.queue:
            return
        if gate.free_at > now:
            self._alarms.set(gate, gate.free_at)
            return
        while gate.queue:
            entry = heappop(gate.queue)
            host = self._hosts.get(entry[2])
            if host is not None and entry == host.entry:
                heappush(self.heaps[host.node], entry)
                return
        self._gates.discard(gate)

    def lines(self) -> Iterator[tuple[Gate, Host, int]]:
        """Every host that lines up at a gate, and its place there, the first of each gate first."""
        for gate in self._gates:
            place = 0
            for entry in sorted(set(gate.queue)):  # one may lie there twice
                host = self._hosts.get(entry[2])
                if host is not None and host.entry == entry:
                    yield gate, host, place
                    place += 1

    def is_longer(self, gate: Gate, most: int) -> bool:
        """Whether more hosts than that line up; outdated entries are dropped on the way."""
        if len(gate.queue) > most:
            hosts = ((entry, self._hosts.get(entry[2])) for entry in set(gate.queue))
            gate.queue = [entry for entry, host in hosts if host and host.entry == entry]
            heapify(gate.queue)
        return len(gate.queue) > most

    def forget(self, gate: Gate) -> None:
        self._gates.discard(gate)

    def best(self, limit: int, now: float) -> list[Host]:
        """At most this many of the hosts that are ready or line up, the best first.

        They are taken from the heaps and put back. Outdated entries on the way are dropped, or
        each look would meet them again: those of hosts that often change lie at the top.
        """
        heaps = [*self.heaps.values(), *(gate.queue for gate in self._gates)]
        tops = [(heap[0], number) for number, heap in enumerate(heaps) if heap]
        heapify(tops)
        found: dict[Host, None] = {}
        taken: set[tuple[HeapEntry, int]] = set()  # an entry may lie in a heap twice
        outdated: list[Host] = []
        while tops and len(found) < limit:
            entry, number = top = tops[0]
            heappop(heaps[number])
            if heaps[number]:
                heapreplace(tops, (heaps[number][0], number))
            else:
                heappop(tops)
            host = self._hosts.get(entry[2])
            if host is not None and entry == host.entry:
                taken.add(top)
                found[host] = None
            elif host is not None:
                outdated.append(host)
        for entry, number in taken:
            heappush(heaps[number], entry)
        for host in outdated:
            self.call_all(host, now)
        return list(found)

    def _drop_outdated(self) -> None:
        """Make the heaps again from the valid entries; hosts in a line leave it for them."""
        for gate in self._gates:
            gate.queue.clear()
        self._gates.clear()
        for heap in self.heaps.values():
            heap.clear()
        for host in self._hosts.values():
            if host.entry is not None:
                self.heaps[host.node].append(host.entry)
        for heap in self.heaps.values():
            heapify(heap)
