"""What to fetch next, over any store that can keep the requests of a host in order.

Everything that decides lives here and in `schedule.py`, in memory; hosts that are not needed for
now leave it (`resting.py`), and of a URL only its fingerprint, number and priority are held. The
store behind `Queues` is asked for one request when it is taken and told of the change when it is
finished, so a store needs no cleverness and each brings the same order of requests: that is what
lets the contract tests compare them.

What must stay true between two calls, for each host: `head` is the best request in its queue that
is not held, the one in flight among them but none of `_apart`; `waiting` and `later` count what is
in the queue and what waits for a time; `retry_at` is the first such time; `apart` counts its
requests in `_apart`, which are in its queue until they are finished. `_priorities` has the priority
of every request that waits or is in flight, and NaN for those that are finished.
"""

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heapreplace, nlargest
from itertools import chain, islice

from geoscout.frontier.base import Counts, HostCounts, Limits, Owner, Tenure, Waiting
from geoscout.frontier.hosts import Head, Host, Move, NumberedRequest, Queues
from geoscout.frontier.known_hosts import KnownUrls
from geoscout.frontier.resting import NewRequest
from geoscout.frontier.schedule import Schedule
from geoscout_places.model import HELD, Request, RequestKind
from geoscout_places.urls import host_of

_HOSTS_PEEKED = 300  # the store is asked once for each
_LOOK_AGAIN_SECONDS = 0.25  # while a lease is renewed, or runs out
_FINISHED = math.nan  # in place of a priority; no number is above it, so nothing raises it


class Frontier:
    """What is known and waits to be fetched; best first over the hosts that may be asked now."""

    def __init__(
        self, queues: Queues, limits: Limits | None = None, tenure: Tenure | None = None
    ) -> None:
        """`tenure`: how long something may be begun; None: as long as the process lives."""
        self.owner: Owner | None = None  # None: all is its own
        self._tenure = tenure
        self._queues = queues
        self._schedule = Schedule(limits or Limits(), self._wake)
        self._hosts = self._schedule.hosts
        self._known = KnownUrls()
        self._priorities = array("d", [_FINISHED])  # by number; numbers start at 1
        self._apart: set[int] = set()  # numbers in flight whose hosts may be asked for others

    def _expect(self, requests: int) -> None:
        """Make room for this many that an earlier process knew."""
        self._known = KnownUrls(requests)
        self._priorities.extend([_FINISHED] * requests)

    def put(self, requests: Sequence[Request]) -> int:
        """Store the new ones and return how many were new.

        One whose priority is `HELD` is kept and not given out until it gets a higher one.

        A request that waits already is replaced, its tries kept, when this one has a higher
        priority; one that is done or failed for good is left alone, unless its kind is "revisit":
        then it waits again.

        Raises:
            ValueError: a priority is not finite.
        """
        _check([request.priority for request in requests])
        if self.owner is not None:
            requests = [request for request in requests if not self.owner.sends(request)]
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
        """The best request of a host that may be asked now; the host is then busy.

        None when there is none: `wake_at` says when to ask again, `waiting` why. One whose
        priority is less than this share of the best that comes within seconds is not given yet.

        Raises:
            GeoscoutError: the time in which something may be begun is over for good.
        """
        if self._tenure is not None:
            self._tenure.check()
            if self._tenure.left() <= 0:
                return None
        host = self._schedule.take(now, share)
        if host is None or host.head is None:
            return None
        host.busy = host.head[1]
        if share:  # others may have to wait for its next one
            following = next(self._waiting_heads(host), None)
            host.following = following if following and _is_not_held(following) else None
        return self._queues.read([host.head])[0]

    def bind(self, host: str, address: str, now: float, node: str = "") -> bool:
        """Say to which address a busy host resolves; "" for an archive, which has none.

        False when the address is busy with another host or must be left alone for now: the
        request taken goes back unharmed, and its host waits for the address.
        """
        found = self._hosts.find(host, node)
        if found is None or not found.busy:
            raise ValueError(f"no request of {host} is in flight")
        if self.owner is not None and address and (wait := self.owner.wait_for(address)):
            self.rest_address(address, now + wait)
        old = found.address
        is_held = self._schedule.bind(found, address, now)
        if found.address is not old:
            self._queues.save(found)
        if self.owner is not None and address and is_held:
            self.owner.begin(found.number, address)
        return is_held

    def free_host(self, request: Request, now: float, delay: float) -> bool:
        """Its answer has come, and takes long to read: its host may be asked for others meanwhile.

        It is in flight until it is done or has failed. Only one of a host at a time, so that no
        host has all that may be in flight; returns False where there is one.
        """
        host, head = self._in_flight(request)
        if host.apart:
            return False
        self._apart.add(head[1])
        host.apart += 1
        self._release(host, now, delay)
        return True

    def done(self, request: Request, now: float, delay: float) -> None:
        """It was fetched; host and address are free again `delay` seconds from now."""
        host, head = self._in_flight(request)
        self._queues.remove(host, head)
        self._priorities[head[1]] = _FINISHED
        host.done += 1
        host.waiting -= 1
        self._finish(host, head[1], now, delay)

    def fail(
        self,
        request: Request,
        now: float,
        delay: float,
        until: float | None,
        *,
        counts: bool = True,
    ) -> None:
        """It was not fetched; it waits until `until`, or is given up when that is None.

        `counts`: it was a try of this request, and not only the host that was not ready.
        """
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
        self._finish(host, head[1], now, delay)

    def block(self, host: str, until: float, reason: str) -> None:
        """Leave a host alone until then (infinity: for good); the later of two blocks holds."""
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
        """End the block of a host if it has this reason; its requests may go at once."""
        for found in self._hosts.everywhere(host):
            if found.blocked_until and found.reason == reason:
                found.blocked_until, found.reason = 0.0, ""
                self._queues.save(found)
                self._schedule.file(found)

    def rest_address(self, address: str, until: float) -> None:
        """Ask nothing of an address before then; what is in flight there goes on."""
        self._schedule.rest_address(address, until)

    def promises(self, now: float) -> Mapping[str, float]:
        """By node, the highest priority that can be asked now or within seconds, if any."""
        return self._schedule.promises(now)

    def hear_promises(self, promises: Mapping[str, float]) -> None:
        """What other frontiers of the same crawl promise, until they are heard again.

        By the share of `next`, requests wait for these as for better ones of its own.
        """
        self._schedule.hear_promises(promises)

    def wake_at(self, now: float, share: float = 0.0) -> float | None:
        """A time not after the first at which `next` may have something; cheap, for the loop.

        None when only the end of a request in flight, or a put, can help.
        """
        if self._tenure is not None and self._tenure.left() <= 0:
            return now + _LOOK_AGAIN_SECONDS
        return self._schedule.wake_at(now, share)

    def waiting(self, now: float) -> Waiting:
        """Why requests wait and until when; takes time in proportion to the hosts.

        Reasons are those of `WaitReason` and those given to `block`.
        """
        resting = self._hosts.resting
        reasons, first = resting.reasons(now, self._schedule.closed_addresses(now))
        for host in self._hosts.awake.values():
            for reason, until, requests in self._schedule.state_of(host).waits(now):
                reasons[reason] += requests
                first = min(first, until)
        ordered = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
        return Waiting(tuple(ordered), None if first == math.inf else first)

    def counts(self, top: int = 10) -> Counts:
        """How many requests are where; takes time in proportion to the hosts."""
        hosts = self._hosts.awake.values()
        busy = sum(host.in_flight for host in hosts)
        rest = self._hosts.resting.totals
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
        listed += [
            (-n, number, HostCounts(name, n, done, failed))
            for n, number, name, done, failed in self._hosts.resting.top(most)
        ]
        listed.sort(key=lambda counted: counted[:2])
        return tuple(counts for _, _, counts in listed[:most])

    def reprioritise(self, pairs: Iterable[tuple[Request, float]]) -> int:
        """Give waiting requests another priority, higher or lower; return how many waited.

        Raises:
            ValueError: a priority is not finite.
        """
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
        """Give the requests that `peek` gives other priorities; return how many changed.

        The same as `peek` and `reprioritise`, without a search for each request.

        Raises:
            ValueError: a priority is not finite.
        """
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
        """The waiting requests of highest priority, best first.

        Of hosts that may be asked now or within seconds; those in flight, those that failed and
        wait for their time, and those of hosts that are spent or blocked are left out.
        """
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
        """The waiting requests of one host, of every node, each node's best first.

        Those in flight and those that failed and wait for their time are left out.
        """
        queues = map(self._waiting_heads, self._hosts.everywhere(host))
        return self._queues.read(list(islice(chain.from_iterable(queues), limit)))

    def _waiting_heads(self, host: Host) -> Iterator[Head]:
        """The queue of a host without what is in flight; the store is asked for what is needed."""
        if host.busy or host.apart or host.head is None:
            in_flight = {host.busy, *self._apart}
            return (head for head in self._queues.heads(host) if head[1] not in in_flight)
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
        if at_rest:
            self._hosts.resting.add_requests(at_rest)
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
            if new[1] in self._apart:
                continue
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
        if host is None or not number or not (host.busy == number or number in self._apart):
            raise ValueError(f"{request.url} is not in flight")
        return host, (-self._priorities[number], number)

    def _finish(self, host: Host, number: int, now: float, delay: float) -> None:
        if number not in self._apart:
            self._release(host, now, delay)
            return
        self._apart.discard(number)
        host.apart -= 1
        self._find_head(host)
        self._queues.save(host)
        for other in host.others or (host,):  # their common budget may have room again
            self._schedule.file(other)

    def _release(self, host: Host, now: float, delay: float) -> None:
        self._find_head(host)
        self._schedule.release(host, now, delay)
        self._queues.save(host)
        if self.owner is not None:
            self.owner.end(host.number, delay)

    def _wake(self, host: Host, now: float) -> None:
        woken = len(self._queues.wake(host, now))
        host.later -= woken
        host.waiting += woken
        host.retry_at = self._queues.next_time(host)
        self._find_head(host)

    def _find_head(self, host: Host) -> None:
        head = next((head for head in self._queues.heads(host) if head[1] not in self._apart), None)
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
    waiting = host.waiting + host.later - host.in_flight
    return HostCounts(host.name, waiting, host.done, host.failed)
