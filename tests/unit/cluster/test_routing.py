from __future__ import annotations

from geoscout.cluster.exchange import Outbox
from geoscout.cluster.routing import RoutedFrontier
from geoscout.frontier import MemoryFrontier
from geoscout.model import Request

OURS, THEIRS = "http://ours.example/", "http://theirs.example/"


class Sent(Outbox):
    """Remembers what is put."""

    def __init__(self) -> None:
        super().__init__(0)
        self.put_to: list[tuple[int, str]] = []

    def put(self, target: int, request: Request) -> None:
        self.put_to.append((target, request.url))


def frontier(outbox: Outbox) -> RoutedFrontier:
    def owner_of(url: str) -> int | None:
        return 7 if url.startswith(THEIRS) else None

    return RoutedFrontier(MemoryFrontier(), outbox, owner_of)


def test_requests_of_other_partitions_are_sent_to_them() -> None:
    outbox = Sent()
    routed = frontier(outbox)

    assert routed.put([Request(OURS), Request(THEIRS), Request(OURS)]) == 1

    assert outbox.put_to == [(7, THEIRS)]
    assert [request.url for request in routed.peek(9)] == [OURS]
