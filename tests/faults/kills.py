"""SIGKILL at random moments: a crawl with two readers, an index and a server that follow it.

    python -m tests.faults.kills [--kills 200] [--seed 1] [--minutes 20]

Each kill hits the crawl, one of the processes that read pages for it, the command that indexes, or
the server, while the crawl is at work. What is dead is started again. After each kill every visit
that had been seen is still there, and no page is there twice. At the end the crawl is run to its
end: every page once, each as it was served, every archive file whole, everything in the index.
"""

import argparse
import hashlib
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from geoscout.search.updating import open_index
from geoscout.settings import Settings
from geoscout_places.gazetteer import open_gazetteer
from tests.conftest import PROJECT
from tests.faults.arena import HOME, children_of
from tests.stores import open_folder

HOSTS = 40  # addresses of loopback
READERS = 2
WEIGHTS = {"crawl": 6, "reader": 8, "index": 3, "serve": 3}
FOUND = {"crawl": "resume", "index": "index", "serve": "serve"}
_PATIENCE = 120.0  # seconds for anything to happen
_MOST_OUTLIVED = 20.0  # seconds on any machine; on one with a processor to spare it is less than 1


def body_of(host: int, page: int, pages: int) -> bytes:
    """A page, always the same, with links to the next ones of its host."""
    words = random.Random(host * 1_000_003 + page)
    text = " ".join(f"w{words.randrange(5000)}" for _ in range(100))
    links = "".join(f'<a href="/{n}">Page {n}</a>' for n in range(page + 1, min(page + 8, pages)))
    place = f"<address>{words.randrange(900)} Congress Avenue, Austin, TX 78701</address>"
    return f"<html><body><h1>Shop {page}</h1><p>{text}</p>{place}{links}</body></html>".encode()


def serve_web(pages: int) -> ThreadingHTTPServer:
    """A web of some hosts on loopback, in threads of this process."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = self.path.lstrip("/") or "0"
            host = int(self.headers["Host"].partition(":")[0].rpartition(".")[2])
            is_page = name.isdecimal() and int(name) < pages
            body = body_of(host, int(name), pages) if is_page else b"not here"
            self.send_response(200 if is_page else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            pass  # a crawl that was killed

    server = Server(("0.0.0.0", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@dataclass
class Outcome:
    """What came of it."""

    kills: Counter[str] = field(default_factory=Counter)
    working: int = 0  # kills of a crawl that had committed something since its start
    pages: int = 0
    outlived: float = 0.0  # seconds, by what a dead process had started
    seconds: float = 0.0

    def __str__(self) -> str:
        by_kind = ", ".join(f"{number} {name}" for name, number in self.kills.most_common())
        return (
            f"{self.kills.total()} kills ({by_kind}; {self.working} of a crawl that had committed"
            f" since its start), {self.pages:,} pages each once and readable, archives whole, index"
            f" complete, nothing outlived what was killed by {self.outlived:.1f} s;"
            f" {self.seconds:.0f} s"
        )


class Killing:
    """A crawl, an index and a server in one folder, and whoever kills them."""

    def __init__(self, folder: Path, pages: int, chance: random.Random, home: str) -> None:
        self._folder, self._pages, self._chance = folder, pages, chance
        self._crawl = folder / "crawl"
        self._web = serve_web(pages)
        self._port = self._web.server_address[1]
        self._environment = {
            **os.environ,
            "GEOSCOUT_HOME": home,
            "GEOSCOUT_EXTRAS": "no",
            "GEOSCOUT_CONTACT": "http://test.invalid/",
            "GEOSCOUT_WORKERS": str(READERS),
            "GEOSCOUT_DELAY_SECONDS": "0.3",
        }
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._seen = 0  # visits that were committed
        self._since = 0  # those when the crawl was started last
        self.outcome = Outcome()

    def run(self, kills: int, until: float) -> Outcome:
        """Kill so often, or until a time; then check everything."""
        started = time.monotonic()
        try:
            self._begin()
            with suppress(_AtItsEndError):
                while self.outcome.kills.total() < kills and time.monotonic() < until:
                    self._start_what_is_dead()
                    self._wait_for_work()
                    self._kill()
                    self._look()
            print(f"{self.outcome.kills.total()} kills; now it runs to its end", flush=True)
            self._end()
        finally:
            for process in self._running.values():
                process.kill()
                process.wait()
            self._web.shutdown()
            self._web.server_close()
        self.outcome.seconds = time.monotonic() - started
        return self.outcome

    def _begin(self) -> None:
        """Let a crawl come well on its way."""
        seeds = [f"http://127.0.0.{host}:{self._port}/" for host in range(1, HOSTS + 1)]
        options = ["--region", "Austin, Texas", "--allow-private", "--strategy", "breadth"]
        self._start("crawl", "crawl", "--seeds", *seeds, *options, "--out", str(self._crawl))
        self._wait(lambda: self._visits() >= HOSTS, "the crawl does not begin")

    def _start(self, name: str, *words: str) -> None:
        command = [sys.executable, "-m", "geoscout", *words]
        with (self._folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                command, cwd=PROJECT, env=self._environment, stdout=log, stderr=log
            )

    def _start_what_is_dead(self) -> None:
        for name, command in FOUND.items():
            process = self._running.get(name)
            if process is None or process.poll() is not None:
                more = ("--port", str(_free_port())) if name == "serve" else ()
                if name == "crawl":
                    self._since = self._seen
                self._start(name, command, str(self._crawl), *more)

    def _wait_for_work(self) -> None:
        """Until the crawl has committed something, mostly, and then a moment."""
        if self._chance.random() < 0.85:
            self._wait(lambda: self._visits() > self._since, "the crawl does not go on")
        time.sleep(self._chance.random() * 1.5)

    def _kill(self) -> None:
        names = list(WEIGHTS)
        name = self._chance.choices(names, [WEIGHTS[name] for name in names])[0]
        victim = self._reader() if name == "reader" else self._running[name].pid
        if victim is None or (name != "reader" and self._running[name].poll() is not None):
            return
        self._seen = max(self._seen, self._visits())
        below = _below(victim)
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
            self.outcome.kills[name] += 1
        if name != "reader":
            self._running[name].wait()
            self._wait_for_orphans(below)
        if name == "crawl":
            self.outcome.working += self._seen > self._since

    def _reader(self) -> int | None:
        crawl = self._running["crawl"]
        below = _below(crawl.pid) if crawl.poll() is None else []
        return self._chance.choice(below) if below else None

    def _wait_for_orphans(self, below: list[int]) -> None:
        """Processes of a dead one end by themselves."""
        begin = time.monotonic()
        while left := [pid for pid in below if _is_ours(pid)]:
            outlived = time.monotonic() - begin
            assert outlived < _MOST_OUTLIVED, f"{len(left)} outlived it by {outlived:.0f} s"
            time.sleep(0.05)
        self.outcome.outlived = max(self.outcome.outlived, time.monotonic() - begin)

    def _look(self) -> None:
        """Nothing that was seen is gone, and nothing is there twice."""
        database = sqlite3.connect(f"file:{self._crawl}/crawl.sqlite?mode=ro", uri=True, timeout=30)
        with closing(database):
            query = "SELECT count(*), count(DISTINCT url), (SELECT count(*) FROM lost) FROM visit"
            visits, urls, lost = database.execute(query).fetchone()
        assert visits >= self._seen, f"{visits} visits after {self._seen}"
        assert visits == urls, f"{visits - urls} pages are there twice"
        assert not lost, f"{lost} responses are lost"

    def _end(self) -> None:
        """Run everything to its end, and look at all of it."""
        for process in self._running.values():
            process.kill()
            process.wait()
        self._environment["GEOSCOUT_DELAY_SECONDS"] = "0"
        for words in ("resume", "--json"), ("index", "--json"), ("check", "--json"):
            command = [sys.executable, "-m", "geoscout", words[0], str(self._crawl), *words[1:]]
            done = subprocess.run(
                command, cwd=PROJECT, env=self._environment, capture_output=True, check=False
            )
            assert done.returncode == 0, (words[0], done.stdout[-500:], done.stderr[-500:])
        assert json.loads(done.stdout)["lost"] == []
        self._check_pages()
        self._check_archives()

    def _check_pages(self) -> None:
        expected = {
            f"http://127.0.0.{host}:{self._port}/{page or ''}": _digest(host, page, self._pages)
            for host in range(1, HOSTS + 1)
            for page in range(self._pages)
        }
        with open_folder(self._crawl) as reader:
            visits = [visit for visit in reader.visits() if visit.status == 200]
            assert Counter(visit.url for visit in visits) == Counter(list(expected))
            for visit in visits:
                body = reader.response(visit.n).body
                assert hashlib.sha1(body, usedforsecurity=False).digest() == expected[visit.url]
        self.outcome.pages = len(expected)
        home = self._environment["GEOSCOUT_HOME"]
        found = open_index(self._crawl, Settings(home=home)).page_count
        assert found == len(expected), f"{found} pages in the index"

    def _check_archives(self) -> None:
        files = list((self._crawl / "archive").glob("*.warc.gz"))
        command = [sys.executable, "-m", "warcio.cli", "check", *map(str, files)]
        assert subprocess.run(command, check=False).returncode == 0

    def _visits(self) -> int:
        try:
            name = f"file:{self._crawl}/crawl.sqlite?mode=ro"
            with closing(sqlite3.connect(name, uri=True, timeout=30)) as database:
                return int(database.execute("SELECT count(*) FROM visit").fetchone()[0])
        except sqlite3.OperationalError:
            return 0  # not there yet

    def _wait(self, is_so: object, otherwise: str) -> None:
        assert callable(is_so)
        give_up_at = time.monotonic() + _PATIENCE
        while not is_so():
            crawl = self._running.get("crawl")
            assert time.monotonic() < give_up_at, otherwise
            if crawl is not None and crawl.poll() is not None:
                assert crawl.returncode == 0, f"the crawl ended with {crawl.returncode}"
                raise _AtItsEndError
            time.sleep(0.05)


class _AtItsEndError(Exception):
    """The crawl has no page left: more pages are needed for so many kills."""


def _digest(host: int, page: int, pages: int) -> bytes:
    return hashlib.sha1(body_of(host, page, pages), usedforsecurity=False).digest()


def _below(pid: int) -> list[int]:
    """The processes that one has started, and those that they have started."""
    return [child for child in children_of(pid) if _is_ours(child)]


def _is_ours(pid: int) -> bool:
    """Whether a process lives; without the one that Python has for semaphores."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return bool(command) and b"resource_tracker" not in command


def _free_port() -> int:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def kill_at_random(kills: int, seed: int, minutes: float, pages: int, home: str) -> Outcome:
    """Kill a crawl and what follows it so often, for at most so long.

    `pages` is the number that each of the hosts has.

    Raises:
        AssertionError: a promise is broken; the folder is kept.
    """
    folder = Path(tempfile.mkdtemp(prefix="geoscout-kills-"))
    until = time.monotonic() + 60 * minutes
    outcome = Killing(folder, pages, random.Random(seed), home).run(kills, until)
    subprocess.run(["rm", "-rf", str(folder)], check=False)
    return outcome


def main(environment: Mapping[str, str] = os.environ) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--pages", type=int, default=800, help="of each of the 40 hosts")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    home = environment.get("GEOSCOUT_HOME", str(HOME))
    open_gazetteer(Settings(home=home, extras=False)).close()  # built where it is missing
    print(kill_at_random(options.kills, options.seed, options.minutes, options.pages, home))


if __name__ == "__main__":
    main()
