"""A server that several processes use: started by the first, stopped by the last, whoever dies."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from geoscout_cluster.postgres import server
from geoscout_cluster.postgres.database import connect
from geoscout_cluster.postgres.server import LocalServer, SharedServer
from geoscout_places.errors import DatabaseLostError, UsageError
from tests.conftest import PROJECT

USE_UNTIL_KILLED = """
import signal, sys
from pathlib import Path
from geoscout_cluster.postgres.server import SharedServer
SharedServer(Path(sys.argv[1]))
print("here", flush=True)
signal.pause()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that the user `nobody` may enter: PostgreSQL does not run as root."""
    parent = Path(tempfile.mkdtemp(prefix="geoscout-pg-"))
    parent.chmod(0o755)
    yield parent / "postgres"
    shutil.rmtree(parent, ignore_errors=True)


def answers(address: str) -> bool:
    try:
        connect(address).close()
    except DatabaseLostError:
        return False
    return True


def pid_of(folder: Path) -> int:
    return int((folder / "data" / "postmaster.pid").read_text().splitlines()[0])


@pytest.mark.slow
def test_the_last_user_stops_a_server_and_any_user_starts_it_again(folder: Path) -> None:
    first, second = SharedServer(folder), SharedServer(folder)
    where = second.address
    first.close()
    after_first = answers(where)
    os.kill(pid_of(folder), signal.SIGKILL)
    while answers(where):
        time.sleep(0.02)
    had_crashed = second.ensure(), second.ensure()
    after_crash = answers(where)
    second.close()

    assert where.endswith(f"?host={folder}")
    assert (after_first, had_crashed, after_crash) == (True, (True, False), True)
    assert not answers(where)


@pytest.mark.slow
def test_users_that_were_killed_do_not_count(folder: Path) -> None:
    (folder / "data.new").mkdir(parents=True)  # what initdb left when it was killed
    (folder / "data.new" / "PG_VERSION").write_text("18\n")
    command = [sys.executable, "-c", USE_UNTIL_KILLED, str(folder)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE) as user:
        assert user.stdout is not None
        assert user.stdout.readline() == b"here\n"
        user.kill()
    left = pid_of(folder)
    heir = SharedServer(folder)
    same = pid_of(folder)
    heir.close()

    assert left == same
    assert not answers(heir.address)


@pytest.mark.slow
def test_a_folder_with_a_long_and_odd_name_has_its_socket_elsewhere(folder: Path) -> None:
    odd = folder.parent / f"odd, {'x' * 90}"
    server = SharedServer(odd)
    assert answers(server.address)
    server.close()
    sockets = Path(server.address.partition("?host=")[2])

    assert sockets.parent == Path("/tmp")
    assert sockets.stat().st_mode & 0o077 == 0
    sockets.chmod(0o755)
    with pytest.raises(UsageError, match="belongs to somebody else"):
        SharedServer(odd)
    shutil.rmtree(sockets)


def test_the_traces_of_another_process_do_not_block_a_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def start(self: LocalServer, *_: object, **__: object) -> None:
        seen.append((folder / "data" / "postmaster.pid").exists())
        raise UsageError("enough")

    monkeypatch.setattr(LocalServer, "__init__", start)
    monkeypatch.setattr(server, "_CRASH_SECONDS", 0.0)
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "postmaster.pid").write_text(f"{os.getpid()}\n")
    with pytest.raises(UsageError, match="enough"):
        SharedServer(folder)

    assert seen == [False]


def test_root_is_told_about_a_folder_that_the_server_cannot_enter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    tmp_path.chmod(0o700)
    with pytest.raises(UsageError, match="the user nobody may not enter"):
        SharedServer(tmp_path / "crawl" / "postgres")
