"""One writer for a partition: leases, their ends, and what is left of a dead owner."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import psycopg
import pytest

from geoscout_cluster.postgres.database import Connection, connect, create_tables, read_address
from geoscout_cluster.postgres.leases import (
    Lease,
    LeaseClock,
    claim,
    end_lease_of_the_dead,
    holder_of,
    is_dead,
    release,
    renew,
    this_process,
)
from geoscout_cluster.postgres.tables import TABLES


@pytest.fixture
def connection(postgres_address: str) -> Iterator[Connection]:
    with connect(postgres_address) as opened:
        create_tables(opened, read_address(postgres_address), [TABLES])
        opened.execute("INSERT INTO partition (number) SELECT generate_series(0, 2)")
        opened.commit()
        yield opened


@pytest.fixture
def cursor(connection: Connection) -> psycopg.Cursor[tuple[object, ...]]:
    return connection.cursor()


def test_a_partition_has_one_owner_at_a_time(cursor: psycopg.Cursor) -> None:
    first = claim(cursor, "ann", 1)
    second = claim(cursor, "ben", 1)

    assert (first, second) == (Lease(1, 1, 0, was_clean=True), None)


def test_any_free_partition_can_be_claimed(cursor: psycopg.Cursor) -> None:
    leases = [claim(cursor, "ann") for _ in range(4)]

    assert [lease.partition for lease in leases if lease] == [0, 1, 2]
    assert leases[3] is None


def test_two_who_claim_at_once_get_different_partitions(
    connection: Connection, postgres_address: str
) -> None:
    with connect(postgres_address) as other:
        first = claim(connection.cursor(), "ann")  # not yet committed
        second = claim(other.cursor(), "ben")

    assert first is not None
    assert second is not None
    assert first.partition != second.partition


def test_a_lease_that_has_ended_goes_to_the_next_with_a_new_epoch(cursor: psycopg.Cursor) -> None:
    claim(cursor, "ann", 1, seconds=0.0)
    taken = claim(cursor, "ben", 1)

    assert taken == Lease(1, 2, 0, was_clean=False)


def test_an_owner_that_was_replaced_can_neither_renew_nor_release(cursor: psycopg.Cursor) -> None:
    old = claim(cursor, "ann", 1, seconds=0.0)
    new = claim(cursor, "ben", 1)
    assert old is not None
    assert new is not None
    renewed = renew(cursor, old), renew(cursor, new)
    release(cursor, old, clean=True)
    holder = holder_of(cursor, 1)

    assert renewed == (False, True)
    assert holder is not None
    assert (holder.owner, holder.until > datetime.now(UTC)) == ("ben", True)


def test_a_partition_that_was_released_can_be_claimed_at_once(cursor: psycopg.Cursor) -> None:
    lease = claim(cursor, "ann", 1)
    assert lease is not None
    release(cursor, lease, clean=True)

    assert claim(cursor, "ben", 1) == Lease(1, 2, 0, was_clean=True)


def test_a_dead_owner_of_this_machine_is_known(cursor: psycopg.Cursor) -> None:
    script = "from geoscout_cluster.postgres.leases import this_process; print(this_process())"
    said = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    gone = said.stdout.decode().strip()
    claim(cursor, gone, 1)
    held = holder_of(cursor, 1)
    assert held is not None
    ended = end_lease_of_the_dead(cursor, 1, held)

    assert [is_dead(owner) for owner in (gone, this_process(), "elsewhere:1/2/3", "")] == [
        True, False, False, False,
    ]  # fmt: skip
    assert ended
    assert claim(cursor, "ben", 1) is not None


def test_the_lease_of_a_living_owner_is_left_alone(cursor: psycopg.Cursor) -> None:
    claim(cursor, this_process(), 1)
    held = holder_of(cursor, 1)
    assert held is not None

    assert not end_lease_of_the_dead(cursor, 1, held)
    assert claim(cursor, "ben", 1) is None
    assert holder_of(cursor, 99) is None


def test_the_owner_stops_before_the_lease_ends() -> None:
    lease = Lease(0, 1, 0, was_clean=True, seconds=10.0)
    now = time.monotonic()
    clock = LeaseClock(lease, now)
    before = clock.left()
    clock.extend(now - 20)  # an answer that comes late makes nothing shorter
    late = LeaseClock(lease, now - 9.5)

    assert 8 < before <= 9
    assert 8 < clock.left() <= 9
    assert late.left() < 0


def test_a_process_of_a_container_with_the_same_name_is_not_taken_for_dead() -> None:
    machine, _, _ = this_process().partition("/")
    name, namespace = machine.rsplit(":", 1)
    elsewhere = f"{name}:{int(namespace) + 1}/1/1"

    assert is_dead(f"{machine}/1/1")  # here, no process 1 began then
    assert not is_dead(elsewhere)
