"""Hosts that are not in memory; that nothing else changes is shown by tests/contract."""

from contextlib import closing

import pytest

from geoscout.frontier.base import Limits
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.store.sqlite.database import open_database
from geoscout_places.model import Request
from geoscout_places.urls import host_of

FEW = Limits(near_tie=0, hosts_in_memory=20)


@pytest.fixture
def database(tmp_path):
    with closing(open_database(tmp_path, [TABLES])) as opened:
        yield opened


def url_of(number: int, page: int = 0) -> str:
    return f"http://host{number}.example/{page}"


def in_memory(frontier: SqliteFrontier) -> int:
    return len(frontier._schedule.hosts.awake)


def fetch(frontier: SqliteFrontier, now: float, delay: float = 1.0, address: str = "") -> str:
    request = frontier.next(now)
    assert request is not None
    frontier.bind(host_of(request.url), address, now)
    frontier.done(request, now, delay)
    return request.url


def test_few_of_many_hosts_are_in_memory(database):
    frontier = SqliteFrontier(database, FEW)
    frontier.put([Request(url_of(number), number / 500) for number in range(500)])
    order = [fetch(frontier, 0.0) for _ in range(400)]

    assert order == [url_of(number) for number in range(499, 99, -1)]
    assert in_memory(frontier) <= 2 * FEW.hosts_in_memory
    assert frontier.counts(0).hosts == 500
    assert (frontier.counts(0).waiting, frontier.counts(0).done) == (100, 400)


def test_opening_brings_no_host_into_memory(database):
    frontier = SqliteFrontier(database)
    frontier.put([Request(url_of(number)) for number in range(500)])
    frontier.flush()
    again = SqliteFrontier(database)

    assert in_memory(again) == 0
    assert fetch(again, 0.0) == url_of(0)
    assert in_memory(again) < 500


def test_hosts_that_rest_for_long_leave_memory_and_come_back_in_time(database):
    frontier = SqliteFrontier(database, FEW)
    frontier.put([Request(url_of(number, page)) for number in range(100) for page in range(2)])
    for number in range(100):
        fetch(frontier, 0.0, delay=100.0 + number, address=f"192.0.2.{number}")
    frontier.put([Request(url_of(1000), -1.0)])
    fetch(frontier, 1.0)

    assert in_memory(frontier) <= FEW.hosts_in_memory
    assert len(frontier._schedule.hosts.addresses) <= 100
    assert dict(frontier.waiting(1.0).reasons) == {"politeness": 100}
    assert frontier.waiting(1.0).until == 100.0
    assert frontier.wake_at(1.0) == 100.0
    assert frontier.next(99.9) is None
    assert [fetch(frontier, 100.0 + number) for number in range(100)] == [
        url_of(number, 1) for number in range(100)
    ]


def test_addresses_that_nobody_in_memory_has_are_forgotten(database):
    frontier = SqliteFrontier(database, FEW)
    for number in range(200):
        frontier.put([Request(url_of(number))])
        fetch(frontier, float(number), delay=0.5, address=f"192.0.2.{number}")

    assert len(frontier._schedule.hosts.addresses) <= 2 * FEW.hosts_in_memory


def test_request_that_failed_brings_its_host_back(database):
    frontier = SqliteFrontier(database, FEW)
    frontier.put([Request(url_of(0), 1.0)])
    request = frontier.next(0.0)
    assert request is not None
    frontier.fail(request, 0.0, 1.0, 500.0)
    frontier.put([Request(url_of(number), 0.5, depth=1) for number in range(1, 200)])
    fetch(frontier, 1.0)

    assert 0 not in frontier._schedule.hosts.awake
    again = frontier.next(500.0)
    assert again is not None
    assert (again.url, again.tries) == (url_of(0), 1)


def test_pause_of_an_address_is_kept_when_a_crawl_is_opened(database):
    frontier = SqliteFrontier(database, FEW)
    frontier.put([Request(url_of(0), 1.0), Request(url_of(1), 0.5)])
    first, second = frontier.next(0.0), frontier.next(0.0)
    assert first is not None
    assert second is not None
    frontier.bind("host1.example", "192.0.2.1", 0.0)
    frontier.done(second, 0.0, 0.0)
    frontier.bind("host0.example", "192.0.2.1", 0.0)
    frontier.done(first, 0.0, 60.0)
    frontier.put([Request(url_of(1, 1))])
    frontier.flush()
    again = SqliteFrontier(database, FEW)

    assert again.next(30.0) is None
    assert fetch(again, 60.0) == url_of(1, 1)


def test_long_line_at_an_address_neither_fills_memory_nor_leaves_the_address_idle(database):
    frontier = SqliteFrontier(database, FEW)
    frontier.put([Request(url_of(number)) for number in range(600)])
    asked, now = [], 0.0
    while len(asked) < 600:
        while (request := frontier.next(now)) is not None:
            if frontier.bind(host_of(request.url), "192.0.2.1", now):
                asked.append(now)
                frontier.done(request, now, 1.0)
        assert in_memory(frontier) <= 5 * FEW.hosts_in_memory
        now = frontier.wake_at(now) or now

    assert asked == [float(second) for second in range(600)]


def test_block_and_rest_reach_hosts_that_are_not_in_memory(database):
    frontier = SqliteFrontier(database, FEW)
    frontier.put([Request(url_of(number), number / 500) for number in range(300)])
    frontier.block("host299.example", 50.0, "robots-unreachable")
    assert fetch(frontier, 0.0) == url_of(298)

    frontier._schedule.rest_all(10.0, lambda _: 5.0)

    assert frontier.next(14.0) is None
    assert fetch(frontier, 15.0) == url_of(297)
    assert dict(frontier.waiting(16.0).reasons) == {"ready": 297, "robots-unreachable": 1}
