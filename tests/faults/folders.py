"""Crawl folders that are half there or damaged: nothing is deleted, one line says what is wrong."""

import contextlib
import json
import sqlite3
from pathlib import Path

from tests.faults.arena import Arena, Command, check, json_of, scenario, site_of_pages

_PAGES = 40


def _crawled(arena: Arena, *more: str) -> None:
    """A crawl in the folder "out" that has more to do."""
    with arena.web({f"good{n}.test": site_of_pages(30) for n in range(4)}) as web:
        seeds = [web.url(f"good{n}.test") for n in range(4)]
        arena.crawl_to_the_end("out", seeds, "--max-pages", str(_PAGES), *more)


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
