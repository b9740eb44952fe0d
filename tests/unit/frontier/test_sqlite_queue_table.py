"""The table has all changes when it is read or flushed, and no more writes than it needs."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from geoscout.frontier import sqlite_queue_table
from geoscout.frontier.hosts import Head
from geoscout.frontier.sqlite import TABLES
from geoscout.frontier.sqlite_queue_table import QueueTable

FIRST: Head = (float("-inf"), 0)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        opened.executescript(TABLES)
        yield opened


def rows(connection: sqlite3.Connection) -> list[tuple[int, float, int]]:
    return connection.execute("SELECT host, rank, number FROM frontier_queue").fetchall()


@pytest.mark.parametrize("seed", range(20))
def test_any_changes_reach_the_table(
    seed: int, connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_queue_table, "_MOST_WAITING", 40)
    chance, table = random.Random(seed), QueueTable(connection)
    truth: dict[int, dict[int, float]] = {host: {} for host in range(3)}
    for _ in range(400):
        host, number, rank = chance.randrange(3), chance.randrange(20), chance.random()
        queue = truth[host]
        if number not in queue:
            table.insert(host, (rank, number))
            queue[number] = rank
        elif chance.random() < 0.6:
            table.move(host, (queue[number], number), (rank, number))
            queue[number] = rank
        else:
            table.remove(host, (queue.pop(number), number))
        if chance.random() < 0.1:
            asked = chance.randrange(3)
            expected = sorted((rank, number) for number, rank in truth[asked].items())
            assert table.read(asked, FIRST, 7) == expected[:7]
        if chance.random() < 0.02:
            table.flush()
    table.flush()

    assert rows(connection) == sorted(
        (host, rank, number) for host, queue in truth.items() for number, rank in queue.items()
    )


def test_only_the_last_change_before_a_flush_is_written(connection: sqlite3.Connection) -> None:
    table = QueueTable(connection)
    table.insert(1, (-0.5, 1))
    table.insert(1, (-0.5, 2))
    table.flush()
    before = connection.total_changes

    for rank in (-0.4, -0.3, -0.6):
        table.move(1, (-0.5, 1), (rank, 1))
    table.move(1, (-0.5, 2), (-0.7, 2))
    table.move(1, (-0.7, 2), (-0.5, 2))  # where it was
    table.insert(1, (-0.9, 3))
    table.remove(1, (-0.9, 3))  # the table has never had it
    table.flush()

    assert rows(connection) == [(1, -0.6, 1), (1, -0.5, 2)]
    assert connection.total_changes - before == 2
