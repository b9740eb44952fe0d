"""Brings the hosts of a frontier back from the rows that an earlier process left.

Every frontier that lasts restores itself by this; only reading the rows is its own. First all
requests that wait are counted for their hosts, in arrays. Then the hosts come one by one and rest
at once, so that a crawl with a million hosts needs no more memory to begin than to go on. Only
hosts that several nodes have stay in memory.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from geoscout.frontier.hosts import Head
from geoscout.frontier.resting import RestingHosts, RestingRow
from geoscout.frontier.schedule import Schedule
from geoscout_places.model import HELD

_LONGEST_PAUSE = 1000.0  # seconds; the pauses of addresses that were asked before are over


class WaitingByHost:
    """The requests that wait, counted for each host."""

    def __init__(self, hosts: int) -> None:
        self._waiting = array("I", bytes(4 * hosts))
        self._ranks = array("d", bytes(8 * hosts))
        self._numbers = array("I", bytes(4 * hosts))  # of the best request; 0: none, or all held
        self._later: dict[int, tuple[int, float]] = {}  # how many, and the first time

    def add_queued(self, host: int, rank: float, number: int) -> None:
        """A request that waits in the queue of its host."""
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


class Left(Struct, frozen=True):
    """What an earlier process left of hosts."""

    hosts: Iterable[Sequence[Any]]  # in the order of their numbers; see `restore_hosts`
    waiting: WaitingByHost
    shared: Collection[str]  # the names of hosts that several nodes have
    latest: float  # the time of the last pause of all


def restore_hosts(schedule: Schedule, resting: RestingHosts, left: Left) -> None:
    """Bring back all hosts.

    Each row: name, node, address, free at, blocked until, reason, done, failed, pause.
    """
    resting.fill(_at_rest(schedule, left))
    for host in schedule.hosts.awake.values():
        schedule.file(host)


def _at_rest(schedule: Schedule, left: Left) -> Iterator[RestingRow]:
    """The rows of the hosts that can rest, one tuple each for speed; the others come to memory."""
    recent = left.latest - _LONGEST_PAUSE
    gate, add, waiting = schedule.hosts.address, schedule.add_unseen, left.waiting.of
    for name, node, address, free_at, blocked_until, reason, done, failed, pause in left.hosts:
        times = free_at, blocked_until, reason, done, failed
        if name in left.shared:
            _restore_shared(schedule, left.waiting, (name, node, address, *times, pause))
            continue
        number, turn = add(name, node)
        head, queued, later, retry_at = waiting(number)
        rank, request = head or (None, None)
        is_spent = schedule.has_no_budget(name, done + failed)
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
            is_spent, head and schedule.band(head), at, at or retry_at,
        )  # fmt: skip


def _restore_shared(schedule: Schedule, waiting: WaitingByHost, row: Sequence[Any]) -> None:
    """A host that several nodes have."""
    name, node, address, free_at, blocked_until, reason, done, failed, pause = row
    host = schedule.add(name, node)
    blocked_before = host.blocked_until, host.reason  # as another node has it
    host.free_at, host.pause, host.done, host.failed = free_at, pause, done, failed
    host.blocked_until, host.reason = max((blocked_until, reason), blocked_before)
    host.head, host.waiting, host.later, host.retry_at = waiting.of(host.number)
    if address:
        host.address = schedule.hosts.address(address)
    for other in host.others or (host,):  # the first had no slot before the second came
        for gate in other.gates():
            gate.free_at = max(gate.free_at, other.free_at)
