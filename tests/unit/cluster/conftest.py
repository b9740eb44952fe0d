"""The tables of a crawl with three partitions, and a small crawl."""

from contextlib import closing

import pytest

from geoscout_cluster.postgres.database import connect, create_tables, read_address
from geoscout_cluster.postgres.engine import FRONTIER_TABLES, TABLES
from tests.unit.cluster.small_crawl import Small


@pytest.fixture
def connection(postgres_address):
    with closing(connect(postgres_address)) as opened:
        create_tables(opened, read_address(postgres_address), [TABLES, FRONTIER_TABLES])
        opened.execute("INSERT INTO partition (number) SELECT generate_series(0, 2)")
        opened.commit()
        yield opened


@pytest.fixture
def small(postgres_address, tmp_path, settings, gazetteer):
    return Small(postgres_address, tmp_path, settings, gazetteer)
