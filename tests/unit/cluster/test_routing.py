from __future__ import annotations

from geoscout.frontier import MemoryFrontier
from geoscout_cluster.addresses import AddressRents
from geoscout_cluster.exchange import Outbox
from geoscout_cluster.postgres.database import Connection
from geoscout_cluster.postgres.leases import Lease
from geoscout_cluster.routing import Routing
from geoscout_places.model import Request

OURS, THEIRS = "http://ours.example/", "http://theirs.example/"


class Sent(Outbox):
    """Remembers what is put."""

    def __init__(self) -> None:
        super().__init__(0)
        self.put_to: list[tuple[int, str]] = []

    def put(self, target: int, request: Request) -> None:
        self.put_to.append((target, request.url))


def routed_by(outbox: Outbox, rents: AddressRents) -> MemoryFrontier:
    def owner_of(url: str) -> int | None:
        return 7 if url.startswith(THEIRS) else None

    frontier = MemoryFrontier()
    frontier.owner = Routing(outbox, owner_of, rents)
    return frontier


def rents_of_one() -> AddressRents:
    return AddressRents(Lease(0, 1, 0, was_clean=True))


def test_requests_of_other_partitions_are_sent_to_them() -> None:
    outbox = Sent()
    routed = routed_by(outbox, rents_of_one())

    assert routed.put([Request(OURS), Request(THEIRS), Request(OURS)]) == 1

    assert outbox.put_to == [(7, THEIRS)]
    assert [request.url for request in routed.peek(9)] == [OURS]


def test_a_request_waits_until_its_server_is_rented(connection: Connection) -> None:
    rents = rents_of_one()
    routed = routed_by(Sent(), rents)
    routed.put([Request(OURS)])
    taken = routed.next(0)
    assert taken is not None

    assert not routed.bind("ours.example", "192.0.2.1", 0)
    assert routed.next(0.1) is None
    rents.settle(connection.cursor())
    assert routed.next(1) == taken
    assert routed.bind("ours.example", "192.0.2.1", 1)
    routed.done(taken, 2, 5.0)
    assert rents.wait_for("192.0.2.1") == 0


def test_a_request_without_an_address_needs_no_rent() -> None:
    routed = routed_by(Sent(), rents_of_one())
    routed.put([Request(OURS)])
    routed.next(0)

    assert routed.bind("ours.example", "", 0)  # from an archive
