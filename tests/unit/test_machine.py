"""Errors of the machine are one line, those of ours are not hidden."""

import asyncio
import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from geoscout.cli import main as cli
from geoscout.machine import is_lack, lacks_files, machine_failure, run_on_loop


def raised(act: Callable[[], object]) -> Exception:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whichever the system raises
        act()
    return caught.value


def fill(file: Path) -> None:
    database = sqlite3.connect(file)
    database.execute("PRAGMA max_page_count = 2")
    try:
        database.execute("CREATE TABLE thing (name TEXT)")
        database.execute("INSERT INTO thing VALUES (?)", ("x" * 100_000,))
    finally:
        database.close()


def damage(file: Path) -> None:
    file.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    with sqlite3.connect(file) as database:
        database.execute("SELECT * FROM sqlite_master")


def test_a_full_disk_is_told_with_what_to_do(tmp_path):
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "archive")

    assert machine_failure(full).startswith("the disk is full (archive): make room")
    assert machine_failure(raised(lambda: fill(tmp_path / "a"))).startswith("the disk is full:")


def test_a_file_that_cannot_be_had_is_named(tmp_path):
    error = raised((tmp_path / "none").read_bytes)

    assert machine_failure(error) == f"No such file or directory ({tmp_path}/none)"


def test_a_damaged_database_is_told(tmp_path):
    error = raised(lambda: damage(tmp_path / "a"))

    assert machine_failure(error).startswith("a database cannot be used: ")


def test_errors_of_ours_are_not_hidden():
    assert machine_failure(ValueError("a mistake")) == ""


@pytest.mark.parametrize(
    "error", [OSError(errno.EIO, "Input/output error"), sqlite3.DatabaseError("malformed")]
)
def test_commands_end_with_one_line(error, monkeypatch, capsys):
    def fail(_words: list[str]) -> int:
        raise error

    monkeypatch.setattr(cli, "_run", fail)

    assert cli.main(["status", "x"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "lacks"),
    [
        (OSError(errno.EMFILE, "Too many open files"), True),
        (MemoryError(), True),
        (RuntimeError("can't start new thread"), True),
        (OSError(errno.ECONNREFUSED, "refused"), False),
        (RuntimeError("anything"), False),
    ],
)
def test_own_lacks_are_told_from_other_errors(error, *, lacks):
    assert is_lack(error) is lacks


def test_requests_are_as_many_as_files_may_be_open():
    program = """
import resource, sys
from geoscout.machine import lacks_files, requests_possible
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
few = requests_possible(50)
held = []
try:
    while True: held.append(open("/dev/null"))
except OSError: pass
print(few, lacks_files())
"""
    command = [sys.executable, "-c", program]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    assert 5 <= int(said[0]) <= 14
    assert said[1] == "True"
    assert not lacks_files()


async def answer() -> tuple[int, str]:
    await asyncio.sleep(0)
    return 42, type(asyncio.get_running_loop()).__module__


def test_coroutine_runs_to_its_end():
    assert run_on_loop(answer())[0] == 42


def test_fast_loop_is_used_where_there_is_one():
    assert run_on_loop(answer())[1] in ("uvloop", "asyncio.unix_events", "asyncio.windows_events")
