"""Workers as processes, killed and stopped; the large trial is `make chaos`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from geoscout.settings import Settings
from geoscout.store.postgres.server import LocalServer
from tests.flow.cluster_chaos import ChaosCrawl, Terms
from tests.postgres import DATABASE, running_server
from tests.unit.cluster.small_web import SEED, URLS, write_web

pytestmark = pytest.mark.slow


@pytest.fixture
def own_server() -> Iterator[LocalServer]:
    """A server that may be killed: nobody else uses it."""
    with running_server() as server:
        yield server


def crawl(server: LocalServer, folder: Path, name: str, **terms: float) -> ChaosCrawl:
    archive = write_web(folder / "web.warc.gz")
    chosen = Terms(archive, [SEED], "Lisbon", 4, **terms)  # type: ignore[arg-type]
    return ChaosCrawl(server, server.address(DATABASE, name), folder, chosen)


def test_nothing_is_lost_or_stored_twice_whoever_dies(
    own_server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    chaos = crawl(own_server, tmp_path, "chaos", workers=2, lease_seconds=3.0, pause=0.25)
    try:
        chaos.begin()
        chaos.run([chaos.kill_worker, chaos.kill_server, chaos.stop_worker], every=1.0)
    finally:
        chaos.close()

    assert chaos.urls() == dict.fromkeys(URLS, 1)
    assert chaos.fetches_by_replaced_owners() == []


def geoscout(where: str, settings: Settings, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "geoscout", "cluster", "--home", settings.home, *words]
    environment = {**os.environ, "GEOSCOUT_ON": where}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def test_several_workers_are_started_and_shown(
    postgres: LocalServer, postgres_address: str, tmp_path: Path, settings: Settings
) -> None:
    begun = crawl(postgres, tmp_path, "unused", workers=0)
    begun.where = postgres_address
    begun.begin()
    before = geoscout(postgres_address, settings, "status")
    started = geoscout(postgres_address, settings, "start", "--workers", "2")
    after = geoscout(postgres_address, settings, "status", "--json")
    stopped = geoscout(postgres_address, settings, "stop")

    assert (before.returncode, started.returncode, after.returncode) == (1, 0, 0), started.stderr
    assert "nobody works on it" in before.stdout
    shown = json.loads(after.stdout)
    assert (shown["ended"], shown["workers"]) == (True, [])
    assert sum(row["done"] for row in shown["partitions"]) == len(URLS)
    assert begun.urls() == dict.fromkeys(URLS, 1)
    assert stopped.stdout == "0 workers were asked to stop\n"


def test_a_wrong_address_is_one_line(postgres: LocalServer, settings: Settings) -> None:
    where = postgres.address(DATABASE, "nowhere")
    shown = geoscout(where, settings, "work")
    without = geoscout("", settings, "status")

    assert (shown.returncode, shown.stderr.count("\n")) == (2, 1)
    assert "there is no crawl at" in shown.stderr
    assert "--on postgresql://host/database is missing" in without.stderr
