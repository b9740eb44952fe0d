"""Which host comes next: best first among those that may be asked, in turns where they are equal.

A host is in one of four states: it has nothing to fetch, it is busy, it must be left alone until a
time, or it is ready. Two heaps hold the last two; a third for each address holds the ready hosts
that found their address taken, so that ten thousand hosts behind one address cost no more than
one: only the best of them comes back when the address is free. Entries of the heaps are not
searched for when a host changes; it gets a new one and the old is recognised as outdated.

In a collaborative crawl each node has hosts of its own, and the nodes take turns. One server may
then stand behind hosts of several nodes. They share a slot, which works as an address does: one
holder at a time, and a pause after each. An address alone would not do: a name may have several.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from heapq import heapify, heappop, heappush, heapreplace

from geoscout.frontier.base import Limits
from geoscout.frontier.hosts import LONG, SOON, Address, Entry, Head, Host

_LARGEST_BANDED = 1e12  # beyond, neighbouring floats are farther apart than any near tie

_Alarm = tuple[float, int, Host | Address]  # when, a number against ties, whom to wake


class Schedule:
    """The hosts of a frontier in the order in which they may be asked."""

    def __init__(self, limits: Limits, wake: Callable[[Host, float], None]) -> None:
        """`wake` is called to move the requests of a host whose time has come to its others."""
        self.hosts: list[Host] = []
        self._by_name: dict[str, dict[str, Host]] = {}  # name -> node -> host
        self._addresses: dict[str, Address] = {}
        self._slots: dict[str, Address] = {}  # of hosts that several nodes have
        self._limits = limits
        self._wake = wake
        self._ready: dict[str, list[Entry]] = {}  # by node, the next to take first
        self._soon: dict[str, set[Host]] = {}  # by node, those that are busy or rest for a moment
        self._gates: set[Address] = set()  # at which hosts line up
        self._alarms: list[_Alarm] = []
        self._now = 0.0  # when last told
        self._turns = 0
        self._alarms_set = 0  # tells alarms of the same time apart

    def find(self, name: str, node: str = "") -> Host | None:
        return self._by_name.get(name, {}).get(node)

    def everywhere(self, name: str) -> list[Host]:
        """The host in every node that has it."""
        return list(self._by_name.get(name, {}).values())

    def add(self, name: str, node: str = "") -> Host:
        """Make a host that is not there yet; its turn is after that of all others."""
        host = Host(len(self.hosts), name, node, turn=self._next_turn())
        for other in self.everywhere(name):  # what is known of the server holds here, too
            host.address = other.address
            host.blocked_until, host.reason = other.blocked_until, other.reason
            self._share_slot(host, other)
        self.hosts.append(host)
        self._by_name.setdefault(name, {})[node] = host
        self._ready.setdefault(node, [])
        self._soon.setdefault(node, set())
        return host

    def _share_slot(self, host: Host, other: Host) -> None:
        if other.slot is None:
            other.slot = self._slots[other.name] = Address(other.name)
            other.slot.holder = other if other.busy else None
            other.slot.free_at = other.free_at
            other.others = [other]
        if host.slot is None:
            host.slot, host.others = other.slot, other.others
            host.others.append(host)

    def address(self, name: str) -> Address:
        return self._addresses.get(name) or self._addresses.setdefault(name, Address(name))

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
            self._set_alarm(host, time)
            return
        soon.discard(host)
        if host.retry_at <= now:
            self._wake(host, now)
        self._set_alarm(host, host.retry_at)
        entry = None if host.head is None else (self._band(host.head), host.turn, host.number)
        ready = self._ready[host.node]
        if entry is not None and entry != host.entry:
            heappush(ready, entry)
        host.entry = entry
        if len(ready) > 2 * len(self.hosts) + 1000:
            self._drop_outdated()

    def take(self, now: float, share: float = 0.0) -> Host | None:
        """The best host of the node whose turn it is that may be asked now.

        A node without one lets the next go first. The address of the host is held for it. A host
        that is worth less than this share of the best that can be asked soon has to wait.
        """
        self._now = now
        self._ring()
        for node in list(self._ready):
            host = self._take_of(node, now, self._least(node, share))
            if host is not None:
                self._ready[node] = self._ready.pop(node)  # its next turn is after all others
                return host
        return None

    def _least(self, node: str, share: float) -> float:
        """What a host must be worth to be asked now; minus infinity where there is no promise."""
        promise = self._promise(node) if share else 0.0
        return share * promise if promise > 0 else -math.inf

    def _promise(self, node: str) -> float:
        """The priority of the best request that can be made soon, though not now; at least 0."""
        hosts = (host for host in self._soon[node] if not host.is_spent(self._limits))
        heads = (host.next_soon(self._now) for host in hosts)
        return max((-head[0] for head in heads if head is not None), default=0.0)

    def _take_of(self, node: str, now: float, least: float) -> Host | None:
        ready = self._ready[node]
        while ready and -ready[0][0] >= least:
            entry = heappop(ready)
            host = self.hosts[entry[2]]
            if entry != host.entry:
                self._call_all(host)  # the outdated may have stood for all of them
            elif host.is_spent(self._limits):  # by another node
                host.entry = None
                self._call_all(host)
            elif host.may_be_asked_at() > now:  # the clock was set back
                self.file(host)
            elif gate := host.closed_gate(now):
                self._line_up(host, gate, entry)
            else:
                self._hold(host)
                return host
        return None

    def _line_up(self, host: Host, gate: Address, entry: Entry) -> None:
        """Let a host wait at a gate; another gate it was called for is free for the next."""
        heappush(gate.queue, entry)
        self._gates.add(gate)
        if gate.holder is None:
            self._set_alarm(gate, gate.free_at)
        for other in host.gates():
            if other is not gate:
                self._call_next(other)

    def _call_all(self, host: Host) -> None:
        for gate in host.gates():
            self._call_next(gate)

    def bind(self, host: Host, name: str, now: float) -> bool:
        """Let a busy host hold this address and no other; False when it cannot now."""
        self._now = now
        address = self.address(name) if name else None
        if address is host.address:
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

    def release(self, host: Host, now: float, delay: float) -> None:
        """Free a busy host and its address after `delay`; its turn is then after all others."""
        self._now = now
        host.busy = 0
        host.free_at = now + delay
        host.turn = self._next_turn()
        for gate in host.gates():
            gate.free_at = max(gate.free_at, host.free_at)
            self._let_go(gate)
        self.file(host)

    def wake_at(self, now: float, share: float = 0.0) -> float | None:
        """A time not after the first at which `take` may have something."""
        self._now = now
        self._ring()
        times = []
        for node, ready in self._ready.items():
            if ready and -ready[0][0] >= self._least(node, share):
                return now  # should it be outdated, `take` drops it
            if ready:  # it waits for a host that may turn out to be slow
                busy = (h.held_at + SOON for h in self._soon[node] if h.busy and h.following)
                times += [time for time in busy if time >= now]
        while self._alarms and self._is_needless(self._alarms[0]):
            heappop(self._alarms)
        times += [time for time, _, _ in self._alarms[:1]]
        return min(times, default=None)

    def best(self, limit: int) -> list[Host]:
        """The best so many hosts that may be asked, and those that may be in seconds."""
        latest = self._now + SOON
        found = [
            host
            for hosts in self._soon.values()
            for host in hosts
            if host.head is not None and host.may_be_asked_at() <= latest
        ]
        found += self._first_in_order(limit)
        return [host for host in found if not host.is_spent(self._limits)]

    def _first_in_order(self, limit: int) -> list[Host]:
        """The best so many hosts that are ready or line up.

        They are taken from the heaps and put back; the outdated entries on the way are dropped, or
        each look would meet them again: those of hosts that often change lie at the top.
        """
        heaps = [*self._ready.values(), *(gate.queue for gate in self._gates)]
        tops = [(heap[0], number) for number, heap in enumerate(heaps) if heap]
        heapify(tops)
        found: dict[Host, None] = {}
        taken: set[tuple[Entry, int]] = set()  # an entry may lie in a heap twice
        outdated: list[Host] = []
        while tops and len(found) < limit:
            entry, number = top = tops[0]
            heappop(heaps[number])
            if heaps[number]:
                heapreplace(tops, (heaps[number][0], number))
            else:
                heappop(tops)
            host = self.hosts[entry[2]]
            if entry == host.entry:
                taken.add(top)
                found[host] = None
            else:
                outdated.append(host)
        for entry, number in taken:
            heappush(heaps[number], entry)
        for host in outdated:
            self._call_all(host)  # as in `_take_of`
        return list(found)

    def explain(self, host: Host, now: float) -> tuple[str, float]:
        """Why a host is not asked, and when it may be; infinity: by no lapse of time."""
        time = host.may_be_asked_at()
        if host.is_spent(self._limits):
            return "budget", math.inf
        if host.busy:
            return "busy", math.inf
        for gate in host.gates():
            time = max(time, math.inf if gate.holder else gate.free_at)
        if host.may_be_asked_at() > now:
            return (host.reason if host.blocked_until > now else "politeness"), time
        if host.slot is not None and not host.slot.is_free(now):
            return ("busy" if host.slot.holder else "politeness"), time
        return ("address" if time > now else "ready"), time

    def _hold(self, host: Host) -> None:
        host.entry = None
        host.held_at = self._now
        self._soon[host.node].add(host)
        for gate in host.gates():
            gate.holder = host

    def _let_go(self, address: Address | None) -> None:
        if address is not None:
            address.holder = None
            self._call_next(address)

    def _call_next(self, address: Address | None) -> None:
        """Make the best host that waits for an address ready again, if it is free."""
        if address is None or address.holder is not None or not address.queue:
            return
        if address.free_at > self._now:
            self._set_alarm(address, address.free_at)
            return
        while address.queue:
            entry = heappop(address.queue)
            host = self.hosts[entry[2]]
            if entry == host.entry:
                heappush(self._ready[host.node], entry)
                return
        self._gates.discard(address)

    def _set_alarm(self, sleeper: Host | Address, time: float) -> None:
        if time < sleeper.alarm:
            sleeper.alarm = time
            self._alarms_set += 1
            heappush(self._alarms, (time, self._alarms_set, sleeper))

    def _ring(self) -> None:
        """Wake all whose alarm is due."""
        while self._alarms and self._alarms[0][0] <= self._now:
            time, _, sleeper = heappop(self._alarms)
            if time != sleeper.alarm:
                continue
            sleeper.alarm = math.inf
            if isinstance(sleeper, Host):
                self.file(sleeper)
            else:
                self._call_next(sleeper)

    def _is_needless(self, alarm: _Alarm) -> bool:
        """Whether nobody would get up; the sleeper then sets another when it has a reason."""
        time, _, sleeper = alarm
        if time != sleeper.alarm:
            return True
        if isinstance(sleeper, Address):
            needless = sleeper.holder is not None or not sleeper.queue
        else:
            spent = sleeper.is_spent(self._limits)
            needless = bool(sleeper.busy) or spent or not sleeper.has_requests()
        if needless:
            sleeper.alarm = math.inf
        return needless

    def _drop_outdated(self) -> None:
        """Make the heap of ready hosts anew; those that wait for an address come along."""
        for gate in self._gates:
            gate.queue.clear()
        self._gates.clear()
        for ready in self._ready.values():
            ready.clear()
        for host in self.hosts:
            if host.entry is not None:
                self._ready[host.node].append(host.entry)
        for ready in self._ready.values():
            heapify(ready)

    def _next_turn(self) -> int:
        self._turns += 1
        return self._turns

    def _band(self, head: Head) -> float:
        """The same number for priorities that count as equal."""
        near = self._limits.near_tie
        if not near or abs(head[0]) > _LARGEST_BANDED:
            return head[0]
        return near * round(head[0] / near)
