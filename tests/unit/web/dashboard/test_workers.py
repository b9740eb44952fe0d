"""Who works on a crawl, as the dashboard shows it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from psycopg import Cursor

from geoscout.state.base import Beginning, Writing, create_state, open_state
from geoscout.web.dashboard.workers import CrewJson, read_crew
from geoscout_cluster.postgres.database import connect, read_address
from geoscout_cluster.postgres.leases import claim
from geoscout_cluster.postgres.state import begin_crawl
from geoscout_cluster.roster import Identity, say_alive

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


def test_workers_and_partitions_are_shown_without_the_long_names(
    postgres_address: str, tmp_path: Path
) -> None:
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
    workers = [(w["worker"], w["alive"], w["partitions"]) for w in found["workers"]]
    assert sorted(workers) == [("one.example/17", True, 1), ("two.example/18", False, 0)]
    first, second, third = found["partitions"]
    assert (first["worker"], first["state"], first["orphaned"]) == (
        "one.example/17",
        "works",
        False,
    )
    assert (first["waiting"], first["done"], 8 < first["lease_seconds"] <= 10) == (7, 5, True)
    assert (second["worker"], second["lease_seconds"], second["orphaned"]) == ("", 0.0, True)
    assert (third["state"], third["exchange_rows"]) == ("nobody works on it", 2)


def test_nothing_is_orphaned_when_the_crawl_has_ended(
    postgres_address: str, tmp_path: Path
) -> None:
    begin(postgres_address, tmp_path, 2)
    with closing(connect(postgres_address)) as connection:
        connection.execute("UPDATE partition SET rest = 'empty'")
        connection.commit()

    found = crew_of(postgres_address)

    assert found["ended"]
    assert [(p["state"], p["orphaned"]) for p in found["partitions"]] == [("done", False)] * 2


def test_a_crawl_of_one_process_shows_neither(postgres_address: str, tmp_path: Path) -> None:
    nothing = {"ended": False, "workers": [], "partitions": []}
    begin(postgres_address, tmp_path / "segments", 1)
    create_state(tmp_path / "folder").close()

    assert crew_of(postgres_address) == nothing
    assert crew_of(tmp_path / "folder") == nothing
