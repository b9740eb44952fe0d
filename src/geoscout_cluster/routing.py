"""What a lane adds to the frontier of its partition: a way to all others, and rented servers.

Requests for sites of other partitions go to the outbox. A server that another partition is asking
is left alone: its address must be rented (`addresses.py`) before a request is bound to it.
"""

from __future__ import annotations

from collections.abc import Callable

from geoscout_cluster.addresses import AddressRents
from geoscout_cluster.exchange import Outbox
from geoscout_places.model import Request


class Routing:
    """What is not up to one partition; implements `Owner` of a frontier."""

    def __init__(
        self, outbox: Outbox, owner_of: Callable[[str], int | None], rents: AddressRents
    ) -> None:
        """`owner_of` gives the partition of a URL that is not our own, and None for others."""
        self._outbox, self._owner_of, self._rents = outbox, owner_of, rents
        self._in_flight: dict[int, str] = {}  # addresses by host

    def sends(self, request: Request) -> bool:
        target = self._owner_of(request.url)
        if target is not None:
            self._outbox.put(target, request)
        return target is not None

    def wait_for(self, address: str) -> float:
        return self._rents.wait_for(address)

    def begin(self, host: int, address: str) -> None:
        self._rents.begin(address)
        self._in_flight[host] = address

    def end(self, host: int, delay: float) -> None:
        # The server may be asked again after the delay, by whoever has rented it.
        if address := self._in_flight.pop(host, ""):
            self._rents.end(address, delay)
