"""All hosts of a frontier by name: those in memory, and those at rest on disk.

Of a host at rest only a fingerprint of its name and its number are in memory, some 17 bytes. It
comes back when it is asked for by name or by number. What must stay true: a host is either in
`awake` or at rest; a host that several nodes have is always awake, since what its nodes may ask
depends on each other; two hosts of one address share one gate as long as both are awake, or its
pause lasts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from geoscout.frontier.hosts import Gate, Host
from geoscout.frontier.known import KnownUrls
from geoscout.frontier.resting import Resting, RestingHosts


class KnownHosts:
    """The hosts that a frontier has met, by number and by name."""

    def __init__(self, resting: RestingHosts | None, wake: Callable[[Host], None]) -> None:
        """`wake` is told of hosts that come back from their rest; `resting` None: none rests."""
        self.awake: dict[int, Host] = {}
        self.resting = resting
        self._wake = wake
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
        """The host in every node that has it."""
        found = (self.find(name, node) for node in list(self._nodes))
        return [host for host in found if host is not None]

    def _elsewhere(self, name: str, node: str) -> list[Host]:
        found = (self.find(name, other) for other in list(self._nodes) if other != node)
        return [host for host in found if host is not None]

    def number_at_rest(self, name: str, node: str) -> int | None:
        """The number of a host that is not in memory; None if it is, or was never added."""
        if self.resting is None or node in self._by_name.get(name, ()):
            return None
        number = self._names.find(_key(name, node))
        return number - 1 if number else None

    def add(self, name: str, node: str, turn: int) -> Host:
        """Make a host that is not there yet."""
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
        if self.resting is None or not numbers:
            return
        for host, address in self.resting.take(numbers):
            if address:
                host.address = self.address(address)
                host.address.free_at = max(host.address.free_at, host.free_at)
            self._keep(host)
            self._wake(host)

    def rest(self, hosts: Sequence[Resting]) -> None:
        """Let hosts leave memory."""
        assert self.resting is not None
        for host, *_ in hosts:
            del self.awake[host.number], self._by_name[host.name][host.node]
            if not self._by_name[host.name]:
                del self._by_name[host.name]
        self.resting.put(hosts)

    def drop_gates(self, now: float) -> Iterator[Gate]:
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


def _key(name: str, node: str) -> str:
    return f"{node}\n{name}" if node else name
