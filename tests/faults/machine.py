"""What this machine lacks is not blamed on hosts: few files, a disk that is full."""

import contextlib
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.faults.arena import (
    MOUNT,
    Arena,
    Command,
    NotHereError,
    check,
    json_of,
    scenario,
    site_of_pages,
    wait_until,
)
from tests.faults.service import ask_json, serving

_FEW_FILES = 64


@scenario("A lack of files here is not blamed on hosts", seconds=40)
def few_files(arena: Arena) -> str:
    """120 hosts with 64 files open at a time."""
    sites = {f"good{n}.test": site_of_pages(2) for n in range(120)}
    with arena.web(sites) as web:
        command = arena.crawl("out", map(web.url, sites), connections=100)
        _limit(command, resource.RLIMIT_NOFILE, _FEW_FILES)
        ended = command.ends_within(60 * arena.slower)
        if not ended:
            command.stop(25 * arena.slower)
    check(not command.has_traceback(), f"a traceback: {command.last_line()}")
    check(command.status == 0, f"it ended with {command.status}: {command.last_line()}")
    found = arena.findings("out")
    check(not found.kinds("good"), f"hosts were blamed: {found.kinds('good')}")
    check(found.pages("good") == 240, f"{found.pages('good')} of 240 pages")
    return f"240 of 240 pages with {_FEW_FILES} files, no host blamed"


def _limit(command: Command, what: int, most: int) -> None:
    """Limit a command that has just begun, and what it starts."""
    resource.prlimit(command.process.pid, what, (most, most))


@scenario("Too little memory is told, and no seed is given up for it", seconds=40)
def little_memory(arena: Arena) -> str:
    """Address spaces that are too small for the processes that read pages, then enough."""
    sites = {f"good{n}.test": site_of_pages(3) for n in range(5)}
    said = []
    with arena.web(sites) as web:
        for megabytes in (arena.chance.randrange(400, 800), arena.chance.randrange(800, 1200)):
            out = f"out{megabytes}"
            command = arena.crawl(out, map(web.url, sites))
            _limit(command, resource.RLIMIT_AS, megabytes * 1_000_000)
            if not command.ends_within(40 * arena.slower):
                command.stop(25 * arena.slower)
            check(not command.has_traceback(), f"{megabytes} MB: {command.text()[-2000:]}")
            said.append(f"{megabytes} MB: {command.last_line()[:100]}")
            if command.status == 0:
                continue
            is_killed = "Fatal Python error" in command.text()  # a library that cannot do without
            check(is_killed or "memory" in command.text(), f"memory is not named: {said[-1]}")
            if (arena.at(out) / "crawl.sqlite").exists():
                again = arena.run("resume", str(arena.at(out)))
                found = arena.findings(out)
                check(found.pages() == 15, f"{found.pages()} of 15 pages: {again.last_line()}")
    return "; ".join(said)


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A folder on a file system of its own.

    Raises:
        NotHereError: nothing can be mounted here.
    """
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(words, capture_output=True, check=False).returncode:
        raise NotHereError(f"it needs {MOUNT}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)


@scenario("Nothing is lost when the disk is full", seconds=60, needs=(MOUNT,))
def disk_full(arena: Arena) -> str:
    """A crawl on a disk that fills; then there is room, and the crawl goes on."""
    sites = {f"good{n}.test": site_of_pages(12) for n in range(30)}
    with arena.web(sites) as web, small_disk(arena.folder / "disk", "900k"):
        command = arena.crawl("disk/out", map(web.url, sites))
        full = wait_until(
            lambda: command.status is not None or "disk" in command.text(), 40 * arena.slower
        )
        check(full, "the crawl did not notice that the disk is full")
        check(not command.has_traceback(), f"a traceback: {command.last_line()}")
        said, blamed = command.last_line(), arena.findings("disk/out").kinds()
        check(not blamed, f"hosts were blamed: {blamed}")
        words = ["mount", "-o", "remount,size=80m", str(arena.folder / "disk")]
        subprocess.run(words, check=True)
        _go_on(arena, command)
        found = arena.findings("disk/out")
        check(
            found.pages("good") == 360, f"{found.pages('good')} of 360 pages after there was room"
        )
        check(not found.twice(), f"stored twice: {found.twice()[:3]}")
        check(_archives_open(arena, "disk/out"), "an archive does not open")
    return f"360 of 360 pages; it said: {said}"


@scenario("A commit on a full disk is made again", seconds=60, needs=(MOUNT,))
def commit_on_a_full_disk(arena: Arena) -> str:
    """A crawl that keeps no room free; a commit fails, then there is room, and it goes on."""
    sites = {f"good{n}.test": site_of_pages(12) for n in range(30)}
    with arena.web(sites) as web, small_disk(arena.folder / "disk", "900k"):
        command = arena.crawl("disk/out", map(web.url, sites), disk_megabytes=0.004)
        full = wait_until(
            lambda: command.status is not None or "is full" in command.text(), 40 * arena.slower
        )
        check(full and command.status is None, f"the crawl does not pause: {command.last_line()}")
        words = ["mount", "-o", "remount,size=80m", str(arena.folder / "disk")]
        subprocess.run(words, check=True)
        check(command.ends_within(60 * arena.slower), "the crawl does not go on")
        check(not command.has_traceback(), f"a traceback: {command.last_line()}")
        found = arena.findings("disk/out")
        pages = found.pages("good")
        check(pages == 360, f"{pages} of 360 pages after there was room")
        check(not found.twice(), f"stored twice: {found.twice()[:3]}")
        check(_archives_open(arena, "disk/out"), "an archive does not open")
    return "360 of 360 pages by the same process"


def _go_on(arena: Arena, command: Command) -> None:
    """Wait for a crawl that pauses while the disk is full, or resume one that has ended."""
    if not command.ends_within(60 * arena.slower):
        command.stop(25 * arena.slower)
    if arena.findings("disk/out").pages("good") < 360:
        resumed = arena.run("resume", str(arena.at("disk/out")), seconds=60)
        check(resumed.status == 0, f"resume ended with {resumed.last_line()}")


def _archives_open(arena: Arena, out: str) -> bool:
    files = [str(file) for file in sorted((arena.at(out) / "archive").glob("*.warc.gz"))]
    checked = subprocess.run(
        [sys.executable, "-m", "warcio.cli", "check", *files], capture_output=True, check=False
    )
    return bool(files) and not checked.returncode


@scenario("The index says what is wrong when the disk is full", seconds=40, needs=(MOUNT,))
def index_on_a_full_disk(arena: Arena) -> str:
    """Search, status and the start of serve on a disk that is full to the last byte; then room."""
    with arena.web({"good.test": site_of_pages(40)}) as web:
        arena.crawl_to_the_end("out", [web.url("good.test")], delay_seconds=0.01)
    with small_disk(arena.folder / "disk", "60m") as disk:
        arena.copy("out", "disk/out")
        ballast = disk / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while file.write(b"x" * 4096):
                pass
        counted = arena.run("status", str(arena.at("disk/out")), "--json")
        check(counted.status == 0, f"status ended with: {counted.last_line()}")
        with serving(arena, "disk/out") as (_, port):
            shown = ask_json(port, "/api/status")
        check(shown["visits"] == json_of(counted)["visits"] > 0, f"served: {shown['visits']}")
        full = arena.run("search", str(arena.at("disk/out")), "shop in Austin")
        check(not full.has_traceback(), f"a traceback: {full.last_line()}")
        check("delete" not in full.text(), f"it advises: {full.last_line()}")
        ballast.unlink()
        room = arena.run("search", str(arena.at("disk/out")), "shop in Austin")
        check(room.status == 0, f"with room it ended with: {room.last_line()}")
    return f"full: {full.last_line()}; with room: answered"
