"""All hosts of a frontier by name: those in memory, and those at rest on disk (`resting.py`).

Of a host at rest only a fingerprint of its name and its number are in memory, some 17 bytes: memory
is a cache. What must stay true: a host is either in `awake` or at rest; a host that several nodes
have is always awake, since what its nodes may ask depends on each other; two hosts of one address
share one gate as long as both are awake, or its pause lasts.

When there are too many in memory, first those go that need nothing, then those that wait in a long
line at their address, those that must be left alone for long, the longest first, and at last those
that may be asked, the poorest first. Those that are asked now, or can be within seconds, stay.

A host comes back when somebody asks for it by name, when it is better than the best in memory, and
shortly before its time comes. So the order of requests is the same as if all were in memory, but
for two things. Of more than a thousand hosts whose time comes at once, the later ones are looked at
in the next calls. And a host that waits behind twenty others for one address may find out late that
it is free, if those before it took less than half their usual time.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence

from geoscout.frontier.base import Limits
from geoscout.frontier.hosts import SOON, Alarms, Gate, Head, HeapEntry, Host, ReadyHosts
from geoscout.frontier.resting import Resting, RestingHosts

_SHARDS = 256
_FULLEST = 0.8  # share of slots in use; a search for an unknown URL then takes 13 steps
_SMALLEST = 15  # slots; sizes are odd, or the bits that choose the shard would choose the slot too


class KnownUrls:
    """Gives URLs numbers, 1, 2, 3 and so on, in the order they are added: 17 bytes a URL, not 180.

    Most links lead to a URL that is known already, so this question is asked more often than any
    other and must not reach a database. It is open addressing in plain arrays: a 64-bit fingerprint
    and the number the URL was given. The fingerprint is Python's own hash of a string (SipHash with
    a new key in every process): it costs least, and nobody outside can make two URLs collide. By
    chance, some two of five million do once in a million crawls; the later one is then taken for
    known. The slots lie in shards that grow one at a time by a quarter, so growing neither stops
    the crawl for seconds nor needs twice the memory for a moment.
    """

    def __init__(self, expected: int = 0) -> None:
        size = _odd(max(_SMALLEST, expected / _SHARDS / _FULLEST * 1.1))
        self._count = 0
        self._prints = [_zeros("q", size) for _ in range(_SHARDS)]
        self._numbers = [_zeros("I", size) for _ in range(_SHARDS)]
        self._room = [int(size * _FULLEST)] * _SHARDS  # how many more a shard takes

    def __len__(self) -> int:
        return self._count

    def find(self, url: str) -> int:
        """The number of a URL; 0 when it was never added."""
        fingerprint = hash(url) or 1
        shard = fingerprint % _SHARDS
        prints = self._prints[shard]
        slot = fingerprint % len(prints)
        while found := prints[slot]:
            if found == fingerprint:
                return self._numbers[shard][slot]
            slot -= 1  # below 0 Python goes on from the end: no need to wrap
        return 0

    def find_all(self, urls: Iterable[str]) -> list[int]:
        """What `find` says of each, without a call for each."""
        all_prints, all_numbers = self._prints, self._numbers
        numbers = []
        for url in urls:
            fingerprint = hash(url) or 1
            prints = all_prints[fingerprint % _SHARDS]
            slot = fingerprint % len(prints)
            while (found := prints[slot]) and found != fingerprint:
                slot -= 1
            numbers.append(all_numbers[fingerprint % _SHARDS][slot] if found else 0)
        return numbers

    def add(self, url: str) -> int:
        """Give a URL that `find` does not know its number."""
        fingerprint = hash(url) or 1
        shard = fingerprint % _SHARDS
        if not self._room[shard]:
            self._grow(shard)
        self._count = number = self._count + 1
        prints = self._prints[shard]
        slot = fingerprint % len(prints)
        while prints[slot]:
            slot -= 1
        prints[slot] = fingerprint
        self._numbers[shard][slot] = number
        self._room[shard] -= 1
        return number

    def _grow(self, shard: int) -> None:
        old_prints, old_numbers = self._prints[shard], self._numbers[shard]
        size = _odd(len(old_prints) * 1.25 + 8)
        prints, numbers = _zeros("q", size), _zeros("I", size)
        for fingerprint, number in zip(old_prints, old_numbers, strict=True):
            if fingerprint:  # as in `add`, without a call for each
                slot = fingerprint % size
                while prints[slot]:
                    slot -= 1
                prints[slot], numbers[slot] = fingerprint, number
        self._room[shard] += int(size * _FULLEST) - int(len(old_prints) * _FULLEST)
        self._prints[shard], self._numbers[shard] = prints, numbers


def _zeros(kind: str, size: int) -> array[int]:
    return array(kind, [0]) * size


def _odd(size: float) -> int:
    return int(size) | 1


_LONGEST_LINE = 50  # hosts in memory that wait for one address, before those at rest stay there
_KEPT_IN_LINE = 20  # of a line, when room is needed
_LEAST_IN_LINE = 0.5  # seconds
_NEAR = 5 * SOON  # seconds; for less it is not worth the way
_LOADED_AT_ONCE = 200  # of the best hosts at rest
_MOST_RUNG = 1000  # hosts at rest that are looked at when their time has come, at a time
_LOOK_SECONDS = 1.0  # between two looks at whose time comes soon
_FEW_GATES = 1000

Band = Callable[[Head], float]


class KnownHosts:
    """The hosts that a frontier has met, by number and by name."""

    def __init__(self, limits: Limits, alarms: Alarms, wake: Callable[[Host], None]) -> None:
        """`wake` is told of hosts that come back from their rest."""
        self.awake: dict[int, Host] = {}
        self.ready = ReadyHosts(self.awake, alarms)
        self.resting = RestingHosts()
        self._limits, self._alarms, self._wake = limits, alarms, wake
        self._at_once = min(_LOADED_AT_ONCE, limits.hosts_in_memory // 4 + 1)
        self._look_at = 0.0  # not before then, for those whose time comes soon
        self._most_gates = _FEW_GATES  # addresses, before it is looked which are needed
        self._by_name: dict[str, dict[str, Host]] = {}  # name -> node -> host, of those awake
        self._names = KnownUrls()
        self._nodes: dict[str, None] = {}
        self.addresses: dict[str, Gate] = {}
        self.slots: dict[str, Gate] = {}  # of hosts that several nodes have

    def __len__(self) -> int:
        return len(self._names)

    def find(self, name: str, node: str = "") -> Host | None:
        """A host, back from its rest if need be; None if it was never added."""
        found = self._by_name.get(name)
        if found is not None and node in found:
            return found[node]
        number = self._names.find(_key(name, node))
        if not number:
            return None
        self.load([number - 1])
        return self._by_name[name][node]

    def everywhere(self, name: str) -> list[Host]:
        found = (self.find(name, node) for node in list(self._nodes))
        return [host for host in found if host is not None]

    def _elsewhere(self, name: str, node: str) -> list[Host]:
        found = (self.find(name, other) for other in list(self._nodes) if other != node)
        return [host for host in found if host is not None]

    def number_at_rest(self, name: str, node: str) -> int | None:
        """The number of a host that is not in memory; None if it is, or was never added."""
        if node in self._by_name.get(name, ()):
            return None
        number = self._names.find(_key(name, node))
        return number - 1 if number else None

    def add(self, name: str, node: str, turn: int) -> Host:
        is_alone = len(self._nodes) < 2 and (not self._nodes or node in self._nodes)
        others = [] if is_alone else self._elsewhere(name, node)
        host = Host(self.give_number(name, node), name, node, turn=turn)
        for other in others:  # what is known of the server holds here, too
            host.address = other.address
            host.blocked_until, host.reason = other.blocked_until, other.reason
            self._share_slot(host, other)
        self._keep(host)
        return host

    def expect(self, hosts: int) -> None:
        """Make room for the names of this many hosts, before the first is added."""
        self._names = KnownUrls(hosts)

    def give_number(self, name: str, node: str) -> int:
        """The number of a host that is met for the first time."""
        self._nodes[node] = None
        return self._names.add(_key(name, node)) - 1

    def address(self, name: str) -> Gate:
        """The gate of an IP address."""
        return self.addresses.get(name) or self.addresses.setdefault(name, Gate(name))

    def load(self, numbers: Sequence[int]) -> None:
        """Have hosts back that rest."""
        if not numbers:
            return
        for host, address in self.resting.take(numbers):
            if address:
                host.address = self.address(address)
                host.address.free_at = max(host.address.free_at, host.free_at)
            self._keep(host)
            self._wake(host)

    def _rest(self, hosts: Sequence[Resting]) -> None:
        """Let hosts leave memory."""
        for host, *_ in hosts:
            del self.awake[host.number], self._by_name[host.name][host.node]
            if not self._by_name[host.name]:
                del self._by_name[host.name]
        self.resting.put(hosts)

    def _drop_gates(self, now: float) -> Iterator[Gate]:
        """Forget the addresses that are free and that no host in memory has."""
        used = {host.address for host in self.awake.values()}
        for name, gate in list(self.addresses.items()):
            if gate not in used and gate.is_free(now):
                del self.addresses[name]
                yield gate

    def _keep(self, host: Host) -> None:
        self.awake[host.number] = host
        self._by_name.setdefault(host.name, {})[host.node] = host

    def _share_slot(self, host: Host, other: Host) -> None:
        if other.slot is None:
            other.slot = self.slots[other.name] = Gate(other.name)
            other.slot.holder = other if other.busy else None
            other.slot.free_at = other.free_at
            other.others = [other]
        if host.slot is None:
            host.slot, host.others = other.slot, other.others
            host.others.append(host)

    def load_best(self, node: str, most: int | None = None, than: HeapEntry | None = None) -> None:
        """Have the best hosts of a node back, or of these the ones that are better than that."""
        self.load(self.resting.best(node, most or self._at_once, than))

    def ring(self, now: float) -> None:
        """Have those back whose time comes."""
        resting = self.resting
        if resting.first_alarm <= now:
            self.load(resting.ring(now, _MOST_RUNG))
            resting.look_up_alarm()
        if resting.first_alarm <= now + SOON and self._look_at <= now:
            self.load(resting.coming(now, now + 2 * SOON, _MOST_RUNG))
            resting.look_up_alarm()
            self._look_at = now + _LOOK_SECONDS

    def shorten(self, gate: Gate, now: float) -> None:
        """Where the line at an address is long, spare those at rest the way there for a while."""
        if self.addresses.get(gate.name) is not gate:
            return
        if gate.put_off_until <= now and self.ready.is_longer(gate, _LONGEST_LINE):
            gate.put_off_until = now + _time_in_line(gate, _LONGEST_LINE)
            self.resting.put_off(gate.name, gate.put_off_until)

    def rest_all(self, now: float, least: Callable[[str], float]) -> None:
        """Give all at rest the pause of their last request, or at least their own, from now on."""
        for address, free_at in self.resting.rest_all(now, least):
            gate = self.address(address)
            gate.free_at = max(gate.free_at, free_at)

    def make_room(self, now: float, band: Band) -> list[Host]:
        """Let hosts go that are not needed for now, where there are too many; returns them."""
        if len(self.addresses) > self._most_gates:
            self._forget(now)
        awake, most = self.awake, self._limits.hosts_in_memory
        if len(awake) <= most:
            return []
        spared = self._spared(now)[: len(awake) - most // 2]
        self._rest(
            [
                Resting(host, host.head and band(host.head), at, host.is_spent(self._limits))
                for at, host in spared
            ]
        )
        gone = [host for _, host in spared]
        for host in gone:
            host.entry, host.alarm = None, math.inf
        for host in gone:
            if host.address is not None:  # it may have been the one that was called there
                self.ready.call_next(host.address, now)
        self._forget(now)
        return gone

    def _spared(self, now: float) -> list[tuple[float, Host]]:
        """The hosts that can be spared, those that are needed least first; until when, 0: ready."""
        in_line = {
            host: now + _time_in_line(gate, place)
            for gate, host, place in self.ready.lines()
            if place >= _KEPT_IN_LINE
        }
        needless, lined_up, far, ready = [], [], [], []
        for host in self.awake.values():
            if host.busy or host.apart or host.slot is not None:
                continue
            if not host.has_requests() or host.is_spent(self._limits):
                needless.append((math.inf, host))
            elif (at := _looked_at(host)) > now + _NEAR:
                far.append((at, host))
            elif at > now:
                continue
            elif host in in_line:
                lined_up.append((in_line[host], host))
            elif host.entry is not None:
                ready.append((0.0, host))
        far.sort(key=lambda pair: -pair[0])
        ready.sort(key=lambda pair: pair[1].entry or (), reverse=True)
        return [*needless, *lined_up, *far, *ready]

    def _forget(self, now: float) -> None:
        """Drop addresses and alarms that nobody in memory waits for."""
        self._alarms.drop_outdated()
        for gate in self._drop_gates(now):
            self.ready.forget(gate)
        self._most_gates = 2 * len(self.addresses) + _FEW_GATES


def _time_in_line(gate: Gate, place: int) -> float:
    """Seconds that a host in a line need not be looked at: half of what those before it take."""
    return max(_LEAST_IN_LINE, gate.pause * place / 2)


def _looked_at(host: Host) -> float:
    """When a host may be asked for something; a time that is past where it may now."""
    at = host.may_be_asked_at()
    return at if host.head is not None else max(at, host.retry_at)


def _key(name: str, node: str) -> str:
    return f"{node}\n{name}" if node else name
