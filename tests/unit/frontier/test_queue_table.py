"""Queues are what was put into them, and reach the table with no more writes than it needs."""

import random
import sqlite3
from contextlib import closing
from itertools import islice

import pytest

from geoscout.frontier import sqlite as frontier_sqlite
from geoscout.frontier.sqlite import TABLES, QueueTable


@pytest.fixture
def connection():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        opened.executescript(TABLES)
        yield opened


def rows(connection: sqlite3.Connection) -> list[tuple[int, float, int]]:
    return connection.execute("SELECT host, rank, number FROM frontier_queue").fetchall()


@pytest.mark.parametrize("seed", range(30))
def test_any_changes_reach_memory_and_table(seed, connection, monkeypatch):
    for name, small in {"_MOST_WAITING": 40, "_LONGEST": 5, "_MOST_FRONTS": 3}.items():
        monkeypatch.setattr(frontier_sqlite, name, small)
    chance, table = random.Random(seed), QueueTable(connection)
    truth: dict[int, dict[int, float]] = {host: {} for host in range(5)}
    for host in (1, 2):
        table.begin(host)
    for _ in range(400):
        host, number = chance.randrange(5), chance.randrange(40)
        rank, queue = chance.choice((-1.0, -0.5, chance.random())), truth[host]
        if number not in queue:
            table.insert(host, (rank, number))
            queue[number] = rank
        elif chance.random() < 0.6:
            table.move(host, (queue[number], number), (rank, number))
            queue[number] = rank
        else:
            table.remove(host, (queue.pop(number), number))
        if chance.random() < 0.02:
            table.flush()
        asked, size = chance.randrange(5), chance.choice((1, 3, 100))
        expected = sorted((rank, number) for number, rank in truth[asked].items())
        assert list(islice(table.heads(asked), size)) == expected[:size]
    table.flush()

    assert rows(connection) == sorted(
        (host, rank, number) for host, queue in truth.items() for number, rank in queue.items()
    )


def test_only_the_last_change_before_a_flush_is_written(connection):
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


def test_what_is_known_is_not_read_again(connection):
    asked: list[str] = []
    connection.executemany("INSERT INTO frontier_queue VALUES (1, 0.5, ?)", [(n,) for n in (1, 2)])
    connection.set_trace_callback(asked.append)
    table = QueueTable(connection)
    table.begin(2)
    table.insert(2, (0.5, 3))
    for _ in range(3):
        assert next(table.heads(1)) == (0.5, 1)
        assert list(table.heads(2)) == [(0.5, 3)]

    assert len(asked) == 1
