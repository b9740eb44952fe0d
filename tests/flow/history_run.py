"""A small cluster under every harm for as long as one likes, with a history: `make history`.

    python -m tests.flow.history_run [--minutes 10] [--seed 1] [--folder DIR]

One crawl after another: three workers, each behind a cable of its own to one PostgreSQL, crawl a
web on loopback whose sites share servers. Every few seconds something happens to them: a worker is
killed, stands still for a short or a long time, is cut off, loses its connections, or has its clock
set; PostgreSQL is killed. What the web, the workers and PostgreSQL
saw is written into `history.jsonl`, and `history.py` judges by that file alone. Exit status 1 if it
finds something. It takes few resources: some pages a second, and no page is large.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from pathlib import Path

from msgspec import structs

from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.run import prepare_crawl
from geoscout.settings import Settings
from geoscout_cluster.postgres.database import Connection, connect
from geoscout_cluster.postgres.server import LocalServer
from geoscout_cluster.shared_crawl import found_crawl
from geoscout_places.gazetteer import open_gazetteer
from tests.conftest import HOME, PROJECT
from tests.fakeweb import FakeWeb, Site, Visitor
from tests.fakeweb.sites import markup, not_found
from tests.faults.set_clock import VARIABLE
from tests.flow.cable import Cable
from tests.flow.history import check_history, read_history
from tests.flow.history_worker import History
from tests.flow.node_crawl import Errand
from tests.postgres import DATABASE, drop_crawl, running_server

_LOOK_SECONDS = 0.1
_ANSWER_SECONDS = 0.7  # at most; less than the second before its end in which a lease is not used
_CLOCKS = (86_400, -7_200, 20, -20, 0)  # seconds

# Everything that changes in the row of a partition, in the order in which PostgreSQL changed it: a
# row is locked until the end of the transaction, so the numbers of one partition are in order.
_WATCH = """
CREATE TABLE written (seq bigserial, at timestamptz NOT NULL DEFAULT clock_timestamp(),
    p int, e bigint, g bigint, owner text, until timestamptz);
CREATE FUNCTION write_down() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO written (p, e, g, owner, until)
        VALUES (NEW.number, NEW.epoch, NEW.groups, NEW.owner, NEW.until);
    RETURN NULL; END $$;
CREATE TRIGGER write_down AFTER UPDATE OF epoch, groups, until ON partition
    FOR EACH ROW EXECUTE FUNCTION write_down();
"""
_WRITTEN = """
SELECT p, e, g, owner, extract(epoch FROM at)::float8, extract(epoch FROM until)::float8
FROM written ORDER BY seq
"""
_KEPT = "SELECT partition, url, segment FROM visit ORDER BY n"
_VISITS = "SELECT coalesce(sum(visits), 0)::bigint FROM harvest"


@dataclass(frozen=True)
class Plan:
    """What is crawled, and by whom."""

    hosts: int = 24
    addresses: int = 10
    pages: int = 40  # of each host
    pause: float = 1.5
    workers: int = 3
    partitions: int = 8
    lease_seconds: float = 6.0
    harm_seconds: tuple[float, float] = (4.0, 16.0)  # between two of them
    patience_seconds: float = 600.0  # in which nobody asks for a page, before a crawl hangs

    @property
    def names(self) -> list[str]:
        return [f"www.town{number}.example" for number in range(self.hosts)]


def town_web(plan: Plan) -> FakeWeb:
    """Sites that lead to each other, and share servers with those of other partitions."""

    async def answer(visitor: Visitor) -> None:
        name = visitor.path.strip("/") or "0"
        if not name.isdecimal() or int(name) >= plan.pages:
            await not_found(visitor)
            return
        mark = zlib.crc32(f"{visitor.host}/{name}".encode())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(visitor.wait_until_gone(), mark % 100 / 100 * _ANSWER_SECONDS)
            return
        visitor.stays = True
        number, host = int(name), plan.names.index(visitor.host)
        links = [f"/{n}" for n in (number + 1, 2 * number + 1) if n < plan.pages]
        other = plan.names[(host + 1 + mark % 5) % plan.hosts]
        port = visitor.headers["host"].partition(":")[2]
        words = " ".join(f"w{random.Random(mark + n).randrange(9999)}" for n in range(60))
        body = markup(f"Town {host}, {number}", [*links, f"http://{other}:{port}/"], words)
        await visitor.answer(body)

    return FakeWeb({host: Site(answer) for host in plan.names}, addresses=plan.addresses)


def found(
    where: str,
    options: CrawlOptions,
    seeds: Sequence[str],
    settings: Settings,
    *,
    archive: Path,
    partitions: int,
) -> None:
    """Make a crawl for workers at an address."""
    blueprint, beginning = prepare_crawl(options, list(seeds), settings)
    beginning = structs.replace(beginning, archive=str(archive))
    found_crawl(where, blueprint, beginning, partitions)


@dataclass
class Worker:
    """A process, the cable that it hangs on, and the file that its wall clock is set by."""

    cable: Cable
    task: Path
    clock: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None


@dataclass
class Trial:
    """One crawl under harm."""

    plan: Plan
    server: LocalServer
    web: FakeWeb
    folder: Path
    name: str
    chance: random.Random
    history: History
    home: str
    workers: list[Worker] = field(default_factory=list)

    @property
    def where(self) -> str:
        return self.server.address(DATABASE, self.name)

    def run(self, stop_harm_at: float) -> None:
        """Crawl to the end, with harm until then or that time; all goes into the history."""
        offset = time.time() - time.monotonic()
        self.history.write("begun", crawl=self.name)
        for host in self.plan.names:
            for number in range(self.plan.pages):
                self.history.write("page", url=self.web.url(host, f"/{number or ''}"))
        self._found()
        with ExitStack() as stack:
            stack.callback(self._end_all)
            for number in range(self.plan.workers):
                cable = stack.enter_context(Cable(int(self.where.split(":")[2].split("/")[0])))
                self._add_worker(number, cable)
            why_not = self._go_on(stop_harm_at)
        self._write_hits()
        self._write_rows(offset)
        self.history.write("ended", whole=not why_not, why=why_not)

    def _found(self) -> None:
        options = CrawlOptions(region=("Austin, TX",), strategy="breadth", allow_private=True)
        seeds, settings = [self.web.url(self.plan.names[0])], Settings(home=self.home, extras=False)
        archive = self.folder / "segments"
        found(
            self.where, options, seeds, settings, archive=archive, partitions=self.plan.partitions
        )
        with self._asked() as connection:
            connection.execute(_WATCH.encode())
            connection.commit()

    @contextmanager
    def _asked(self) -> Iterator[Connection]:
        with closing(connect(self.where)) as connection:
            yield connection

    def _add_worker(self, number: int, cable: Cable) -> None:
        where = self.where.replace(f":{cable.target}/", f":{cable.port}/")
        errand = Errand(where, self.home, [], [], self.web.resolver.addresses, self.plan.pause)
        errand = replace(errand, idle_seconds=30.0)
        task = self.folder / f"{self.name}-{number}.json"
        told = {"history": str(self.folder / "history.jsonl"), "errand": asdict(errand)}
        task.write_text(json.dumps(told | {"lease_seconds": self.plan.lease_seconds}))
        clock = self.folder / f"clock-{number}"
        clock.write_text("0")
        self.workers.append(Worker(cable, task, clock))

    def _start(self, worker: Worker) -> None:
        command = [sys.executable, "-m", "tests.flow.history_worker", str(worker.task)]
        with (self.folder / "errors").open("ab") as errors:
            worker.process = subprocess.Popen(
                command, cwd=PROJECT, env=os.environ | {VARIABLE: str(worker.clock)}, stderr=errors
            )

    def _go_on(self, stop_harm_at: float) -> str:
        """Until all workers have ended by themselves; why they did not, "" where they did."""
        until = time.monotonic() + self.plan.patience_seconds
        due = time.monotonic() + self.plan.harm_seconds[1]
        for worker in self.workers:
            self._start(worker)
        while any(worker.is_alive for worker in self.workers):
            time.sleep(_LOOK_SECONDS)
            now = time.monotonic()
            if self._write_hits():
                until = now + self.plan.patience_seconds
            if now > until:
                return f"nobody asked for {self.plan.patience_seconds:g} s"
            statuses = [w.process.poll() for w in self.workers if w.process is not None]
            if any(statuses):
                return f"workers ended with {statuses}"
            if due <= now < stop_harm_at:
                harm = self.chance.choices(*zip(*self.harms(), strict=True))[0]
                self.history.write("harm", did=harm(self.chance.choice(self.workers)))
                due = time.monotonic() + self.chance.uniform(*self.plan.harm_seconds)
        return ""

    def harms(self) -> list[tuple[Callable[[Worker], str], int]]:
        """What can be done, and how often it is."""
        return [
            (self.kill, 4), (self.stand_still, 4), (self.cut, 4), (self.reset, 2),
            (self.kill_server, 2), (self.set_clock, 3),
        ]  # fmt: skip

    def kill(self, worker: Worker) -> str:
        """End it as a crash would, and start another in its place."""
        process = worker.process
        assert process is not None
        process.kill()
        process.wait()
        self._start(worker)
        return f"killed {process.pid}"

    def stand_still(self, worker: Worker) -> str:
        """Stop it for less or more than its leases last."""
        process, seconds = worker.process, self._some_seconds()
        assert process is not None
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGSTOP)
            self._sleep(seconds)
            process.send_signal(signal.SIGCONT)
        return f"stopped {process.pid} for {seconds:.1f} s"

    def cut(self, worker: Worker) -> str:
        """Cut it off from PostgreSQL for less or more than its leases last."""
        seconds = self._some_seconds()
        worker.cable.cut()
        self._sleep(seconds)
        worker.cable.mend()
        return f"cut for {seconds:.1f} s"

    def reset(self, worker: Worker) -> str:
        """End its connections to PostgreSQL."""
        worker.cable.reset()
        return "reset connections"

    def set_clock(self, worker: Worker) -> str:
        """Set its wall clock."""
        offset = self.chance.choice(_CLOCKS)
        worker.clock.write_text(str(offset))
        return f"clock {offset:+} s"

    def kill_server(self, _: Worker) -> str:
        """End PostgreSQL as a crash would, and start it again."""
        self.server.kill()
        self._sleep(self.chance.uniform(0.2, 3.0))
        self.server.start()
        return "killed PostgreSQL"

    def _some_seconds(self) -> float:
        return self.chance.uniform(0.2, 2.5) * self.plan.lease_seconds

    def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)
            self._write_hits()

    def _write_hits(self) -> int:
        """Requests since the last look."""
        hits = self.web.log[:]
        del self.web.log[: len(hits)]
        for hit in hits:
            self.history.write(
                "request", hit.start, host=hit.host, address=hit.address, url=hit.path,
                until=round(hit.end, 4), status=hit.status, pause=self.plan.pause,
            )  # fmt: skip
        return len(hits)

    def _write_rows(self, offset: float) -> None:
        """What PostgreSQL has written down and kept, on the clock of all others."""
        with self._asked() as connection:
            for p, e, g, owner, at, until in connection.execute(_WRITTEN).fetchall():
                ends = round(until - offset, 4) if until else 0
                self.history.write("row", at - offset, p=p, e=e, g=g, owner=owner, until=ends)
            for p, url, segment in connection.execute(_KEPT).fetchall():
                epoch, group = Path(segment).name.split("-")[:2]
                self.history.write("kept", p=p, e=int(epoch), g=int(group), url=url)

    def _end_all(self) -> None:
        for worker in self.workers:
            if worker.process is not None and worker.process.poll() is None:
                worker.process.send_signal(signal.SIGCONT)
                worker.process.kill()
                worker.process.wait()


def run_for(minutes: float, seed: int, folder: Path, plan: Plan, home: str) -> Path:
    """Crawl again and again for so long; returns the history."""
    chance, path = random.Random(seed), folder / "history.jsonl"
    history = History(path)
    stop_at = time.monotonic() + 60 * minutes
    with town_web(plan) as web, running_server() as server:
        numbers = count(1)
        while (number := next(numbers)) == 1 or time.monotonic() < stop_at:
            trial = Trial(plan, server, web, folder, f"crawl{number}", chance, history, home)
            began = time.monotonic()
            trial.run(stop_at)
            print(f"crawl {number}: {time.monotonic() - began:.0f} s", flush=True)
            drop_crawl(trial.where)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--folder", type=Path, help="where the history is kept")
    given = parser.parse_args()
    home = os.environ.get("GEOSCOUT_HOME", HOME)
    open_gazetteer(Settings(home=home, extras=False)).close()  # built where it is missing
    folder = given.folder or Path(tempfile.mkdtemp(prefix="geoscout-history-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"seed {given.seed}, history in {folder}", flush=True)
    path = run_for(given.minutes, given.seed, folder, Plan(), home)
    verdict = check_history(read_history(path))
    print(verdict)
    return 1 if verdict.findings else 0


if __name__ == "__main__":
    sys.exit(main())
