import asyncio
import time
from collections import Counter
from typing import cast

import pytest

from geoscout.fetch.base import Fetcher
from geoscout.fetch.retries import Patience, after_error
from geoscout_cluster.engine.exchange import Outbox
from geoscout_cluster.engine.leases import Lease, LeaseClock
from geoscout_cluster.engine.rents import Rents
from geoscout_cluster.routing import (
    LeasedFetcher,
    Routing,
    SentUrls,
    pack_requests,
    partition_of_url,
    unpack_requests,
)
from geoscout_places.errors import DamagedDataError, TryLaterError
from geoscout_places.model import HELD, Request, RequestKind, Response
from tests.memory.frontier import MemoryFrontier

A, B = "http://a.example/", "http://b.example/"
OURS, THEIRS = "http://ours.example/", "http://theirs.example/"


class Sent(Outbox[Request]):
    """Remembers what is put."""

    def __init__(self) -> None:
        super().__init__(0, pack_requests)
        self.put_to: list[tuple[int, str]] = []

    def put(self, target: int, request: Request) -> None:
        self.put_to.append((target, request.url))


def routed_by(outbox: Outbox[Request], rents: Rents) -> MemoryFrontier:
    def owner_of(url: str) -> int | None:
        return 7 if url.startswith(THEIRS) else None

    frontier = MemoryFrontier()
    frontier.owner = Routing(outbox, owner_of, rents)
    return frontier


def rents_of_one() -> Rents:
    return Rents(Lease(0, 1, 0, was_clean=True))


def test_requests_of_other_partitions_are_sent_to_them():
    outbox = Sent()
    routed = routed_by(outbox, rents_of_one())

    assert routed.put([Request(OURS), Request(THEIRS), Request(OURS)]) == 1

    assert outbox.put_to == [(7, THEIRS)]
    assert [request.url for request in routed.peek(9)] == [OURS]


def test_a_request_waits_until_its_server_is_rented(connection):
    rents = rents_of_one()
    routed = routed_by(Sent(), rents)
    routed.put([Request(OURS)])
    taken = routed.next(0)
    assert taken is not None

    assert not routed.bind("ours.example", "192.0.2.1", 0)
    assert routed.next(0.1) is None
    rents.settle(connection.cursor())()
    assert routed.next(1) == taken
    assert routed.bind("ours.example", "192.0.2.1", 1)
    routed.done(taken, 2, 5.0)
    assert rents.wait_for("192.0.2.1") == 0


def test_a_request_without_an_address_needs_no_rent():
    routed = routed_by(Sent(), rents_of_one())
    routed.put([Request(OURS)])
    routed.next(0)

    assert routed.bind("ours.example", "", 0)  # from an archive


def test_requests_come_out_as_they_went_in():
    requests = [
        Request(A, 0.25, 3, 1, B, node="north", tries=2, features=b"\xff\x00", level=4),
        Request(B, HELD, kind=RequestKind.REVISIT),
    ]

    assert unpack_requests(pack_requests(requests)) == requests


@pytest.mark.parametrize("bytes", [b"", b"\x80", pack_requests([Request(A)])[:-3]])
def test_other_bytes_are_refused(bytes):
    with pytest.raises(DamagedDataError):
        unpack_requests(bytes)


def test_what_was_sent_is_sent_again_only_with_more_promise():
    sent = SentUrls()

    assert sent.is_new(Request(A, 0.5))
    assert not sent.is_new(Request(A, 0.5))
    assert not sent.is_new(Request(A, 0.2))
    assert sent.is_new(Request(A, 0.6))
    assert sent.is_new(Request(A, 0.1, node="north"))
    assert sent.is_new(Request(A, 0.1, kind=RequestKind.REVISIT))


def test_what_was_sent_long_ago_is_forgotten():
    sent = SentUrls(remembered=3)
    for n in range(4):
        sent.is_new(Request(f"{A}{n}"))
    assert not sent.is_new(Request(f"{A}0"))  # the generation before the last is still known
    for n in range(4, 12):
        sent.is_new(Request(f"{A}{n}"))

    assert sent.is_new(Request(f"{A}0"))


def test_the_hosts_of_a_site_are_in_one_partition():
    urls = ["https://example.co.uk/", "http://www.example.co.uk/a", "https://a.b.example.co.uk:81/"]

    assert len({partition_of_url(url, 1024) for url in urls}) == 1


def test_every_process_finds_the_same_partition():
    assert [partition_of_url(f"http://site-{n}.example/", 16) for n in range(6)] == [
        9, 10, 15, 12, 5, 6,
    ]  # fmt: skip


def test_sites_are_spread_evenly():
    counts = Counter(partition_of_url(f"http://site-{n}.test/", 16) for n in range(16_000))

    assert set(counts) == set(range(16))
    assert 900 < min(counts.values()) <= max(counts.values()) < 1100


def test_addresses_and_odd_names_have_a_partition_too():
    for url in ("http://192.0.2.1/", "http://[2001:db8::1]:8080/", "http://localhost/"):
        assert 0 <= partition_of_url(url, 7) < 7


REQUEST = Request("http://a.example/")
ANSWER = Response("http://a.example/", 200, (), b"", "", 0.0, 0.0)


class Slow:
    """A fetcher that takes its time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.begun = self.ended = 0

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        self.begun += 1
        await asyncio.sleep(self.seconds)
        self.ended += 1
        return ANSWER


def clock_with(left: float) -> LeaseClock:
    """A lease that ends in so many seconds; its last second is included."""
    lease = Lease(0, 1, 0, was_clean=True, seconds=10.0)
    return LeaseClock(lease, time.monotonic() - 10.0 + left)


def leased(slow: Slow, clock: LeaseClock) -> LeasedFetcher:
    return LeasedFetcher(cast("Fetcher", slow), clock)


def test_a_fetch_within_the_lease_is_as_any_other():
    slow = Slow(0.0)

    assert asyncio.run(leased(slow, clock_with(5.0)).fetch(REQUEST)) == ANSWER


def test_nothing_is_begun_in_the_last_second():
    slow = Slow(0.0)

    with pytest.raises(TryLaterError) as caught:
        asyncio.run(leased(slow, clock_with(0.9)).fetch(REQUEST))

    assert (caught.value.kind, slow.begun) == ("lease", 0)


def test_a_fetch_that_lasts_too_long_ends_with_the_lease():
    slow = Slow(5.0)
    began = time.monotonic()

    with pytest.raises(TryLaterError) as caught:
        asyncio.run(leased(slow, clock_with(1.3)).fetch(REQUEST))

    assert (caught.value.kind, slow.ended) == ("lease", 0)
    assert 0.9 < time.monotonic() - began < 3.0
    verdict = after_error(caught.value, 0, Patience(), 0.0)
    assert (verdict.again_in, verdict.host_rests, verdict.counts) == (0.0, 0.0, False)


def test_a_lease_that_is_made_longer_lets_a_fetch_go_on():
    clock = clock_with(1.3)
    slow = Slow(1.5)

    async def act() -> Response:
        asyncio.get_running_loop().call_later(0.3, clock.extend, time.monotonic())
        return await leased(slow, clock).fetch(REQUEST)

    assert asyncio.run(act()) == ANSWER


def test_a_crawl_that_is_cancelled_is_not_a_lease_that_ended():
    async def act() -> None:
        task = asyncio.create_task(leased(Slow(5.0), clock_with(8.0)).fetch(REQUEST))
        await asyncio.sleep(0.05)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(act())
