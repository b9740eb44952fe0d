"""The log of SQLite stays short, whoever reads the crawl meanwhile.

One writer, and lookers that never get in its way.
"""

import fcntl
import logging
import os
import socket
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from geoscout.store.sqlite.database import (
    FILE,
    MARK_FILE,
    Database,
    WriterLock,
    is_written,
    open_database,
    read_database,
    read_mark,
)
from geoscout_places.errors import DamagedDataError, UsageError
from tests.stores import Store, open_folder
from tests.unit.store.visits import visit

TABLE = "CREATE TABLE IF NOT EXISTS thing (name TEXT);"


def test_tables_are_made_once_and_kept(tmp_path):
    with_thing = open_database(tmp_path / "new" / "folder", [TABLE])
    with_thing.execute("INSERT INTO thing VALUES ('a')")
    with_thing.commit()
    with_thing.close()

    again = open_database(tmp_path / "new" / "folder", [TABLE])
    assert again.execute("SELECT name FROM thing").fetchall() == [("a",)]
    again.close()


def test_a_second_writer_is_refused_until_the_first_is_gone(tmp_path):
    first = open_database(tmp_path)
    with pytest.raises(UsageError, match="another process"):
        open_database(tmp_path)
    first.close()

    open_database(tmp_path).close()


def test_a_reader_sees_what_is_committed_and_cannot_write(tmp_path):
    writer = open_database(tmp_path, [TABLE])
    writer.execute("INSERT INTO thing VALUES ('a')")
    writer.commit()
    writer.execute("INSERT INTO thing VALUES ('b')")
    reader = read_database(tmp_path)

    assert reader.execute("SELECT name FROM thing").fetchall() == [("a",)]
    with pytest.raises(Exception, match="readonly"):
        reader.execute("INSERT INTO thing VALUES ('c')")
    reader.close()
    writer.close()


def test_an_empty_database_beside_an_archive_is_refused_and_nothing_is_touched(tmp_path):
    archived = tmp_path / "archive" / "crawl-00001.warc.gz"
    archived.parent.mkdir()
    archived.write_bytes(b"responses")
    (tmp_path / FILE).touch()

    for _ in range(2):
        with pytest.raises(DamagedDataError, match=r"copied without crawl\.sqlite-wal"):
            open_database(tmp_path, [TABLE])

    assert archived.read_bytes() == b"responses"
    assert (tmp_path / FILE).stat().st_size == 0


def test_a_folder_without_a_crawl_is_named_and_an_empty_file_not_read(tmp_path):
    with pytest.raises(UsageError, match="no crawl in"):
        read_database(tmp_path)
    (tmp_path / FILE).touch()
    with pytest.raises(DamagedDataError, match="is empty"):
        read_database(tmp_path)


def test_a_crawl_of_another_version_is_refused(tmp_path):
    connection = open_database(tmp_path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()

    with pytest.raises(UsageError, match="another version"):
        open_database(tmp_path)
    with pytest.raises(UsageError, match="another version"):
        read_database(tmp_path)


def test_a_file_that_is_no_database_is_damaged_data(tmp_path):
    (tmp_path / FILE).write_bytes(b"not a database at all" * 99)

    with pytest.raises(DamagedDataError, match="cannot be used"):
        open_database(tmp_path)
    with pytest.raises(DamagedDataError, match="cannot be used"):
        read_database(tmp_path)


def test_a_file_that_cannot_be_opened_is_named(tmp_path):
    (tmp_path / FILE).mkdir()

    with pytest.raises(UsageError, match="cannot open"):
        open_database(tmp_path)


@pytest.fixture
def read_only(monkeypatch):
    """As if every folder were on a disk mounted to be read only; root may write anywhere."""
    monkeypatch.setattr("geoscout.store.sqlite.database.is_writable", lambda _folder: False)


@pytest.mark.usefixtures("read_only")
def test_a_folder_that_cannot_be_written_to_is_read_and_left_as_it_is(tmp_path):
    folder = tmp_path / "a crawl? 100%"
    writer = open_database(folder, [TABLE])
    writer.execute("INSERT INTO thing VALUES ('a')")
    writer.commit()
    writer.close()
    there = sorted(folder.iterdir())

    reader = read_database(folder)

    assert reader.execute("SELECT * FROM thing").fetchall() == [("a",)]
    assert sorted(folder.iterdir()) == there
    reader.close()


@pytest.mark.usefixtures("read_only")
def test_a_crawl_that_was_not_closed_must_be_copied_first(tmp_path):
    writer = open_database(tmp_path, [TABLE])
    writer.execute("INSERT INTO thing VALUES ('a')")
    writer.commit()

    with pytest.raises(UsageError, match="was not closed: copy it"):
        read_database(tmp_path)
    writer.close()


SMALL = 200_000  # bytes


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store whose log may be small only, with two visits."""
    monkeypatch.setattr(Database, "_limit", SMALL)
    monkeypatch.setattr("geoscout.store.sqlite.database.LARGEST_LOG", SMALL)
    with Store(tmp_path) as store:
        write(store, 2)
        yield store


def write(store: Store, visits: int) -> None:
    for n in range(visits):
        store.add(visit(f"http://a.example/{n}", bytes(n)))
        store.commit()


def log_size(folder: Path) -> int:
    return (folder / f"{FILE}-wal").stat().st_size


@pytest.mark.parametrize("read", ["visits", "pages", "addresses", "links"])
def test_a_slow_reader_does_not_keep_the_log_from_ending(store, tmp_path, read, caplog):
    with open_folder(tmp_path) as reader:
        rows = getattr(reader, read)()
        next(rows)  # the next one is asked for in an hour
        write(store, 40)

        assert log_size(tmp_path) < 2 * SMALL
        assert caplog.records == []
        next(rows)


def test_a_log_that_a_stuck_reader_keeps_is_told_and_ends_after_it(store, tmp_path, caplog):
    with closing(sqlite3.connect(tmp_path / FILE)) as stuck:
        cursor = stuck.execute("SELECT n FROM visit")
        cursor.fetchone()
        write(store, 40)
        kept = log_size(tmp_path)
        cursor.close()
    write(store, 60)

    assert kept > 2 * SMALL
    assert log_size(tmp_path) < kept / 2
    told = [record.getMessage() for record in caplog.records]
    assert 1 <= len(told) <= 4
    assert "another process has been reading the crawl for long" in told[0]
    assert caplog.records[0].levelno == logging.WARNING


def test_a_folder_is_written_to_while_the_lock_is_held(tmp_path):
    before = is_written(tmp_path)
    lock = WriterLock(tmp_path)
    while_held = is_written(tmp_path)
    lock.close()

    assert (before, while_held, is_written(tmp_path)) == (False, True, False)


def test_a_writer_can_start_at_the_very_moment_somebody_looks(tmp_path):
    WriterLock(tmp_path).close()
    looking = (tmp_path / MARK_FILE).open("rb")
    fcntl.flock(looking, fcntl.LOCK_SH)  # as `is_written` does, for microseconds
    timer = threading.Timer(0.05, looking.close)
    timer.start()

    lock = WriterLock(tmp_path)

    assert is_written(tmp_path)
    lock.close()
    timer.join()


def test_writers_come_and_go_while_others_look_all_the_time(tmp_path):
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


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path):
    with pytest.raises(UsageError, match="cannot write to"):
        WriterLock(tmp_path / "none")


def test_the_folder_names_the_run_that_writes_to_it(tmp_path):
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


def test_a_writer_of_an_earlier_version_has_no_mark(tmp_path):
    lock = WriterLock(tmp_path)
    (tmp_path / MARK_FILE).write_bytes(b"")

    assert is_written(tmp_path)
    assert read_mark(tmp_path) is None
    lock.close()
