"""A crawl whose PostgreSQL is killed, full, or lacks a right: it waits, or ends with one line."""

import asyncio
import logging
import threading
import time
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.crawling.run import start_crawl
from geoscout.state.base import Beginning, Writing, holds_crawl, open_state
from geoscout_cluster.postgres.database import connect, read_address
from geoscout_cluster.postgres.state import PostgresState, begin_crawl, take_partition
from geoscout_places.model import Request
from tests.flow.test_postgres import PAGES, SEED, archive, url
from tests.postgres import DATABASE, running_server

__all__ = ["archive"]  # a fixture
FULL = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON visit EXECUTE FUNCTION no_room()
"""


@pytest.fixture
def server():
    """A server of its own, which may be killed."""
    with running_server() as running:
        yield running


def begin(archive: Path, *more: str) -> list[str]:
    return ["crawl", "--region", "Oldenburg", "--seeds", SEED, "--replay", str(archive), *more]


@pytest.mark.slow
def test_a_crawl_waits_for_a_server_that_was_killed(archive, tmp_path, server, caplog):
    where = server.address(DATABASE, "crawl")
    caplog.set_level(logging.INFO)
    with start_crawl(
        where, seeds=[SEED], region="Oldenburg", replay=(str(archive),), strategy="breadth",
        archive=str(tmp_path / "segments"),
    ) as crawl:  # fmt: skip
        running = threading.Thread(target=crawl.run)
        running.start()
        while crawl._crawl is None or crawl._crawl.progress.visits < 20:
            time.sleep(0.001)
        server.kill()
        time.sleep(1.0)
        still_running = running.is_alive()
        server.start()
        running.join(60)
    with open_state(where) as view:
        visits = [visit.url for visit in view.reader.visits()]

    assert still_running
    assert sorted(visits) == sorted(url(number) for number in range(PAGES))
    said = [record.message for record in caplog.records if "postgres" in record.name]
    assert any("the crawl waits for it" in line for line in said)
    assert any("answers again" in line for line in said)


@pytest.mark.slow
def test_nothing_is_given_out_past_the_lease_while_the_server_is_away(tmp_path, server):
    address = read_address(server.address(DATABASE, "crawl"))
    requests = [Request(f"http://host{number}.example/", 1.0) for number in range(2000)]
    beginning = Beginning(archive=str(tmp_path / "segments"))
    begin_crawl(address, beginning, {0: requests}, Writing())
    state = PostgresState(address, take_partition(address, 0, seconds=3.0), Writing())
    killed_at = time.monotonic()
    server.kill()
    while state.frontier.next(0.0) is not None:
        time.sleep(0.01)
    stopped_after = time.monotonic() - killed_at
    time.sleep(1.5)
    none = state.frontier.next(0.0)
    server.start()
    give_up_at = time.monotonic() + 20
    while (again := state.frontier.next(0.0)) is None and time.monotonic() < give_up_at:
        time.sleep(0.05)
    asyncio.run(state.commit())
    state.close()

    assert stopped_after <= 2.1
    assert none is None
    assert again is not None  # with the same epoch: nobody could claim it


def test_a_full_disk_ends_the_crawl_with_one_line_and_it_can_be_resumed(
    archive, tmp_path, postgres_address, capsys
):
    place = ["--on", postgres_address, "--archive", str(tmp_path / "segments")]
    main(begin(archive, *place, "--max-pages", "50", "--strategy", "breadth"))
    with connect(postgres_address) as connection:
        connection.execute(FULL.encode())
    capsys.readouterr()
    impatient = ["--set", "disk_megabytes=0"]  # else it waits for room
    full = main(["resume", postgres_address, "--max-pages", "1000", *impatient])
    said = capsys.readouterr().err
    with connect(postgres_address) as connection:
        connection.execute("DROP TRIGGER full_disk ON visit")
    resumed = main(["resume", postgres_address, "--max-pages", "1000"])
    with open_state(postgres_address) as view:
        visits = [visit.url for visit in view.reader.visits()]

    assert (full, resumed) == (2, 0)
    assert len([line for line in said.splitlines() if "no room left" in line]) == 1
    assert "Traceback" not in said
    assert sorted(visits) == sorted(url(number) for number in range(PAGES))


def test_who_may_only_read_can_look_and_not_crawl(archive, tmp_path, postgres_address, capsys):
    place = ["--on", postgres_address, "--archive", str(tmp_path / "segments")]
    main(begin(archive, *place, "--max-pages", "9"))
    schema = read_address(postgres_address).schema
    with connect(postgres_address) as connection:
        connection.execute("DROP ROLE IF EXISTS looker")
        connection.execute(f'CREATE ROLE looker LOGIN; GRANT USAGE ON SCHEMA "{schema}" TO looker')
        connection.execute(f'GRANT SELECT ON ALL TABLES IN SCHEMA "{schema}" TO looker')
    looking = postgres_address.replace("postgres@", "looker@")
    capsys.readouterr()
    looked = [
        main(["status", looking, "--json"]),
        main(["export", looking, "--what", "visits", "--format", "jsonl"]),
        main(["search", looking, "bakery", "--json"]),
        main(["explain", looking, SEED]),
    ]
    refused = [
        main(["resume", looking]),
        main(begin(archive, "--on", f"{looking}-more", "--archive", str(tmp_path / "segments"))),
    ]
    said = capsys.readouterr().err
    with connect(postgres_address) as connection:
        connection.execute("DROP OWNED BY looker; DROP ROLE looker")

    assert (looked, refused) == ([0, 0, 0, 0], [2, 2])
    assert said.count("this user lacks a right in the database") == 2


def test_an_archive_that_cannot_be_written_to_is_refused_before_anything_is_made(
    archive, tmp_path, postgres_address, capsys
):
    (tmp_path / "file").write_bytes(b"")
    status = main(begin(archive, "--on", postgres_address, "--archive", str(tmp_path / "file")))
    said = capsys.readouterr().err

    assert (status, holds_crawl(postgres_address)) == (2, False)
    assert "cannot write to the archive" in said
    assert "Traceback" not in said
