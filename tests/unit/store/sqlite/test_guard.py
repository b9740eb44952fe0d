"""No query runs without an end, whatever is in the file."""

import signal
import sqlite3
import time
from contextlib import closing
from dataclasses import replace

import pytest

from geoscout.cli.commands import gazetteer
from geoscout.cli.main import main
from geoscout.machine import is_interrupted
from geoscout.sql import LARGEST_VALUE, GuardedConnection, guard, limit_queries
from geoscout_places.errors import DamagedDataError

_ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT sum(x) FROM c"


@pytest.fixture
def connection(tmp_path):
    with closing(sqlite3.connect(tmp_path / "file", factory=GuardedConnection)) as opened:
        guard(opened, tmp_path / "file")
        yield opened
    limit_queries(None)


def test_a_query_hears_signals(connection):
    def leave(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, leave)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(sqlite3.OperationalError) as caught:
            connection.execute(_ENDLESS).fetchone()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert is_interrupted(caught.value)


def test_a_query_ends_after_its_time(connection):
    limit_queries(0.2)
    for _ in range(2):
        began = time.process_time()
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            connection.execute(_ENDLESS).fetchone()
        assert time.process_time() - began < 5
    assert connection.execute("SELECT 1").fetchone() == (1,)


def test_values_are_as_large_as_ours(connection):
    with pytest.raises(sqlite3.DataError, match="too big"):
        connection.execute("SELECT length(hex(zeroblob(?)))", (LARGEST_VALUE,)).fetchone()


def test_our_own_view_is_known_with_other_spaces_and_comments(tmp_path):
    ours = "CREATE TABLE t (n); CREATE VIEW v AS -- of ours\n SELECT n FROM t"
    with closing(sqlite3.connect(tmp_path / "file")) as opened:
        opened.executescript("CREATE TABLE t (n); CREATE VIEW v AS   SELECT n\nFROM t")
        guard(opened, tmp_path / "file", ours)
        opened.executescript("DROP VIEW v; CREATE VIEW v AS SELECT n FROM t, t AS u")
        with pytest.raises(DamagedDataError, match=r"not ours, 'v'"):
            guard(opened, tmp_path / "file", ours)


def test_a_command_is_ended_by_a_signal_that_comes_in_a_query(monkeypatch, connection):
    def run(_: object, __: object) -> int:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        connection.execute(_ENDLESS).fetchone()
        return 0

    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGTERM))
    command = replace(gazetteer.COMMANDS["place"], run=run)
    monkeypatch.setitem(gazetteer.COMMANDS, "place", command)
    try:
        with pytest.raises(SystemExit) as caught:
            main(["place", "Oldenburg"])
    finally:
        signal.signal(signal.SIGALRM, before)
    assert caught.value.code == 128 + signal.SIGTERM
