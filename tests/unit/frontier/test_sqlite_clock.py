from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from geoscout.frontier.sqlite import TABLES, SqliteFrontier, keep_clocks, translate_times
from geoscout.frontier.tables import TableView
from geoscout.sql import SqliteQueries
from geoscout.store.sqlite.database import open_database
from geoscout_places.clock import Clocks
from geoscout_places.model import Request

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


@pytest.mark.parametrize("set_by", [-3600.0, 3600.0])
def test_rests_last_as_long_after_the_clock_was_set(tmp_path: Path, set_by: float) -> None:
    with closing(open_database(tmp_path, [TABLES])) as connection:
        frontier = SqliteFrontier(connection)
        frontier.put([Request(A), Request(f"{B}1"), Request(f"{B}2"), Request(C)])
        frontier.block("c.example", 10_090.0, "robots-unreachable")
        for end in ("later", "done"):
            request = frontier.next(10_000.0)
            assert request is not None
            if end == "later":
                frontier.fail(request, 10_000.0, 1.0, 10_060.0)
            else:
                frontier.done(request, 10_000.0, 30.0)
        frontier.flush()
        keep_clocks(connection, Clocks(10_000.0, 10_000.0 + set_by))
        shown = TableView(SqliteQueries(connection)).hosts(3)

        now = 10_000.0 + set_by  # the next process begins at once
        translate_times(connection, Clocks(now, now))
        again = SqliteFrontier(connection)
        found = []
        for second in range(100):
            if request := again.next(now + second):
                again.done(request, now + second, 1.0)
                found.append((second, request.url))

    assert found == [(30, f"{B}2"), (60, A), (90, C)]
    waits = {host.host: host.waits_for(now)[1] - now for host in shown}
    assert waits == {"a.example": 60.0, "b.example": 30.0, "c.example": 90.0}
