"""The tables of a crawl with three partitions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from geoscout.frontier.postgres import TABLES as FRONTIER_TABLES
from geoscout.store.postgres.database import Connection, connect, create_tables, read_address
from geoscout.store.postgres.tables import TABLES


@pytest.fixture
def connection(postgres_address: str) -> Iterator[Connection]:
    with closing(connect(postgres_address)) as opened:
        create_tables(opened, read_address(postgres_address), [TABLES, FRONTIER_TABLES])
        opened.execute("INSERT INTO partition (number) SELECT generate_series(0, 2)")
        opened.commit()
        yield opened
