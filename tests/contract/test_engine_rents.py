"""Servers that sites of two partitions share: one asks at a time, and each gets its turn."""

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from threading import Barrier, BrokenBarrierError, Thread
from typing import Any

import pytest
from psycopg import Cursor

from geoscout_cluster.engine import rents as engine_rents
from geoscout_cluster.engine.base import TABLES
from geoscout_cluster.engine.leases import Lease
from geoscout_cluster.engine.rents import MARGIN_SECONDS, Rents, end_rents, renew_rents, rent, want
from geoscout_cluster.postgres.database import connect, create_tables, read_address

SERVER, OTHER = "192.0.2.1", "192.0.2.2"
ANN, BEN = Lease(0, 1, 0, was_clean=True), Lease(1, 1, 0, was_clean=True)


@pytest.fixture
def connection(postgres_address):
    with connect(postgres_address) as opened:
        create_tables(opened, read_address(postgres_address), [TABLES])
        opened.commit()
        opened.autocommit = True
        yield opened


def test_an_address_has_one_tenant_at_a_time(connection):
    cursor = connection.cursor()

    assert rent(cursor, ANN, [SERVER]) == {SERVER}
    assert rent(cursor, BEN, [SERVER, OTHER]) == {OTHER}


def test_a_rent_ends_by_itself(connection):
    cursor = connection.cursor()
    rent(cursor, ANN, [SERVER], 0.05)
    time.sleep(0.1)

    assert rent(cursor, BEN, [SERVER]) == {SERVER}
    assert renew_rents(cursor, ANN, [SERVER]) == {}


def test_the_tenant_hears_that_another_wants_it(connection):
    cursor = connection.cursor()
    rent(cursor, ANN, [SERVER, OTHER])
    (seconds,) = want(cursor, [SERVER]).values()

    assert 9 < seconds <= 10
    assert renew_rents(cursor, ANN, [SERVER, OTHER]) == {SERVER: True, OTHER: False}


def test_the_next_tenant_waits_for_the_pause_of_the_server(connection):
    cursor = connection.cursor()
    rent(cursor, ANN, [SERVER, OTHER])
    end_rents(cursor, ANN, {SERVER: 30.0, OTHER: 0.0})

    assert rent(cursor, BEN, [SERVER, OTHER]) == {OTHER}


def test_two_lanes_that_exchange_addresses_never_lock_up(connection, postgres_address, monkeypatch):
    """Each gives back what the other wants, in one transaction and at the same time."""
    both = Barrier(2)

    def end_together(cursor: Cursor[Any], lease: Lease, rests: Mapping[str, float]) -> None:
        end_rents(cursor, lease, rests)
        with suppress(BrokenBarrierError):  # the other waits for our lock, as it should
            both.wait(0.5)

    monkeypatch.setattr(engine_rents, "end_rents", end_together)
    rent(connection.cursor(), ANN, [SERVER])
    rent(connection.cursor(), BEN, [OTHER])

    def exchange(lease: Lease, had: str, wanted: str) -> int:
        rents = Rents(lease)
        monkeypatch.setattr(rents, "_due", lambda _now: ({had: 0.0}, [], [wanted]))
        with connect(postgres_address) as own, own.transaction():
            rents.settle(own.cursor())()
        return lease.partition

    with ThreadPoolExecutor(2) as threads:
        done = threads.map(exchange, (ANN, BEN), (SERVER, OTHER), (OTHER, SERVER))
        assert list(done) == [ANN.partition, BEN.partition]


def test_a_replaced_owner_has_nothing_to_give_back(connection):
    cursor = connection.cursor()
    rent(cursor, ANN, [SERVER])
    end_rents(cursor, Lease(0, 2, 0, was_clean=True), {SERVER: 0.0})

    assert rent(cursor, BEN, [SERVER]) == set()


def test_a_request_goes_back_until_its_server_is_rented(connection):
    rents = Rents(ANN)
    assert rents.wait_for(SERVER) > 0
    rents.settle(connection.cursor())()
    assert rents.wait_for(SERVER) == 0


def test_a_refused_server_is_asked_for_again(connection):
    rent(connection.cursor(), BEN, [SERVER], 0.3)
    rents = Rents(ANN)
    rents.wait_for(SERVER)
    rents.settle(connection.cursor())()
    assert rents.wait_for(SERVER) > 0
    time.sleep(0.4)
    rents.settle(connection.cursor())()
    assert rents.wait_for(SERVER) == 0


def test_nothing_is_rented_before_it_is_committed(connection):
    """A server that is killed between the answer and the commit forgets both rent and renewal."""
    cursor = connection.cursor()
    rents = Rents(ANN, seconds=3.0)
    rents.wait_for(SERVER)
    with connection.transaction(force_rollback=True):
        rents.settle(cursor)
    assert rents.wait_for(SERVER) > 0
    rents.settle(cursor)()
    time.sleep(1.6)
    with connection.transaction(force_rollback=True):
        rents.settle(cursor)
    assert rents.left(SERVER) < 1.5


def test_a_server_is_kept_while_a_request_is_in_flight(connection):
    """Even when another wants it; then nothing more is begun, and it goes with its pause."""
    cursor = connection.cursor()
    rents = Rents(ANN, seconds=2.0)
    rents.wait_for(SERVER)
    rents.settle(cursor)()
    rents.begin(SERVER)
    want(cursor, [SERVER])
    time.sleep(1.1)
    rents.settle(cursor)()
    assert rents.wait_for(SERVER) > 0
    assert rent(cursor, BEN, [SERVER]) == set()
    rents.end(SERVER, delay=0.2)
    rents.settle(cursor)()
    assert rent(cursor, BEN, [SERVER]) == set()  # the server has its pause
    time.sleep(0.25)
    rents.settle(cursor)()
    assert rent(cursor, BEN, [SERVER]) == {SERVER}  # and ann let ben go first


def test_nothing_begins_whose_pause_would_outlast_the_rent(connection):
    """A worker that is cut off cannot give it back with its pause."""
    rents = Rents(ANN, seconds=5.0)
    rents.wait_for(SERVER)
    rents.settle(connection.cursor())()
    rents.begin(SERVER)
    rents.end(SERVER, delay=1.4)
    assert rents.wait_for(SERVER) == 0
    time.sleep(2.8)
    assert rents.wait_for(SERVER) > 0
    assert rents.left(SERVER) > MARGIN_SECONDS


@pytest.mark.parametrize("is_at_work", [False, True])
def test_leaving_gives_back_what_no_server_is_at_work_on(is_at_work, connection):
    cursor = connection.cursor()
    rents = Rents(ANN)
    rents.wait_for(SERVER)
    rents.settle(cursor)()
    if is_at_work:
        rents.begin(SERVER)
    rents.leave(cursor)

    assert rent(cursor, BEN, [SERVER]) == (set() if is_at_work else {SERVER})


def test_three_partitions_never_ask_a_server_at_once(postgres_address):
    with connect(postgres_address) as opened:
        create_tables(opened, read_address(postgres_address), [TABLES])
    asked: list[tuple[float, float, int]] = []
    until = time.monotonic() + 60.0  # at the latest; turns are not in order
    lanes = [Thread(target=_ask, args=(postgres_address, n, asked, until)) for n in range(3)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    asked.sort()

    assert {lane for _, _, lane in asked} == {0, 1, 2}
    gaps = [begin - end for (_, end, _), (begin, _, _) in pairwise(asked)]
    assert min(gaps) >= 0.05  # the pause of the server, whoever asks


def _ask(where: str, number: int, asked: list[tuple[float, float, int]], until: float) -> None:
    """A lane that asks one server as often as it may, with a pause of 0.05 seconds."""
    rents = Rents(Lease(number, 1, 0, was_clean=True), seconds=2.0)
    with connect(where) as opened:
        opened.autocommit = True
        while time.monotonic() < until and len({lane for _, _, lane in list(asked)}) < 3:
            rents.settle(opened.cursor())()
            if rents.wait_for(SERVER) == 0:
                rents.begin(SERVER)
                begin = time.monotonic()
                time.sleep(0.02)
                asked.append((begin, time.monotonic(), number))
                rents.end(SERVER, 0.05)
            time.sleep(0.055)
        rents.leave(opened.cursor())
