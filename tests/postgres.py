"""One PostgreSQL server for all tests of a run, and a crawl of its own for each test.

`POSTGRES_PROGRAMS` names the folder of another installation's programs: `make postgres` runs
the same tests on Debian's.
"""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from geoscout_cluster.postgres.database import read_address
from geoscout_cluster.postgres.server import LocalServer

DATABASE = "postgres"  # the one that every new server has
# Tests end the server and never the machine: nothing has to reach the disk.
QUICK = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "on"}


@contextmanager
def running_server(options: Mapping[str, str] | None = None) -> Iterator[LocalServer]:
    """A server in a folder of its own, which goes when it is closed."""
    programs = os.environ.get("POSTGRES_PROGRAMS")
    folder = Path(tempfile.mkdtemp(prefix="geoscout-pg-"))  # short: a socket's path has 107 bytes
    try:
        with LocalServer(
            folder,
            port=free_port(),
            options={**QUICK, **(options or {})},
            programs=Path(programs) if programs else None,
        ) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def drop_crawl(where: str) -> None:
    """Remove all of a crawl from its database."""
    address = read_address(where)
    with psycopg.connect(address.database, autocommit=True) as connection:
        schema = sql.Identifier(address.schema)
        connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(schema))
