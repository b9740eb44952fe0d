"""The tables of a crawl with three partitions, and a small crawl."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from geoscout.settings import Settings
from geoscout_cluster.postgres.database import Connection, connect, create_tables, read_address
from geoscout_cluster.postgres.engine import FRONTIER_TABLES, TABLES
from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.cluster.small_crawl import Small


@pytest.fixture
def connection(postgres_address: str) -> Iterator[Connection]:
    with closing(connect(postgres_address)) as opened:
        create_tables(opened, read_address(postgres_address), [TABLES, FRONTIER_TABLES])
        opened.execute("INSERT INTO partition (number) SELECT generate_series(0, 2)")
        opened.commit()
        yield opened


@pytest.fixture
def small(
    postgres_address: str, tmp_path: Path, settings: Settings, gazetteer: SqliteGazetteer
) -> Small:
    return Small(postgres_address, tmp_path, settings, gazetteer)
