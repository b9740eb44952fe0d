"""A crawl is dumped and restored, and both go on with one archive."""

import subprocess
from dataclasses import replace

import psycopg
import pytest

from geoscout.crawling.steering import ask_for_limit
from geoscout.state.base import open_state
from geoscout_cluster.postgres.database import read_address
from geoscout_cluster.postgres.server import LocalServer
from tests.postgres import DATABASE
from tests.unit.cluster.small_crawl import Small
from tests.unit.cluster.small_web import URLS

pytestmark = pytest.mark.slow


def run(server: LocalServer, program: str, *words: str) -> None:
    subprocess.run([server._programs / program, *words], check=True, timeout=60)


def bodies(where: str) -> int:
    """How many responses can be read from the archive."""
    with open_state(where) as crawl:
        visits = [visit.n for visit in crawl.reader.visits()]
        return sum(bool(response.body) for _, response in crawl.reader.responses(visits))


def test_a_dump_and_the_segments_are_a_crawl_that_goes_on(
    postgres, postgres_address, tmp_path, settings, gazetteer
):
    small = Small(postgres_address, tmp_path, settings, gazetteer)
    small.begin(max_pages=30)
    small.work()
    address = read_address(postgres_address)
    dump = tmp_path / "crawl.dump"
    run(postgres, "pg_dump", "-Fc", "-n", address.schema, "-f", str(dump), address.database)
    with psycopg.connect(address.database, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS restored")
        connection.execute("CREATE DATABASE restored")
    there = postgres_address.replace(f"/{DATABASE}/", "/restored/")
    run(postgres, "pg_restore", "-d", read_address(there).database, str(dump))
    # The two share the archive, and count groups from the same numbers on.
    ask_for_limit(postgres_address, 60)
    small.work()
    ask_for_limit(there, 1000)
    restored = replace(small, where=there)
    restored.work()
    ask_for_limit(postgres_address, 1000)
    small.work()

    assert small.urls() == restored.urls() == dict.fromkeys(URLS, 1)
    assert (bodies(there), bodies(postgres_address)) == (len(URLS), len(URLS))
