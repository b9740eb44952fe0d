"""A crawl for several workers of one machine, in a folder with a PostgreSQL server of its own."""

from __future__ import annotations

from pathlib import Path

from geoscout.crawling.assemble import Blueprint
from geoscout.state.base import Beginning
from geoscout_cluster.founding import found_crawl
from geoscout_cluster.postgres.own_state import mark, new_server, with_archive
from geoscout_cluster.postgres.server import find_programs
from geoscout_cluster.postgres.shared_server import MOST_PARTITIONS_HERE
from geoscout_cluster.postgres.state import PostgresBackend
from geoscout_places.errors import UsageError


def check_own_server(partitions: int) -> None:
    """Complain early about what would show only after a while otherwise.

    Raises:
        UsageError: there is no PostgreSQL, or there are too many partitions.
    """
    find_programs()
    if partitions > MOST_PARTITIONS_HERE:
        most = MOST_PARTITIONS_HERE
        raise UsageError(f"a crawl in a folder has at most {most} partitions, not {partitions}")


def found_in_folder(
    folder: Path, blueprint: Blueprint, beginning: Beginning, partitions: int
) -> None:
    """Make a crawl of this many partitions in a folder; nobody works on it yet.

    Where this was killed before it had ended, it is done the second time.

    Raises:
        UsageError: there is a crawl of another kind, or there cannot be one.
    """
    address = new_server(folder)
    if not PostgresBackend().holds(address):
        found_crawl(address, blueprint, with_archive(beginning, folder), partitions)
    mark(folder)
