"""What a URL costs in the frontier: to recognise, to put durably, to take, and to remember.

    python benchmarks/frontier.py            200,000 URLs on 2,000 hosts
    python benchmarks/frontier.py --full     5,000,000 URLs on 50,000 hosts, the size of the limits
    python benchmarks/frontier.py --on       PostgreSQL next to SQLite; it starts a server
    python benchmarks/frontier.py --on postgresql://host/database/NAME --full    1,000,000 URLs

Every contender runs in a process of its own over the same links: hosts and priorities at random,
which is the hardest order for a B-tree. Times are of the processor, of user and system together.
Scrapy's way (its duplicate filter, and queuelib's disk queues by whole priority) is measured where
queuelib is installed. It promises less: no hosts, no politeness, no raising of priorities, and its
files are only whole again after a clean end. With `--on`, columns named "server" are the time of
the server's process for this connection, which has to be on this machine to be seen.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import json
import os
import pickle
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.store.sqlite.database import open_database
from geoscout_cluster.postgres.database import connect, create_tables, read_address
from geoscout_cluster.postgres.engine import FRONTIER_TABLES as POSTGRES_TABLES
from geoscout_cluster.postgres.engine import PostgresFrontier, write_changes
from geoscout_cluster.postgres.server import LocalServer
from geoscout_places.model import Request

LINKS = 50  # of a page
PAGES = 40  # of a group that is committed together
MOVED = 10_000  # requests that get another priority at once
ADDRESS = "GEOSCOUT_BENCHMARK_ON"  # in the environment: an address may contain a password
TICKS = os.sysconf("SC_CLK_TCK")
LIMITS = {"known": 5.0, "new": 50.0, "next": 200.0, "memory": 60.0}
ROWS = (
    ("known", "known link, us"),
    ("new", "new URL put, with commits, us"),
    ("next", "next, us"),
    ("done", "done, with commits, us"),
    ("moved", "another priority, with commits, us"),
    ("new_server", "new URL: server, us"),
    ("done_server", "done: server, us"),
    ("moved_server", "another priority: server, us"),
    ("log", "write-ahead log, bytes a URL"),
    ("hot", "share of updates that change no index"),
    ("memory", "memory, bytes of RSS a URL"),
    ("rss", "RSS of the process, MB"),
    ("disk", "disk, bytes a URL"),
    ("open", "open again, s"),
    ("open_server", "open again: server, s"),
    ("put_rate", "URLs put per second of CPU"),
    ("next_rate", "next and done per second of CPU"),
)


TABLE_NAMES = ("frontier_request", "frontier_host")


class Contender(Protocol):
    """Something that keeps requests."""

    def put(self, requests: list[Request]) -> None: ...
    def commit(self) -> None: ...
    def next(self, now: float) -> Any: ...
    def done(self, taken: Any, now: float) -> None: ...


class Geoscout:
    """Ours, as the crawl uses it."""

    def __init__(self, folder: Path) -> None:
        self.connection = open_database(folder, [TABLES])
        self.frontier = SqliteFrontier(self.connection)

    def put(self, requests: list[Request]) -> None:
        self.frontier.put(requests)

    def commit(self) -> None:
        self.frontier.flush()
        self.connection.commit()

    def next(self, now: float) -> Request | None:
        return self.frontier.next(now)

    def done(self, taken: Request, now: float) -> None:
        self.frontier.done(taken, now, 1.0)


class Postgres:
    """Ours on PostgreSQL: one partition, its changes sent with each commit."""

    def __init__(self, folder: Path) -> None:  # noqa: ARG002
        self.address = read_address(os.environ[ADDRESS])
        self.connection = connect(self.address)
        self.cursor = self.connection.cursor()
        create_tables(self.connection, self.address, [POSTGRES_TABLES])
        self.connection.commit()
        self.frontier = PostgresFrontier(self.connection)
        self.first_log = self.log_bytes()

    def put(self, requests: list[Request]) -> None:
        self.frontier.put(requests)

    def commit(self) -> None:
        write_changes(self.cursor, self.frontier.cut(), 0)
        self.connection.commit()

    def next(self, now: float) -> Request | None:
        return self.frontier.next(now)

    def done(self, taken: Request, now: float) -> None:
        self.frontier.done(taken, now, 1.0)

    def reopen(self) -> None:
        self.frontier.close()
        self.frontier = PostgresFrontier(self.connection)

    def server_seconds(self) -> float:
        """Processor time of the server's process; 0 where it is on another machine."""
        stat = Path(f"/proc/{self.connection.info.backend_pid}/stat")
        if not stat.exists():
            return 0.0
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def figure(self, query: str) -> float:
        row = self.connection.execute(query.encode()).fetchone()
        self.connection.commit()
        return float(row[0]) if row else 0.0

    def log_bytes(self) -> float:
        return self.figure("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")

    def sizes(self, urls: int) -> dict[str, float]:
        """What it takes in the server; the statistics of the updates come a little late."""
        self.figure("SELECT 1 FROM pg_stat_force_next_flush()")
        tables = f"({', '.join(map(repr, TABLE_NAMES))})"
        size = (
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
            f" WHERE relname IN {tables} AND relnamespace = current_schema()::regnamespace"
        )
        hot = (
            "SELECT sum(n_tup_hot_upd)::float8 / greatest(sum(n_tup_upd), 1)"
            f" FROM pg_stat_user_tables WHERE relname IN {tables}"
            " AND schemaname = current_schema()"
        )
        return {
            "log": (self.log_bytes() - self.first_log) / urls,
            "disk": self.figure(size) / urls,
            "hot": self.figure(hot),
        }

    def drop(self) -> None:
        self.connection.execute(f'DROP SCHEMA "{self.address.schema}" CASCADE'.encode())
        self.connection.commit()
        self.connection.close()


class Queuelib:
    """As Scrapy does it: a set of SHA-1 digests in hexadecimal, pickles in files by priority."""

    def __init__(self, folder: Path) -> None:
        queuelib = importlib.import_module("queuelib")

        def make_queue(priority: int) -> Any:
            return queuelib.FifoDiskQueue(str(folder / str(priority)))

        self.queue = queuelib.PriorityQueue(make_queue)
        self.known: set[str] = set()
        self.digests = (folder / "requests.seen").open("a")

    def put(self, requests: list[Request]) -> None:
        for request in requests:
            digest = hashlib.sha1(request.url.encode()).hexdigest()
            if digest not in self.known:
                self.known.add(digest)
                self.digests.write(digest + "\n")
                fields = (request.url, request.priority, request.depth, request.parent)
                self.queue.push(pickle.dumps(fields, 4), -int(request.priority * 100))

    def commit(self) -> None:
        self.digests.flush()

    def next(self, now: float) -> Any:  # noqa: ARG002
        return pickle.loads(self.queue.pop())

    def done(self, taken: Any, now: float) -> None:
        pass


CONTENDERS: dict[str, Callable[[Path], Contender]] = {
    "geoscout": Geoscout,
    "postgres": Postgres,
    "queuelib": Queuelib,
}


def links(urls: int, hosts: int, seed: int) -> Iterator[list[Request]]:
    """The links of one page after another; the same seed gives the same."""
    chance = random.Random(seed)
    for page in range(urls // LINKS):
        parent = f"https://www.site-{page % hosts}.example/overview/page-{page}.html"
        yield [
            Request(
                f"https://www.site-{int(chance.random() * hosts)}.example/section/"
                f"{page % 97}/a-page-about-something-{page * LINKS + link}.html",
                chance.random(),
                depth=3,
                parent=parent,
            )
            for link in range(LINKS)
        ]


class Stopwatch:
    """Adds up the processor time of what runs inside it, here and in the server."""

    def __init__(self, contender: Contender | None = None) -> None:
        self.seconds = 0.0
        self._server = contender if isinstance(contender, Postgres) else None
        self._first = self._server.server_seconds() if self._server else 0.0

    def __enter__(self) -> None:
        self.start = time.process_time()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.process_time() - self.start

    def figures(self, name: str, count: float) -> dict[str, float]:
        """Both in units of `count`; of the server all since the watch was made."""
        found = {name: self.seconds / count}
        if self._server:
            found[f"{name}_server"] = (self._server.server_seconds() - self._first) / count
        return found


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def measure(name: str, urls: int, hosts: int) -> dict[str, float]:
    """All figures of one contender; in a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        before = resident_bytes()
        contender = CONTENDERS[name](Path(place))
        figures = measure_puts(contender, urls, hosts)
        figures["known"] = measure_known(contender, urls, hosts)
        figures |= measure_takes(contender, min(urls // 10, 50_000), hosts)
        figures["rss"] = resident_bytes() / 1e6
        figures["memory"] = (resident_bytes() - before) / urls
        size = sum(file.stat().st_size for file in Path(place).rglob("*"))
        figures["disk"] = size / urls
        if isinstance(contender, Geoscout | Postgres):
            figures |= measure_moves(contender) | measure_opening(contender, Path(place), urls)
    figures["put_rate"] = 1e6 / figures["new"]
    figures["next_rate"] = 1e6 / (figures["next"] + figures["done"])
    return figures


def measure_puts(contender: Contender, urls: int, hosts: int) -> dict[str, float]:
    watch = Stopwatch(contender)
    for number, page in enumerate(links(urls, hosts, seed=1)):
        with watch:
            contender.put(page)
            if number % PAGES == 0:
                contender.commit()
    with watch:
        contender.commit()
    return watch.figures("new", urls / 1e6)


def measure_known(contender: Contender, urls: int, hosts: int) -> float:
    watch = Stopwatch()
    count = 0
    for page in links(urls, hosts, seed=1):
        with watch:
            contender.put(page)
        count += len(page)
        if count >= 500_000:
            break
    return watch.seconds / count * 1e6


def measure_takes(contender: Contender, count: int, hosts: int) -> dict[str, float]:
    """Up to 100 in flight; a host rests for a second, in which a quarter of the hosts is asked."""
    next_watch, done_watch = Stopwatch(), Stopwatch(contender)
    in_flight = []
    for number in range(count):
        now = 4.0 * number / hosts
        with next_watch:
            taken = contender.next(now)
        in_flight.append(taken)
        if len(in_flight) == 100:
            with done_watch:
                for taken in in_flight:
                    contender.done(taken, now)
                contender.commit()
            in_flight = []
    return next_watch.figures("next", count / 1e6) | done_watch.figures("done", count / 1e6)


def measure_moves(contender: Geoscout | Postgres) -> dict[str, float]:
    waiting = contender.frontier.peek(MOVED)
    watch = Stopwatch(contender)
    with watch:
        contender.frontier.reprioritise((request, request.priority / 2) for request in waiting)
        contender.commit()
    return watch.figures("moved", len(waiting) / 1e6)


def measure_opening(contender: Geoscout | Postgres, place: Path, urls: int) -> dict[str, float]:
    """How long it takes to go on after the death of the process."""
    if isinstance(contender, Postgres):
        figures = contender.sizes(urls)
        watch = Stopwatch(contender)
        with watch:
            contender.reopen()
        figures |= watch.figures("open", 1)
        contender.drop()
        return figures
    contender.connection.close()
    watch = Stopwatch()
    with watch:
        Geoscout(place).connection.close()
    return watch.figures("open", 1)


def run(name: str, urls: int, hosts: int) -> dict[str, float]:
    """Measure in a fresh process."""
    command = [sys.executable, __file__, "--only", name, f"--urls={urls}", f"--hosts={hosts}"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def contenders(on: str | None) -> list[str]:
    """Those to compare."""
    if on is not None:
        return ["geoscout", "postgres"]
    return ["geoscout", *(["queuelib"] if importlib.util.find_spec("queuelib") else [])]


@contextmanager
def server(on: str | None) -> Iterator[None]:
    """Say in the environment which PostgreSQL is measured; start one where none was named."""
    if on == "":
        with tempfile.TemporaryDirectory(prefix="pg-") as folder, LocalServer(Path(folder)) as own:
            os.environ[ADDRESS] = own.address("postgres", "benchmark")
            yield
        return
    if on is not None:
        os.environ[ADDRESS] = on
    yield


def show(results: dict[str, dict[str, float]]) -> None:
    print(f"{'':<36}" + "".join(f"{name:>14}" for name in results) + f"{'limit':>10}")
    for key, title in ROWS:
        cells = [
            f"{figures[key]:14,.2f}" if key in figures else f"{'-':>14}"
            for figures in results.values()
        ]
        limit = f"{LIMITS[key]:10.0f}" if key in LIMITS else ""
        print(f"{title:<36}" + "".join(cells) + limit)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--full", action="store_true", help="5,000,000 URLs on 50,000 hosts")
    parser.add_argument("--urls", type=int, default=200_000)
    parser.add_argument("--hosts", type=int, default=2_000)
    parser.add_argument("--only", choices=CONTENDERS, help="one contender, as JSON")
    parser.add_argument(
        "--on", nargs="?", const="", metavar="ADDRESS", help="PostgreSQL next to SQLite"
    )
    arguments = parser.parse_args()
    full = (5_000_000, 50_000) if arguments.on is None else (1_000_000, 10_000)
    urls, hosts = full if arguments.full else (arguments.urls, arguments.hosts)
    if arguments.only:
        print(json.dumps(measure(arguments.only, urls, hosts)))
        return
    print(f"{urls:,} URLs on {hosts:,} hosts; the limits are for --full (fewer share the caches)")
    with server(arguments.on):
        show({name: run(name, urls, hosts) for name in contenders(arguments.on)})


if __name__ == "__main__":
    main()
