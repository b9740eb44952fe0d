"""A PostgreSQL server in a folder: started, stopped, killed, and what it says when it cannot."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from geoscout_cluster.postgres.database import connect
from geoscout_cluster.postgres.server import LocalServer, find_programs
from geoscout_places.errors import DatabaseLostError, UsageError
from tests.postgres import DATABASE, QUICK


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short one: the path of a socket has at most 107 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="geoscout-pg-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow
def test_a_server_keeps_its_data_over_stop_kill_and_start(folder: Path) -> None:
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


def test_a_server_that_cannot_be_started_says_why(folder: Path) -> None:
    with pytest.raises(UsageError, match="initdb failed"):
        LocalServer(folder / "data" / "base" / ("x" * 200), programs=find_programs())
