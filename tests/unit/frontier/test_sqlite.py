import os
import subprocess
import sys
from contextlib import closing

import pytest

from geoscout.frontier.base import Limits
from geoscout.frontier.sqlite import TABLES, SqliteFrontier, keep_clocks, translate_times
from geoscout.frontier.tables import TableView
from geoscout.sql import SqliteQueries
from geoscout.store.sqlite.database import open_database
from geoscout_places.clock import Clocks
from geoscout_places.model import Request

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


def test_delays_blocks_retries_and_budgets_survive(tmp_path):
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


def test_request_that_was_read_before_shows_what_has_changed_since(tmp_path):
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


@pytest.mark.parametrize("set_by", [-3600.0, 3600.0])
def test_rests_last_as_long_after_the_clock_was_set(tmp_path, set_by):
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


_NAMING = """
import random, sys
from pathlib import Path
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.store.sqlite.database import open_database
from geoscout_places.model import Request
connection = open_database(Path(sys.argv[1]), [TABLES])
frontier, chance = SqliteFrontier(connection), random.Random(1)
for start in range(0, 700_000, 400):
    urls = (f"http://host{n % 1000}.example/about-{n}.html" for n in range(start, start + 400))
    frontier.put([Request(url, chance.random()) for url in urls])
    if start % 20_000 == 0:
        frontier.flush()
        connection.commit()
    if start in (400_000, 699_600):
        print(Path("/proc/self/statm").read_text().split()[1], flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc")
def test_a_url_that_is_named_takes_little_memory(tmp_path):
    """After caches are full; so five million stay within what docs/why/speed.md says."""
    done = subprocess.run(
        [sys.executable, "-c", _NAMING, str(tmp_path)], stdout=subprocess.PIPE, check=True
    )
    before, after = (int(pages) * os.sysconf("SC_PAGE_SIZE") for pages in done.stdout.split())

    assert (after - before) / 300_000 < 70  # bytes; later it is about 35
