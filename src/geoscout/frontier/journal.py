"""What changed in the queues of a frontier since it was last asked, as one value.

A frontier whose truth is elsewhere works on queues at hand and sends only what changed. `Journal`
stands between the two: it passes every call on, so the queues stay as they are, and notes what the
call changed. `take` gives all of it as `Changes`, which nothing alters afterwards: it can be
written by another thread while the crawl goes on, and written again after a failure.

Only the last state counts. A request that came in, was raised, postponed and finished between two
takes is one new row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from geoscout.frontier.hosts import Head, Host
from geoscout.frontier.queues import Move, NumberedRequest, Queues
from geoscout_places.model import Request


@dataclass(frozen=True, slots=True)
class HostRow:
    """What changes about a host, as it was when the changes were taken."""

    number: int
    address: str
    free_at: float
    pause: float  # that it was given after its last request
    blocked_until: float
    reason: str
    done: int
    failed: int


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A request that came in again with more promise, or to be fetched again."""

    request: Request
    resets_tries: bool  # its failed tries are forgotten


@dataclass(frozen=True, slots=True)
class Postponed:
    """Until when a request waits, and how many tries have failed since the last changes."""

    until: float | None  # None: its time has come
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed in the queues between two takes; of every request, by number, the last state."""

    new_hosts: Sequence[Host] = ()  # their number, name and node, which never change
    new_requests: Sequence[NumberedRequest] = ()  # as they came in; the rest applies to them too
    rewritten: Mapping[int, Rewritten] = field(default_factory=dict)
    priorities: Mapping[int, float | None] = field(default_factory=dict)  # None: finished
    postponed: Mapping[int, Postponed] = field(default_factory=dict)
    hosts: Sequence[HostRow] = ()

    def __bool__(self) -> bool:
        changed_hosts = self.new_hosts or self.hosts
        changed_rows = self.rewritten or self.priorities or self.postponed
        return bool(changed_hosts or self.new_requests or changed_rows)


class Journal:
    """The queues of another, and what changed in them; implements `Queues`."""

    def __init__(self, queues: Queues) -> None:
        self._queues = queues
        self._forget()

    def take(self, ahead: float = 0.0) -> Changes:
        """What changed since the last take.

        `ahead`: seconds by which our clock is ahead of the one that times are to be of.
        """
        changes = Changes(
            new_hosts=self._new_hosts,
            new_requests=self._new_requests,
            rewritten=self._rewritten,
            priorities=self._priorities,
            postponed=_translated(self._postponed, ahead) if ahead else self._postponed,
            hosts=[_row(host, ahead) for host in self._hosts.values()],
        )
        self._forget()
        return changes

    def _forget(self) -> None:
        self._new_hosts: list[Host] = []
        self._new_requests: list[NumberedRequest] = []
        self._rewritten: dict[int, Rewritten] = {}
        self._priorities: dict[int, float | None] = {}
        self._postponed: dict[int, Postponed] = {}
        self._hosts: dict[int, Host] = {}  # by number: a host that rested is another object

    def add(self, hosts: Sequence[Host], rows: Sequence[NumberedRequest]) -> None:
        self._new_hosts += hosts
        self._new_requests += rows
        self._queues.add(hosts, rows)

    def read(self, heads: Sequence[Head]) -> list[Request]:
        return self._queues.read(heads)

    def rewrite(self, number: int, request: Request) -> None:
        known = self._rewritten.get(number)
        self._rewritten[number] = Rewritten(request, known is not None and known.resets_tries)
        self._queues.rewrite(number, request)

    def revive(self, host: Host, number: int, request: Request) -> None:
        self._rewritten[number] = Rewritten(request, resets_tries=True)
        self._priorities[number] = request.priority
        self._postponed[number] = Postponed(None)  # its last row may say otherwise
        self._queues.revive(host, number, request)

    def move(self, moves: Sequence[Move]) -> bool:
        self._priorities.update((number, -rank) for _, _, (rank, number) in moves)
        return self._queues.move(moves)

    def remove(self, host: Host, head: Head) -> None:
        self._priorities[head[1]] = None
        self._queues.remove(host, head)

    def postpone(self, host: Host, head: Head, until: float, tries: int) -> None:
        self._postpone(head[1], until, tries)
        self._queues.postpone(host, head, until, tries)

    def wake(self, host: Host, now: float) -> Sequence[int]:
        woken = self._queues.wake(host, now)
        for number in woken:
            self._postpone(number, None, 0)
        return woken

    def next_time(self, host: Host) -> float:
        return self._queues.next_time(host)

    def heads(self, host: Host) -> Iterator[Head]:
        return self._queues.heads(host)

    def save(self, host: Host) -> None:
        self._hosts[host.number] = host
        self._queues.save(host)

    def _postpone(self, number: int, until: float | None, tries: int) -> None:
        known = self._postponed.get(number)
        self._postponed[number] = Postponed(until, tries + (known.tries if known else 0))


def _translated(postponed: Mapping[int, Postponed], ahead: float) -> dict[int, Postponed]:
    return {
        number: Postponed(None if found.until is None else found.until - ahead, found.tries)
        for number, found in postponed.items()
    }


def _row(host: Host, ahead: float) -> HostRow:
    return HostRow(
        number=host.number,
        address=host.address.name if host.address else "",
        free_at=host.free_at - ahead,
        pause=host.pause,
        blocked_until=host.blocked_until - ahead,
        reason=host.reason,
        done=host.done,
        failed=host.failed,
    )
