"""Kills a crawl at random moments: nothing committed is lost, nothing half-written is left."""

import random
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path

import pytest

from geoscout.store.archive import archive_file
from geoscout.warc import scan
from tests.conftest import PROJECT
from tests.stores import Store
from tests.unit.store.crawl_until_killed import WAITING, made_up

KILLS = 15


def crawl_and_kill(folder: Path, seconds: float) -> int:
    """Run the crawl, kill it `seconds` after its first commit; the number it knew to be safe."""
    command = [sys.executable, "-m", "tests.unit.store.crawl_until_killed", str(folder)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        lines = [first, *process.stdout]
    return int([line for line in lines if line.endswith("\n")][-1])


def check(folder: Path, safe: int) -> None:
    with Store(folder, tables=[WAITING]) as store:
        numbers = [visit.n for visit in store.visits()]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= safe
        waiting = store.database.execute("SELECT n FROM waiting ORDER BY n")
        assert [n for (n,) in waiting] == numbers
        for n in numbers[-200:]:
            assert store.response(n).body == made_up(n).response.body
        archives = store.database.execute("SELECT file, size FROM archive").fetchall()
    sizes = {archive_file(folder / "archive", file): size for file, size in archives}
    assert set(sizes) == set((folder / "archive").glob("*.warc.gz"))
    for path, size in sizes.items():
        assert path.stat().st_size == size
        last = list(scan(path))[-1]
        assert last.offset + last.length == size


@pytest.mark.slow
def test_a_crawl_killed_at_any_moment_keeps_what_it_committed_and_no_more(tmp_path):
    chance = random.Random(5)
    for _ in range(KILLS):
        safe = crawl_and_kill(tmp_path, chance.random() * 0.15)
        check(tmp_path, safe)


@pytest.mark.slow
def test_other_programs_accept_the_archive_of_a_killed_crawl(tmp_path):
    checker = pytest.importorskip("warcio.checker")
    for seconds in (0.0, 0.05, 0.1):
        crawl_and_kill(tmp_path, seconds)
    Store(tmp_path).close()

    paths = [str(path) for path in (tmp_path / "archive").glob("*.warc.gz")]
    assert checker.Checker(Namespace(inputs=paths, verbose=False)).process_all() == 0
