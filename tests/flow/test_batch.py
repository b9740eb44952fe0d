"""A batch of archives that is killed is continued, and gives what it would have given."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from geoscout.settings import Settings
from tests.unit.batch.archives import packed, page

GEOSCOUT = Path(sys.executable).with_name("geoscout")
PAGES = 300


def start(archives: Path, out: Path, settings: Settings) -> subprocess.Popen[bytes]:
    given = ["geoparse", "--warc", str(archives), "--out", str(out), "--format", "jsonl"]
    environment = {**os.environ, "GEOSCOUT_HOME": settings.home, "GEOSCOUT_EXTRAS": "no"}
    return subprocess.Popen(
        [GEOSCOUT, *given, "--workers", "1"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def contents(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.glob("*.jsonl.gz")}


@pytest.mark.slow
def test_batch_that_is_killed_is_continued(tmp_path, settings, gazetteer):
    archives, killed, whole = (tmp_path / name for name in ("archives", "killed", "whole"))
    archives.mkdir()
    for file in ("a", "b"):
        pages = [page(f"http://{file}.example/{n}") for n in range(PAGES)]
        (archives / f"{file}.warc.gz").write_bytes(packed(*pages))
    run = start(archives, killed, settings)
    deadline = time.monotonic() + 60
    while not list(killed.glob("_batch/b.*.part")) and time.monotonic() < deadline:
        time.sleep(0.01)

    run.send_signal(signal.SIGKILL)
    run.wait()

    assert list(contents(killed)) == ["a.jsonl.gz"]
    first = (killed / "a.jsonl.gz").stat().st_mtime_ns
    assert start(archives, killed, settings).wait(60) == 0
    assert start(archives, whole, settings).wait(60) == 0
    assert contents(killed) == contents(whole)
    assert len(contents(whole)) == 2
    assert (killed / "a.jsonl.gz").stat().st_mtime_ns == first
    assert not list(killed.glob("_batch/*.part"))
