"""Storage is known to its own rooms only: what the import contracts cannot see is searched for."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import PROJECT

SOURCE = PROJECT / "src" / "geoscout"
WITHOUT_STORAGE = ("crawl.py", "crawling", "web", "cli", "search")
SQL = re.compile(r"\b(SELECT|INSERT INTO|DELETE FROM|UPDATE \w+ SET|CREATE TABLE|PRAGMA)\b")
# What makes any file of SQLite harmless is for all who have one.
SQLITE = re.compile(r"geoscout\.(store|frontier)\.sqlite")
POSTGRES = re.compile(r"geoscout_cluster\.postgres\.(?!own_state|repair)|psycopg")
COMPILED_GAZETTEER = re.compile(r"SqliteGazetteer|gazetteer\.sqlite\b")
# The modules that know both halves of a folder: to write and read it, and to delete from it.
JOIN_THEM = ["state/forgetting.py", "state/sqlite.py"]
# Queries, rows and tables are written once, for every database (`sql.py`).
# Hosts at rest, and exports that are sorted or counted, are in scratch files of SQLite, whatever
# the crawl is kept in.
SQL_ROOM = re.compile(
    r"store/(sqlite/|export|engine|group|schema|reader)|frontier/(sqlite|resting|tables|journal)"
)
SQLITE_ROOM = re.compile(r"store/sqlite/|frontier/(sqlite|resting|journal)")
GAZETTEER = "geoscout_places/gazetteer"


def modules(*names: str) -> Iterator[Path]:
    for name in names:
        path = SOURCE / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def named(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@pytest.mark.parametrize("word", ["sqlite3", "fcntl", "flock"])
def test_loop_commands_web_and_search_neither_open_nor_lock_files_of_a_store(word):
    found = [named(path) for path in modules(*WITHOUT_STORAGE) if word in path.read_text()]

    assert found == []


def test_loop_commands_web_and_search_have_no_sql():
    found = [named(path) for path in modules(*WITHOUT_STORAGE) if SQL.search(path.read_text())]

    assert found == []


def test_sql_of_a_crawl_is_in_the_rooms_of_its_databases():
    found = {named(path) for path in modules("store", "frontier") if SQL.search(path.read_text())}

    assert [name for name in found if not SQL_ROOM.match(name)] == []


def test_no_module_but_those_of_the_cluster_knows_of_postgresql():
    found = [named(path) for path in modules("") if POSTGRES.search(path.read_text())]

    assert found == []


def test_two_modules_know_that_a_folder_is_sqlite():
    outside = [path for path in modules("") if not SQLITE_ROOM.match(named(path))]
    found = [named(path) for path in outside if SQLITE.search(path.read_text())]

    assert found == JOIN_THEM


def test_rooms_ask_the_gazetteer_through_its_protocol():
    everywhere = (str(path.relative_to(SOURCE.parent)) for path in SOURCE.parent.rglob("*.py"))
    outside = [name for name in everywhere if not name.startswith(GAZETTEER)]
    found = [
        name for name in outside if COMPILED_GAZETTEER.search((SOURCE.parent / name).read_text())
    ]

    assert found == []


def test_few_modules_know_that_the_gazetteer_is_a_file():
    rooms = (SOURCE.parent / GAZETTEER).rglob("*.py")
    found = {path.stem for path in rooms if "SqliteG" in path.read_text()}

    assert found == {"__init__", "home", "sqlite"}


def test_the_loop_stays_short_and_knows_no_store():
    text = (PROJECT / "src/geoscout/crawl.py").read_text(encoding="utf-8")

    assert len(text.splitlines()) < 210
    assert "sqlite" not in text
