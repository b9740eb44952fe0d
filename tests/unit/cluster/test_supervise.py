"""What keeps workers running, with scripts in place of them."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from geoscout_cluster import supervise
from geoscout_cluster.supervise import KeeperState, Supervisor, WorkerKeeper
from geoscout_places.errors import UsageError

SECRET = "postgresql://ann:secret@host/data/lisbon"


def supervisor(script: str, workers: int = 1) -> Supervisor:
    """One whose processes run a script of a test instead of a worker."""
    made = Supervisor(SECRET, workers, ["work"])
    made._command = [sys.executable, "-c", script]
    return made


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(supervise, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(supervise, "_LOOK_SECONDS", 0.02)
    monkeypatch.setattr(supervise, "_LINGER", 0.0)


def test_a_worker_that_dies_is_started_again(tmp_path):
    file = tmp_path / "starts"
    script = f"""
import os, signal
with open({str(file)!r}, "a") as log: log.write("x")
if os.path.getsize({str(file)!r}) < 3: os.kill(os.getpid(), signal.SIGKILL)
"""
    made = supervisor(script)
    for place in made._places:
        place.pause = 0.05
    made.run()

    assert file.read_text() == "xxx"


def test_a_worker_that_cannot_work_ends_all_and_there_is_at_least_one():
    with pytest.raises(UsageError, match="a worker cannot work"):
        supervisor("raise SystemExit(2)").run()
    with pytest.raises(UsageError, match="at least 1"):
        Supervisor(SECRET, 0, [])


def test_all_are_asked_to_stop():
    made = supervisor("import time; time.sleep(60)", workers=2)
    running = threading.Thread(target=made.run)
    running.start()
    while len(made.processes()) < 2:
        time.sleep(0.02)
    processes = made.processes()
    made.stop()
    running.join(10)

    assert [process.returncode for process in processes] == [-signal.SIGTERM] * 2


def test_each_worker_has_a_port_of_its_own_for_its_metrics(tmp_path):
    file = tmp_path / "ports"
    script = f"""
import os
with open({str(file)!r}, "a") as log: log.write(os.environ["GEOSCOUT_METRICS_PORT"] + " ")
"""
    made = Supervisor(SECRET, 3, ["work"], metrics_port=9100)
    made._command = [sys.executable, "-c", script]
    made.run()
    without = supervisor(script, 1)
    without.run()

    *ports, none = file.read_text().split()
    assert (sorted(ports), none) == (["9100", "9101", "9102"], "0")


WHERE = "postgresql://ann@host/data/lisbon"


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Runs these lines in place of Python, in the folder that is returned."""

    def write(lines: str) -> Path:
        file = tmp_path / "python"
        file.write_text(f"#!/bin/sh\ncd {tmp_path}\n{lines}\n")
        file.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(file))
        return tmp_path

    return write


def kept(*arguments: str) -> KeeperState:
    """A worker from its first start to its end."""
    has_left = threading.Event()
    made = WorkerKeeper(WHERE, arguments, has_left.set)
    assert has_left.wait(20)
    return made.state()


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_worker_that_dies_is_started_again_until_it_ends_well(script):
    script("echo x >>starts; echo died >&2; [ $(wc -l <starts) -ge 3 ] || kill -9 $$")

    state = kept()

    assert (state.starts, state.status, state.is_done) == (3, 0, True)


def test_worker_that_cannot_work_is_not_started_again_and_its_words_are_kept(script):
    script("echo loading >&2; echo 'there is no crawl' >&2; exit 2")

    state = kept()

    assert (state.starts, state.status, state.said) == (1, 2, "there is no crawl")


def test_address_is_in_the_environment_alone_and_what_ray_needs_is_not(script, monkeypatch):
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    monkeypatch.setenv("GEOSCOUT_METRICS_PORT", "9000")
    folder = script('echo "$*" >words; env >environment')

    kept("work", "--until-done")

    environment = (folder / "environment").read_text()
    assert (folder / "words").read_text() == "-m geoscout cluster work --until-done\n"
    assert f"GEOSCOUT_ON={WHERE}\n" in environment
    assert "GEOSCOUT_METRICS_PORT=0\n" in environment
    assert "RAY_" not in environment


@pytest.mark.parametrize(
    ("trap", "patience", "status", "finished"),
    [("echo yes >finished; exit 0", 10.0, 0, True), ("", 0.1, -9, False)],
    ids=["it finishes", "it does not, and is killed"],
)
def test_stop_lets_the_worker_finish_for_a_while(
    script, monkeypatch, trap, patience, status, finished
):
    monkeypatch.setattr(supervise, "_PATIENCE", patience)
    folder = script(f"trap '{trap}' TERM; echo >ready; while :; do sleep 0.02; done")
    has_left = threading.Event()
    made = WorkerKeeper(WHERE, (), has_left.set)
    wait_for((folder / "ready").exists)
    made.stop()

    assert has_left.wait(20)
    assert (made.state().starts, made.state().status) == (1, status)
    assert (folder / "finished").exists() == finished


@pytest.mark.skipif(not shutil.which("setpriv"), reason="only Linux has it")
def test_worker_ends_with_a_keeper_that_is_killed(script, monkeypatch):
    python = sys.executable
    folder = script(
        "trap 'echo yes >ended; exit 0' TERM; echo >ready; while :; do sleep 0.02; done"
    )
    code = (
        "import sys, time; from geoscout_cluster.supervise import WorkerKeeper;"
        f"sys.executable = {sys.executable!r}; WorkerKeeper('', ()); time.sleep(60)"
    )
    with subprocess.Popen([python, "-c", code], env={**os.environ}) as process:
        wait_for((folder / "ready").exists)
        process.kill()

    wait_for((folder / "ended").exists)
