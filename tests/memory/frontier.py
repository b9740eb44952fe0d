"""A frontier that is gone with the process: the queues of each host, written for reading."""

import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from msgspec.structs import replace

from geoscout.frontier.base import Limits
from geoscout.frontier.frontier import Frontier
from geoscout.frontier.hosts import Head, Host, Move, NumberedRequest
from geoscout_places.model import Request


class MemoryFrontier(Frontier):
    """A frontier that is gone with the process; implements `Frontier`."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__(MemoryQueues(), replace(limits or Limits(), hosts_in_memory=sys.maxsize))


class MemoryQueues:
    """A heap for each host; a request that was moved or removed leaves an outdated entry in it."""

    def __init__(self) -> None:
        self._requests: dict[int, Request] = {}
        self._ranks: dict[int, float] = {}  # of those in a queue
        self._queues: defaultdict[Host, list[Head]] = defaultdict(list)
        self._later: defaultdict[Host, dict[int, tuple[float, float]]] = defaultdict(dict)

    def add(self, hosts: Sequence[Host], rows: Sequence[NumberedRequest]) -> None:
        for host, number, request in rows:
            self._requests[number] = request
            self._push(host, (-request.priority, number))

    def read(self, heads: Sequence[Head]) -> list[Request]:
        return [replace(self._requests[number], priority=-rank) for rank, number in heads]

    def rewrite(self, number: int, request: Request) -> None:
        self._requests[number] = replace(request, tries=self._requests[number].tries)

    def revive(self, host: Host, number: int, request: Request) -> None:
        self._requests[number] = request
        self._push(host, (-request.priority, number))

    def move(self, moves: Sequence[Move]) -> bool:
        all_in_queue = True
        for host, _, (rank, number) in moves:
            if number in self._ranks:
                self._push(host, (rank, number))
            else:
                until, _ = self._later[host][number]
                self._later[host][number] = until, rank
                all_in_queue = False
        return all_in_queue

    def remove(self, host: Host, head: Head) -> None:
        del self._ranks[head[1]], self._requests[head[1]]

    def postpone(self, host: Host, head: Head, until: float, tries: int) -> None:
        rank, number = head
        request = self._requests[number]
        self._requests[number] = replace(request, tries=request.tries + tries)
        self._later[host][number] = until, rank
        del self._ranks[number]

    def wake(self, host: Host, now: float) -> list[int]:
        later = self._later[host]
        due = [number for number, (until, _) in later.items() if until <= now]
        for number in due:
            self._push(host, (later.pop(number)[1], number))
        return due

    def next_time(self, host: Host) -> float:
        return min((until for until, _ in self._later[host].values()), default=math.inf)

    def heads(self, host: Host) -> Iterator[Head]:
        queue = self._queues[host]
        while queue and not self._is_valid(queue[0]):
            heappop(queue)
        if queue:
            yield queue[0]
            yield from sorted(set(filter(self._is_valid, queue)))[1:]

    def save(self, host: Host) -> None:
        """The host itself is the only record of it."""

    def _push(self, host: Host, head: Head) -> None:
        self._ranks[head[1]] = head[0]
        heappush(self._queues[host], head)

    def _is_valid(self, head: Head) -> bool:
        return self._ranks.get(head[1]) == head[0]
