"""Every implementation of each Protocol, for the suites that all of them must pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from geoscout.frontier import Frontier, Limits, MemoryFrontier
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.store.sqlite.database import open_database

OpenFrontier = Callable[[Limits], Frontier]


@pytest.fixture(params=["memory", "sqlite"])
def open_frontier(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenFrontier]:
    """Makes a frontier with the given limits."""
    if request.param == "memory":
        yield MemoryFrontier
        return
    connection = open_database(tmp_path, [TABLES])
    yield lambda limits: SqliteFrontier(connection, limits)
    connection.close()


@pytest.fixture
def frontier(open_frontier: OpenFrontier) -> Frontier:
    """An empty frontier without limits, in which only equal priorities are ties."""
    return open_frontier(Limits(near_tie=0))
