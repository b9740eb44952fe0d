"""How a crawl stands, as the dashboard shows it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from psycopg import Cursor

from geoscout.crawling.options import NOTE, CrawlOptions, NodeOptions, to_note
from geoscout.crawling.status import HarvestCurve
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.frontier.tables import TableView
from geoscout.sql import SqliteQueries
from geoscout.state.base import Beginning, Writing, create_state, open_state
from geoscout.web.dashboard import (
    CrewJson,
    StatusJson,
    read_crew,
    read_frontier,
    read_hosts,
    status_json,
)
from geoscout_cluster.engine.leases import claim
from geoscout_cluster.engine.roster import Identity, say_alive
from geoscout_cluster.postgres.database import connect, read_address
from geoscout_cluster.postgres.state import begin_crawl
from geoscout_places.model import HELD, Request


def status(folder: Path, notes: dict[str, str]) -> StatusJson:
    """Of a crawl that kept these notes and has not begun."""
    create_state(folder, Beginning(notes=notes)).close()
    with open_state(folder) as crawl:
        return status_json(crawl, "name", HarvestCurve())


@pytest.mark.parametrize(
    ("assignment", "shown"), [("none", ""), ("anchor:window=10", "anchor:window=10")]
)
def test_the_collaboration_is_shown(tmp_path, assignment, shown):
    options = CrawlOptions(region=("Lisbon",), nodes=NodeOptions(assignment))

    found = status(tmp_path / "crawl", {NOTE: to_note(options)})

    assert (found.collaboration, found.region) == (shown, ("Lisbon",))


def test_what_keeps_the_index_behind_is_shown(tmp_path):
    create_state(tmp_path / "crawl", Beginning()).close()
    with open_state(tmp_path / "crawl") as crawl:
        assert status_json(crawl, "name", HarvestCurve()).index_trouble == ""
        assert status_json(crawl, "name", HarvestCurve(), "full").index_trouble == "full"


def test_a_crawl_that_kept_no_options_shows_none(tmp_path):
    found = status(tmp_path / "crawl", {})

    assert (found.region, found.strategy, found.collaboration) == ((), "", "")


A, B = "http://a.example/", "http://b.example/"


@pytest.fixture
def connection():
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.executescript(TABLES)
        yield opened


def test_held_requests_do_not_stretch_the_bins_of_priority(connection):
    waiting = [Request(A, 1.0), Request(f"{A}1", 0.0), Request(B, HELD)]
    frontier = SqliteFrontier(connection)
    frontier.put(waiting)
    frontier.flush()

    shown = read_frontier(TableView(SqliteQueries(connection)), best=10)

    assert [request.url for request in shown.best] == [A, f"{A}1"]
    assert (shown.bins[0].low, sum(bin.requests for bin in shown.bins)) == (0.0, 2)


def test_host_with_nothing_but_held_requests_is_held(connection):
    frontier = SqliteFrontier(connection)
    frontier.put([Request(A, 1.0), Request(f"{A}1", HELD), Request(B, HELD)])
    frontier.flush()

    hosts = read_hosts(TableView(SqliteQueries(connection)))

    reasons = {host.host: (host.reason, host.seconds) for host in hosts}
    assert reasons == {"a.example": ("ready", 0.0), "b.example": ("held", None)}


ANN, BOB = "one.example:boot-1/17/9", "two.example:boot-2/18/9"


def begin(where: str, folder: Path, partitions: int) -> None:
    beginning = Beginning(archive=str(folder))
    begin_crawl(read_address(where), beginning, {n: [] for n in range(partitions)}, Writing())


def say_so(cursor: Cursor[Any], name: str, seconds: float) -> None:
    """A worker is alive for this long."""
    say_alive(cursor, Identity(name, name.partition(":")[0], "1.0"), seconds, 30.0, {})


def crew_of(where: Path | str) -> CrewJson:
    with open_state(where) as crawl:
        return read_crew(crawl)


def test_workers_and_partitions_are_shown_without_the_long_names(postgres_address, tmp_path):
    begin(postgres_address, tmp_path, 3)
    with closing(connect(postgres_address)) as connection, connection.cursor() as cursor:
        say_so(cursor, ANN, 5.0)
        say_so(cursor, BOB, -60.0)
        say_so(cursor, "old.example:boot-3/19/9", -3700.0)  # nobody looks for it any more
        claim(cursor, ANN, 0, 10.0)
        claim(cursor, BOB, 1, -60.0)
        cursor.execute("UPDATE partition SET waiting = 7, done = 5 WHERE number = 0")
        cursor.execute("INSERT INTO exchange VALUES (2, 0, 1, ''), (2, 0, 2, '')")
        connection.commit()

    found = crew_of(postgres_address)

    assert "boot" not in str(found)
    workers = [(w.worker, w.alive, w.partitions) for w in found.workers]
    assert sorted(workers) == [("one.example/17", True, 1), ("two.example/18", False, 0)]
    first, second, third = found.partitions
    assert (first.worker, first.state, first.orphaned) == (
        "one.example/17",
        "works",
        False,
    )
    assert (first.waiting, first.done, 8 < first.lease_seconds <= 10) == (7, 5, True)
    assert (second.worker, second.lease_seconds, second.orphaned) == ("", 0.0, True)
    assert (third.state, third.exchange_rows) == ("nobody works on it", 2)


def test_nothing_is_orphaned_when_the_crawl_has_ended(postgres_address, tmp_path):
    begin(postgres_address, tmp_path, 2)
    with closing(connect(postgres_address)) as connection:
        connection.execute("UPDATE partition SET rest = 'empty'")
        connection.commit()

    found = crew_of(postgres_address)

    assert found.ended
    assert [(p.state, p.orphaned) for p in found.partitions] == [("done", False)] * 2


def test_a_crawl_of_one_process_shows_neither(postgres_address, tmp_path):
    nothing = CrewJson(ended=False, workers=[], partitions=[])
    begin(postgres_address, tmp_path / "segments", 1)
    create_state(tmp_path / "folder").close()

    assert crew_of(postgres_address) == nothing
    assert crew_of(tmp_path / "folder") == nothing
