"""What a URL costs in the frontier: to recognise, to put durably, to take, and to remember.

    python benchmarks/frontier.py            200,000 URLs on 2,000 hosts
    python benchmarks/frontier.py --full     5,000,000 URLs on 50,000 hosts, the size of the limits

Every contender runs in a process of its own over the same links: hosts and priorities at random,
which is the hardest order for a B-tree. Times are of the processor, of user and system together.
Scrapy's way (its duplicate filter, and queuelib's disk queues by whole priority) is measured where
queuelib is installed. It promises less: no hosts, no politeness, no raising of priorities, and its
files are only whole again after a clean end.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import json
import pickle
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.model import Request
from geoscout.store.sqlite.database import open_database

LINKS = 50  # of a page
PAGES = 40  # of a group that is committed together
LIMITS = {"known": 5.0, "new": 50.0, "next": 200.0, "memory": 60.0}
ROWS = (
    ("known", "known link, us"),
    ("new", "new URL put, with commits, us"),
    ("next", "next, us"),
    ("done", "done, with commits, us"),
    ("memory", "memory, bytes of RSS a URL"),
    ("rss", "RSS of the process, MB"),
    ("disk", "disk, bytes a URL"),
    ("open", "open again, s"),
    ("put_rate", "URLs put per second of CPU"),
    ("next_rate", "next and done per second of CPU"),
)


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
        self.connection.commit()

    def next(self, now: float) -> Request | None:
        return self.frontier.next(now)

    def done(self, taken: Request, now: float) -> None:
        self.frontier.done(taken, now, 1.0)


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
    """Adds up the processor time of what runs inside it."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self.start = time.process_time()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.process_time() - self.start


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def measure(name: str, urls: int, hosts: int) -> dict[str, float]:
    """All figures of one contender; in a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        before = resident_bytes()
        contender = CONTENDERS[name](Path(place))
        figures = {"new": measure_puts(contender, urls, hosts)}
        figures["known"] = measure_known(contender, urls, hosts)
        figures["next"], figures["done"] = measure_takes(contender, min(urls // 10, 50_000), hosts)
        figures["rss"] = resident_bytes() / 1e6
        figures["memory"] = (resident_bytes() - before) / urls
        size = sum(file.stat().st_size for file in Path(place).rglob("*"))
        figures["disk"] = size / urls
        if isinstance(contender, Geoscout):
            contender.connection.close()
            watch = Stopwatch()
            with watch:
                Geoscout(Path(place)).connection.close()
            figures["open"] = watch.seconds
    figures["put_rate"] = 1e6 / figures["new"]
    figures["next_rate"] = 1e6 / (figures["next"] + figures["done"])
    return figures


def measure_puts(contender: Contender, urls: int, hosts: int) -> float:
    watch = Stopwatch()
    for number, page in enumerate(links(urls, hosts, seed=1)):
        with watch:
            contender.put(page)
            if number % PAGES == 0:
                contender.commit()
    with watch:
        contender.commit()
    return watch.seconds / urls * 1e6


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


def measure_takes(contender: Contender, count: int, hosts: int) -> tuple[float, float]:
    """Up to 100 in flight; a host rests for a second, in which a quarter of the hosts is asked."""
    next_watch, done_watch = Stopwatch(), Stopwatch()
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
    return next_watch.seconds / count * 1e6, done_watch.seconds / count * 1e6


def run(name: str, urls: int, hosts: int) -> dict[str, float] | None:
    """Measure in a fresh process; None when the contender is not installed."""
    if importlib.util.find_spec(name) is None:
        return None
    command = [sys.executable, __file__, "--only", name, f"--urls={urls}", f"--hosts={hosts}"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


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
    arguments = parser.parse_args()
    urls, hosts = (5_000_000, 50_000) if arguments.full else (arguments.urls, arguments.hosts)
    if arguments.only:
        print(json.dumps(measure(arguments.only, urls, hosts)))
        return
    print(f"{urls:,} URLs on {hosts:,} hosts; the limits are for --full (fewer share the caches)")
    results = {name: run(name, urls, hosts) for name in CONTENDERS}
    show({name: figures for name, figures in results.items() if figures})


if __name__ == "__main__":
    main()
