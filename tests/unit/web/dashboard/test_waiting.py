"""What waits, as the dashboard shows it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.frontier.view import TableView
from geoscout.sql import SqliteQueries
from geoscout.web.dashboard.waiting import read_frontier, read_hosts
from geoscout_places.model import HELD, Request

A, B = "http://a.example/", "http://b.example/"


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.executescript(TABLES)
        yield opened


def test_held_requests_do_not_stretch_the_bins_of_priority(connection: sqlite3.Connection) -> None:
    waiting = [Request(A, 1.0), Request(f"{A}1", 0.0), Request(B, HELD)]
    frontier = SqliteFrontier(connection)
    frontier.put(waiting)
    frontier.flush()

    shown = read_frontier(TableView(SqliteQueries(connection)), best=10)

    assert [request["url"] for request in shown["best"]] == [A, f"{A}1"]
    assert (shown["bins"][0]["low"], sum(bin["requests"] for bin in shown["bins"])) == (0.0, 2)


def test_host_with_nothing_but_held_requests_is_held(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection)
    frontier.put([Request(A, 1.0), Request(f"{A}1", HELD), Request(B, HELD)])
    frontier.flush()

    hosts = read_hosts(TableView(SqliteQueries(connection)))

    reasons = {host["host"]: (host["reason"], host["seconds"]) for host in hosts}
    assert reasons == {"a.example": ("ready", 0.0), "b.example": ("held", None)}
