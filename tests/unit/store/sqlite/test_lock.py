"""One writer, and lookers that never get in its way."""

from __future__ import annotations

import fcntl
import os
import socket
import threading
from pathlib import Path

import pytest

from geoscout.store.sqlite.database import MARK_FILE, WriterLock, is_written, read_mark
from geoscout_places.errors import UsageError


def test_a_folder_is_written_to_while_the_lock_is_held(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path)
    while_held = is_written(tmp_path)
    lock.close()

    assert (while_held, is_written(tmp_path)) == (True, False)


def test_a_folder_nobody_wrote_to_is_not_written_to(tmp_path: Path) -> None:
    assert is_written(tmp_path) is False


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path)

    with pytest.raises(UsageError, match="another process is writing"):
        WriterLock(tmp_path)
    assert is_written(tmp_path)
    lock.close()


def test_a_writer_can_start_at_the_very_moment_somebody_looks(tmp_path: Path) -> None:
    WriterLock(tmp_path).close()
    looking = (tmp_path / MARK_FILE).open("rb")
    fcntl.flock(looking, fcntl.LOCK_SH)  # as `is_written` does, for microseconds
    timer = threading.Timer(0.05, looking.close)
    timer.start()

    lock = WriterLock(tmp_path)

    assert is_written(tmp_path)
    lock.close()
    timer.join()


def test_writers_come_and_go_while_others_look_all_the_time(tmp_path: Path) -> None:
    WriterLock(tmp_path).close()
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            is_written(tmp_path)

    lookers = [threading.Thread(target=look) for _ in range(3)]
    for looker in lookers:
        looker.start()
    try:
        for _ in range(200):
            WriterLock(tmp_path).close()
    finally:
        ended.set()
        for looker in lookers:
            looker.join()


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write to"):
        WriterLock(tmp_path / "none")


def test_the_folder_names_the_run_that_writes_to_it(tmp_path: Path) -> None:
    before = read_mark(tmp_path)
    lock = WriterLock(tmp_path)
    found = read_mark(tmp_path)
    with pytest.raises(UsageError):
        WriterLock(tmp_path)
    after_another = read_mark(tmp_path)
    lock.close()
    later = WriterLock(tmp_path)
    later.close()

    assert before is None
    assert found == after_another == lock.mark
    assert (found.pid, found.machine) == (os.getpid(), socket.gethostname())
    assert later.mark.run != lock.mark.run
    assert read_mark(tmp_path) is None


def test_a_writer_of_an_earlier_version_has_no_mark(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path)
    (tmp_path / MARK_FILE).write_bytes(b"")

    assert is_written(tmp_path)
    assert read_mark(tmp_path) is None
    lock.close()
