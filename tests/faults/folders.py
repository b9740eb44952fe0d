"""Crawl folders that are half there or damaged: nothing is deleted, one line says what is wrong."""

import contextlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

from geoscout.crawl_folder import mark_made_here
from tests.faults.arena import Arena, Command, check, json_of, scenario, site_of_pages
from tests.flow import test_strangers_folder as strangers

_PAGES = 40
_ATTACKS = 32  # of each campaign; there are tens of thousands
_VALUES = (
    -1, 2**63 - 1, -(2**63), 1e308, float("inf"), "", "9" * 400, None, b"", b"\xff\x00",
    b"\x81\xc4", "\x1b[2J\x00\u2028\x9b1A\u202e",
)  # fmt: skip
_MADE: list[tempfile.TemporaryDirectory[str]] = []  # a crawl that several begin with
_STEERING = set("\x1b\x9b\u2028\u202e\x00")


def _crawled(arena: Arena) -> None:
    """A crawl in the folder "out" that has more to do; made once for all scenarios."""
    if _MADE:
        shutil.copytree(_MADE[0].name, arena.at("out"))
        mark_made_here(arena.at("out"))
        return
    with arena.web({f"good{n}.test": site_of_pages(30) for n in range(4)}) as web:
        seeds = [web.url(f"good{n}.test") for n in range(4)]
        arena.crawl_to_the_end("out", seeds, "--max-pages", str(_PAGES))
    made: tempfile.TemporaryDirectory[str] = tempfile.TemporaryDirectory(prefix="geoscout-faults-")
    shutil.copytree(arena.at("out"), made.name, dirs_exist_ok=True)
    _MADE.append(made)


def _archived(folder: Path) -> dict[str, int]:
    """The archive files of a crawl, set aside or not, by size."""
    return {file.name: file.stat().st_size for file in sorted((folder / "archive").iterdir())}


def _one_line(command: Command, what: str) -> str:
    """What a command said that could not do its work."""
    check(not command.has_traceback(), f"{what}: a traceback: {command.last_line()}")
    check(command.status in (1, 2), f"{what}: it ended with {command.status}")
    return command.last_line()


@scenario("resume never deletes the archive", seconds=20)
def empty_database(arena: Arena) -> str:
    """resume, status and search on folders whose database is empty, missing, or without its log."""
    _crawled(arena)
    said = ""
    for damage in ("empty", "zeros", "missing"):
        folder = arena.copy("out", damage)
        database = folder / "crawl.sqlite"
        before = _archived(folder)
        for log in folder.glob("crawl.sqlite-*"):
            log.unlink()
        if damage == "missing":
            database.unlink()
        else:
            database.write_bytes(b"" if damage == "empty" else bytes(database.stat().st_size))
        for command in ("resume", "status", "search"):
            words = (command, str(folder), *(["shop"] if command == "search" else []))
            said = _one_line(arena.run(*words), f"{command} of a crawl whose database is {damage}")
        after = _archived(folder)
        check(sum(after.values()) >= sum(before.values()), f"{damage}: {before} became {after}")
    return f"archives untouched; {said}"


@scenario("A crawl whose database was half copied is not destroyed", seconds=20)
def half_copied(arena: Arena) -> str:
    """A database without its write-ahead log, and one that is cut in the middle."""
    _crawled(arena)
    said = []
    for damage in ("without-log", "cut"):
        folder = arena.copy("out", damage)
        before = sum(_archived(folder).values())
        database = folder / "crawl.sqlite"
        if damage == "cut":
            database.write_bytes(database.read_bytes()[: database.stat().st_size // 2])
        for log in folder.glob("crawl.sqlite-*"):
            log.unlink()
        command = arena.run("resume", str(folder), "--max-pages", str(_PAGES), seconds=40)
        check(not command.has_traceback(), f"{damage}: a traceback: {command.last_line()}")
        after = sum(_archived(folder).values())
        check(after >= before, f"{damage}: {before} bytes of archive became {after}")
        said.append(f"{damage}: {command.last_line()}")
    return "; ".join(said)


@scenario("A crawl goes on though what its strategy learned is damaged", seconds=25)
def damaged_state(arena: Arena) -> str:
    """Noise as the state of the strategy, options of a newer version, options that are noise."""
    _crawled(arena)
    for damage in ("state", "newer-options"):
        folder = arena.copy("out", damage)
        with contextlib.closing(sqlite3.connect(folder / "crawl.sqlite")) as database:
            if damage == "state":
                database.execute("UPDATE state SET value = ?", (arena.chance.randbytes(5000),))
            else:
                query = "SELECT value FROM crawl WHERE name = 'options'"
                options = json.loads(database.execute(query).fetchone()[0])
                note = json.dumps({**options, "from_the_future": 1})
                database.execute("UPDATE crawl SET value = ? WHERE name = 'options'", (note,))
            database.commit()
        command = arena.run("resume", str(folder), "--max-pages", str(_PAGES))
        check(not command.has_traceback(), f"{damage}: a traceback: {command.last_line()}")
        check(command.status == 0, f"{damage}: it ended with {command.last_line()}")
    folder = arena.copy("out", "noise")
    with contextlib.closing(sqlite3.connect(folder / "crawl.sqlite")) as database:
        database.execute("UPDATE crawl SET value = '{]' WHERE name = 'options'")
        database.commit()
    return "resumed; of options that are noise: " + _one_line(
        arena.run("resume", str(folder)), "noise"
    )


@scenario("An index that is damaged is made again", seconds=40)
def damaged_index(arena: Arena) -> str:
    """Every file of the index, one after the other, is emptied, cut, or overwritten."""
    _crawled(arena)
    question = (str(arena.at("out")), "shop in Austin", "--json")
    whole = json_of(arena.run("search", *question))["total"]
    files = sorted(file for file in (arena.at("out") / "index").rglob("*") if file.is_file())
    small = [file for file in files if "lock" not in file.name]
    tried: list[str] = []
    for file in arena.chance.sample(small, min(6, len(small))):
        relative = file.relative_to(arena.at("out"))
        folder = arena.copy("out", f"copy{len(tried)}")
        target, data = folder / relative, file.read_bytes()
        damage = arena.chance.choice(("empty", "cut", "noise"))
        kept = data[: len(data) // 2] if damage == "cut" else b""
        noise = arena.chance.randbytes(len(data)) if damage == "noise" else b""
        target.write_bytes(kept + noise)
        command = arena.run("search", str(folder), "shop in Austin", "--json")
        what = f"{file.name} {damage}"
        check(not command.has_traceback(), f"{what}: a traceback: {command.last_line()}")
        if command.status == 0:
            total = json_of(command)["total"]
            check(total == whole, f"{what}: {total} of {whole} hits")
        tried.append(f"{what} {'answered' if command.status == 0 else command.last_line()[:80]}")
    return "; ".join(tried)


@scenario("A damaged page of the database is told in one line", seconds=25)
def damaged_pages(arena: Arena) -> str:
    """Noise in the middle of the database, then status, search, index, export and resume."""
    _crawled(arena)
    folder = arena.copy("out", "noise")
    database = folder / "crawl.sqlite"
    data = bytearray(database.read_bytes())
    for at in range(8192, len(data), 3 * 4096):
        data[at : at + 4096] = arena.chance.randbytes(4096)
    database.write_bytes(bytes(data[: database.stat().st_size]))
    before = sum(_archived(folder).values())
    said = ""
    for words in (
        ["status"],
        ["search", "shop"],
        ["index"],
        ["export", "--what", "pages"],
        ["resume"],
    ):
        command = arena.run(words[0], str(folder), *words[1:], seconds=40)
        check(not command.has_traceback(), f"{words[0]}: a traceback: {command.last_line()}")
        said = command.last_line()
    check(sum(_archived(folder).values()) >= before, "the archive was cut")
    return f"one line each; {said}"


Attack = Callable[[Arena, Path, Path], str]  # on a folder, towards files outside; which it was


def _something_that_leads_out(arena: Arena, sent: Path, outside: Path) -> str:
    folders = ["archive", "index", "index/words", "directory"]
    name = arena.chance.choice([*strangers.names_in(sent), *folders])
    plant = arena.chance.choice(strangers.PLANTS if name not in folders else strangers.PLANTS[:1])
    if (sent / name).is_dir():
        shutil.rmtree(sent / name)
    (sent / name).unlink(missing_ok=True)
    plant(sent / name, outside if name in folders else outside / "file")
    return f"{plant.__name__} as {name}"


def _something_that_runs(arena: Arena, sent: Path, _: Path) -> str:
    kind = arena.chance.choice(sorted(strangers.SCHEMAS))
    file, tables = arena.chance.choice(
        [("crawl.sqlite", ["visit", "place", "crawl"]), ("directory/listing.sqlite", ["note"])]
    )
    if file != "crawl.sqlite" and "ours" in kind:
        kind = "trigger"
    with contextlib.closing(sqlite3.connect(sent / file)) as database:
        database.executescript(strangers.SCHEMAS[kind].format(t=arena.chance.choice(tables)))
    return f"{kind} in {file}"


def _something_that_deletes(arena: Arena, sent: Path, outside: Path) -> str:
    if arena.chance.random() < 0.5:
        name = arena.chance.choice(["crawl.sqlite", "directory/listing.sqlite"])
        journal = strangers.journal_that_names(outside / "file")
        (sent / f"{name}-journal").write_bytes(journal)
        return f"journal of {name}"
    listed = sent / "index/words/.managed.json"
    listed.write_text(json.dumps([*json.loads(listed.read_text()), str(outside / "file")]))
    with contextlib.closing(sqlite3.connect(sent / "crawl.sqlite")) as database, database:
        database.execute("INSERT INTO change SELECT sequence + 100000, visit, 1 FROM change")
    return "list of the index"


def _rows_that_cannot_be(arena: Arena, sent: Path, _: Path) -> str:
    with contextlib.closing(sqlite3.connect(sent / "crawl.sqlite")) as database, database:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'frontier_%'"
        table = arena.chance.choice([name for (name,) in database.execute(query)])
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        column, value = arena.chance.choice(columns), arena.chance.choice(_VALUES)
        where = arena.chance.choice(
            ["", f" WHERE {columns[0]} IN (SELECT max({columns[0]}) FROM {table})"]
        )
        with contextlib.suppress(sqlite3.IntegrityError):
            database.execute(f"UPDATE OR REPLACE {table} SET {column} = ?{where}", (value,))
    if arena.chance.random() < 0.5:
        shutil.rmtree(sent / "index")
    return f"{value!r:.30} in {table}.{column}"


ATTACKS: tuple[Attack, ...] = (
    _something_that_leads_out, _something_that_runs, _something_that_deletes, _rows_that_cannot_be
)  # fmt: skip


@scenario("A folder that somebody sends runs nothing and reaches nothing outside", seconds=60)
def sent_by_a_stranger(arena: Arena) -> str:
    """Links, pipes, views, triggers, journals, lists and rows by chance, before any command."""
    _crawled(arena)
    out = str(arena.at("out"))
    for words in (["index", out], ["directory", out, "--format", "csv"]):
        check(arena.run(*words).status == 0, f"no {words[0]} was made")
    tried = []
    for turn in range(_ATTACKS):
        sent = Path(shutil.copytree(arena.at("out"), arena.at(f"sent{turn}")))
        outside = strangers.outside_of(arena.at(f"ours{turn}"))
        before = strangers.state_of(outside)
        what = ATTACKS[turn % len(ATTACKS)](arena, sent, outside)
        name = arena.chance.choice(sorted(set(strangers.COMMANDS) - {"serve"}))
        command, *more = strangers.COMMANDS[name]
        done = arena.run(command, str(sent), *more, seconds=30)
        what = f"{name} after {what}"
        check(strangers.state_of(outside) == before, f"{what}: files outside are not as before")
        check(done.status in (0, 1, 2), f"{what}: it ended with {done.status}")
        check(not done.has_traceback(), f"{what}: a traceback: {done.last_line()}")
        check(
            not set(done.text()) & _STEERING,
            f"{what}: a terminal is steered by {done.text()!r:.200}",
        )
        tried.append(done.status)
        shutil.rmtree(sent)
    ends = ", ".join(f"{tried.count(n)} with status {n}" for n in sorted(set(tried)))
    return f"{_ATTACKS} attacks: {ends}; files outside as before, one line each"
