from contextlib import closing

import pytest

from geoscout.frontier.base import Limits
from geoscout_cluster.postgres.database import Connection, connect, create_tables, read_address
from geoscout_cluster.postgres.engine import FRONTIER_TABLES, PostgresFrontier, write_changes
from geoscout_places.clock import steady_time
from geoscout_places.model import Request
from tests.contract.conftest import view_of

A, B = "http://a.example/", "http://b.example/"


@pytest.fixture
def connection(postgres_address):
    with closing(connect(postgres_address)) as opened:
        create_tables(opened, read_address(postgres_address), [FRONTIER_TABLES])
        opened.commit()
        yield opened


def commit(connection: Connection, *frontiers: PostgresFrontier) -> None:
    for frontier in frontiers:
        write_changes(connection.cursor(), frontier.cut(), frontier.partition)
    connection.commit()


def reopened(connection: Connection, frontier: PostgresFrontier) -> PostgresFrontier:
    commit(connection, frontier)
    frontier.close()
    return PostgresFrontier(connection)


def take(frontier: PostgresFrontier, now: float = 0.0) -> Request:
    request = frontier.next(now)
    assert request is not None
    return request


def test_a_cut_that_is_written_again_writes_the_same(connection):
    frontier = PostgresFrontier(connection)
    frontier.put([Request(A, 0.5), Request(B, 0.4)])
    commit(connection, frontier)
    frontier.fail(take(frontier), 0.0, 1.0, 60.0)
    frontier.put([Request(A + "1", 0.1)])
    changes = frontier.cut()

    write_changes(connection.cursor(), changes, 0)
    connection.rollback()  # as when the server dies
    frontier.put([Request(B + "1", 0.1)])  # the crawl goes on
    write_changes(connection.cursor(), changes, 0)
    connection.commit()

    again = PostgresFrontier(connection)
    assert again.counts().waiting == 3
    assert take(again, 60.0).tries == 1


def test_partitions_do_not_see_each_other_and_a_view_sees_all(connection):
    north = PostgresFrontier(connection, 1, Limits(pages_per_host=1))
    south = PostgresFrontier(connection, 2, Limits())
    north.put([Request(A, 0.1), Request(A + "1", 0.2)])
    south.put([Request(B, 0.9), Request(B + "1", 0.1)])
    north.done(take(north), 0.0, 3.0)
    south.done(take(south), 0.0, 3.0)
    commit(connection, north, south)

    assert PostgresFrontier(connection, 1).put([Request(A), Request(B)]) == 1
    view = view_of(connection)
    counts = view.counts()
    assert (counts.waiting, counts.done, counts.hosts) == (2, 2, 2)
    assert [request.url for request in view.best(9)] == [A, B + "1"]
    spent = {host.host: host.is_spent for host in view.hosts(9)}
    assert spent == {"a.example": True, "b.example": False}


def test_updates_change_no_index(connection):
    frontier = PostgresFrontier(connection)
    frontier.put(
        [Request(f"http://h{n % 50}.example/{n}", n * 37 % 1000 / 1000) for n in range(1000)]
    )
    commit(connection, frontier)
    frontier.reprioritise([(r, r.priority / 2) for r in frontier.peek(100)])
    commit(connection, frontier)

    connection.execute("SELECT pg_stat_force_next_flush()")
    connection.commit()
    row = connection.execute(
        "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables"
        " WHERE relname = 'frontier_request' AND schemaname = current_schema()"
    ).fetchone()
    assert row is not None
    assert row[0] == row[1] > 0


def test_after_a_crash_every_host_is_given_its_pause(connection):
    frontier = PostgresFrontier(connection)
    frontier.put([Request(A, 0.9), Request(A + "1", 0.8), Request(B, 0.1)])
    taken = take(frontier)
    frontier.bind("a.example", "192.0.2.1", 0.0)
    frontier.done(taken, 0.0, 5.0)
    frontier = reopened(connection, frontier)

    frontier.rest_all(100.0, {"a.example": 1.0, "b.example": 1.0}.__getitem__)

    assert frontier.next(100.9) is None
    assert take(frontier, 101.0).url == B
    assert frontier.next(104.9) is None
    assert take(frontier, 105.0).url == A + "1"


def test_times_go_from_machine_to_machine_though_their_clocks_differ(connection):
    now = steady_time()
    early = PostgresFrontier(connection, now=lambda: steady_time() + 3600)
    early.put([Request(A), Request(f"{B}1"), Request(f"{B}2")])
    early.fail(take(early, now + 3600), now + 3600, 1.0, now + 3660)
    early.done(take(early, now + 3600), now + 3600, 30.0)
    commit(connection, early)

    again = PostgresFrontier(connection)
    waits = {host.host: host.waits_for(now)[1] - now for host in view_of(connection).hosts(2)}

    assert again.next(now + 20) is None
    assert take(again, now + 40).url == f"{B}2"
    assert take(again, now + 70).url == A
    assert waits == {"b.example": pytest.approx(30, abs=5), "a.example": pytest.approx(60, abs=5)}
