"""Which host comes next: best first among those that may be asked, in turns where they are equal.

A host is in one of four states. `file` puts it where it belongs, and must be called whenever its
head, its turn, its times or its budget have changed. What must stay true between two calls:

- A busy host has no entry, is in `_soon`, and holds each of its gates. Only busy hosts hold gates.
- A host that must be left alone until a time has no entry, and an alarm not later than that time
  (none where it is left alone for good).
- A ready host has an entry, (band of its head, its turn, its number), if it has a head, and an
  alarm not later than the time of the first request that waits for one.
- A host without requests or without budget needs nothing. It may still have an entry when others
  have used up the budget it shares with them; the entry is dropped when it comes up.

Times pass without a call, so a host may have an alarm that is due instead: all due alarms ring
before a host is taken. `tests/unit/frontier/invariants.py` checks these sentences, and those of
`ReadyHosts` and `Alarms`.

All of this is about the hosts in memory. The others rest, and come back before they are needed
(`known_hosts.py`).

In a collaborative crawl each node has hosts of its own, and the nodes take turns. One server may
then stand behind hosts of several nodes. They share a slot, which is a gate as an address is: one
host at a time, and a pause after each. An address alone would not do: a name may have several.
"""

import math
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heappop
from typing import Any

from geoscout.frontier.base import HostState, Limits
from geoscout.frontier.hosts import LONG, SOON, Alarms, Gate, Head, HeapEntry, Host
from geoscout.frontier.known_hosts import KnownHosts
from geoscout.frontier.resting import NewRequest, RestingRow
from geoscout_places.model import HELD

_HEAR_AGAIN = 0.5  # seconds until a request that waits for those of other frontiers is looked at
_LONGEST_PAUSE = 1000.0  # seconds; the pauses of addresses that were asked before are over
_LARGEST_BANDED = 1e12  # beyond, neighbouring floats are farther apart than any near tie


class WaitingByHost:
    def __init__(self, hosts: int, latest: float) -> None:
        """`latest`: the time of the last pause of all hosts."""
        self.latest = latest
        self._waiting = array("I", bytes(4 * hosts))
        self._ranks = array("d", bytes(8 * hosts))
        self._numbers = array("I", bytes(4 * hosts))  # of the best request; 0: none, or all held
        self._later: dict[int, tuple[int, float]] = {}  # how many, and the first time

    def add_queued(self, host: int, rank: float, number: int) -> None:
        self._waiting[host] += 1
        if -rank <= HELD:
            return
        best = self._numbers[host]
        if not best or (rank, number) < (self._ranks[host], best):
            self._ranks[host], self._numbers[host] = rank, number

    def add_postponed(self, host: int, until: float) -> None:
        """A request that waits for its time."""
        requests, first = self._later.get(host, (0, math.inf))
        self._later[host] = requests + 1, min(first, until)

    def of(self, host: int) -> tuple[Head | None, int, int, float]:
        """What waits at a host: its best request, how many, how many for a time, and the first."""
        later, retry_at = self._later.get(host, (0, math.inf))
        best = self._numbers[host]
        head = (self._ranks[host], best) if best else None
        return head, self._waiting[host], later, retry_at


class Schedule:
    """The hosts of a frontier in the order in which they may be asked."""

    def __init__(self, limits: Limits, wake: Callable[[Host, float], None]) -> None:
        """`wake` is called to move the requests of a host whose time has come to its others."""
        self._alarms = Alarms(limits)
        self.hosts = KnownHosts(limits, self._alarms, self._come_back)
        self._limits = limits
        self._wake = wake
        self._ready = self.hosts.ready
        self._soon: dict[str, set[Host]] = {}  # by node, those that are busy or rest for a moment
        self._others: Mapping[str, float] = {}  # what other frontiers promise, by node
        self._now = 0.0  # when last told
        self._turns = 0  # each turn is given once, so no two hosts have the same entry

    def add(self, name: str, node: str = "") -> Host:
        """Make a host that is not there yet; its turn is after that of all others."""
        self._add_node(node)
        return self.hosts.add(name, node, self._next_turn())

    def add_unseen(self, name: str, node: str) -> tuple[int, int]:
        """The number and the turn of a host that is new here and goes to rest at once."""
        if node not in self._soon:
            self._add_node(node)
        return self.hosts.give_number(name, node), self._next_turn()

    def new_request(self, host: int, number: int, head: Head | None) -> NewRequest:
        """A request for a host at rest; `head` None: it is held."""
        rank, band = (None, None) if head is None else (head[0], self.band(head))
        return NewRequest(host=host, rank=rank, request=number, band=band, now=self._now)

    def has_no_budget(self, host: str, asked: int) -> bool:
        """Whether a host that only one node has may not be asked more than this often."""
        most = self._limits.most_pages(host)
        return most is not None and asked >= most

    def _add_node(self, node: str) -> None:
        self._ready.add_node(node)
        self._soon.setdefault(node, set())

    def _come_back(self, host: Host) -> None:
        self._add_node(host.node)
        self.file(host)

    def make_room(self) -> None:
        """Let hosts rest that are not needed for now, where there are too many in memory."""
        for host in self.hosts.make_room(self._now, self.band):
            self._soon[host.node].discard(host)

    def file(self, host: Host) -> None:
        """Put a host where it belongs after its head or its times have changed."""
        now, soon = self._now, self._soon[host.node]
        if host.busy:
            host.entry = None
            return
        if not host.has_requests() or host.is_spent(self._limits):
            host.entry = None
            soon.discard(host)
            return
        if (time := host.may_be_asked_at()) > now:
            host.entry = None
            (soon.add if time < now + LONG else soon.discard)(host)
            self._alarms.set(host, time)
            return
        soon.discard(host)
        if host.retry_at <= now:
            self._wake(host, now)
        self._alarms.set(host, host.retry_at)
        head = host.head
        self._ready.put(host, head and (self.band(head), host.turn, host.number))

    def restore(
        self, hosts: Iterable[Sequence[Any]], waiting: WaitingByHost, shared: Collection[str]
    ) -> None:
        """Bring back all hosts that an earlier process left, in the order of their numbers.

        Of each: name, node, address, free at, blocked until, reason, done, failed, pause. `shared`:
        the names of hosts that several nodes have.

        They come one by one and rest at once, so that a crawl with a million hosts needs no more
        memory to begin than to go on. Only hosts that several nodes have stay in memory.
        """
        self.hosts.resting.fill(self._at_rest(hosts, waiting, shared))
        for host in self.hosts.awake.values():
            self.file(host)

    def _at_rest(
        self, hosts: Iterable[Sequence[Any]], waiting: WaitingByHost, shared: Collection[str]
    ) -> Iterator[RestingRow]:
        """The rows of the hosts that can rest, a tuple each for speed; others come to memory."""
        recent = waiting.latest - _LONGEST_PAUSE
        gate, add, of = self.hosts.address, self.add_unseen, waiting.of
        for name, node, address, free_at, blocked_until, reason, done, failed, pause in hosts:
            times = free_at, blocked_until, reason, done, failed
            if name in shared:
                self._restore_shared(waiting, (name, node, address, *times, pause))
                continue
            number, turn = add(name, node)
            head, queued, later, retry_at = of(number)
            rank, request = head or (None, None)
            is_spent = self.has_no_budget(name, done + failed)
            may_be_asked_at = max(free_at, blocked_until)
            if is_spent or not (head or later):
                at = math.inf
            else:
                at = may_be_asked_at if head else max(may_be_asked_at, retry_at)
            if address and free_at > recent:
                gate(address).free_at = max(gate(address).free_at, free_at)
            yield (
                number, name, node, address, free_at, pause, blocked_until, reason, done, failed,
                turn, rank, request, queued, later, retry_at,
                is_spent, head and self.band(head), at, at or retry_at,
            )  # fmt: skip

    def _restore_shared(self, waiting: WaitingByHost, row: Sequence[Any]) -> None:
        """A host that several nodes have."""
        name, node, address, free_at, blocked_until, reason, done, failed, pause = row
        host = self.add(name, node)
        blocked_before = host.blocked_until, host.reason  # as another node has it
        host.free_at, host.pause, host.done, host.failed = free_at, pause, done, failed
        host.blocked_until, host.reason = max((blocked_until, reason), blocked_before)
        host.head, host.waiting, host.later, host.retry_at = waiting.of(host.number)
        if address:
            host.address = self.hosts.address(address)
        for other in host.others or (host,):  # the first had no slot before the second came
            for gate in other.gates():
                gate.free_at = max(gate.free_at, other.free_at)

    def take(self, now: float, share: float = 0.0) -> Host | None:
        """The best host of the node whose turn it is that may be asked now.

        A node without one lets the next go first. The gates of the host are held for it, and the
        caller must say by `Host.busy` what it was taken for. A host has to wait if its
        priority is less than this share of the best that can be asked soon.
        """
        self._now = now
        self.make_room()
        self._ring()
        for node in list(self._ready.heaps):
            host = self._take_of(node, now, self._least(node, share))
            if host is not None:
                self._ready.pass_turn(node)
                return host
        return None

    def promises(self, now: float) -> Mapping[str, float]:
        """By node, the highest priority of its hosts that can be asked now or soon, if above 0."""
        self._now = now
        found = {}
        for node, heap in self._ready.heaps.items():
            top = self._top(node, heap)
            ready = -top[0] if top else 0.0  # outdated perhaps; `take` drops it
            if (promise := max(ready, self._promise(node))) > 0:
                found[node] = promise
        return found

    def hear_promises(self, promises: Mapping[str, float]) -> None:
        """What other frontiers can ask soon, by node."""
        self._others = promises

    def _least(self, node: str, share: float) -> float:
        """The least priority that is asked now; minus infinity where there is no promise."""
        promise = max(self._promise(node), self._others.get(node, 0.0)) if share else 0.0
        return share * promise if promise > 0 else -math.inf

    def _promise(self, node: str) -> float:
        """The priority of the best request that can be made soon, though not now; at least 0."""
        best = 0.0
        for host in self._soon[node]:
            head = host.next_soon(self._now)
            if head is not None and -head[0] > best and not host.is_spent(self._limits):
                best = -head[0]
        return best

    def _take_of(self, node: str, now: float, least: float) -> Host | None:
        ready = self._ready
        heap = ready.heaps[node]
        while (top := self._top(node, heap)) and -top[0] >= least:
            if not heap or top < heap[0]:  # it rests
                self.hosts.load_best(node, than=heap[0] if heap else None)
                continue
            entry = heappop(heap)
            host = self.hosts.awake.get(entry[2])
            if host is None:
                continue
            if entry != host.entry:
                ready.call_all(host, now)
            elif host.is_spent(self._limits):  # by another node
                host.entry = None
                ready.call_all(host, now)
            elif host.may_be_asked_at() > now:  # times went back
                self.file(host)
            elif gate := host.closed_gate(now):
                ready.line_up(host, gate, entry, now)
                self.hosts.shorten(gate, now)
            else:
                self._hold(host)
                return host
        return None

    def _top(self, node: str, heap: list[HeapEntry]) -> HeapEntry | None:
        """The best entry of a node, in memory or at rest."""
        stored = self.hosts.resting.first(node)
        if heap and (stored is None or heap[0] <= stored):
            return heap[0]
        return stored

    def bind(self, host: Host, name: str, now: float) -> bool:
        """Let a busy host hold this address and no other; False when it cannot now."""
        self._now = now
        address = self.hosts.address(name) if name else None
        if address is host.address and (address is None or address.free_at <= now):
            return True
        self._let_go(host.address)
        host.address = address
        if address is None or address.is_free(now):
            self._hold(host)
            return True
        host.busy = 0
        self.file(host)
        self._let_go(host.slot)
        return False

    def rest_address(self, name: str, until: float) -> None:
        """Close the gate of an address until then; one that holds it keeps it."""
        gate = self.hosts.address(name)
        gate.free_at = max(gate.free_at, until)

    def rest_all(self, now: float, least: Callable[[str], float]) -> None:
        """Give every host the pause of its last request, or at least its own, from now on."""
        self._now = now
        self.hosts.rest_all(now, least)
        for host in self.hosts.awake.values():
            host.free_at = max(host.free_at, now + max(host.pause, least(host.name)))
            for gate in host.gates():
                gate.free_at = max(gate.free_at, host.free_at)
            self.file(host)

    def release(self, host: Host, now: float, delay: float) -> None:
        """Free a busy host and its address after `delay`; its turn is then after all others."""
        self._now = now
        host.busy = 0
        host.free_at, host.pause = now + delay, delay
        host.turn = self._next_turn()
        for gate in host.gates():
            gate.free_at = max(gate.free_at, host.free_at)
            gate.pause = delay
            self._let_go(gate)
        self.file(host)

    def wake_at(self, now: float, share: float = 0.0) -> float | None:
        """A time not after the first at which `take` may have something."""
        self._now = now
        self._ring()
        times = []
        for node, heap in self._ready.heaps.items():
            top = self._top(node, heap)
            if top and -top[0] >= self._least(node, share):
                return now  # should it be outdated, `take` drops it
            if top:  # it waits for a host that may turn out to be slow
                busy = (h.held_at + SOON for h in self._soon[node] if h.busy and h.following)
                times += [time for time in busy if time >= now]
                if self._others.get(node):  # theirs may be gone when we hear of them again
                    times.append(now + _HEAR_AGAIN)
        first = self._alarms.first()
        if first is not None:
            times.append(first)
        if (first_at_rest := self.hosts.resting.first_alarm) < math.inf:
            times.append(first_at_rest)
        return min(times, default=None)

    def best(self, limit: int) -> list[Host]:
        """At most this many hosts that may be asked, the best, and all that may be in seconds."""
        latest = self._now + SOON
        found = [
            host
            for hosts in self._soon.values()
            for host in hosts
            if host.head is not None and host.may_be_asked_at() <= latest
        ]
        found += self._best_ready(limit)
        return [host for host in found if not host.is_spent(self._limits)]

    def _best_ready(self, limit: int) -> list[Host]:
        """The best that are ready or line up, the better of those at rest among them."""
        found = self._ready.best(limit, self._now)
        last = found[-1].entry if len(found) == limit else None
        better = [
            node
            for node in self._ready.heaps
            if (top := self.hosts.resting.first(node)) and (last is None or top < last)
        ]
        for node in better:
            self.hosts.load_best(node, limit)
        return self._ready.best(limit, self._now) if better else found

    def closed_addresses(self, now: float) -> dict[str, float]:
        """The addresses that cannot be asked now, and when they can; infinity: one is asked."""
        gates = self.hosts.addresses.values()
        return {gate.name: _free_at(gate) for gate in gates if not gate.is_free(now)}

    def state_of(self, host: Host) -> HostState:
        """A host as it is now, with what is in flight."""
        return HostState(
            host.name,
            host.waiting - host.in_flight,
            host.later,
            host.done,
            host.failed,
            all_held=host.head is None,
            retry_at=host.retry_at,
            free_at=host.free_at,
            blocked_until=host.blocked_until,
            blocked_for=host.reason,
            is_spent=host.is_spent(self._limits),
            is_busy=host.busy > 0,
            server_free_at=_free_at(host.slot),
            address_free_at=_free_at(host.address),
        )

    def _hold(self, host: Host) -> None:
        host.entry = None
        host.held_at = self._now
        self._soon[host.node].add(host)
        for gate in host.gates():
            gate.holder = host

    def _let_go(self, gate: Gate | None) -> None:
        if gate is not None:
            gate.holder = None
            self._ready.call_next(gate, self._now)

    def _ring(self) -> None:
        for sleeper in self._alarms.due(self._now):
            if isinstance(sleeper, Host):
                self.file(sleeper)
            else:
                self._ready.call_next(sleeper, self._now)
        self.hosts.ring(self._now)

    def _next_turn(self) -> int:
        self._turns += 1
        return self._turns

    def band(self, head: Head) -> float:
        """The same number for priorities that count as equal."""
        near = self._limits.near_tie
        if not near or abs(head[0]) > _LARGEST_BANDED:
            return head[0]
        return near * round(head[0] / near)


def _free_at(gate: Gate | None) -> float:
    """When a gate opens, as far as time decides that."""
    if gate is None:
        return 0.0
    return math.inf if gate.holder else gate.free_at
