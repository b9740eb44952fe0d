"""The log of SQLite stays short, whoever reads the crawl meanwhile."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from geoscout.store.sqlite.database import FILE, Database
from tests.stores import Store, open_folder
from tests.unit.store.visits import visit

SMALL = 200_000  # bytes


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
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
def test_a_slow_reader_does_not_keep_the_log_from_ending(
    store: Store, tmp_path: Path, read: str, caplog: pytest.LogCaptureFixture
) -> None:
    with open_folder(tmp_path) as reader:
        rows = getattr(reader, read)()
        next(rows)  # the next one is asked for in an hour
        write(store, 40)

        assert log_size(tmp_path) < 2 * SMALL
        assert caplog.records == []
        next(rows)


def test_a_log_that_a_stuck_reader_keeps_is_told_and_ends_after_it(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
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
