"""What a frontier should do, written for reading: lists, and a look at everything each time."""

import math
from dataclasses import dataclass, field

from msgspec.structs import replace

from geoscout.frontier.base import Limits
from geoscout_places.model import Request
from geoscout_places.urls import host_of


@dataclass
class ModelHost:
    turn: int
    busy: Request | None = None
    apart: str = ""  # the URL of a request that is in flight and does not keep it
    address: str = ""
    free_at: float = 0.0
    blocked_until: float = 0.0
    finished: int = 0


@dataclass
class ModelRequest:
    request: Request
    until: float = 0.0  # when it may be tried again


@dataclass
class ModelFrontier:
    """Waiting requests in the order they were first put, and the state of hosts and addresses."""

    limits: Limits
    entries: list[ModelRequest] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    hosts: dict[str, ModelHost] = field(default_factory=dict)
    address_free_at: dict[str, float] = field(default_factory=dict)
    turns: int = 0
    done: int = 0
    failed: int = 0

    def host(self, name: str) -> ModelHost:
        if name not in self.hosts:
            self.hosts[name] = ModelHost(self._next_turn())
        return self.hosts[name]

    def put(self, requests: list[Request]) -> int:
        new = 0
        for request in requests:
            entry = self._entry(request.url)
            if request.url not in self.known:
                self.known.add(request.url)
                self.host(host_of(request.url))
                self.entries.append(ModelRequest(request))
                new += 1
            elif entry and request.priority > entry.request.priority:
                entry.request = replace(request, tries=entry.request.tries)
        return new

    def next(self, now: float) -> Request | None:
        free = [entry for entry in self.entries if self.may_go(entry, now)]
        if not free:
            return None
        heads: dict[str, Request] = {}
        for entry in free:
            name = host_of(entry.request.url)
            if name not in heads or entry.request.priority > heads[name].priority:
                heads[name] = entry.request
        best = min(heads, key=lambda name: (self._band(heads[name]), self.hosts[name].turn))
        self.hosts[best].busy = heads[best]
        return heads[best]

    def bind(self, name: str, address: str, now: float) -> bool:
        host = self.hosts[name]
        host.address = address
        if self._address_is_free(host, now):
            return True
        host.busy = None
        return False

    def free_host(self, url: str, now: float, delay: float) -> bool:
        host = self.hosts[host_of(url)]
        if not host.apart:
            host.apart = url
            self._free(host, now, delay)
            return True
        return False

    def finish(self, url: str, now: float, delay: float, until: float | None) -> None:
        """Done or failed for good when `until` is None."""
        host, entry = self.hosts[host_of(url)], self._entry(url)
        assert entry is not None
        if until is None:
            self.entries.remove(entry)
            host.finished += 1
        else:
            entry.until = until
            entry.request = replace(entry.request, tries=entry.request.tries + 1)
        if host.apart == url:
            host.apart = ""
        else:
            self._free(host, now, delay)

    def _free(self, host: ModelHost, now: float, delay: float) -> None:
        host.busy = None
        host.free_at = now + delay
        host.turn = self._next_turn()
        if host.address:
            before = self.address_free_at.get(host.address, 0.0)
            self.address_free_at[host.address] = max(before, now + delay)

    def block(self, name: str, until: float) -> None:
        host = self.host(name)
        host.blocked_until = max(host.blocked_until, until)

    def reprioritise(self, url: str, priority: float) -> int:
        entry = self._entry(url)
        if entry is None:
            return 0
        entry.request = replace(entry.request, priority=priority)
        return 1

    def first_time(self, now: float) -> float | None:
        """The first time from now at which a request may go, if none in flight ends."""
        return min((t for t in map(self._time, self.entries) if t < math.inf), default=None)

    def peek(self, limit: int) -> list[Request]:
        """What may be shown: all that have hope, also of hosts that rest."""
        waiting = [
            entry.request
            for entry in self.entries
            if not self._is_in_flight(entry) and self._has_hope(entry)
        ]
        return sorted(waiting, key=lambda request: -request.priority)[:limit]

    def rests(self, request: Request, now: float) -> bool:
        """Whether its host is left alone."""
        host = self.hosts[host_of(request.url)]
        return max(host.free_at, host.blocked_until) > now

    def _has_hope(self, entry: ModelRequest) -> bool:
        host = self.hosts[host_of(entry.request.url)]
        return host.blocked_until < math.inf and not self._is_spent(host)

    def _is_spent(self, host: ModelHost) -> bool:
        most = self.limits.pages_per_host
        return most is not None and host.finished + bool(host.apart) >= most

    def restart(self) -> None:
        """What a new process knows: nothing in flight, and hosts in the order they were met."""
        self.turns = 0
        self.address_free_at = {}
        for host in self.hosts.values():
            host.busy, host.apart = None, ""
            host.turn = self._next_turn()
            if host.address:
                before = self.address_free_at.get(host.address, 0.0)
                self.address_free_at[host.address] = max(before, host.free_at)

    def may_go(self, entry: ModelRequest, now: float) -> bool:
        return self._time(entry) <= now

    def _time(self, entry: ModelRequest) -> float:
        host = self.hosts[host_of(entry.request.url)]
        is_apart = entry.request.url == host.apart
        if host.busy or is_apart or self._is_spent(host) or self._holder(host.address):
            return math.inf
        address = self.address_free_at.get(host.address, 0.0) if host.address else 0.0
        return max(entry.until, host.free_at, host.blocked_until, address)

    def _address_is_free(self, host: ModelHost, now: float) -> bool:
        if not host.address:
            return True
        others = [
            other
            for other in self.hosts.values()
            if other is not host and other.busy and other.address == host.address
        ]
        return not others and self.address_free_at.get(host.address, 0.0) <= now

    def _holder(self, address: str) -> bool:
        return bool(address) and any(
            host.busy and host.address == address for host in self.hosts.values()
        )

    def _is_in_flight(self, entry: ModelRequest) -> bool:
        host, url = self.hosts[host_of(entry.request.url)], entry.request.url
        return url == host.apart or (host.busy is not None and host.busy.url == url)

    def _entry(self, url: str) -> ModelRequest | None:
        return next((entry for entry in self.entries if entry.request.url == url), None)

    def _band(self, request: Request) -> float:
        near = self.limits.near_tie
        return -request.priority if not near else round(-request.priority / near)

    def _next_turn(self) -> int:
        self.turns += 1
        return self.turns
