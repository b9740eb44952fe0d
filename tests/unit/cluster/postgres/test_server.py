"""A PostgreSQL server in a folder: started, stopped, killed, and what it says when it cannot.

A server that several processes use: started by the first, stopped by the last, whoever dies.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from geoscout_cluster.postgres import server
from geoscout_cluster.postgres.database import connect
from geoscout_cluster.postgres.server import LocalServer, SharedServer, find_programs
from geoscout_places.errors import DatabaseLostError, UsageError
from tests.conftest import PROJECT
from tests.postgres import DATABASE, QUICK


@pytest.fixture
def folder():
    """A short one: the path of a socket has at most 107 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="geoscout-pg-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow
def test_a_server_keeps_its_data_over_stop_kill_and_start(folder):
    with LocalServer(folder, options=QUICK) as server:
        where = server.address(DATABASE, "crawl")
        with connect(where) as connection:
            connection.execute("CREATE TABLE public.kept (n int)")
        server.stop()
        with pytest.raises(DatabaseLostError):
            connect(where)
        server.start()
        server.kill()
        server.start()
        with connect(where) as connection:
            rows = connection.execute("SELECT count(*) FROM public.kept").fetchall()

    assert rows == [(0,)]
    assert where.endswith(f"?host={folder}")


def test_a_server_that_cannot_be_started_says_why(folder):
    with pytest.raises(UsageError, match="initdb failed"):
        LocalServer(folder / "data" / "base" / ("x" * 200), programs=find_programs())


USE_UNTIL_KILLED = """
import signal, sys
from pathlib import Path
from geoscout_cluster.postgres.server import SharedServer
SharedServer(Path(sys.argv[1]))
print("here", flush=True)
signal.pause()
"""


@pytest.fixture
def shared_folder():
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


def pid_of(shared_folder: Path) -> int:
    return int((shared_folder / "data" / "postmaster.pid").read_text().splitlines()[0])


@pytest.mark.slow
def test_the_last_user_stops_a_server_and_any_user_starts_it_again(shared_folder):
    first, second = SharedServer(shared_folder), SharedServer(shared_folder)
    where = second.address
    first.close()
    after_first = answers(where)
    os.kill(pid_of(shared_folder), signal.SIGKILL)
    while answers(where):
        time.sleep(0.02)
    had_crashed = second.ensure(), second.ensure()
    after_crash = answers(where)
    second.close()

    assert where.endswith(f"?host={shared_folder}")
    assert (after_first, had_crashed, after_crash) == (True, (True, False), True)
    assert not answers(where)


@pytest.mark.slow
def test_users_that_were_killed_do_not_count(shared_folder):
    (shared_folder / "data.new").mkdir(parents=True)  # what initdb left when it was killed
    (shared_folder / "data.new" / "PG_VERSION").write_text("18\n")
    command = [sys.executable, "-c", USE_UNTIL_KILLED, str(shared_folder)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE) as user:
        assert user.stdout is not None
        assert user.stdout.readline() == b"here\n"
        user.kill()
    left = pid_of(shared_folder)
    heir = SharedServer(shared_folder)
    same = pid_of(shared_folder)
    heir.close()

    assert left == same
    assert not answers(heir.address)


@pytest.mark.slow
def test_a_folder_with_a_long_and_odd_name_has_its_socket_elsewhere(shared_folder):
    odd = shared_folder.parent / f"odd, {'x' * 90}"
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


def test_the_traces_of_another_process_do_not_block_a_start(shared_folder, monkeypatch):
    seen: list[bool] = []

    def start(self: LocalServer, *_: object, **__: object) -> None:
        seen.append((shared_folder / "data" / "postmaster.pid").exists())
        raise UsageError("enough")

    monkeypatch.setattr(LocalServer, "__init__", start)
    monkeypatch.setattr(server, "_CRASH_SECONDS", 0.0)
    (shared_folder / "data").mkdir(parents=True)
    (shared_folder / "data" / "postmaster.pid").write_text(f"{os.getpid()}\n")
    with pytest.raises(UsageError, match="enough"):
        SharedServer(shared_folder)

    assert seen == [False]


def test_root_is_told_about_a_folder_that_the_server_cannot_enter(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    tmp_path.chmod(0o700)
    with pytest.raises(UsageError, match="the user nobody may not enter"):
        SharedServer(tmp_path / "crawl" / "postgres")


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs a server as another user")
def test_programs_in_a_folder_of_root_alone_are_run(folder, tmp_path):
    closed, programs = tmp_path / "closed", find_programs()
    package = programs.parents[1]
    for part in filter(Path.is_dir, (programs.parent, Path(f"{package}.libs"))):
        shutil.copytree(part, closed / part.relative_to(package.parent), symlinks=True)
    closed.chmod(0o700)
    there = closed / programs.relative_to(package.parent)

    within = server.within_reach(there)

    try:
        assert within.parents[2].parent == Path("/tmp")
        assert server.within_reach(there) == within
        with LocalServer(folder, options=QUICK, programs=there) as running:
            assert running.is_running
    finally:
        shutil.rmtree(within.parents[2])
