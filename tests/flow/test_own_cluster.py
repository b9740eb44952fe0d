"""One command on one machine: several workers and a PostgreSQL of their own, in a folder."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout_cluster.postgres import server
from geoscout_cluster.postgres.own_state import leave_server
from geoscout_places.extras import install_command
from tests.unit.cluster.small_web import SEED, URLS, write_web

HALF = 40  # pages
_LONGEST_SECONDS = 120.0


@dataclass(frozen=True)
class Folder:
    """The folder of a crawl, and commands on it as processes of their own."""

    path: Path
    archive: Path
    home: str

    def start(self, *more: str) -> list[str]:
        command = [sys.executable, "-m", "geoscout", "cluster", "--home", self.home, "start"]
        place = ["--out", str(self.path)]
        return [*command, *place, "--workers", "2", "--set", "lease_seconds=3", *more]

    def begin(self, *more: str) -> list[str]:
        aim = ["--region", "Lisbon", "--seeds", SEED, "--replay", str(self.archive)]
        return self.start(*aim, "--strategy", "breadth", "--partitions", "4", *more)

    def told(self, capsys: pytest.CaptureFixture[str], *words: str) -> str:
        """What a command prints about the folder."""
        assert main([words[0], str(self.path), *words[1:], "--home", self.home]) == 0
        return capsys.readouterr().out

    def is_served(self) -> bool:
        return (self.path / "postgres" / "data" / "postmaster.pid").exists()


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=_LONGEST_SECONDS
    )


def _wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + _LONGEST_SECONDS
    while not is_so() and time.monotonic() < until:
        time.sleep(0.05)


def _serve_and_end(folder: Folder) -> int:
    """The exit status of `serve` after SIGTERM."""
    words = ["serve", str(folder.path), "--port", "0", "--home", folder.home]
    command = [sys.executable, "-m", "geoscout", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "http://127.0.0.1" in process.stderr.readline()
        try:
            assert folder.is_served()
            process.terminate()
            return process.wait(_LONGEST_SECONDS)
        finally:
            process.kill()  # else the test would wait for it without end


@pytest.fixture
def folder(at_home):
    """One that the user `nobody` may enter: PostgreSQL does not run as root."""
    parent = Path(tempfile.mkdtemp(prefix="geoscout-own-"))
    parent.chmod(0o755)
    archive = write_web(parent / "web.warc.gz")
    yield Folder(parent / "crawl", archive, at_home.home)
    shutil.rmtree(parent, ignore_errors=True)


@pytest.mark.slow
def test_one_command_crawls_and_all_commands_take_its_folder(folder, capsys):
    half = _run(folder.begin("--max-pages", str(HALF), "--json"))
    other = folder.path.rename(folder.path.with_name("moved"))  # its archive is found there too
    whole = Folder(other, folder.archive, folder.home)
    rest = _run(whole.start("--max-pages", "1000"))
    status = json.loads(whole.told(capsys, "status", "--json"))
    exported = whole.told(capsys, "export", "--what", "visits", "--format", "jsonl").splitlines()
    found = json.loads(whole.told(capsys, "search", "site", "--json"))
    explained = whole.told(capsys, "explain", SEED)
    leave_server(other)
    served = _serve_and_end(whole)

    assert served == 128 + signal.SIGTERM
    assert "partition" not in half.stderr
    assert json.loads(half.stdout)["visits"] == HALF
    assert "the crawl has ended" in half.stderr
    assert f"geoscout serve {other}" in rest.stderr
    assert (status["visits"], status["frontier"]) == (len(URLS), 0)
    assert Counter(json.loads(line)["url"] for line in exported) == dict.fromkeys(URLS, 1)
    assert found["total"] == len(URLS)
    assert SEED in explained
    assert not whole.is_served()


@pytest.mark.slow
@pytest.mark.long
def test_a_start_that_was_killed_is_continued(folder, capsys):
    with subprocess.Popen(folder.begin(), stderr=subprocess.DEVNULL) as killed:
        _wait_until(lambda: any((folder.path / "archive").rglob("*.warc.gz")))
        pid_file = folder.path / "postgres" / "data" / "postmaster.pid"
        os.kill(int(pid_file.read_text().splitlines()[0]), signal.SIGKILL)
        killed.kill()
    resume = [sys.executable, "-m", "geoscout", "resume", str(folder.path), "--home", folder.home]
    _run(resume)
    status = json.loads(folder.told(capsys, "status", "--json"))
    exported = folder.told(capsys, "export", "--what", "visits", "--format", "jsonl").splitlines()
    leave_server(folder.path)
    _wait_until(lambda: not folder.is_served())  # workers of the first may still end

    assert status["frontier"] == 0
    assert Counter(json.loads(line)["url"] for line in exported) == dict.fromkeys(URLS, 1)
    assert not folder.is_served()


def test_what_is_missing_is_said_in_one_line(folder, monkeypatch, capsys):
    start = ["cluster", "--home", folder.home, "start"]
    aim = ["--region", "Lisbon", "--seeds", SEED, "--replay", str(folder.archive)]
    statuses = [
        main([*start, "--out", str(folder.path)]),
        main([*start, "--on", "postgresql://127.0.0.1:1/data/x", *aim]),
        main([*start, "--out", str(folder.path), *aim, "--partitions", "129"]),
        main(["cluster", "status", "--out", str(folder.path)]),
    ]
    monkeypatch.setattr(server, "_WHEEL", "no_such_wheel")
    monkeypatch.setattr(server, "_SYSTEM", folder.path)
    statuses.append(main([*start, "--out", str(folder.path), *aim]))
    said = capsys.readouterr().err

    assert statuses == [2] * 5
    assert "--region and --seeds are missing" in said
    assert "--region and --seeds make a crawl in a folder" in said
    assert "at most 128 partitions" in said
    assert f"there is no crawl in {folder.path}" in said
    assert install_command("postgres-server") in said
    assert not folder.path.exists()
