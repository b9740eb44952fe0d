"""What can be asked of a crawl in a folder can be asked of one by several workers, too."""

import asyncio
import gzip
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from geoscout.cli.main import main
from geoscout.crawling.ending import ENDING, End, unpack_ending
from geoscout.crawling.status import read_status
from geoscout.crawling.steering import ask_for_limit, ask_to_stop, leave_alone
from geoscout.state.base import open_state
from geoscout.web.control.running import SteeredCrawl, standing_json
from geoscout.web.site import ServedCrawl
from geoscout_cluster.engine.roster import Identity, say_alive
from geoscout_cluster.postgres.database import connect
from geoscout_cluster.shared_crawl import SharedCrawl, open_shared
from geoscout_cluster.workers import joined
from geoscout_places.errors import UsageError
from tests.unit.cluster.small_crawl import TERMS, Small
from tests.unit.cluster.small_web import PAGES, URLS

ALONE = "www.site3.example"


@contextmanager
def opened(small: Small) -> Iterator[SharedCrawl]:
    with open_shared(small.where, small.where, small.settings, small.gazetteer) as crawl:
        yield crawl


def state_of(small: Small) -> str:
    with open_state(small.where) as crawl:
        return read_status(crawl).state


def test_hosts_are_left_alone_and_asked_again(small):
    small.begin()
    leave_alone(small.where, [ALONE])
    small.work()
    without = small.urls()
    leave_alone(small.where, [ALONE], alone=False)
    small.work()

    assert not [url for url in without if ALONE in url]
    assert len(without) == len(URLS) - PAGES
    assert small.urls() == dict.fromkeys(URLS, 1)


def test_a_limit_is_changed_while_workers_run_and_kept(small):
    small.begin(max_pages=5)

    async def act() -> None:
        terms = replace(TERMS, until_done=False)
        async with joined(small.where, small.settings, small.gazetteer, terms) as worker:
            running = asyncio.create_task(worker.run())
            await _until(lambda: sum(small.urls().values()) == 5)
            await asyncio.to_thread(ask_for_limit, small.where, 17)
            await _until(lambda: sum(small.urls().values()) == 17)
            worker.stop()
            await running

    asyncio.run(act())
    small.work()

    assert sum(small.urls().values()) == 17
    assert state_of(small) == "limit reached"


async def _until(holds: object, seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not await asyncio.to_thread(holds):  # type: ignore[arg-type]
            await asyncio.sleep(0.05)


def test_those_who_run_are_stopped_from_outside_and_no_others(small):
    small.begin(max_pages=5)

    async def act() -> None:
        terms = replace(TERMS, until_done=False)
        async with joined(small.where, small.settings, small.gazetteer, terms) as worker:
            running = asyncio.create_task(worker.run())
            await _until(lambda: sum(small.urls().values()) == 5)
            await asyncio.to_thread(ask_to_stop, small.where)
            await asyncio.wait_for(running, 30)

    asyncio.run(act())
    stopped = state_of(small)
    ask_for_limit(small.where, None)
    small.work()

    assert stopped == "stopped by you"
    assert state_of(small) == "nothing left"
    assert small.urls() == dict.fromkeys(URLS, 1)


def test_the_page_steers_a_crawl_in_postgresql(small):
    small.begin(max_pages=5)
    small.work()
    served = ServedCrawl("small", small.where, small.gazetteer, small.settings)
    crawl = SteeredCrawl(served)

    assert crawl.limit(more=4) == 9
    assert crawl.leave(ALONE, alone=True) == [ALONE]
    found = standing_json(served, "", with_log=True)
    assert (found.max_pages, found.left_alone, found.visits) == (9, [ALONE], 5)
    assert (found.trouble, found.running) == ("", False)
    assert crawl.command_to_resume() == ["resume", small.where]


def test_patterns_are_changed_unless_workers_run_that_keep_to_others(small):
    small.begin()
    with opened(small) as crawl:
        crawl.narrow(None, [ALONE])
    small.work()
    with connect(small.where) as connection:
        say_alive(connection.cursor(), Identity("ann", "here", "1"), 60.0, 0.0, {})

    assert not [url for url in small.urls() if ALONE in url]
    with opened(small) as crawl, pytest.raises(UsageError, match="stop them first"):
        crawl.narrow([], [])


def test_pages_are_fetched_again_and_watched_and_the_limit_makes_room(small, capsys):
    small.begin()
    small.work()
    home = ["--home", small.settings.home]

    assert main(["resume", small.where, "--revisit-days", "0", *home]) == 0
    assert small.urls() == dict.fromkeys(URLS, 2)
    assert main(["watch", small.where, "--set", "rounds=1", "--budget", "20", *home]) == 0
    assert "18 more that have probably changed" in capsys.readouterr().err
    assert sum(small.urls().values()) == 2 * len(URLS) + 18


def test_workers_end_a_crawl_that_finds_nothing(small, monkeypatch):
    monkeypatch.setattr("geoscout_cluster.worker._TICKS_TO_LOOK", 1)
    monkeypatch.setattr("geoscout.crawling.ending.BEFORE_THE_FIRST", 20)
    small.begin(stop_when_barren=True)
    small.work()

    with open_state(small.where) as crawl:
        ending = unpack_ending(crawl.reader.note(ENDING))
    assert ending is not None
    assert ending.end is End.BARREN
    assert "no relevant page among the last" in ending.detail


def test_workers_wait_for_a_disk_that_is_full(small, tmp_path):
    small.begin()
    fill = """
        CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$;
        CREATE TRIGGER full_disk BEFORE INSERT ON visit EXECUTE FUNCTION no_room()
    """
    with connect(small.where) as connection:
        connection.execute(fill.encode())

    def make_room() -> None:
        time.sleep(1.5)
        with connect(small.where) as connection:
            connection.execute("DROP TRIGGER full_disk ON visit")

    thread = threading.Thread(target=make_room)
    thread.start()
    small.work()
    thread.join()

    assert small.urls() == dict.fromkeys(URLS, 1)


def test_a_host_is_forgotten(small, capsys):
    """Its rows, requests and records go; other pages stay readable, also with a body it had."""
    small.begin()
    small.work()
    words = ["forget", small.where, "site3.example", "--home", small.settings.home]
    with connect(small.where) as connection:  # as if another site had the same page
        query = "SELECT n FROM visit WHERE url ~ %s ORDER BY n LIMIT 1"
        numbers = [connection.execute(query, (site,)).fetchone() for site in (ALONE, "www.site4")]
        theirs, ours = (row[0] for row in numbers if row)
        connection.execute("UPDATE visit SET body_of = %s WHERE n = %s", (theirs, ours))

    assert main([*words, "--dry-run"]) == 0
    assert "would be forgotten: 8 responses (8 pages" in capsys.readouterr().out
    assert main(words) == 0
    assert "forgotten: 8 responses" in capsys.readouterr().out
    with open_state(small.where) as crawl:
        visits = list(crawl.reader.visits())
        bodies = dict(crawl.reader.responses([visit.n for visit in visits]))
    assert len(visits) == len(URLS) - PAGES
    assert not [visit for visit in visits if ALONE in visit.url]
    assert all(response.body for response in bodies.values())
    assert b"Site 3" in bodies[ours].body
    segments = (small.folder / "segments").rglob("*.warc.gz")
    records = b"".join(gzip.decompress(file.read_bytes()) for file in segments)
    assert f"WARC-Target-URI: http://{ALONE}".encode() not in records
    small.work()
    assert sum(small.urls().values()) == len(URLS) - PAGES
