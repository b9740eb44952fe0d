"""A frontier in memory that remembers what became of every request, so that it can be looked at."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from msgspec import structs

from geoscout.frontier import Counts, HostCounts, Limits, MemoryFrontier
from geoscout.frontier.base import Bin, HostState, Known
from geoscout.model import HELD, Request, RequestKind
from geoscout.urls import host_of

Key = tuple[str, str]  # node and URL


@dataclass(frozen=True)
class Kept:
    """A request as it was last told of."""

    request: Request
    until: float = 0.0  # when it may be tried again
    waits: bool = True


@dataclass
class Notes:
    """What others may see of a frontier; implements `FrontierView`."""

    requests: dict[Key, Kept] = field(default_factory=dict)
    hosts_known: dict[Key, HostState] = field(default_factory=dict)  # by node and host
    now: float = 0.0  # the last time that was handed in
    limits: Limits = field(default_factory=Limits)
    addresses: dict[Key, str] = field(default_factory=dict)  # by node and host

    def copy(self) -> Notes:
        return replace(
            self,
            requests=dict(self.requests),
            hosts_known=dict(self.hosts_known),
            addresses=dict(self.addresses),
        )

    def counts(self, top: int = 10) -> Counts:
        hosts = self._states()
        listed = [
            HostCounts(host.host, host.waiting, host.done, host.failed)
            for host in sorted(hosts, key=lambda host: -host.waiting)[:top]
            if host.waiting
        ]
        done, failed = sum(host.done for host in hosts), sum(host.failed for host in hosts)
        waiting = sum(host.waiting for host in hosts)
        return Counts(waiting, 0, done, failed, len(hosts), top=tuple(listed))

    def hosts(self, limit: int) -> list[HostState]:
        order = sorted(self._states(), key=lambda host: (-host.waiting, -host.done))
        return order[:limit]

    def best(self, limit: int) -> list[Request]:
        return sorted(self._ready(), key=lambda request: -request.priority)[:limit]

    def bins(self, number: int) -> list[Bin]:
        priorities = [request.priority for request in self._ready()]
        if not priorities:
            return []
        low, high = min(priorities), max(priorities)
        width = (high - low) / number
        if not width:
            return [Bin(low, high, len(priorities))]
        counts = Counter(min(int((p - low) / width), number - 1) for p in priorities)
        return [Bin(low + n * width, low + (n + 1) * width, counts[n]) for n in range(number)]

    def waiting_by_node(self) -> dict[str, int]:
        return dict(Counter(kept.request.node for kept in self.requests.values() if kept.waits))

    def find(self, urls: Collection[str]) -> dict[str, Known]:
        kept = [k for k in self.requests.values() if k.request.url in urls]
        kept.sort(key=lambda k: k.waits)
        return {
            k.request.url: Known(
                k.request if k.waits else structs.replace(k.request, priority=0.0), k.waits
            )
            for k in kept
        }

    def _ready(self) -> list[Request]:
        kept = (k for k in self.requests.values() if k.waits and k.until <= self.now)
        return [k.request for k in kept if k.request.priority > HELD]

    def _states(self) -> list[HostState]:
        return [self._state(key, host) for key, host in self.hosts_known.items()]

    def _state(self, key: Key, host: HostState) -> HostState:
        of_host = [
            kept
            for (node, url), kept in self.requests.items()
            if kept.waits and (node, host_of(url)) == key
        ]
        queued = [kept for kept in of_host if kept.until <= self.now]
        postponed = [kept.until for kept in of_host if kept.until > self.now]
        return structs.replace(
            host,
            queued=len(queued),
            postponed=len(postponed),
            all_held=bool(queued) and all(kept.request.priority <= HELD for kept in queued),
            retry_at=min(postponed, default=math.inf),
            is_spent=self._is_spent(host.host),
            server_free_at=max(self._pauses(host.host)),
            address_free_at=max(self._pauses_at(self.addresses.get(key, "")), default=0.0),
        )

    def _is_spent(self, name: str) -> bool:
        most = self.limits.pages_per_host
        ended = sum(h.done + h.failed for (_, host), h in self.hosts_known.items() if host == name)
        return most is not None and ended >= most

    def _pauses(self, name: str) -> list[float]:
        return [known.free_at for (_, host), known in self.hosts_known.items() if host == name]

    def _pauses_at(self, address: str) -> list[float]:
        keys = [key for key, bound in self.addresses.items() if bound and bound == address]
        return [self.hosts_known[key].free_at for key in keys]


class NotedFrontier(MemoryFrontier):
    """A `MemoryFrontier` that notes what it is told."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__(limits)
        self.notes = Notes(limits=limits or Limits())

    def put(self, requests: Sequence[Request]) -> int:
        requests = [request for request in requests if not self._has_ended(request)]
        new = super().put(requests)
        for request in requests:
            old = self.notes.requests.get(_key(request))
            if old is None or (not old.waits and request.kind == RequestKind.REVISIT):
                self._note(Kept(request))
            elif old.waits and request.priority > old.request.priority:
                tries = old.request.tries
                self._note(replace(old, request=structs.replace(request, tries=tries)))
        return new

    def next(self, now: float, share: float = 0.0) -> Request | None:
        self.notes.now = now
        return super().next(now, share)

    def bind(self, host: str, address: str, now: float, node: str = "") -> bool:
        is_held = super().bind(host, address, now, node)
        self.notes.addresses[node, host] = address
        return is_held

    def done(self, request: Request, now: float, delay: float) -> None:
        super().done(request, now, delay)
        self._end(request, waits=False)
        self._note_host(request, done=1, free_at=now + delay)

    def fail(
        self,
        request: Request,
        now: float,
        delay: float,
        until: float | None,
        *,
        counts: bool = True,
    ) -> None:
        super().fail(request, now, delay, until, counts=counts)
        if until is None:
            self._end(request, waits=False)
            self._note_host(request, failed=1, free_at=now + delay)
            return
        tried = structs.replace(request, tries=request.tries + counts)
        self.notes.requests[_key(request)] = Kept(tried, until)
        self._note_host(request, free_at=now + delay)

    def block(self, host: str, until: float, reason: str) -> None:
        super().block(host, until, reason)
        keys = [key for key in self.notes.hosts_known if key[1] == host] or [("", host)]
        for key in keys:
            known = self.notes.hosts_known.get(key, HostState(host, 0, 0, 0, 0))
            if until > known.blocked_until:
                known = structs.replace(known, blocked_until=until, blocked_for=reason)
            self.notes.hosts_known[key] = known

    def reprioritise(self, pairs: Iterable[tuple[Request, float]]) -> int:
        given = list(pairs)
        for request, priority in given:
            old = self.notes.requests.get(_key(request))
            if old is not None and old.waits:
                changed = structs.replace(old.request, priority=priority)
                self.notes.requests[_key(request)] = replace(old, request=changed)
        return super().reprioritise(given)

    def reorder(self, limit: int, rescore: Callable[[Sequence[Request]], Sequence[float]]) -> int:
        waiting = self.peek(limit)
        scored = zip(waiting, rescore(waiting), strict=True)
        return self.reprioritise([pair for pair in scored if pair[1] != pair[0].priority])

    def _has_ended(self, request: Request) -> bool:
        """Whether it is left alone, also where an earlier process ended it."""
        old = self.notes.requests.get(_key(request))
        return old is not None and not old.waits and request.kind != RequestKind.REVISIT

    def _note(self, kept: Kept) -> None:
        request = kept.request
        self.notes.requests[_key(request)] = kept
        host = host_of(request.url)
        self.notes.hosts_known.setdefault((request.node, host), HostState(host, 0, 0, 0, 0))

    def _end(self, request: Request, *, waits: bool) -> None:
        self.notes.requests[_key(request)] = Kept(request, waits=waits)

    def _note_host(
        self, request: Request, done: int = 0, failed: int = 0, free_at: float = 0
    ) -> None:
        key = request.node, host_of(request.url)
        host = self.notes.hosts_known[key]
        changed = structs.replace(
            host, done=host.done + done, failed=host.failed + failed, free_at=free_at
        )
        self.notes.hosts_known[key] = changed


def _key(request: Request) -> Key:
    return request.node, request.url
