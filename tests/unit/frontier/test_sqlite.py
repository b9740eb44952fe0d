from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from geoscout.frontier import Limits, MemoryFrontier
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.frontier.tables import TableView
from geoscout.sql import SqliteQueries
from geoscout.store.sqlite.database import open_database, read_database
from geoscout_places.model import Request
from tests.unit.frontier.work_until_killed import GROUPS, work

A, B = "http://a.example/", "http://b.example/"
PROJECT = Path(__file__).parents[3]


def test_what_was_committed_is_there_again(tmp_path: Path) -> None:
    connection = open_database(tmp_path, [TABLES])
    frontier = SqliteFrontier(connection)
    frontier.put([Request(A, 2, depth=1, parent=B), Request(A + "2", 1), Request(B)])
    done = frontier.next(0)
    assert done is not None
    frontier.done(done, 0, 0)
    frontier.flush()
    connection.commit()
    connection.close()

    connection = open_database(tmp_path, [TABLES])
    again = SqliteFrontier(connection)
    assert again.put([done, Request(A + "2"), Request(B)]) == 0
    assert [request.url for request in again.peek(9)] == [A + "2", B]
    assert again.counts() == frontier.counts()
    connection.close()


def test_what_was_in_flight_waits_again(tmp_path: Path) -> None:
    connection = open_database(tmp_path, [TABLES])
    frontier = SqliteFrontier(connection)
    frontier.put([Request(A)])
    request = frontier.next(0)
    frontier.flush()
    connection.commit()

    assert SqliteFrontier(connection).next(0) == request
    connection.close()


def test_what_was_not_committed_was_never_there(tmp_path: Path) -> None:
    connection = open_database(tmp_path, [TABLES])
    frontier = SqliteFrontier(connection)
    frontier.put([Request(A)])
    frontier.flush()
    connection.commit()
    frontier.put([Request(B)])
    frontier.flush()
    connection.rollback()

    again = SqliteFrontier(connection)
    assert again.put([Request(A), Request(B)]) == 1
    connection.close()


def test_delays_blocks_retries_and_budgets_survive(tmp_path: Path) -> None:
    connection = open_database(tmp_path, [TABLES])
    limits = Limits(pages_per_host=1)
    frontier = SqliteFrontier(connection, limits)
    hosts = ["spent", "blocked", "retried", "neighbour"]
    frontier.put([Request(f"http://{host}.example/{page}") for host in hosts for page in "12"])
    frontier.block("blocked.example", 50, "robots")
    for host in ("spent.example", "retried.example"):
        request = frontier.next(0)
        assert request is not None
        frontier.bind(host, "192.0.2.1" if host.startswith("s") else "192.0.2.2", 0)
        if host.startswith("s"):
            frontier.done(request, 0, 5)
        else:
            frontier.fail(request, 0, 20, 30)
    frontier.flush()
    connection.commit()

    again = SqliteFrontier(connection, limits)
    assert dict(again.waiting(1).reasons) == {
        "budget": 1,
        "robots": 2,
        "retry": 1,
        "politeness": 1,
        "ready": 2,
    }
    neighbour = again.next(1)
    assert neighbour is not None
    assert not again.bind("neighbour.example", "192.0.2.1", 1)
    connection.close()


def test_counts_can_be_read_beside_the_running_crawl(tmp_path: Path) -> None:
    connection = open_database(tmp_path, [TABLES])
    frontier = SqliteFrontier(connection)
    for _ in zip(range(10), work(frontier), strict=False):
        frontier.flush()
        connection.commit()
    reader = read_database(tmp_path)

    assert TableView(SqliteQueries(reader)).counts(top=5) == frontier.counts(top=5)
    reader.close()
    connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("attempt", range(6))
def test_after_sigkill_the_frontier_is_that_of_a_commit(tmp_path: Path, attempt: int) -> None:
    lines = kill_after(tmp_path, groups=random.Random(attempt).randrange(1, GROUPS - 5))
    reported = int(lines[-1])

    connection = open_database(tmp_path, [TABLES])
    (committed,) = connection.execute("SELECT max(number) FROM done_group").fetchone()
    frontier = SqliteFrontier(connection)
    expected = MemoryFrontier()
    for _ in zip(range(committed), work(expected), strict=False):
        pass
    assert reported <= committed < GROUPS
    for host in (f"host{number}.example" for number in range(200)):
        assert frontier.of_host(host, 10**6) == expected.of_host(host, 10**6)
    assert frontier.counts(10**6) == expected.counts(10**6)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def kill_after(folder: Path, groups: int) -> list[str]:
    """Kill the worker at some moment after that many commits; return the lines it wrote."""
    command = [sys.executable, "-m", "tests.unit.frontier.work_until_killed", str(folder)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        lines = [worker.stdout.readline() for _ in range(groups)]
        worker.send_signal(signal.SIGKILL)
        lines += worker.stdout.read().splitlines()
        assert worker.wait() == -signal.SIGKILL
    return [line for line in lines if line.strip()]


def test_request_that_was_read_before_shows_what_has_changed_since(tmp_path: Path) -> None:
    connection = open_database(tmp_path, [TABLES])
    frontier = SqliteFrontier(connection)
    frontier.put([Request(A, 1, features=b"old")])
    assert [request.features for request in frontier.peek(1)] == [b"old"]

    frontier.put([Request(A, 2, parent=B, features=b"new")])
    request = frontier.next(0)
    assert request == Request(A, 2, parent=B, features=b"new")
    frontier.fail(request, 0, 0, 5)
    again = frontier.next(5)
    assert again is not None
    assert again.tries == 1
    connection.close()
