"""A folder that a stranger sends runs nothing, writes nothing outside itself and hangs nothing."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import chdir, closing, contextmanager
from pathlib import Path

import pytest

from geoscout.cli.main import main
from tests.flow.test_commands import crawl_words, written_archive

_PRECIOUS = b"precious\nlines\n"
_SECONDS = 60  # for a command; it takes one, and the machine may be busy
COMMANDS = {
    "status": ["status"],
    "search": ["search", "shop"],
    "index": ["index"],
    "rebuilt index": ["index", "--rebuild"],
    "resume": ["resume"],
    "export": ["export", "--what", "pages", "--format", "csv"],
    "check": ["check"],
    "repair": ["check", "--repair"],
    "forget": ["forget", "a.example"],
    "directory": ["directory", "--format", "csv"],
    "serve": ["serve", "--port", "0"],
}
Plant = Callable[[Path, Path], None]  # something in place of a file, that leads to one outside


def link(at: Path, outside: Path) -> None:
    at.symlink_to(outside)


def dangling_link(at: Path, outside: Path) -> None:
    at.symlink_to(outside.with_name("new"))


def relative_link(at: Path, outside: Path) -> None:
    at.symlink_to(os.path.relpath(outside, at.parent))


def pipe(at: Path, _: Path) -> None:
    os.mkfifo(at)


def device(at: Path, _: Path) -> None:
    at.symlink_to("/dev/zero")


def open_socket(at: Path, _: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as one, chdir(at.parent):
        one.bind(at.name)  # a whole path may be longer than it can be


def hard_link(at: Path, outside: Path) -> None:
    at.hardlink_to(outside)


PLANTS = [link, dangling_link, relative_link, pipe, device, open_socket, hard_link]
# What commands make, or look for, that is not in a crawl which has ended in order.
MORE_NAMES = [
    "crawl.log", "crawl.steering", "crawl.steering.new", "crawl.backend", "crawl.sqlite-wal",
    "crawl.sqlite-shm", "crawl.sqlite-journal", "archive/crawl-00002.warc.gz",
    "archive/crawl-00001.warc.gz.uncommitted", "archive/crawl-00001.warc.gz.damaged",
    "index/words/.tmp1", "directory/listing.sqlite-wal", "directory/listing.sqlite-journal",
]  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory, settings, gazetteer):
    """A crawl with its index and directory."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEOSCOUT_EXTRAS", "no")
        patch.setenv("GEOSCOUT_HOME", settings.home)
        assert main(crawl_words(written_archive(folder / "source"), folder / "crawl")) == 0
        assert main(["index", str(folder / "crawl")]) == 0
        assert main(["directory", str(folder / "crawl"), "--format", "csv"]) == 0
        yield folder / "crawl"


@pytest.fixture
def sent(made, tmp_path, capsys):
    """A crawl folder as it comes from somebody else: nothing of it was made here."""
    capsys.readouterr()
    shutil.copytree(made, tmp_path / "sent")
    return tmp_path / "sent"


def names_in(folder: Path) -> list[str]:
    """The files of a crawl folder, and those that there can be besides."""
    there = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    assert {"crawl.sqlite", "crawl.lock", "index/lock", "directory/listing.sqlite"} < {*there}
    return sorted({*there, *MORE_NAMES})


@contextmanager
def in_time() -> Iterator[None]:
    """End what hangs."""

    def late(*_: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outside_of(tmp_path: Path) -> Path:
    """A folder with files of ours, which have the names that files of a crawl have."""
    outside = tmp_path / "outside"
    for name in ("file", "words/file", "columns/pages.bin", "crawl-00001.warc.gz", "lock"):
        (outside / name).parent.mkdir(parents=True, exist_ok=True)
        (outside / name).write_bytes(_PRECIOUS)
    return outside


def state_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
    }


def run(words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """A command over a folder: its exit status, and what it said of trouble."""
    with in_time():
        status = main([words[0], str(folder), *words[1:]])
    return status, capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_in_place_of_a_file_leads_out(command, plant, sent, tmp_path, capsys):
    outside = outside_of(tmp_path)
    before = state_of(outside)
    for name in names_in(sent):
        there = sent / name
        kept = there.rename(tmp_path / "kept") if there.exists() else None
        plant(there, outside / "file")

        status, said = run(COMMANDS[command], sent, capsys)

        assert (status, said.count("\n")) == (2, 1), (name, said)
        # Without a database there is no crawl, whatever else is there. A hard link is read.
        if not re.search("there is no crawl in|no place for crawls is called 'precious'", said):
            assert f"may lead out of it ('{name}'" in said
        assert state_of(outside) == before, name
        there.unlink()
        if kept:
            kept.rename(there)


@pytest.mark.parametrize("folder_name", ["archive", "index", "index/words", "directory"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_folder_that_is_a_link_is_entered(command, folder_name, sent, tmp_path, capsys):
    outside = outside_of(tmp_path)
    before = state_of(outside)
    shutil.rmtree(sent / folder_name)
    (sent / folder_name).symlink_to(outside)

    status, said = run(COMMANDS[command], sent, capsys)

    assert (status, said.count("\n")) == (2, 1)
    assert state_of(outside) == before


def test_whose_maker_is_trusted_may_have_links(sent, tmp_path, capsys):
    (sent / "archive").rename(tmp_path / "other disk")
    (sent / "archive").symlink_to(tmp_path / "other disk")

    assert run(["check"], sent, capsys)[0] == 2
    assert run(["check", "--trust"], sent, capsys)[0] == 0
    words = ["export", "--what", "pages", "--format", "warc", "--out", str(tmp_path / "out")]
    assert run(words, sent, capsys)[0] == 0
    assert run(["resume"], sent, capsys)[0] == 0


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("name", ["crawl.origin", "crawl.made-here"])
def test_trust_is_not_written_through_a_link(name, plant, sent, tmp_path, capsys):
    outside = outside_of(tmp_path)
    before = state_of(outside)
    (sent / name).unlink()
    plant(sent / name, outside / "file")

    assert run(["check", "--trust"], sent, capsys)[0] == 0
    assert state_of(outside) == before


def journal_that_names(file: Path, page_size: int = 4096) -> bytes:
    """What SQLite rolls back by, if it is one of several: then the file that names all is deleted.

    https://www.sqlite.org/fileformat.html#the_rollback_journal
    """
    magic, name = bytes.fromhex("d9d505f920a163d7"), os.fsencode(file)
    head = magic + struct.pack(">5I", 0, 1, 1, 512, page_size)
    lock_page, total = 0x40000000 // page_size + 1, sum(name)
    named = struct.pack(">I", lock_page) + name + struct.pack(">II", len(name), total) + magic
    return head.ljust(512, b"\0") + named


@pytest.mark.parametrize("database", ["crawl.sqlite", "directory/listing.sqlite"])
def test_no_journal_has_a_file_elsewhere_deleted(database, sent, tmp_path, capsys):
    outside = outside_of(tmp_path)
    before = state_of(outside)
    (sent / f"{database}-journal").write_bytes(journal_that_names(outside / "file"))
    for words in COMMANDS.values():
        status, said = run(words, sent, capsys)

        assert (status, said.count("\n")) == (2, 1), (words, said)
        assert "a journal of SQLite" in said
        assert state_of(outside) == before


@pytest.mark.parametrize(
    "how", ["{file}", "../../../outside/file", "../words/../../../outside/file"]
)
def test_no_index_has_a_file_elsewhere_deleted(how, sent, tmp_path, capsys):
    outside = outside_of(tmp_path)
    before = state_of(outside)
    listed = sent / "index/words/.managed.json"
    names = [*json.loads(listed.read_text()), how.format(file=outside / "file")]
    listed.write_text(json.dumps(names))
    with closing(sqlite3.connect(sent / "crawl.sqlite")) as database, database:
        database.execute("INSERT INTO change SELECT sequence + 100, visit, 1 FROM change")

    assert run(["index"], sent, capsys)[0] == 0  # which has something new, and tidies up
    assert state_of(outside) == before


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x > 0)"
SCHEMAS = {
    "view": "ALTER TABLE {t} RENAME TO old; CREATE VIEW {t} AS "
    f"{ENDLESS} SELECT old.* FROM c, old WHERE x < 0",
    "view of ours": f"DROP VIEW page; CREATE VIEW page AS {ENDLESS} SELECT x AS n FROM c",
    "other view": f"CREATE VIEW nobody AS {ENDLESS} SELECT x FROM c",
    "trigger": "CREATE TRIGGER t AFTER INSERT ON {t} BEGIN DELETE FROM {t}; END",
    "virtual table": "ALTER TABLE {t} RENAME TO old; CREATE VIRTUAL TABLE {t} USING fts5 (n)",
    "check": "CREATE TABLE nobody (n CHECK (n < abs(n)))",
    "generated column": "CREATE TABLE nobody (n, m GENERATED ALWAYS AS (hex(n)))",
    "column that computes": "CREATE TABLE nobody (n, m AS (hex(zeroblob(100000000))))",
    "default that computes": "CREATE TABLE nobody (n DEFAULT (hex(zeroblob(100000000))))",
    "index that computes": "CREATE TABLE nobody (n); CREATE INDEX i ON nobody (hex(n))",
    "index that chooses": "CREATE TABLE nobody (n); CREATE INDEX i ON nobody (n) WHERE hex(n) > 1",
    "what looks like a comment": "CREATE TABLE nobody (n DEFAULT '--', m AS (hex(1)), o '\n')",
    "other quotes": "CREATE TABLE nobody ([--] AS (hex(1)), `\n` INT, p)",
    "foreign key": "CREATE TABLE nobody (n REFERENCES {t} (n) ON DELETE CASCADE)",
    "2000 tables": "".join(f"CREATE TABLE t{n} (n);" for n in range(2000)),
    "view that says it is an index": "CREATE VIEW nobody AS SELECT 1; PRAGMA writable_schema = ON;"
    " UPDATE sqlite_master SET type = 'index' WHERE name = 'nobody'",
}
_REFUSED = r"something that is not ours, '\w+'|malformed database schema|more tables than ours"


@pytest.mark.parametrize("table", ["visit", "place", "frontier_request", "crawl"])
@pytest.mark.parametrize("kind", SCHEMAS)
def test_nothing_in_a_database_of_somebody_else_can_run(kind, table, sent, capsys):
    with closing(sqlite3.connect(sent / "crawl.sqlite")) as database:
        database.executescript(SCHEMAS[kind].format(t=table))
    for words in COMMANDS.values():
        status, said = run(words, sent, capsys)

        assert (status, said.count("\n")) == (1, 1), (words, said)
        assert re.search(_REFUSED, said)


def test_nothing_in_a_directory_of_somebody_else_can_run(sent, capsys):
    with closing(sqlite3.connect(sent / "directory/listing.sqlite")) as database:
        database.executescript(SCHEMAS["view"].format(t="note"))

    status, said = run(COMMANDS["directory"], sent, capsys)

    assert (status, said.count("\n")) == (1, 1)
    assert "not ours, 'note'" in said


@pytest.mark.parametrize(
    "place",
    [
        "archive_length = 9000000000000",
        "archive_offset = -5",
        "archive_file = -99999999",
        "archive_file = 'x/../../../crawl'",
        "archive_length = 'long'",
        "archive_offset = 9223372036854775807",
        "archive_length = -1",
    ],
)
def test_a_record_that_cannot_be_is_named(place, sent, capsys):
    with closing(sqlite3.connect(sent / "crawl.sqlite")) as database:
        database.execute(f"UPDATE visit SET {place} WHERE n = 2")
        database.commit()
    shutil.rmtree(sent / "index")

    assert run(["index"], sent, capsys)[0] == 0
    with in_time():
        status = main(["check", str(sent)])
    assert (status, capsys.readouterr().out.splitlines()[0]) == (
        1,
        "visit 2 has no place in the archive",
    )


@pytest.mark.parametrize(
    ("column", "value", "command"),
    [
        ("address SET street", b"", "rebuilt index"),
        ("address SET precision", "\x1b[2J\u2028", "export"),
        ("visit SET n", 2**63 - 1, "export"),
        ("visit SET fetched_at", float("inf"), "directory"),
        ("place SET name", b"\xff\x00", "search"),
        ("crawl SET value", "\x1b[2J\u2028", "status"),
    ],
)
def test_what_no_row_of_ours_holds_is_one_line(column, value, command, sent, tmp_path, capsys):
    with closing(sqlite3.connect(sent / "crawl.sqlite")) as database, database:
        database.execute(f"UPDATE OR REPLACE {column} = ?", (value,))

    words = [*COMMANDS[command], *(["--out", str(tmp_path / "out")] if command == "export" else [])]
    status, said = run(words, sent, capsys)

    assert status in (0, 1, 2)
    assert "\x1b" not in said
    assert len(said.splitlines()) == said.count("\n") <= 2
