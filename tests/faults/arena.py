"""What scenarios work with: a fake web that real commands of geoscout crawl, and their folders.

A scenario is one promise and one way to try it; `check` says that a promise is broken. Commands are
processes of their own: waited for, stopped, killed, and measured.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from geoscout.crawl_folder import mark_made_here
from tests.conftest import PROJECT
from tests.fakeweb import FakeWeb, Site, Visitor
from tests.fakeweb.sites import not_found
from tests.faults.network import Answer, NameServer

NAMESPACE = "a network namespace"
MOUNT = "the right to mount"


class BrokenPromiseError(AssertionError):
    """What was seen is not what was promised."""


class NotHereError(Exception):
    """The scenario needs something that this machine does not have."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One promise, and one way to try it."""

    name: str
    family: str
    promise: str
    does: str  # in a sentence
    run: Callable[[Arena], str]  # returns what was seen
    seconds: float  # that it usually takes on an idle machine
    needs: tuple[str, ...] = ()  # NAMESPACE, MOUNT


SCENARIOS: list[Scenario] = []


def scenario(
    promise: str, *, seconds: float, needs: tuple[str, ...] = ()
) -> Callable[[Callable[[Arena], str]], Callable[[Arena], str]]:
    """Make a function a scenario; its name and docstring are those of the scenario."""

    def add(run: Callable[[Arena], str]) -> Callable[[Arena], str]:
        does = " ".join((run.__doc__ or "").split())
        family = run.__module__.rpartition(".")[2]
        SCENARIOS.append(
            Scenario(run.__name__, family, promise, does, run=run, seconds=seconds, needs=needs)
        )
        return run

    return add


def check(holds: object, otherwise: str) -> None:
    """Go on if it holds.

    Raises:
        BrokenPromiseError: it does not; `otherwise` says what was seen instead.
    """
    if not holds:
        raise BrokenPromiseError(otherwise)


class Command:
    """A running command, in a process group of its own."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], output: Path) -> None:
        self.output = output
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                words, env=dict(environment), stdout=file, stderr=file, start_new_session=True
            )

    @property
    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return self.process.poll()

    def ends_within(self, seconds: float) -> bool:
        """Wait for the end, at most so long."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.status is not None

    def wait(self, seconds: float) -> int:
        """Wait for the end.

        Raises:
            BrokenPromiseError: it does not end.
        """
        if not self.ends_within(seconds):
            where = self.abort()
            raise BrokenPromiseError(f"no end after {seconds:.0f} s, in {where}")
        return int(self.status or 0)

    def stop(self, seconds: float) -> float:
        """Send SIGTERM; the seconds until it ended.

        Raises:
            BrokenPromiseError: it did not end in that time.
        """
        begin = time.monotonic()
        if self.status is None:
            self.process.send_signal(signal.SIGTERM)
            self.wait(seconds)
        return time.monotonic() - begin

    def kill(self) -> None:
        """SIGKILL to the command and all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def abort(self) -> str:
        """End it so that it says where it is; the innermost lines of that."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGABRT)
        self.ends_within(5)
        self.kill()
        lines = [line.strip() for line in self.text().splitlines() if line.startswith("  File ")]
        return "; ".join(lines[:2]) or "an unknown place"

    def text(self) -> str:
        """What it has printed so far."""
        return self.output.read_text(encoding="utf-8", errors="replace")

    def last_line(self) -> str:
        """The last line that it has printed."""
        lines = self.text().strip().splitlines()
        return lines[-1][:300] if lines else "nothing was printed"

    def has_traceback(self) -> bool:
        """Whether it ended as a program should not."""
        return "Traceback (most recent call last)" in self.text()


class MemoryWatch:
    """Measures the memory of a process and its children while its `with` block runs."""

    def __init__(self, command: Command, every: float = 0.5) -> None:
        self._pid = command.process.pid
        self._every = every
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.megabytes: list[float] = []  # in the order of time

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    @property
    def most(self) -> float:
        """The most that was seen, in megabytes."""
        return max(self.megabytes, default=0.0)

    def _watch(self) -> None:
        while not self._done.wait(self._every):
            total = sum(map(megabytes_of, [self._pid, *children_of(self._pid)]))
            if total:
                self.megabytes.append(total)


def children_of(pid: int) -> list[int]:
    """All processes below one."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return [below for child in found for below in (child, *children_of(child))]


def megabytes_of(pid: int) -> float:
    """The memory of a process; what it shares with others counts by its share."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000
    return 0.0


HOME = str(PROJECT / ".cache" / "home")
HTTP_OK = 200
STOPPING_SECONDS = 12.0  # what is in flight may take `total_seconds`
REGION = "Austin, TX"
TEXT = "Our shop is at 1100 Congress Avenue, Austin, TX 78701. Visit Austin, Texas. "
_EVERYWHERE = ("0.0.0.0", "::")  # in a network of our own
_WEB_PORT = 80
_LOOPBACKS = 40  # addresses on loopback, so that hosts do not wait for each other
# Quick, so that a scenario takes seconds; what a scenario is about it sets itself.
QUICK = {
    "delay_seconds": 0.05, "tries": 2,
    "total_seconds": 8, "extras": "no", "contact": "https://faults.test/",
}  # fmt: skip


@dataclass
class Arena:
    """One for each scenario, with a folder that goes with it."""

    folder: Path
    chance: random.Random
    names: NameServer | None = None  # None: on loopback, without a network of our own
    slower: float = 1.0  # how much longer than usual to wait, on a busy machine
    _hosts: Path | None = field(default=None, init=False)
    _commands: list[Command] = field(default_factory=list, init=False)

    def end(self) -> None:
        """End all that still runs."""
        for command in self._commands:
            if command.status is None:
                command.kill()

    @contextlib.contextmanager
    def web(
        self, sites: Mapping[str, Site], names: Mapping[str, Answer | list[Answer]] | None = None
    ) -> Iterator[FakeWeb]:
        """Serve these sites; `names` are those that do not lead to an address of their own."""
        if self.names is None:
            with FakeWeb(sites, addresses=_LOOPBACKS) as web:
                self._hosts = self.folder / "hosts"
                lines = [f"{address} {host}\n" for host, address in web.resolver.addresses.items()]
                self._hosts.write_text("".join(lines), encoding="ascii")
                yield web
            return
        self.names.expect(names or {})
        with FakeWeb(sites, addresses=_EVERYWHERE, port=_WEB_PORT) as web:
            yield web

    def start(self, *words: str, module: str = "geoscout", **settings: Any) -> Command:
        """Start a command; what it prints goes to a file."""
        given = {f"GEOSCOUT_{name.upper()}": str(v) for name, v in {**QUICK, **settings}.items()}
        home = {"GEOSCOUT_HOME": HOME, "PYTHONPATH": str(PROJECT)}
        environment = {**os.environ, **home, **given, "PYTHONFAULTHANDLER": "1"}
        number = len(list(self.folder.glob("*.out")))
        output = self.folder / f"{number}-{words[0]}.out"
        command = Command([sys.executable, "-m", module, *words], environment, output)
        self._commands.append(command)
        return command

    def run(self, *words: str, seconds: float = 60, **settings: Any) -> Command:
        """Run a command to its end."""
        command = self.start(*words, **settings)
        command.wait(seconds * self.slower)
        return command

    def crawl(
        self,
        out: str,
        seeds: Iterable[str],
        *more: str,
        module: str = "geoscout",
        **settings: Any,
    ) -> Command:
        """Start a crawl of some URLs into a folder of the arena."""
        list_of_seeds = self.folder / f"{out}.seeds"
        list_of_seeds.write_text("\n".join(seeds), encoding="utf-8")
        words = ["--region", REGION, "--seeds", str(list_of_seeds), "--out", str(self.at(out))]
        if self._hosts is not None:
            words += ["--allow-private", "--set", f"fetcher=live:hosts={self._hosts}"]
        return self.start("crawl", *words, *more, module=module, **settings)

    def crawl_to_the_end(
        self, out: str, seeds: Iterable[str], *more: str, seconds: float = 60, **settings: Any
    ) -> Findings:
        """Crawl until nothing is left, which takes so long at most on an idle machine."""
        command = self.crawl(out, seeds, *more, **settings)
        command.wait(seconds * self.slower)
        check(command.status == 0, f"the crawl ended with {command.status}: {command.last_line()}")
        return self.findings(out)

    def crawl_for(
        self, seconds: float, out: str, seeds: Iterable[str], *more: str, **settings: Any
    ) -> Findings:
        """Crawl for some time: some hosts are asked again for ever. It then ends when told to."""
        command = self.crawl(out, seeds, *more, **settings)
        if not command.ends_within(seconds):
            command.stop(STOPPING_SECONDS * self.slower)
        check(command.status == 0, f"the crawl ended with {command.status}: {command.last_line()}")
        return self.findings(out)

    def at(self, out: str) -> Path:
        """The folder of a crawl."""
        return self.folder / out

    def findings(self, out: str) -> Findings:
        """What a crawl has committed."""
        return Findings.of(self.at(out))

    def copy(self, out: str, to: str) -> Path:
        """A copy of a crawl's folder."""
        copied = Path(shutil.copytree(self.at(out), self.at(to)))
        mark_made_here(copied)
        return copied


@dataclass(frozen=True)
class Findings:
    """What a crawl has committed."""

    visits: Sequence[Mapping[str, Any]]
    failures: Sequence[Mapping[str, Any]]
    counted: Mapping[str, int]  # failures and links left out, by kind

    @classmethod
    def of(cls, folder: Path) -> Findings:
        """Read the facts of a folder as they are now."""
        with contextlib.closing(read_only(folder)) as database:
            visits = database.execute("SELECT * FROM visit ORDER BY n").fetchall()
            failures = database.execute("SELECT * FROM failure ORDER BY at").fetchall()
            counted = database.execute("SELECT name, count FROM tally").fetchall()
        return cls([dict(row) for row in visits], [dict(row) for row in failures], dict(counted))

    def tells_of(self, host: str) -> bool:
        """Whether anything is stored or counted of a host."""
        urls = [one["url"] for one in (*self.visits, *self.failures)]
        return any(url.startswith((f"http://{host}/", f"http://{host}:")) for url in urls)

    def pages(self, part: str = "") -> int:
        """The different URLs that have a page, of those that contain a text."""
        pages = (visit["url"] for visit in self.visits if visit["status"] == HTTP_OK)
        return len({url for url in pages if part in url})

    def kinds(self, part: str = "") -> dict[str, int]:
        """How many failures there were of each kind, at URLs that contain a text."""
        kinds = [failure["kind"] for failure in self.failures if part in failure["url"]]
        return {kind: kinds.count(kind) for kind in sorted(set(kinds))}

    def twice(self) -> list[str]:
        """URLs that were stored more than once."""
        times = Counter(visit["url"] for visit in self.visits)
        return sorted(url for url, number in times.items() if number > 1)


def read_only(folder: Path) -> sqlite3.Connection:
    """The database of a crawl, also while it is written."""
    database = sqlite3.connect(f"file:{folder / 'crawl.sqlite'}?mode=ro", uri=True, timeout=20)
    database.row_factory = sqlite3.Row
    return database


def site_of_pages(pages: int, title: str = "", text: str = TEXT) -> Site:
    """A small good site: `/` and `/1` to `/n`, with links to the next ones; all texts differ."""

    async def handler(visitor: Visitor) -> None:
        text_of_number = visitor.path.strip("/") or "0"
        if not text_of_number.isdecimal() or int(text_of_number) >= pages:
            await not_found(visitor)
            return
        number = int(text_of_number)
        links = [f"/{n}" for n in (number + 1, number + 2, 2 * number + 1) if n < pages]
        chance = random.Random(f"{visitor.host}{number}")
        words = " ".join(f"word{chance.randrange(5000)}" for _ in range(40))
        await visitor.answer(page_of(f"{title or visitor.host} {number}", links, text + words))

    return Site(handler)


def page_of(title: str, links: Iterable[str] = (), text: str = TEXT, head: str = "") -> bytes:
    """A page about the region."""
    anchors = "".join(f'<a href="{link}">Austin {link}</a> ' for link in links)
    return (
        f"<!doctype html><html lang=en><title>{title}</title>{head}<p>{text}</p>{anchors}</html>"
    ).encode()


def json_of(command: Command) -> dict[str, Any]:
    """What a command has printed as JSON."""
    text = command.text()
    found: dict[str, Any] = json.loads(text[text.index("{") : text.rindex("}") + 1])
    return found


def wait_until(holds: Callable[[], object], seconds: float, pause: float = 0.2) -> bool:
    """Whether something comes to hold within a time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(pause)
    return bool(holds())
