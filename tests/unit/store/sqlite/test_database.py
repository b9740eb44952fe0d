from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.store.sqlite.database import FILE, open_database, read_database
from geoscout_places.errors import DamagedDataError, UsageError

TABLE = "CREATE TABLE IF NOT EXISTS thing (name TEXT);"


def test_tables_are_made_once_and_kept(tmp_path: Path) -> None:
    with_thing = open_database(tmp_path / "new" / "folder", [TABLE])
    with_thing.execute("INSERT INTO thing VALUES ('a')")
    with_thing.commit()
    with_thing.close()

    again = open_database(tmp_path / "new" / "folder", [TABLE])
    assert again.execute("SELECT name FROM thing").fetchall() == [("a",)]
    again.close()


def test_a_second_writer_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    first = open_database(tmp_path)
    with pytest.raises(UsageError, match="another process"):
        open_database(tmp_path)
    first.close()

    open_database(tmp_path).close()


def test_a_reader_sees_what_is_committed_and_cannot_write(tmp_path: Path) -> None:
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


def test_an_empty_database_beside_an_archive_is_refused_and_nothing_is_touched(
    tmp_path: Path,
) -> None:
    archived = tmp_path / "archive" / "crawl-00001.warc.gz"
    archived.parent.mkdir()
    archived.write_bytes(b"responses")
    (tmp_path / FILE).touch()

    for _ in range(2):
        with pytest.raises(DamagedDataError, match=r"copied without crawl\.sqlite-wal"):
            open_database(tmp_path, [TABLE])

    assert archived.read_bytes() == b"responses"
    assert (tmp_path / FILE).stat().st_size == 0


def test_an_empty_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()

    with pytest.raises(DamagedDataError, match="is empty"):
        read_database(tmp_path)


def test_a_folder_without_a_crawl_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no crawl in"):
        read_database(tmp_path)


def test_a_crawl_of_another_version_is_refused(tmp_path: Path) -> None:
    connection = open_database(tmp_path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()

    with pytest.raises(UsageError, match="another version"):
        open_database(tmp_path)
    with pytest.raises(UsageError, match="another version"):
        read_database(tmp_path)


def test_a_file_that_is_no_database_is_damaged_data(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database at all" * 99)

    with pytest.raises(DamagedDataError, match="cannot be used"):
        open_database(tmp_path)
    with pytest.raises(DamagedDataError, match="cannot be used"):
        read_database(tmp_path)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()

    with pytest.raises(UsageError, match="cannot open"):
        open_database(tmp_path)


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every folder were on a disk mounted to be read only; root may write anywhere."""
    monkeypatch.setattr("geoscout.store.sqlite.database.is_writable", lambda _folder: False)


@pytest.mark.usefixtures("read_only")
def test_a_folder_that_cannot_be_written_to_is_read_and_left_as_it_is(tmp_path: Path) -> None:
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
def test_a_crawl_that_was_not_closed_must_be_copied_first(tmp_path: Path) -> None:
    writer = open_database(tmp_path, [TABLE])
    writer.execute("INSERT INTO thing VALUES ('a')")
    writer.commit()

    with pytest.raises(UsageError, match="was not closed: copy it"):
        read_database(tmp_path)
    writer.close()
