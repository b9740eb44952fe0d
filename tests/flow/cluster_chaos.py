"""A crawl by several workers that are killed and stopped, and its database with them.

`ChaosCrawl` runs worker processes over an archive and does harm to them. Afterwards it judges by
what is in the database, and by a log of all claims and fetches in the order in which they happened.
"""

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.run import prepare_crawl
from geoscout.settings import load_settings
from geoscout.state.base import open_state
from geoscout_cluster.postgres.database import connect
from geoscout_cluster.postgres.server import LocalServer
from geoscout_cluster.shared_crawl import found_crawl


@dataclass(frozen=True)
class Terms:
    """What is crawled, and by whom."""

    archive: Path
    seeds: Sequence[str]
    region: str = "Austin, TX"
    partitions: int = 8
    workers: int = 3
    lease_seconds: float = 3.0
    pause: float = 0.0  # of each answer
    max_pages: int | None = None


@dataclass
class ChaosCrawl:
    """One crawl and its workers."""

    server: LocalServer
    where: str
    folder: Path
    terms: Terms
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def begin(self) -> None:
        """Make the crawl, and start its workers."""
        terms, settings = self.terms, load_settings()
        options = CrawlOptions(
            region=(terms.region,), strategy="breadth", replay=(str(terms.archive),),
            max_pages=terms.max_pages,
        )  # fmt: skip
        blueprint, beginning = prepare_crawl(options, list(terms.seeds), settings)
        beginning = replace(beginning, archive=str(self.folder / "segments"))
        found_crawl(self.where, blueprint, beginning, terms.partitions)
        for _ in range(terms.workers):
            self.start_worker()

    def start_worker(self) -> None:
        self.start_command(self.where)

    def start_command(self, where: str, prefix: Sequence[str] = ()) -> None:
        """Start a worker that sees the crawl at this address; `prefix` runs it elsewhere."""
        terms = self.terms
        command = [
            *prefix, sys.executable, "-m", "tests.flow.cluster_worker", where, str(terms.archive),
            str(self.log), str(terms.lease_seconds), str(terms.pause),
        ]  # fmt: skip
        with (self.folder / "errors").open("ab") as errors:
            self.processes.append(subprocess.Popen(command, stderr=errors))

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def visits(self) -> int:
        try:
            with closing(connect(self.where)) as connection:
                query = "SELECT coalesce(sum(visits), 0) FROM harvest"
                (count,) = connection.execute(query).fetchone() or (0,)
                return int(count)
        except Exception:  # the server was just killed
            return 0

    def alive(self) -> list[subprocess.Popen[bytes]]:
        return [process for process in self.processes if process.poll() is None]

    def kill_worker(self, chance: random.Random) -> None:
        """End a worker as a crash would, and start another."""
        process = chance.choice(self.alive())
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.note(f"killed {process.pid}")
        self.start_worker()

    def stop_worker(self, chance: random.Random) -> None:
        """Let a worker stand still for longer than its leases."""
        process = chance.choice(self.alive())
        process.send_signal(signal.SIGSTOP)
        self.note(f"stopped {process.pid}")
        time.sleep(self.terms.lease_seconds * 1.5)
        process.send_signal(signal.SIGCONT)
        self.note(f"continued {process.pid}")

    def kill_server(self, chance: random.Random) -> None:
        """End PostgreSQL as a crash would, and start it again."""
        self.server.kill()
        self.note("server killed")
        time.sleep(chance.uniform(0.5, 2.0))
        self.server.start()
        self.note("server started")

    def note(self, text: str) -> None:
        with self.log.open("a") as file:
            file.write(f"{time.time():.3f} 0 {text}\n")

    def run(self, harm: Sequence[Callable[[random.Random], None]], every: float) -> None:
        """Let it come to its end, and do harm to it meanwhile."""
        chance, waiting = random.Random(1), list(harm)
        due = time.monotonic() + every
        while self.alive():
            if waiting and time.monotonic() >= due and self.visits():
                waiting.pop(0)(chance)
                due = time.monotonic() + every
            time.sleep(0.1)
        assert not waiting, f"the crawl ended before {len(waiting)} harms"

    def close(self) -> None:
        for process in self.alive():
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()

    def urls(self) -> Counter[str]:
        """The URLs that were stored, and how often."""
        with open_state(self.where) as crawl:
            return Counter(visit.url for visit in crawl.reader.visits())

    def lines(self) -> Iterator[list[str]]:
        for line in self.log.read_text().splitlines():
            yield line.split(" ", 3)

    def fetches_by_replaced_owners(self) -> list[str]:
        """Fetches by a process after another one had claimed the partition."""
        owners: dict[str, str] = {}
        found = []
        for at, process, what, *rest in self.lines():
            partition = rest[0].split(" ")[0] if rest else ""
            if what == "claimed":
                owners[partition] = process
            elif what == "fetch" and owners.get(partition) != process:
                found.append(f"{at} {process} {rest}")
        return found

    def takeovers(self) -> list[float]:
        """Seconds from the death of a worker to the claim of each partition that it held."""
        owners: dict[str, str] = {}
        orphans: dict[str, float] = {}
        seconds = []
        for at, process, what, *rest in self.lines():
            if what == "killed":
                dead = [number for number, owner in owners.items() if owner == rest[0]]
                orphans |= dict.fromkeys(dead, float(at))
            elif what == "claimed":
                if rest[0] in orphans:
                    seconds.append(float(at) - orphans.pop(rest[0]))
                owners[rest[0]] = process
        return seconds
