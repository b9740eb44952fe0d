"""The tables that are made are those that crawls have, as `tables.txt` lists them."""

import sqlite3
from pathlib import Path

import pytest

from geoscout.frontier.sqlite import TABLES as SQLITE_FRONTIER
from geoscout.sql import POSTGRESQL, SQLITE
from geoscout.store import schema
from geoscout.store.base import StoredVisit
from geoscout.store.sqlite.database import TABLES as SQLITE_TABLES
from geoscout_cluster.postgres.database import connect, create_tables, read_address
from geoscout_cluster.postgres.engine import FRONTIER_TABLES as POSTGRES_FRONTIER
from geoscout_cluster.postgres.engine import TABLES as POSTGRES_TABLES

_COLUMNS = """SELECT table_name, column_name || ' ' || data_type FROM information_schema.columns
    WHERE table_schema = current_schema() ORDER BY 1, 2"""


def listed(engine: str) -> dict[str, list[str]]:
    lines = Path(__file__).with_name("tables.txt").read_text(encoding="ascii").splitlines()
    named = (line.partition(": ") for line in lines if line.startswith(f"{engine} "))
    return {name.partition(" ")[2]: columns.split(", ") for name, _, columns in named}


def test_tables_in_a_folder_have_the_columns_that_they_had():
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(SQLITE_TABLES + SQLITE_FRONTIER)
        names = connection.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            " AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        found = {
            name: sorted(
                f"{column} {type}".strip()
                for _, column, type, *_ in connection.execute(f"PRAGMA table_info({name})")
            )
            for (name,) in names
        }
    connection.close()

    assert found == listed("sqlite")


def test_tables_in_postgresql_have_the_columns_that_they_had(postgres_address):
    found: dict[str, list[str]] = {}
    with connect(postgres_address) as connection:
        scripts = (POSTGRES_TABLES, POSTGRES_FRONTIER)
        create_tables(connection, read_address(postgres_address), scripts)
        for table, column in connection.execute(_COLUMNS):
            found.setdefault(table, []).append(column)

    assert {name: sorted(columns) for name, columns in found.items()} == listed("postgresql")


def test_a_file_of_the_last_version_is_made_anew_without_a_loss(tmp_path):
    connection = sqlite3.connect(tmp_path / "file")
    connection.executescript(SQLITE_TABLES)
    connection.execute("INSERT INTO crawl VALUES ('a', 'b')")
    connection.executescript(SQLITE_TABLES)

    assert connection.execute("SELECT * FROM crawl").fetchall() == [("a", "b")]
    connection.close()


@pytest.mark.parametrize("dialect", [SQLITE, POSTGRESQL])
def test_each_field_of_a_visit_is_a_column(dialect):
    assert isinstance(dialect, type(SQLITE))
    assert set(StoredVisit.__struct_fields__) <= set(dialect.names(schema.VISIT))
