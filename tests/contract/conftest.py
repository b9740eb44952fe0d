"""Every implementation of each Protocol, for the suites that all of them must pass.

The Protocols are those that join the parts of geoscout: fetcher, frontier and its view, state,
store, index, gazetteer, strategy and collaboration. Where only one suite needs the
implementations, they are named there.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace

from geoscout.frontier.base import Limits
from geoscout.frontier.frontier import Frontier
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.frontier.tables import TableView
from geoscout.sql import POSTGRESQL, Row
from geoscout.state.base import Beginning, CrawlState, CrawlView, StateBackend, Writing
from geoscout.state.sqlite import FolderBackend
from geoscout.store.base import Visit
from geoscout.store.sqlite.database import open_database
from geoscout_cluster.postgres.database import Connection, connect, create_tables, read_address
from geoscout_cluster.postgres.engine import FRONTIER_TABLES as POSTGRES_TABLES
from geoscout_cluster.postgres.engine import PostgresFrontier, write_changes
from geoscout_cluster.postgres.state import PostgresBackend
from tests.memory.frontier import MemoryFrontier
from tests.postgres import DATABASE, drop_crawl
from tests.third_engine import ThirdBackend

OpenFrontier = Callable[[Limits], Frontier]


@pytest.fixture(params=["memory", "sqlite", "sqlite with one host in memory", "postgres"])
def open_frontier(request, tmp_path):
    """Makes a frontier with the given limits."""
    if request.param == "memory":
        yield MemoryFrontier
    elif request.param.startswith("sqlite"):
        most = 1 if request.param.endswith("memory") else Limits().hosts_in_memory
        with closing(open_database(tmp_path, [TABLES])) as database:
            yield lambda limits: SqliteFrontier(database, replace(limits, hosts_in_memory=most))
    else:
        frontiers: PostgresFrontiers = request.getfixturevalue("postgres_frontiers")
        yield frontiers.open


class Asked:
    """Queries over a connection to PostgreSQL; implements `Queries`."""

    dialect = POSTGRESQL

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, query: str, *parameters: object) -> list[Row]:
        return self._connection.execute(self.dialect.text(query).encode(), parameters).fetchall()

    def stream(self, query: str, *parameters: object) -> Iterator[Row]:
        yield from self.rows(query, *parameters)


def view_of(connection: Connection) -> TableView:
    """What others see of the frontiers of a crawl."""
    return TableView(Asked(connection))


class PostgresFrontiers:
    """One partition after another, all in the tables of one schema."""

    def __init__(self, where: str) -> None:
        self._connection = connect(where)
        create_tables(self._connection, read_address(where), [POSTGRES_TABLES])
        self._connection.commit()
        self._last: PostgresFrontier | None = None
        self._partition = 0

    def open(self, limits: Limits) -> PostgresFrontier:
        """An empty frontier."""
        self._partition += 1
        self._last = None
        return self.reopen(limits)

    def reopen(self, limits: Limits) -> PostgresFrontier:
        """The same after a commit and the death of its process."""
        if self._last is not None:
            self.commit()
            self._last.close()
        self._last = PostgresFrontier(self._connection, self._partition, limits)
        return self._last

    def commit(self) -> None:
        assert self._last is not None
        write_changes(self._connection.cursor(), self._last.cut(), self._partition)
        self._connection.commit()

    def view(self) -> TableView:
        return view_of(self._connection)

    def close(self) -> None:
        self._connection.close()


@pytest.fixture(scope="session")
def postgres_frontiers(postgres):
    """Frontiers in PostgreSQL, as many as are needed."""
    where = postgres.address(DATABASE, "frontiers")
    with closing(PostgresFrontiers(where)) as frontiers:
        yield frontiers
    drop_crawl(where)


@pytest.fixture
def frontier(open_frontier):
    """An empty frontier without limits, in which only equal priorities are ties."""
    return open_frontier(Limits(near_tie=0))


@dataclass
class Kept:
    """A crawl somewhere: its running state, and ways to look at it from outside."""

    backend: StateBackend
    where: str
    writing: Writing = field(default_factory=Writing)
    state: CrawlState = field(init=False)
    views: list[CrawlView] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = self.backend.create(self.where, Beginning(), self.writing)

    def write(self, *visits: Visit) -> None:
        """Add visits and commit."""
        for visit in visits:
            self.state.writer.add(visit)
        self.commit()

    def commit(self) -> None:
        asyncio.run(self.state.commit())

    def reopen(self) -> None:
        """As after the death of the process."""
        self.state.close()
        self.state = self.backend.resume(self.where, self.writing)

    def look(self) -> CrawlView:
        """The crawl as others see it."""
        self.views.append(self.backend.open(self.where))
        return self.views[-1]

    def close(self) -> None:
        for view in self.views:
            view.close()
        self.state.close()


class PostgresFolders:
    """Crawls in PostgreSQL under the names of folders; implements `StateBackend`."""

    def __init__(self, where: str) -> None:
        self._address = where
        self._backend = PostgresBackend()
        self.made: set[str] = set()

    def create(self, where: str, beginning: Beginning, writing: Writing) -> CrawlState:
        beginning = replace(beginning, archive=f"{where}-archive")
        return self._backend.create(self._named(where), beginning, writing)

    def resume(self, where: str, writing: Writing) -> CrawlState:
        return self._backend.resume(self._named(where), writing)

    def open(self, where: str) -> CrawlView:
        return self._backend.open(self._named(where))

    def repair(self, where: str, lost: Sequence[int]) -> None:
        self._backend.repair(self._named(where), lost)

    def holds(self, where: str) -> bool:
        return self._backend.holds(self._named(where))

    def index_folder(self, where: str, home: Path) -> Path:
        return self._backend.index_folder(self._named(where), home)

    def _named(self, where: str) -> str:
        named = f"{self._address}-{Path(where).name}"
        self.made.add(named)
        return named


@pytest.fixture(params=["sqlite", "postgres", "third"])
def backend(request):
    """Somewhere to keep crawls."""
    if request.param == "sqlite":
        yield FolderBackend()
    elif request.param == "third":
        yield ThirdBackend()
    else:
        folders = PostgresFolders(request.getfixturevalue("postgres_address"))
        yield folders
        for where in folders.made:
            drop_crawl(where)


@pytest.fixture
def crawl(backend, tmp_path):
    """A new crawl that is being written to."""
    kept = Kept(backend, str(tmp_path / "crawl"))
    yield kept
    kept.close()
