"""Workers as processes; what becomes of them under harm is in `test_history.py`."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from geoscout.settings import Settings
from geoscout.state.base import open_state
from tests.postgres import DATABASE
from tests.unit.cluster.small_web import SEED, URLS, write_web

pytestmark = pytest.mark.slow


def command(settings: Settings, *words: str, on: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "GEOSCOUT_ON": on, "GEOSCOUT_HOME": settings.home}
    return subprocess.run(
        [sys.executable, "-m", "geoscout", *words],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def geoscout(where: str, settings: Settings, *words: str) -> subprocess.CompletedProcess[str]:
    return command(settings, "cluster", *words, on=where)


def begin(where: str, settings: Settings, folder: Path, *more: str) -> str:
    archive = write_web(folder / "web.warc.gz")
    made = command(
        settings, "crawl", "--region", "Lisbon", "--seeds", SEED, "--replay", str(archive),
        "--strategy", "breadth", "--on", where, "--archive", str(folder / "pages"),
        "--partitions", "4", *more,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return made.stdout


def visited(where: str) -> Counter[str]:
    with open_state(where) as crawl:
        return Counter(visit.url for visit in crawl.reader.visits())


def test_a_crawl_that_was_limited_is_resumed_by_one_worker(postgres_address, tmp_path, settings):
    limited = json.loads(begin(postgres_address, settings, tmp_path, "--max-pages", "20", "--json"))
    first = visited(postgres_address)
    resumed = command(settings, "resume", postgres_address, "--max-pages", "1000", "--json")

    assert sum(first.values()) == 20
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["visits"] == len(URLS)
    assert limited["state"] == "limit reached"
    assert json.loads(resumed.stdout)["state"] == "nothing left"
    assert "next: geoscout search" in resumed.stderr
    assert visited(postgres_address) == dict.fromkeys(URLS, 1)


def test_several_workers_are_started_and_shown(postgres_address, tmp_path, settings):
    begin(postgres_address, settings, tmp_path, "--no-work")
    before = geoscout(postgres_address, settings, "status")
    started = geoscout(postgres_address, settings, "start", "--workers", "2")
    after = geoscout(postgres_address, settings, "status", "--json")
    stopped = geoscout(postgres_address, settings, "stop")

    assert (before.returncode, started.returncode, after.returncode) == (1, 0, 0), started.stderr
    assert "nobody works on it" in before.stdout
    shown = json.loads(after.stdout)
    assert (shown["ended"], shown["workers"]) == (True, [])
    assert {row["worker"] for row in shown["partitions"]} == {""}
    assert sum(row["done"] for row in shown["partitions"]) == len(URLS)
    assert visited(postgres_address) == dict.fromkeys(URLS, 1)
    assert stopped.stdout == "0 workers were asked to stop\n"


def test_a_wrong_address_is_one_line(postgres, settings):
    where = postgres.address(DATABASE, "nowhere")
    shown = geoscout(where, settings, "work")
    without = geoscout("", settings, "status")

    assert (shown.returncode, shown.stderr.count("\n")) == (2, 1)
    assert "there is no crawl at" in shown.stderr
    assert "--on postgresql://host/database is missing" in without.stderr
