from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from geoscout_cluster import supervise
from geoscout_cluster.supervise import ADDRESS, PARENT, Supervisor
from geoscout_places.errors import UsageError

SECRET = "postgresql://ann:secret@host/data/lisbon"


def supervisor(script: str, workers: int = 1) -> Supervisor:
    """One whose processes run a script of a test instead of a worker."""
    made = Supervisor(SECRET, workers, ["work"])
    made._command = [sys.executable, "-c", script]
    return made


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise, "_FIRST_PAUSE", 0.05)
    monkeypatch.setattr(supervise, "_LOOK_SECONDS", 0.02)


def test_a_worker_that_dies_is_started_again(tmp_path: Path) -> None:
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


def test_a_worker_that_cannot_work_ends_all() -> None:
    with pytest.raises(UsageError, match="a worker cannot work"):
        supervisor("raise SystemExit(2)").run()


def test_all_are_asked_to_stop() -> None:
    made = supervisor("import time; time.sleep(60)", workers=2)
    running = threading.Thread(target=made.run)
    running.start()
    while len(made.processes()) < 2:
        time.sleep(0.02)
    processes = made.processes()
    made.stop()
    running.join(10)

    assert [process.returncode for process in processes] == [-signal.SIGTERM] * 2


def test_the_address_is_in_the_environment_and_on_no_command_line() -> None:
    made = Supervisor(SECRET, 1, ["work", "--until-done"])

    assert made._environment == {**os.environ, ADDRESS: SECRET, PARENT: str(os.getpid())}
    assert made._command[1:] == ["-m", "geoscout", "cluster", "work", "--until-done"]


def test_there_is_at_least_one_worker() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        Supervisor(SECRET, 0, [])


def test_each_worker_has_a_port_of_its_own_for_its_metrics(tmp_path: Path) -> None:
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
