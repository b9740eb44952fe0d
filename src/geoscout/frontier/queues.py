"""What a store must do to hold the requests of a frontier; `frontier.py` decides over it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from geoscout.frontier.hosts import Head, Host
from geoscout_places.model import Request

NumberedRequest = tuple[Host, int, Request]  # a request with its host and its number
Move = tuple[Host, Head, Head]  # a request's place in the queue of its host, old and new


class Queues(Protocol):
    """The waiting requests of each host, at rest: in a queue by priority, or each for its time."""

    def add(self, hosts: Sequence[Host], rows: Sequence[NumberedRequest]) -> None:
        """Keep new hosts and new requests."""
        ...

    def read(self, heads: Sequence[Head]) -> list[Request]:
        """The requests with these numbers and priorities."""
        ...

    def rewrite(self, number: int, request: Request) -> None:
        """Replace what is kept of a request, except its tries."""
        ...

    def revive(self, host: Host, number: int, request: Request) -> None:
        """Let a finished request wait again."""
        ...

    def move(self, moves: Sequence[Move]) -> bool:
        """Change the priorities of requests in a queue or of some that wait for their time.

        False when one of the latter was among them.
        """
        ...

    def remove(self, host: Host, head: Head) -> None:
        """Take a request out of the queue for good."""
        ...

    def postpone(self, host: Host, head: Head, until: float, tries: int) -> None:
        """Let a request leave the queue until its time, and count these tries."""
        ...

    def wake(self, host: Host, now: float) -> Sequence[int]:
        """Move the requests whose time has come to the queue; return their numbers."""
        ...

    def next_time(self, host: Host) -> float:
        """The earliest time a request of the host waits for; infinity when none does."""
        ...

    def heads(self, host: Host) -> Iterator[Head]:
        """The queue of a host, best first."""
        ...

    def save(self, host: Host) -> None:
        """Keep what changes about a host: address, times and counts."""
        ...
