"""The frontier over any store that can keep the requests of a host in order.

Everything that decides lives here and in `schedule.py`, in memory; hosts that are not needed for
now leave it (`resting.py`), and of a URL only its fingerprint, number and priority are held. The
store behind `Queues` is asked for one request when it is taken and told of the change when it is
finished, so a store needs no cleverness and each brings the same order of requests: that is what
lets the contract tests compare them.

What must stay true between two calls, for each host: `head` is the best request in its queue that
is not held, the one in flight among them; `waiting` and `later` count what is in the queue and
what waits for a time; `retry_at` is the first such time. `_priorities` has the priority of every
request that waits or is in flight, and NaN for those that are finished.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heapreplace, nlargest
from itertools import chain, islice

from geoscout.frontier.base import Counts, HostCounts, Limits, Waiting
from geoscout.frontier.hosts import Head, Host
from geoscout.frontier.known import KnownUrls
from geoscout.frontier.queues import Move, NumberedRequest, Queues
from geoscout.frontier.resting import NewRequest, RequestTotals, RestingHosts
from geoscout.frontier.schedule import Schedule
from geoscout_places.model import HELD, Request, RequestKind
from geoscout_places.urls import host_of

_HOSTS_PEEKED = 300  # the store is asked once for each
_FINISHED = math.nan  # in place of a priority; no number is above it, so nothing raises it


class QueueFrontier:
    """A frontier over `Queues`; see `Frontier` for what its methods promise."""

    def __init__(
        self, queues: Queues, limits: Limits | None = None, resting: RestingHosts | None = None
    ) -> None:
        """`resting`: where hosts may lie that are not needed for now; None: all are in memory."""
        self._queues = queues
        self._resting = resting
        self._schedule = Schedule(limits or Limits(), self._wake, resting)
        self._hosts = self._schedule.hosts
        self._known = KnownUrls()
        self._priorities = array("d", [_FINISHED])  # by number; numbers start at 1

    def put(self, requests: Sequence[Request]) -> int:
        _check([request.priority for request in requests])
        priorities = self._priorities
        keys = [request_key(r.url, r.node) if r.node else r.url for r in requests]
        new: list[Request] = []
        higher: list[tuple[int, Request]] = []
        for request, key, found in zip(requests, keys, self._known.find_all(keys), strict=True):
            number = found or self._known.find(key)  # it may stand in `requests` twice
            if not number:
                self._known.add(key)
                priorities.append(request.priority)
                new.append(request)
            elif request.priority > priorities[number]:
                higher.append((number, request))
            elif request.kind == RequestKind.REVISIT and math.isnan(priorities[number]):
                self._revive(number, request)
        if new:
            self._add(new)
        if higher:
            self._raise(higher)
        self._schedule.make_room()
        return len(new)

    def put_back(self, requests: Sequence[Request]) -> None:
        """Have requests wait again that were done, because their answers were lost."""
        _check([request.priority for request in requests])
        for request in requests:
            number = self._known.find(request_key(request.url, request.node))
            if number and math.isnan(self._priorities[number]):
                self._revive(number, request)
        self.put(requests)  # those that are not known

    def next(self, now: float, share: float = 0.0) -> Request | None:
        host = self._schedule.take(now, share)
        if host is None or host.head is None:
            return None
        host.busy = host.head[1]
        if share:  # others may have to wait for its next one
            following = next(self._waiting_heads(host), None)
            host.following = following if following and _is_not_held(following) else None
        return self._queues.read([host.head])[0]

    def bind(self, host: str, address: str, now: float, node: str = "") -> bool:
        found = self._hosts.find(host, node)
        if found is None or not found.busy:
            raise ValueError(f"no request of {host} is in flight")
        old = found.address
        is_held = self._schedule.bind(found, address, now)
        if found.address is not old:
            self._queues.save(found)
        return is_held

    def done(self, request: Request, now: float, delay: float) -> None:
        host, head = self._in_flight(request)
        self._queues.remove(host, head)
        self._priorities[head[1]] = _FINISHED
        host.done += 1
        host.waiting -= 1
        self._release(host, now, delay)

    def fail(
        self,
        request: Request,
        now: float,
        delay: float,
        until: float | None,
        *,
        counts: bool = True,
    ) -> None:
        host, head = self._in_flight(request)
        host.waiting -= 1
        if until is None:
            self._queues.remove(host, head)
            self._priorities[head[1]] = _FINISHED
            host.failed += 1
        else:
            self._queues.postpone(host, head, until, int(counts))
            host.later += 1
            host.retry_at = min(host.retry_at, until)
        self._release(host, now, delay)

    def block(self, host: str, until: float, reason: str) -> None:
        hosts = self._hosts.everywhere(host)
        if not hosts:
            hosts = [self._schedule.add(host)]
            self._queues.add(hosts, [])
        for found in hosts:
            if until > found.blocked_until:
                found.blocked_until, found.reason = until, reason
                self._queues.save(found)
                self._schedule.file(found)

    def unblock(self, host: str, reason: str) -> None:
        for found in self._hosts.everywhere(host):
            if found.blocked_until and found.reason == reason:
                found.blocked_until, found.reason = 0.0, ""
                self._queues.save(found)
                self._schedule.file(found)

    def rest_address(self, address: str, until: float) -> None:
        self._schedule.rest_address(address, until)

    def promises(self, now: float) -> Mapping[str, float]:
        return self._schedule.promises(now)

    def hear_promises(self, promises: Mapping[str, float]) -> None:
        self._schedule.hear_promises(promises)

    def wake_at(self, now: float, share: float = 0.0) -> float | None:
        return self._schedule.wake_at(now, share)

    def waiting(self, now: float) -> Waiting:
        reasons: Counter[str] = Counter()
        first = math.inf
        if self._resting is not None:
            reasons, first = self._resting.reasons(now, self._schedule.closed_addresses(now))
        for host in self._hosts.awake.values():
            for reason, until, requests in self._schedule.state_of(host).waits(now):
                reasons[reason] += requests
                first = min(first, until)
        ordered = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
        return Waiting(tuple(ordered), None if first == math.inf else first)

    def counts(self, top: int = 10) -> Counts:
        hosts = self._hosts.awake.values()
        busy = sum(host.busy > 0 for host in hosts)
        rest = self._resting.totals if self._resting is not None else RequestTotals()
        return Counts(
            waiting=sum(host.waiting + host.later for host in hosts) - busy + rest.waiting,
            busy=busy,
            done=sum(host.done for host in hosts) + rest.done,
            failed=sum(host.failed for host in hosts) + rest.failed,
            hosts=len(self._hosts),
            top=self._top(top) if top else (),
        )

    def _top(self, most: int) -> tuple[HostCounts, ...]:
        """The hosts with the most waiting requests, in memory or at rest."""
        found = [
            (host.waiting + host.later, -host.number, host) for host in self._hosts.awake.values()
        ]
        listed = [(-n, -number, _count(host)) for n, number, host in nlargest(most, found) if n]
        if self._resting is not None:
            listed += [
                (-n, number, HostCounts(name, n, done, failed))
                for n, number, name, done, failed in self._resting.top(most)
            ]
        listed.sort(key=lambda counted: counted[:2])
        return tuple(counts for _, _, counts in listed[:most])

    def reprioritise(self, pairs: Iterable[tuple[Request, float]]) -> int:
        found: dict[int, tuple[Request, float]] = {}
        for request, priority in pairs:
            number = self._known.find(request_key(request.url, request.node))
            if number and not math.isnan(self._priorities[number]):  # it waits
                found[number] = request, priority
        _check([priority for _, priority in found.values()])
        changed = {n: new for n, new in found.items() if new[1] != self._priorities[n]}
        if changed:
            self._change(changed)
        return len(found)

    def reorder(self, limit: int, rescore: Callable[[Sequence[Request]], Sequence[float]]) -> int:
        best = self._best(limit)
        priorities = rescore(self._queues.read([head for _, head in best]))
        _check(priorities)
        moves = [
            (host, head, (-priority, head[1]))
            for (host, head), priority in zip(best, priorities, strict=True)
            if -priority != head[0]
        ]
        if moves:
            self._move(moves)
        return len(moves)

    def peek(self, limit: int) -> Sequence[Request]:
        return self._queues.read([head for _, head in self._best(limit)])

    def _best(self, limit: int) -> list[tuple[Host, Head]]:
        """The places of the best requests, each in the queue of its host."""
        heap = []
        for host in self._schedule.best(min(limit, _HOSTS_PEEKED)):
            heads = self._waiting_heads(host)
            if (head := next(heads, None)) is not None:
                heap.append((head, host, heads))  # no two heads are equal
        heapify(heap)
        found: list[tuple[Host, Head]] = []
        while heap and len(found) < limit:
            head, host, heads = heap[0]
            if not _is_not_held(head):
                break
            found.append((host, head))
            following = next(heads, None)
            if following is None:
                heappop(heap)
            else:
                heapreplace(heap, (following, host, heads))
        return found

    def of_host(self, host: str, limit: int) -> Sequence[Request]:
        queues = map(self._waiting_heads, self._hosts.everywhere(host))
        return self._queues.read(list(islice(chain.from_iterable(queues), limit)))

    def _waiting_heads(self, host: Host) -> Iterator[Head]:
        """The queue of a host without what is in flight; the store is asked for what is needed."""
        if host.busy or host.head is None:
            return (head for head in self._queues.heads(host) if head[1] != host.busy)
        if host.waiting == 1:
            return iter((host.head,))
        return chain((host.head,), islice(self._queues.heads(host), 1, None))

    def _add(self, requests: Sequence[Request]) -> None:
        """Keep new requests, which have the last numbers given."""
        first = len(self._known) - len(requests) + 1
        known_hosts = len(self._hosts)
        at_rest: list[NewRequest] = []
        rows: list[NumberedRequest] = []
        changed = set()
        for number, request in enumerate(requests, first):
            head = (-request.priority, number) if request.priority > HELD else None
            place = self._hosts.number_at_rest(host_of(request.url), request.node)
            if place is not None:
                rows.append((Host(place, "", request.node), number, request))
                at_rest.append(self._schedule.new_request(place, number, head))
                continue
            host = self._host(request)
            rows.append((host, number, request))
            host.waiting += 1
            if head is not None and (host.head is None or head < host.head):
                host.head = head
                changed.add(host)
        self._queues.add([self._hosts.awake[n] for n in range(known_hosts, len(self._hosts))], rows)
        if at_rest and self._resting is not None:
            self._resting.add_requests(at_rest)
        for host in sorted(changed, key=lambda host: host.number):
            self._schedule.file(host)

    def _revive(self, number: int, request: Request) -> None:
        """Let a finished request wait again."""
        host = self._host(request)
        self._queues.revive(host, number, request)
        self._priorities[number] = request.priority
        host.waiting += 1
        host.done = max(host.done - 1, 0)
        self._queues.save(host)
        self._find_head(host)
        for other in host.others or (host,):  # their common budget has room again
            self._schedule.file(other)

    def _host(self, request: Request) -> Host:
        name, node = host_of(request.url), request.node
        return self._hosts.find(name, node) or self._schedule.add(name, node)

    def _raise(self, higher: Sequence[tuple[int, Request]]) -> None:
        """Replace requests that wait, by number, by others with more promise."""
        best: dict[int, Request] = {}
        for number, request in higher:  # one may stand there twice
            if number not in best or request.priority > best[number].priority:
                best[number] = request
        for number, request in best.items():
            self._queues.rewrite(number, request)
        self._change({number: (request, request.priority) for number, request in best.items()})

    def _change(self, changes: Mapping[int, tuple[Request, float]]) -> None:
        """Give waiting requests, by number, other priorities."""
        self._move(
            [
                (self._host(request), (-self._priorities[number], number), (-priority, number))
                for number, (request, priority) in changes.items()
            ]
        )

    def _move(self, moves: Sequence[Move]) -> None:
        """Give waiting requests other places in the queues of their hosts."""
        best: dict[Host, Head] = {}  # of what moves
        stale = set()  # hosts whose head moves
        for host, _, new in moves:
            self._priorities[new[1]] = -new[0]
            known = best.get(host)
            best[host] = new if known is None or new < known else known
            if host.head is None or host.head[1] == new[1]:
                stale.add(host)
        all_in_queue = self._queues.move(moves)
        for host, head in best.items():
            if host in stale or not all_in_queue:
                self._find_head(host)  # of a busy host too: `bind` may send its request back
            elif host.head is not None:
                host.head = min(head, host.head)
            self._schedule.file(host)

    def _in_flight(self, request: Request) -> tuple[Host, Head]:
        number = self._known.find(request_key(request.url, request.node))
        host = self._hosts.find(host_of(request.url), request.node)
        if host is None or not number or host.busy != number:
            raise ValueError(f"{request.url} is not in flight")
        return host, (-self._priorities[number], number)

    def _release(self, host: Host, now: float, delay: float) -> None:
        self._find_head(host)
        self._schedule.release(host, now, delay)
        self._queues.save(host)

    def _wake(self, host: Host, now: float) -> None:
        woken = len(self._queues.wake(host, now))
        host.later -= woken
        host.waiting += woken
        host.retry_at = self._queues.next_time(host)
        self._find_head(host)

    def _find_head(self, host: Host) -> None:
        head = next(self._queues.heads(host), None)
        host.head = head if head is not None and _is_not_held(head) else None


def request_key(url: str, node: str) -> str:
    """What a request is known by: each node has seen what it has seen."""
    return f"{node}\n{url}" if node else url


def _is_not_held(head: Head) -> bool:
    return -head[0] > HELD


def _check(priorities: Iterable[float]) -> None:
    if not all(map(math.isfinite, priorities)):
        raise ValueError("a priority must be a finite number")


def _count(host: Host) -> HostCounts:
    waiting = host.waiting + host.later - (host.busy > 0)
    return HostCounts(host.name, waiting, host.done, host.failed)
